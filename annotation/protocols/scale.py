"""The scale of a rating: its points, its labels, and how values are read and written."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from annotation.protocols.errors import OffScale, gettext_noop, require


@dataclass(frozen=True)
class Label:
    """A point of the scale put into words."""

    value: Decimal
    text: str


@dataclass(frozen=True)
class Scale:
    """Equally spaced points from minimum to maximum, both included."""

    minimum: Decimal
    maximum: Decimal
    step: Decimal
    labels: tuple[Label, ...] = ()

    def __post_init__(self) -> None:
        for value in (self.minimum, self.maximum, self.step):
            require(value.is_finite() and abs(value) < 10**9, f"{value} cannot stand in a scale.")
        require(self.step > 0, f"The scale's step must be above zero, not {self.step}.")
        require(self.minimum < self.maximum, "The scale's minimum must be below its maximum.")
        require(
            self.maximum - self.minimum <= 1000 * self.step,
            f"Steps of {self.step} from {self.minimum} to {self.maximum} are too fine; 1001 points are the most.",
        )
        require(
            (self.maximum - self.minimum) % self.step == 0,
            f"A step of {self.step} does not lead from {self.minimum} to {self.maximum}.",
        )

    @property
    def size(self) -> int:
        """Number of points."""
        return int((self.maximum - self.minimum) / self.step) + 1

    @property
    def midpoint(self) -> Decimal:
        return (self.minimum + self.maximum) / 2

    @property
    def decimals(self) -> int:
        """Digits after the point that a value of this scale needs."""
        exponents = [value.normalize().as_tuple().exponent for value in (self.minimum, self.step)]
        return max(0, *(-exponent for exponent in exponents if isinstance(exponent, int)))

    @property
    def points(self) -> tuple[Decimal, ...]:
        return tuple(self.minimum + index * self.step for index in range(self.size))

    def read(self, text: str) -> float:
        """The value that a person or a file wrote.

        Raises:
            OffScale: not a number, outside the ends, or between two points.
        """
        try:
            value = Decimal(text.strip())
        except InvalidOperation:
            raise OffScale(gettext_noop("“%(text)s” is not a number."), text=text) from None
        if not (value.is_finite() and self.minimum <= value <= self.maximum):
            raise OffScale(
                gettext_noop("%(text)s is outside the scale from %(minimum)s to %(maximum)s."),
                text=text,
                minimum=self.minimum,
                maximum=self.maximum,
            )
        if (value - self.minimum) % self.step:
            raise OffScale(
                gettext_noop("%(text)s lies between two points of the scale, which has steps of %(step)s."),
                text=text,
                step=self.step,
            )
        return float(value) + 0.0  # -0 is 0

    def nearest(self, value: float) -> float:
        """The point nearest to any real number; numbers beyond the ends give the ends."""
        steps = round((value - float(self.minimum)) / float(self.step))
        return float(self.minimum + min(max(steps, 0), self.size - 1) * self.step)

    def write(self, value: float | Decimal) -> str:
        """A value with as many decimals as the scale needs, such as 3 or 2.5."""
        return f"{value:.{self.decimals}f}"
