"""What protocols refuse."""


class ProtocolError(ValueError):
    """A protocol whose numbers contradict each other; the message is a full sentence."""


class OffScale(ValueError):
    """A value that is not a point of the scale; the message is a full sentence."""


def require(condition: bool, message: str) -> None:
    """Raise ProtocolError with the sentence given unless the condition holds."""
    if not condition:
        raise ProtocolError(message)
