from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.errors import Refusal
from annotation.domain.projects import create_project
from annotation.protocols.presets import PRESETS


class Command(BaseCommand):
    help = "Makes a project from a preset, some of its numbers changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", help="Small letters, digits and hyphens.")
        parser.add_argument("--preset", required=True, help=", ".join(PRESETS))
        parser.add_argument(
            "--set",
            dest="changes",
            metavar="NAME=VALUE",
            action="append",
            default=[],
            help="A number of the protocol, such as R3.annotators=2; an unknown name lists them all.",
        )
        parser.add_argument("--title", default="")
        parser.add_argument("--language", default="", help="BCP 47, of texts that name none.")
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            project = create_project(
                key=options["key"],
                preset_key=options["preset"],
                changes=dict(map(_change, options["changes"])),
                title=options["title"],
                language=options["language"],
                seed=options["seed"],
            )
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"project {project.key}: {project.protocol.title}")


def _change(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set takes NAME=VALUE, not “{text}”.")
    return name.strip(), value.strip()
