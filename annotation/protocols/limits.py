"""Limits of the numbers of a protocol, written beside the fields and read by all who need them."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, get_type_hints

from annotation.protocols.errors import OutOfLimits


@dataclass(frozen=True)
class Limits:
    """The lowest and the highest value of a number, or the least and the most entries of a tuple; both included."""

    low: Decimal
    high: Decimal

    def allow(self, value: Any) -> bool:
        """Return whether a value lies within the limits; a value that is not a finite number does not."""
        number = Decimal(len(value) if isinstance(value, tuple) else value)
        return number.is_finite() and self.low <= number <= self.high


def between(low: float, high: float) -> Limits:
    """Return limits with both ends exactly as they are written."""
    return Limits(Decimal(str(low)), Decimal(str(high)))


class Limited:
    """A dataclass whose values lie within the limits that their fields are annotated with."""

    def __post_init__(self) -> None:
        kind: type = type(self)
        for name, limits in limits_of(kind).items():
            value = getattr(self, name)
            if value is not None and not limits.allow(value):
                raise OutOfLimits(kind.__name__, name, limits.low, limits.high, of_many=isinstance(value, tuple))


@cache
def limits_of(kind: type) -> dict[str, Limits]:
    """Return the limits of a dataclass's fields by name, of those that have any."""
    hints = get_type_hints(kind, include_extras=True)
    marked = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {name: found[0] for name, found in marked.items() if found and isinstance(found[0], Limits)}
