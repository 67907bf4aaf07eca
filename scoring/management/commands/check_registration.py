from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.project_command import existing_file
from scoring.domain.registrations.registering import Verdict, check_plan, is_intact
from scoring.summaries.registered.canonical import read_plan


class Command(BaseCommand):
    help = "Compute the SHA-256 of an exported plan, and compare it with the registrations of this installation."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=existing_file, help="The JSON file of a registered plan.")
        parser.add_argument("--sha256", default="", help="The expected hash, for example the one published on OSF.")

    def handle(self, *args: Any, file: str, sha256: str, **options: Any) -> None:
        try:
            plan = read_plan(Path(file).read_bytes())
        except ValueError as error:
            raise CommandError(str(error)) from error
        verdict = check_plan(plan)
        self.stdout.write(f"sha256: {verdict.sha256}")
        if sha256 and sha256.strip().lower() != verdict.sha256:
            raise CommandError("The file does not have the expected hash: it is not the plan that was registered.")
        self.stdout.write(_known(verdict))


def _known(verdict: Verdict) -> str:
    """Return what this installation knows of the plan. Raise CommandError if it contradicts."""
    if verdict.contradicted:
        raise CommandError("This installation has another plan under this number: the file was changed.")
    if verdict.registration is None:
        return "This plan is not registered in this installation."
    if not is_intact(verdict.registration):
        raise CommandError("The stored plan no longer has the hash in the audit log: the database was changed.")
    return f"This is {verdict.registration}, registered at {verdict.registration.document['registered_at']}."
