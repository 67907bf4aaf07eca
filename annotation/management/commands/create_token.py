from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.account.tokens import DAYS, make_token
from annotation.domain.errors import Refusal
from annotation.models import ApiToken, Project, User


class Command(BaseCommand):
    help = "Create an API token and print its key, which is shown only once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="Email address of the account.")
        parser.add_argument("--scope", choices=ApiToken.Scope.values, default=ApiToken.Scope.READ.value)
        parser.add_argument("--days", type=int, default=DAYS, help="Number of days until the token expires.")
        parser.add_argument("--project", help="Limit the token to the project with this key.")
        parser.add_argument("--name", default="", help="What the token is for.")

    def handle(self, *, email: str, project: str | None, **options: Any) -> None:
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"There is no account with the address {email}.")
        chosen = {name: options[name] for name in ("scope", "days", "name")}
        try:
            only = Project.objects.get(key=project) if project else None
            _, key = make_token(user=user, project=only, **chosen)
        except Project.DoesNotExist:
            raise CommandError(f"There is no project “{project}”.") from None
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(key)
