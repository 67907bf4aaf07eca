from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from annotation.domain.project.demo import ACCOUNTS, PASSWORD, make_accounts, make_projects


class Command(BaseCommand):
    help = "Create the demo accounts and projects that do not exist yet, and print the accounts."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            made = make_projects(make_accounts(), timezone.now())
        for project in made:
            self.stdout.write(f"Created the project “{project.title}”")
        self.stdout.write("\nAccounts (they all have the password " + self.style.SUCCESS(PASSWORD) + "):")
        for email, role in ACCOUNTS.items():
            self.stdout.write(f"  {email:<24} {role}")
