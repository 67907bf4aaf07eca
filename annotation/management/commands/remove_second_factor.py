from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.domain.account.recovery import remove_second_factors
from annotation.domain.errors import Refusal
from annotation.domain.project.members import account_with
from annotation.models import User


class Command(BaseCommand):
    help = "Remove the second factor and the recovery codes of somebody who has lost both. Check first who asks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="Email address of the account.")

    def handle(self, *, email: str, **options: Any) -> None:
        user = account_with(email) or User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"There is no account with the address {email}.")
        try:
            remove_second_factors(user=user, now=timezone.now())
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Removed. {user.email} signs in with the password, and has been told by email.")
