"""What protocols refuse."""


class ProtocolError(ValueError):
    """A protocol whose numbers contradict each other; the message is a full sentence."""


class OffScale(ValueError):
    """A value that is not a point of the scale: a sentence, whose `pattern` with its `values` can be translated."""

    def __init__(self, pattern: str, **values: object) -> None:
        super().__init__(pattern % values)
        self.pattern, self.values = pattern, values


def gettext_noop(text: str) -> str:
    """Marks a text for the catalogs; whoever shows it to a person translates it."""
    return text


def require(condition: bool, message: str) -> None:
    """Raise ProtocolError with the sentence given unless the condition holds."""
    if not condition:
        raise ProtocolError(message)
