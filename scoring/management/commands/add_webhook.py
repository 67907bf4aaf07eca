from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.webhooks.addresses import add_webhook
from scoring.models import PROJECT_EVENTS


class Command(ProjectCommand):
    help = (
        "Add a webhook that is called when a round, scoring run or release of a project is finished. Prints the "
        "signing secret."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("url")
        known = [event.value for event in PROJECT_EVENTS]
        parser.add_argument("--events", nargs="+", default=[], choices=known, help="Default: all.")

    def run(self, project: Project, *, url: str, events: list[str], **options: Any) -> None:
        hook = add_webhook(project=project, url=url, events=events, now=timezone.now())
        self.say({"url": hook.url, "events": ", ".join(hook.events) or "all", "secret": hook.secret})
