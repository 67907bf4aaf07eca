from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused
from annotation.domain.material.building import (
    DUPLICATE_THRESHOLD,
    LIMITS,
    NAMED,
    build,
    spread_of,
    write_pairs,
)
from annotation.management.project_command import existing_file


class Command(BaseCommand):
    help = (
        "Build pairs from a corpus with the heuristics of SemRel, ready for import_items, and print their distribution."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "corpus",
            type=existing_file,
            help="One sentence per line, or CSV, TSV or JSON Lines with a column “text” or with ready pairs "
            "as in --pairs.",
        )
        parser.add_argument("--out", required=True, metavar="FILE.csv", help="File to write the pairs to.")
        for name, (_, title) in NAMED.items():
            option = f"--{name.replace('_', '-')}"
            parser.add_argument(option, type=_number, default=0, metavar="N", help=f"Number of pairs: {title}.")
        parser.add_argument(
            "--manual",
            type=existing_file,
            metavar="FILE",
            help="Pairs chosen by hand, as `id1,id2`: IDs or line numbers.",
        )
        parser.add_argument(
            "--pairs",
            type=existing_file,
            metavar="FILE",
            help="Ready pairs for --paraphrases and --scored: CSV, TSV or JSON Lines with `sentence1,sentence2` and, "
            "for --scored, `score`.",
        )
        parser.add_argument("--shortest", type=_number, default=0, metavar="N", help="Minimum words in a sentence.")
        parser.add_argument(
            "--longest", type=_number, default=0, metavar="N", help="Maximum words in a sentence; 0 = no limit."
        )
        parser.add_argument(
            "--duplicate-threshold",
            type=_share,
            default=DUPLICATE_THRESHOLD,
            metavar="X",
            help="If sentences share at least this much of their character trigrams (Dice coefficient, 0.8 to 1), only "
            "one of them is kept; 0 = keep all. Does not affect ready pairs and pairs of near-duplicates. "
            f"Default: {DUPLICATE_THRESHOLD}.",
        )
        parser.add_argument("--uses", type=_number, default=1, metavar="N", help="Maximum pairs per sentence.")
        parser.add_argument("--seed", type=_number, default=0, help="The same seed gives the same pairs.")

    def handle(self, *args: Any, corpus: str, out: str, manual: str | None, pairs: str | None, **options: Any) -> None:
        wishes = {name: options[name] for name in (*NAMED, *LIMITS, "uses", "seed")}
        path = Path(corpus)
        try:
            files = {"chosen": Path(manual) if manual else None, "ready": Path(pairs) if pairs else None}
            built = build(path, path.name, wishes, **files)
            write_pairs(built.pairs, Path(out))
        except FileRefused as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            many = "1 problem" if len(error.problems) == 1 else f"{len(error.problems)} problems"
            raise CommandError(f"No pairs were built: the files have {many}.") from error
        except Refusal as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.") from error
        self._show(spread_of(built))

    def _show(self, spread: dict[str, Any]) -> None:
        """Print the number of pairs by shared words: a row for each heuristic, a column for each tenth; then the
        number of sentences left out, by reason."""
        columns = [*spread["by_heuristic"], spread["overlap"]]
        width = max(len(column["name"]) for column in columns)
        self.stdout.write(
            " " * width + "".join(f"{label.split()[0]:>7}" for label, _ in spread["overlap"]["bars"]) + "    all"
        )
        for column in columns:
            counts = "".join(f"{count:>7}" for _, count in column["bars"])
            self.stdout.write(f"{column['name']:<{width}}{counts}{column['pairs']:>7}")
        left_out = ", ".join(f"{number:,} {reason}" for reason, number in spread["left_out"]) or "none"
        self.stdout.write(f"\nSentences: {spread['sentences']:,}. Left out: {left_out}.")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"“{text}” is not a whole number, 0 or greater.")
    return int(text)


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"“{text}” is not a number.") from error
