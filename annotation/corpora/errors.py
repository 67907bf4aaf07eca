"""The error that the corpora raise."""

from annotation.protocols.errors import TranslatableError


class CorpusError(TranslatableError):
    """Texts or options that do not go together."""
