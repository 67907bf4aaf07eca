"""The language in which a person is spoken to, also where no request of theirs is at hand."""

from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation

from annotation.models import User


def keep_language(user: User, language: str) -> None:
    """Notes the language that the person reads: for every device of theirs, and for e-mails."""
    user.language = language
    user.save(update_fields=["language"])


def speaking_to(user: User | None) -> AbstractContextManager:
    """Texts made inside are in the person's language; English where none is known."""
    return translation.override(user.language if user and user.language else settings.LANGUAGE_CODE)
