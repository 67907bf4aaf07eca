"""An answer as it was sent."""

from dataclasses import dataclass
from uuid import UUID

LONGEST_MS = 10 * 24 * 3600 * 1000  # times of an answer that waited longer for the network are not reliable


@dataclass(frozen=True)
class Timing:
    """The browser's measurements in milliseconds; None where it made none."""

    touched_ms: int | None = None
    answered_ms: int | None = None
    active_ms: int | None = None
    adjustments: int | None = None

    @classmethod
    def believable(cls, **measured: int | None) -> "Timing":
        """Return the browser's measurements without impossible numbers: they are not worth losing an answer for."""
        kept = {name: ms for name, ms in measured.items() if ms is not None and 0 <= ms <= LONGEST_MS}
        return cls(**kept)


@dataclass(frozen=True)
class Answer:
    """An answer as it was sent.

    `key` is the same whenever the same answer is sent again; `again` marks an answer that replaces an earlier one;
    `goes_on`, that the response shows the next screen.
    """

    assignment_id: int
    key: UUID
    timing: Timing = Timing()
    again: bool = False
    goes_on: bool = False
    inversion: str = ""
    """Of a selection: what became of ratings against the order of the roles, an `Inversion`; empty if nobody asked."""


@dataclass(frozen=True)
class Choice:
    """A best-worst choice: the ids of the best and the worst item, None where there is none."""

    best: int | None
    worst: int | None
    hard_to_say: bool = False
