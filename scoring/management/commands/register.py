import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project
from scoring.domain.registrations.plans import Answers, answers_of, plan_of
from scoring.domain.registrations.registering import register_plan
from scoring.exports.registration import as_text
from scoring.summaries.registered.questions import TEXTS


class Command(ProjectCommand):
    help = "Register the plan of a project, and print its number, time and SHA-256."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--answers",
            type=existing_file,
            metavar="FILE.json",
            help=f"Answers in words, by question: {', '.join(TEXTS)}. Default: those of the saved draft.",
        )
        parser.add_argument("--items", type=int, help="Planned number of items or incidents. Default: imported ones.")
        parser.add_argument("--show", action="store_true", help="Print the plan in Markdown; register nothing.")
        parser.add_argument("--out", help="Write the registered plan to this file.")

    def run(self, project: Project, *, show: bool, out: str | None, **asked: Any) -> None:
        answers = _answers(project, asked["answers"], asked["items"])
        if show:
            self.stdout.write(as_text(plan_of(project, answers)))
            return
        made = register_plan(project=project, answers=answers, actor=None, now=timezone.now())
        self.say({"registration": made.number, "registered at": made.document["registered_at"], "sha256": made.sha256})
        if out:
            try:
                Path(out).write_text(made.plan, encoding="utf-8")
            except OSError as error:
                raise Refusal(f"Cannot write to {out}: {error.strerror}.") from error


def _answers(project: Project, path: str | None, items: int | None) -> Answers:
    answers = answers_of(project)
    if path:
        answers = replace(answers, texts=_texts(path))
    return answers if items is None else replace(answers, items=items)


def _texts(path: str) -> dict[str, str]:
    """Return the texts of a file of answers. Raise Refusal if it is not a JSON object of known questions."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise Refusal(f"{path} is not valid JSON: {error}.") from error
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise Refusal(f"{path} must be a JSON object with a text for each question.")
    if unknown := sorted(found.keys() - set(TEXTS)):
        raise Refusal(f"There is no question “{unknown[0]}”. Questions: {', '.join(TEXTS)}.")
    return found
