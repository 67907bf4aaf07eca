"""The scale of a rating: its points and labels, and how values are read and written."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Annotated

from annotation.protocols.errors import OffScale, require
from annotation.protocols.limits import Limited, between

END = between(-1000, 1000)


@dataclass(frozen=True)
class Label:
    """The label of a point of the scale."""

    value: Decimal
    text: str


def labels(*texts: tuple[int, str]) -> tuple[Label, ...]:
    """Return labels of whole values, such as `labels((0, "unrelated"), (4, "identical"))`."""
    return tuple(Label(Decimal(value), text) for value, text in texts)


@dataclass(frozen=True)
class Scale(Limited):
    """Equally spaced points from minimum to maximum, both included."""

    minimum: Annotated[Decimal, END]
    maximum: Annotated[Decimal, END]
    step: Annotated[Decimal, between(0.001, 1000)]
    labels: tuple[Label, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.minimum < self.maximum, "The scale's minimum must be below its maximum.")
        require(
            self.maximum - self.minimum <= 1000 * self.step,
            "Steps of %(step)s from %(minimum)s to %(maximum)s are too fine: a scale can have up to 1001 points.",
            step=self.step,
            minimum=self.minimum,
            maximum=self.maximum,
        )
        require(
            (self.maximum - self.minimum) % self.step == 0,
            "The range from %(minimum)s to %(maximum)s is not a multiple of the step %(step)s.",
            step=self.step,
            minimum=self.minimum,
            maximum=self.maximum,
        )

    @property
    def size(self) -> int:
        """Return the number of points."""
        return int((self.maximum - self.minimum) / self.step) + 1

    @property
    def length(self) -> float:
        """Return the distance from the minimum to the maximum."""
        return float(self.maximum - self.minimum)

    @property
    def midpoint(self) -> Decimal:
        return (self.minimum + self.maximum) / 2

    @property
    def decimals(self) -> int:
        """Return the number of digits after the point that a value of this scale needs."""
        exponents = [value.normalize().as_tuple().exponent for value in (self.minimum, self.step)]
        return max(0, *(-exponent for exponent in exponents if isinstance(exponent, int)))

    @property
    def points(self) -> tuple[Decimal, ...]:
        return tuple(self.minimum + index * self.step for index in range(self.size))

    def read(self, text: str) -> float:
        """Return a written value. Raise OffScale if it is not a number, outside the ends, or between two points."""
        try:
            value = Decimal(text.strip())
        except InvalidOperation:
            raise OffScale("“%(text)s” is not a number.", text=text) from None
        if not (value.is_finite() and self.minimum <= value <= self.maximum):
            raise OffScale(
                "%(text)s is outside the scale from %(minimum)s to %(maximum)s.",
                text=text,
                minimum=self.minimum,
                maximum=self.maximum,
            )
        if (value - self.minimum) % self.step:
            raise OffScale(
                "%(text)s is between two points of the scale, which has steps of %(step)s.", text=text, step=self.step
            )
        return float(value) + 0.0  # -0 is 0

    def nearest(self, value: float) -> float:
        """Return the point nearest to any real number; numbers beyond the ends give the ends."""
        steps = round((value - float(self.minimum)) / float(self.step))
        return float(self.minimum + min(max(steps, 0), self.size - 1) * self.step)

    def write(self, value: float | Decimal) -> str:
        """Return a value with as many decimals as the scale needs, such as 3 or 2.5."""
        return f"{value:.{self.decimals}f}"
