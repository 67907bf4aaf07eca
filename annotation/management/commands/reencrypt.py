from typing import Any

from django.core.management.base import BaseCommand

from annotation.domain.account.secrets import reencrypt


class Command(BaseCommand):
    help = "Encrypts second factors and tokens of other services with the present SECRET_KEY, after it was changed."

    def handle(self, *args: Any, **options: Any) -> None:
        done, unreadable = reencrypt()
        self.stdout.write(
            f"Encrypted again: {done}. Unreadable with SECRET_KEY and SECRET_KEY_FALLBACKS: {unreadable}."
        )
