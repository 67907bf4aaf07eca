"""The language of pages and emails for a person, also where no request of theirs is at hand."""

from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation

from annotation.models import User


def keep_language(user: User, language: str) -> None:
    """Store the language that the person reads, for all their devices and for emails."""
    user.language = language
    user.save(update_fields=["language"])


def speaking_to(user: User | None) -> AbstractContextManager:
    """Return a context in which texts are in the person's language, or in English if none is known."""
    return translation.override(user.language if user and user.language else settings.LANGUAGE_CODE)
