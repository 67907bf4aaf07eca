from typing import Any

from django.core.management.base import BaseCommand

from annotation.domain.account.secrets import reencrypt


class Command(BaseCommand):
    help = "Encrypt second factors and tokens of other services again after SECRET_KEY was changed."

    def handle(self, *args: Any, **options: Any) -> None:
        done, unreadable = reencrypt()
        self.stdout.write(
            f"Encrypted again: {done}. Not readable with SECRET_KEY or SECRET_KEY_FALLBACKS: {unreadable}."
        )
