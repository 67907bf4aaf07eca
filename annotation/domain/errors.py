"""Refusals of the domain, with messages for the person who made the request."""

from django.utils.translation import gettext as _

from annotation.protocols.errors import TranslatableError


class Refusal(Exception):
    """The request cannot be carried out; the message is a full sentence, and nothing was changed."""


class WrongScreen(Refusal):
    """An answer to a screen that is not the person's current one."""


class TooEarly(Refusal):
    """A return before the end of an enforced pause."""


def translated(error: ValueError) -> str:
    """Return the sentence of an error, and of an error inside it, in the language of the person who asks."""
    if not isinstance(error, TranslatableError):
        return str(error)
    values = {name: translated(part) if isinstance(part, ValueError) else part for name, part in error.values.items()}
    return _(error.pattern) % values if values else _(error.pattern)
