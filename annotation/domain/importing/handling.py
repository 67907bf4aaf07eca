"""What is done about judgments from elsewhere that no collection here would hold, and what came of a file."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Invalid(StrEnum):
    """Choices with an item twice in the row, or with the same item as best and worst."""

    REFUSE = "refuse"
    DROP = "drop"
    KEEP = "keep"


class Repeated(StrEnum):
    """Further judgments of the same item or tuple by the same person, in the same round and context."""

    REFUSE = "refuse"
    FIRST = "first"
    LAST = "last"
    KEEP = "keep"


@dataclass(frozen=True)
class Handling:
    """What is done about each. wide: ratings have a line for each item, with a column for each annotator."""

    invalid: Invalid = Invalid.REFUSE
    repeated: Repeated = Repeated.REFUSE
    wide: bool = False


@dataclass
class Met:
    """How many rows told no judgment, or no annotator, and how many are of the kinds that Handling is about."""

    unrated: int = 0
    unsigned: int = 0
    invalid: int = 0
    repeated: int = 0


@dataclass(frozen=True)
class Imported:
    """What came of a file: the judgments stored, of how many people who are known, and what else was met."""

    judgments: int
    annotators: int
    met: Met


class Repetition:
    """Who has judged what before, in the project or in the file."""

    def __init__(self, stored: Iterable[Hashable], repeated: Repeated, met: Met) -> None:
        self.repeated, self.met = repeated, met
        self.stored = Counter(stored)
        self.times = self.stored.copy()

    def known(self, thing: Hashable) -> bool:
        return thing in self.times

    def refused(self, thing: Hashable) -> bool:
        """Whether this must not be judged once more; what the project holds already is never replaced."""
        again, stored = thing in self.times, thing in self.stored
        return again and (self.repeated is Repeated.REFUSE or (stored and self.repeated is Repeated.LAST))

    def take(self, thing: Hashable) -> int:
        """In which session the judgment stands, where those that are kept are of further ones; 0 if it is left out."""
        again = thing in self.times
        self.met.repeated += again
        self.times[thing] += 1
        if again and self.repeated is Repeated.FIRST:
            return 0
        return self.times[thing] if self.repeated is Repeated.KEEP else 1
