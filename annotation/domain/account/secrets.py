"""Renewal of what is encrypted in the database, after SECRET_KEY was changed."""

from allauth.mfa.models import Authenticator
from django.db import transaction

from annotation.encryption import Unreadable, decrypt, encrypt
from annotation.models import Wallet

FIELDS = ("secret", "seed")  # of second factors: what codes are computed from


@transaction.atomic
def reencrypt() -> tuple[int, int]:
    """Encrypt every secret with the present key. Return how many that was, and how many no known key can read."""
    done = unreadable = 0
    for factor in Authenticator.objects.select_for_update():
        for field in FIELDS:
            if stored := factor.data.get(field):
                try:
                    factor.data[field] = encrypt(decrypt(stored))
                    done += 1
                except Unreadable:
                    unreadable += 1
        factor.save(update_fields=["data"])
    for wallet in Wallet.objects.select_for_update().exclude(token=""):
        if wallet.token:
            wallet.save(update_fields=["token"])
            done += 1
        else:
            unreadable += 1
    return done, unreadable
