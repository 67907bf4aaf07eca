from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.webhooks.addresses import add_webhook
from scoring.models import PROJECT_EVENTS, Webhook


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
        parser.add_argument(
            "--format",
            dest="message_format",
            default=Webhook.Format.JSON,
            choices=Webhook.Format.values,
            help="slack: a message for Slack, Mattermost and others.",
        )

    def run(self, project: Project, *, url: str, events: list[str], message_format: str, **options: Any) -> None:
        hook = add_webhook(project=project, url=url, events=events, message_format=message_format, now=timezone.now())
        self.say({"url": hook.url, "events": ", ".join(hook.events) or "all", "secret": hook.secret})
