"""What the corpora refuse."""


class CorpusError(ValueError):
    """Texts or wishes that do not go together; the message is a full sentence."""
