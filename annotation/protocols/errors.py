"""Errors of protocols."""


def gettext_noop(text: str) -> str:
    """Return the text unchanged, marked for the catalogs; it is translated when it is shown."""
    return text


LIES_OUTSIDE = gettext_noop("“%(name)s” must be between %(low)s and %(high)s.")
HAS_TOO_FEW_OR_MANY = gettext_noop("“%(name)s” must have %(low)s to %(high)s values.")


class TranslatableError(ValueError):
    """An error that is a full sentence, whose `pattern` with its `values` can be translated.

    The patterns get into the catalogs by the names of these errors, so that they are written where they are raised.
    """

    def __init__(self, pattern: str, **values: object) -> None:
        super().__init__(pattern % values if values else pattern)
        self.pattern, self.values = pattern, values


class ProtocolError(TranslatableError):
    """A protocol whose numbers contradict each other."""


class OutOfLimits(ProtocolError):
    """A number outside its limits.

    Parameters: kind, the part of a protocol that has the field `name`; of_many, whether its entries were counted.
    """

    def __init__(self, kind: str, name: str, low: object, high: object, *, of_many: bool) -> None:
        super().__init__(HAS_TOO_FEW_OR_MANY if of_many else LIES_OUTSIDE, name=name, low=low, high=high)
        self.kind, self.name = kind, name


class OffScale(TranslatableError):
    """A value that is not a point of the scale."""


def require(condition: bool, pattern: str, **values: object) -> None:
    """Raise ProtocolError with this sentence unless the condition holds."""
    if not condition:
        raise ProtocolError(pattern, **values)
