"""Renewal of what is encrypted in the database, after SECRET_KEY was changed."""

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.db import models, transaction

from annotation.encryption import EncryptedText, Unreadable, decrypt, encrypt

FIELDS = ("secret", "seed")  # of second factors: what codes are computed from


@transaction.atomic
def reencrypt() -> tuple[int, int]:
    """Encrypt every secret with the present key. Return how many that was, and how many no known key can read."""
    counts = [_second_factors(), *(_column(model, name) for model, name in _encrypted_columns())]
    return sum(done for done, _ in counts), sum(unreadable for _, unreadable in counts)


def _second_factors() -> tuple[int, int]:
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
    return done, unreadable


def _encrypted_columns() -> list[tuple[type[models.Model], str]]:
    fields = ((model, field) for model in apps.get_models() for field in model._meta.concrete_fields)
    return [(model, field.name) for model, field in fields if isinstance(field, EncryptedText)]


def _column(model: type[models.Model], name: str) -> tuple[int, int]:
    done = unreadable = 0
    for row in model._default_manager.select_for_update().exclude(**{name: ""}).iterator():
        if getattr(row, name):
            row.save(update_fields=[name])
            done += 1
        else:
            unreadable += 1
    return done, unreadable
