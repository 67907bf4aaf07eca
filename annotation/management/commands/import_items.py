from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.corpora.cleaning import CHANGED, DROPPED, Kind
from annotation.domain.material import import_cleaned, import_items
from annotation.domain.material.findings import find_in_file
from annotation.domain.material.wording import FoundKind, found_kinds
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project
from annotation.protocols.terms import Material

EXAMPLES = 3  # of each kind
NAMES = {kind.value.replace(" ", "-"): kind for kind in Kind if kind in CHANGED | DROPPED}


class Command(ProjectCommand):
    help = (
        "Import incidents, pairs, texts or dialogues. If the file has problems, nothing is imported "
        "and all problems are listed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=existing_file, help="CSV, TSV or JSON Lines in UTF-8.")
        looking = parser.add_mutually_exclusive_group()
        looking.add_argument(
            "--check", action="store_true", help="Only check the texts and print the findings. Nothing is imported."
        )
        looking.add_argument(
            "--clean",
            type=_kinds,
            metavar="KIND[,KIND]",
            default=[],
            help=f"Correct these findings, or leave out the affected rows: {', '.join(NAMES)}.",
        )

        parser.add_argument(
            "--expletives", type=existing_file, metavar="FILE", help="File of unwanted words, one per line."
        )

    def run(self, project: Project, *, file: str, check: bool, clean: list[Kind], **options: Any) -> None:
        words = _lines(options["expletives"])
        if check:
            self._tell(find_in_file(project, Path(file), expletives=words))
            return
        material = project.protocol.material
        items = "utterances" if material == Material.DIALOGUES else str(material)
        if clean:
            cleaned = import_cleaned(project=project, path=Path(file), kinds=clean, expletives=words)
            self.say({items: cleaned.imported, "texts changed": cleaned.changed, "left out": cleaned.left_out})
            return
        self.say({items: import_items(project=project, path=Path(file))})

    def _tell(self, findings: dict[str, Any]) -> None:
        self.say({"texts": findings["texts"], "kinds of findings": len(findings["kinds"])})
        for found in found_kinds(findings):
            self._write_kind(found)
        for figure in findings["balance"]:
            self.stdout.write(f"\n{figure['name']}:")
            self.say({f"  {label}": count for label, count in figure["bars"]})

    def _write_kind(self, found: FoundKind) -> None:
        self.stdout.write(f"\n{found.kind.replace(' ', '-')}: {found.count} ({found.wording.found})")
        for example in found.examples[:EXAMPLES]:
            change = f" -> “{example['becomes']}”" if "becomes" in example else ""
            twin = f", same as line {example['twin']}" if "twin" in example else ""
            found = f"[{example['what']}]" if example["what"] else ""
            self.stdout.write(f"  line {example['line']}{twin}: {example['left']}{found}{example['right']}{change}")


def _lines(path: str | None) -> list[str]:
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines() if path else []
    return [line.strip() for line in lines if line.strip()]


def _kinds(text: str) -> list[Kind]:
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in NAMES]:
        raise ArgumentTypeError(f"Unknown kinds of findings: {', '.join(unknown)}. Use one of: {', '.join(NAMES)}.")
    return [NAMES[name] for name in names]
