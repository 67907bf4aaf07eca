from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.domain.material import ImportPolicy, Invalid, Repeated, import_judgments
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project


class Command(ProjectCommand):
    help = (
        "Brings in judgments that were collected elsewhere: ratings with the columns item, annotator, value; choices "
        "with item1, item2, ..., best, worst and perhaps tuple, annotator; and some optional ones."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=existing_file, help="CSV, TSV or JSON Lines in UTF-8 or UTF-16.")
        parser.add_argument("--round", dest="round_key", help="Of rows that name none; needed with several rounds.")
        parser.add_argument(
            "--invalid",
            choices=list(map(str, Invalid)),
            default=Invalid.REFUSE,
            help="Of choices with an item twice, or with the same item as best and worst: refuse the file, drop the "
            "rows (and those without a choice), keep them and count them as they stand, or mark them: they are "
            "kept and do not count.",
        )
        parser.add_argument(
            "--repeated",
            choices=list(map(str, Repeated)),
            default=Repeated.REFUSE,
            help="Where a person judged the same again: refuse the file, keep the first or the last judgment, or keep "
            "all (of choices).",
        )
        parser.add_argument(
            "--wide", action="store_true", help="Ratings with a line for each item and a column for each annotator."
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="Import a file although it was imported before, and choices although the project holds the same.",
        )

    def run(self, project: Project, *, file: str, round_key: str | None, **options: Any) -> None:
        handling = ImportPolicy(
            Invalid(options["invalid"]), Repeated(options["repeated"]), wide=options["wide"], again=options["again"]
        )
        done = import_judgments(
            project=project, path=Path(file), round_key=round_key, now=timezone.now(), handling=handling
        )
        met = {
            "items, named by the file": done.items,
            "without a rating": done.met.unrated,
            "without an annotator, of each tuple somebody else's": done.met.unsigned,
            f"invalid, {INVALID[handling.invalid]}": done.met.invalid,
            f"repeated, {KEPT[handling.repeated]}": done.met.repeated,
            "superseded, withdrawn or reassigned in the file, left out": done.met.uncounted,
        }
        counts = {name: number for name, number in met.items() if number}
        self.say({"judgments": done.judgments, "annotators": done.annotators} | counts)


INVALID = {
    Invalid.REFUSE: "refused",
    Invalid.DROP: "left out",
    Invalid.KEEP: "kept as they stand",
    Invalid.MARK: "marked and not counted",
}
KEPT = {
    Repeated.REFUSE: "refused",
    Repeated.FIRST: "left out",
    Repeated.LAST: "taken instead of the earlier ones",
    Repeated.KEEP: "kept",
}
