from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.domain.account.tokens import DAYS, make_token
from annotation.domain.errors import Refusal
from annotation.models import ApiToken, Project, User


class Command(BaseCommand):
    help = "Makes a token for the API and prints its key, once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="Of somebody who has signed up.")
        parser.add_argument("--scope", choices=ApiToken.Scope.values, default=ApiToken.Scope.READ.value)
        parser.add_argument("--days", type=int, default=DAYS, help="How long it lasts.")
        parser.add_argument("--project", help="The key of the only project that it opens.")
        parser.add_argument("--name", default="", help="What it is for.")

    def handle(self, *, email: str, project: str | None, **options: Any) -> None:
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            raise CommandError(f"Nobody has signed up with {email} yet.")
        chosen = {name: options[name] for name in ("scope", "days", "name")}
        try:
            only = Project.objects.get(key=project) if project else None
            _, key = make_token(user=user, project=only, **chosen)
        except Project.DoesNotExist:
            raise CommandError(f"There is no project “{project}”.") from None
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(key)
