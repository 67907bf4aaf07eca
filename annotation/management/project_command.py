"""The common part of commands on a project: the project's key comes first, and refusals are clear errors."""

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused
from annotation.models import Project
from annotation.protocols.errors import ProtocolError


class ProjectCommand(BaseCommand):
    """A command whose first argument is a project's key."""

    # They would load every page of the application, which is more than most commands need themselves.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="The project's key.")

    def handle(self, *args: Any, project: str, **options: Any) -> None:
        try:
            self.run(Project.objects.get(key=project), **options)
        except Project.DoesNotExist:
            known = ", ".join(Project.objects.values_list("key", flat=True)[:20]) or "none"
            raise CommandError(f"There is no project “{project}”. Projects: {known}.") from None
        except FileRefused as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError(str(error)) from error
        except (Refusal, ProtocolError) as error:
            raise CommandError(str(error)) from error

    def run(self, project: Project, **options: Any) -> None:
        """Carry out the command."""

    def say(self, outcome: dict[str, Any]) -> None:
        """Print one line for each fact."""
        for name, value in outcome.items():
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            self.stdout.write(f"{name}: {shown}")


def existing_file(path: str) -> str:
    """Return the path if the file can be read; a type of arguments."""
    try:
        with open(path, "rb"):
            return path
    except OSError as error:
        raise ArgumentTypeError(f"{path} cannot be read: {error.strerror}.") from error
