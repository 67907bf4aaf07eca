from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.domain.material import ImportPolicy, Invalid, Repeated
from annotation.domain.material.elsewhere import FORMATS, OWN, import_export, opened_export
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project


class Command(ProjectCommand):
    help = (
        "Import judgments that were collected elsewhere: ratings with the columns item, annotator, "
        "value, or choices with the columns item1, item2, ..., best, worst and optionally tuple, "
        "annotator; or an export of Label Studio, Potato, doccano or Litescale, or a MaxDiff table."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=existing_file, help="CSV, TSV or JSON Lines in UTF-8 or UTF-16, or an export.")
        parser.add_argument(
            "--format",
            choices=FORMATS,
            default="",
            help="What wrote the file. By default the format is recognized.",
        )
        parser.add_argument("--question", default="", help="Question to import from an export that has several.")
        parser.add_argument(
            "--round",
            dest="round_key",
            help="Round of rows without a round. Required if the project has several rounds.",
        )
        parser.add_argument(
            "--invalid",
            choices=list(map(str, Invalid)),
            default=Invalid.REFUSE,
            help="Invalid choices: what to do with rows that have a repeated item, or the same item as best and worst: "
            "refuse the file, drop these rows (and rows without a choice), keep and count them "
            "unchanged, or mark them (stored, but not counted).",
        )
        parser.add_argument(
            "--repeated",
            choices=list(map(str, Repeated)),
            default=Repeated.REFUSE,
            help="What to do if a person judged the same item or tuple again: refuse the file, keep the first "
            "or the last judgment, or keep all (choices only).",
        )
        parser.add_argument(
            "--wide",
            action="store_true",
            help="The file has ratings in a wide table: one line per item and one column per annotator.",
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help="Import again: also if the file has been imported before or the project already has the same choices.",
        )

    def run(self, project: Project, *, file: str, round_key: str | None, **options: Any) -> None:
        handling = ImportPolicy(
            Invalid(options["invalid"]), Repeated(options["repeated"]), wide=options["wide"], again=options["again"]
        )
        name, question = Path(file).name, options["question"]
        with opened_export(Path(file), name, options["format"], question) as (format_, path, export):
            done = import_export(
                project=project, path=path, export=export, round_key=round_key, now=timezone.now(), handling=handling
            )
        read = {} if format_ == OWN else {"format": format_}
        met = {
            "skipped in the export": export.skipped,
            "items created from the file": done.items,
            "without a rating": done.met.unrated,
            "without an annotator (counted as different people)": done.met.unsigned,
            f"invalid, {INVALID[handling.invalid]}": done.met.invalid,
            f"repeated, {KEPT[handling.repeated]}": done.met.repeated,
            "superseded, withdrawn or reassigned in the file, left out": done.met.uncounted,
        }
        counts = {name: number for name, number in met.items() if number}
        self.say(read | {"judgments": done.judgments, "annotators": done.annotators} | counts)


INVALID = {
    Invalid.REFUSE: "refused",
    Invalid.DROP: "left out",
    Invalid.KEEP: "kept unchanged",
    Invalid.MARK: "marked and not counted",
}
KEPT = {
    Repeated.REFUSE: "refused",
    Repeated.FIRST: "left out",
    Repeated.LAST: "kept instead of the earlier ones",
    Repeated.KEEP: "kept",
}
