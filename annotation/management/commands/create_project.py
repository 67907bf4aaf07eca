from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.project.creation import create_project, preset_values
from annotation.models.project import author_names
from annotation.presets.registry import presets


class Command(BaseCommand):
    help = "Create a project from a preset, optionally with different settings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", help="Key of the new project: lowercase letters, digits and hyphens.")
        parser.add_argument("--preset", required=True, help=", ".join(presets()))
        parser.add_argument(
            "--set",
            dest="changes",
            metavar="NAME=VALUE",
            action="append",
            default=[],
            help="A setting of the protocol, such as R3.annotators=2, question=... or label.0=.... An unknown "
            "name prints all settings.",
        )
        parser.add_argument("--title", default="")
        parser.add_argument(
            "--language", default="", help="Language of texts that have none of their own, as a BCP 47 tag."
        )
        parser.add_argument(
            "--author",
            dest="authors",
            metavar="NAME",
            action="append",
            default=[],
            help="Author of the data, for data cards and citations: “First Last” or “Last, First”. Repeat for "
            "each author.",
        )
        parser.add_argument(
            "--contact", default="", help="Contact for questions about the data, published in releases."
        )
        parser.add_argument("--url", default="", help="Web page of the data or the paper.")
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            project = create_project(
                now=timezone.now(),
                **{name: options[name] for name in ("key", "title", "language", "seed", "contact", "url")},
                authors="\n".join(author_names("\n".join(options["authors"]))),
                **preset_values(options["preset"], dict(map(_change, options["changes"]))),
            )
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"project {project.key}: {project.protocol.title}")


def _change(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set needs NAME=VALUE, not “{text}”.")
    return name.strip(), value.strip()
