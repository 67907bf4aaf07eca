from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.errors import Refusal
from annotation.domain.importing import FileRefused
from annotation.domain.importing.building import NAMED, build, spread_of, write_pairs
from annotation.management.project_command import existing_file


class Command(BaseCommand):
    help = "Builds pairs from a corpus by the heuristics of SemRel, ready for import_items, and shows their spread."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "corpus", type=existing_file, help="A sentence a line; or CSV, TSV or JSON Lines with a column “text”."
        )
        parser.add_argument("--out", required=True, metavar="FILE.csv", help="Where the pairs go.")
        for name, (_, title) in NAMED.items():
            option = f"--{name.replace('_', '-')}"
            parser.add_argument(option, type=_number, default=0, metavar="N", help=f"Pairs: {title}.")
        parser.add_argument(
            "--manual",
            type=existing_file,
            metavar="FILE",
            help="Pairs chosen by hand, as `id1,id2`: ids or line numbers.",
        )
        parser.add_argument("--uses", type=_number, default=1, metavar="N", help="Pairs in which a sentence may stand.")
        parser.add_argument("--seed", type=_number, default=0, help="The same seed gives the same pairs.")

    def handle(self, *args: Any, corpus: str, out: str, manual: str | None, **options: Any) -> None:
        wishes = {name: options[name] for name in (*NAMED, "uses", "seed")}
        path = Path(corpus)
        try:
            pairs = build(path, path.name, wishes, chosen=Path(manual) if manual else None)
            write_pairs(pairs, Path(out))
        except FileRefused as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            many = "1 problem" if len(error.problems) == 1 else f"{len(error.problems)} problems"
            raise CommandError(f"The corpus cannot be used: {many}.") from error
        except Refusal as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.") from error
        self._tell(spread_of(pairs))

    def _tell(self, spread: dict[str, Any]) -> None:
        """The pairs by the share of words in common: a row a heuristic, a column a tenth."""
        columns = [*spread["by_heuristic"], spread["overlap"]]
        width = max(len(one["name"]) for one in columns)
        self.stdout.write(
            " " * width + "".join(f"{label.split()[0]:>7}" for label, _ in spread["overlap"]["bars"]) + "    all"
        )
        for one in columns:
            counts = "".join(f"{count:>7}" for _, count in one["bars"])
            self.stdout.write(f"{one['name']:<{width}}{counts}{one['pairs']:>7}")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"“{text}” is not a whole number from 0 on.")
    return int(text)
