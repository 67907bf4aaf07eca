"""What is done about judgments from elsewhere that no collection here would hold, and what came of a file."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from annotation.domain.material.rows import Problems
from annotation.models import Project


class Invalid(StrEnum):
    """Choices with an item twice in the row, or with the same item as best and worst."""

    REFUSE = "refuse"
    DROP = "drop"
    KEEP = "keep"
    MARK = "mark"
    """Stored with a mark; they do not count."""


class Repeated(StrEnum):
    """Further judgments of the same item or tuple by the same person, in the same round and context."""

    REFUSE = "refuse"
    FIRST = "first"
    LAST = "last"
    KEEP = "keep"


@dataclass(frozen=True)
class ImportPolicy:
    """What is done about each. wide: ratings have a line for each item, with a column for each annotator.

    again: a file is imported although it was before, and choices although the project holds the same already.
    """

    invalid: Invalid = Invalid.REFUSE
    repeated: Repeated = Repeated.REFUSE
    wide: bool = False
    again: bool = False


@dataclass
class ImportCounts:
    """How many rows have no judgment, or no annotator, and how many are of the kinds that ImportPolicy is about."""

    unrated: int = 0
    unsigned: int = 0
    invalid: int = 0
    repeated: int = 0
    uncounted: int = 0
    """Left out, because they did not count where they were collected and are not in the project's own data."""


@dataclass(frozen=True)
class JudgmentImport:
    """An import of judgments under way. default_round: the key of the round of rows that name none."""

    project: Project
    default_round: str | None
    now: datetime
    policy: ImportPolicy
    counts: ImportCounts
    problems: Problems


@dataclass(frozen=True)
class Imported:
    """What came of a file: the judgments stored, the number of people who are known, and counts of what else was met.

    items: those that the file alone names, and that were stored with its judgments.
    """

    judgments: int
    annotators: int
    met: ImportCounts
    items: int = 0


class Repetition:
    """Who has judged what before, in the project or in the file."""

    def __init__(self, stored: Iterable[Hashable], repeated: Repeated, counts: ImportCounts) -> None:
        self.repeated, self.counts = repeated, counts
        self.stored = Counter(stored)
        self.times = self.stored.copy()

    def known(self, thing: Hashable) -> bool:
        return thing in self.times

    def refused(self, thing: Hashable) -> bool:
        """Return whether this must not be judged once more; what the project holds already is never replaced."""
        again, stored = thing in self.times, thing in self.stored
        return again and (self.repeated is Repeated.REFUSE or (stored and self.repeated is Repeated.LAST))

    def take(self, thing: Hashable) -> int:
        """Return the session of the judgment, a further one for each that is kept; 0 if it is left out."""
        again = thing in self.times
        self.counts.repeated += again
        self.times[thing] += 1
        if again and self.repeated is Repeated.FIRST:
            return 0
        return self.times[thing] if self.repeated is Repeated.KEEP else 1
