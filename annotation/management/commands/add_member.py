from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotation.domain.project.members import give_role
from annotation.management.project_command import ProjectCommand
from annotation.models import Membership, Project, User


class Command(ProjectCommand):
    help = "Makes an account an owner, a manager or a researcher of a project."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", help="Of somebody who has signed up.")
        parser.add_argument("role", choices=Membership.Role.values)

    def run(self, project: Project, *, email: str, role: str, **options: Any) -> None:
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"Nobody has signed up with {email} yet.")
        self.stdout.write(str(give_role(project=project, user=user, role=role, actor=None, now=timezone.now())))
