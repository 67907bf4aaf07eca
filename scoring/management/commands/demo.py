from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from annotation.domain.project.demo import ACCOUNTS, PASSWORD, invitation_path, make_accounts, make_projects
from scoring.domain.demo import request_results


class Command(BaseCommand):
    help = "Create the demo accounts and projects that do not exist yet, and print the accounts and an invitation link."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        with transaction.atomic():
            users = make_accounts()
            made = make_projects(users, now)
            request_results(made, now)
            invitation = invitation_path(users, now)
        for _demo, project in made:
            self.stdout.write(f"Created the project “{project.title}”")
        self.stdout.write("\nAccounts (they all have the password " + self.style.SUCCESS(PASSWORD) + "):")
        for email, role in ACCOUNTS.items():
            self.stdout.write(f"  {email:<24} {role}")
        if invitation:
            self.stdout.write(f"\nInvitation link for a new annotator:\n  {settings.PUBLIC_URL}{invitation}")
