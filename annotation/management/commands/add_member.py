from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils import timezone

from annotation.domain.project.members import account_with, give_role, invite_member, link_of
from annotation.management.project_command import ProjectCommand
from annotation.models import Membership, Project


class Command(ProjectCommand):
    help = (
        "Give an account with a confirmed address a role in a project. For any other address, print an invitation link."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", help="Email address of the new member.")
        parser.add_argument("role", choices=Membership.Role.values)

    def run(self, project: Project, *, email: str, role: str, **options: Any) -> None:
        given = {"project": project, "role": role, "actor": None, "now": timezone.now()}
        if user := account_with(email):
            self.stdout.write(str(give_role(user=user, **given)))
            return
        link = reverse("member-accept", args=[link_of(invite_member(email=email, **given))])
        self.stdout.write(f"Send this invitation link to {email}: {settings.PUBLIC_URL}{link}")
