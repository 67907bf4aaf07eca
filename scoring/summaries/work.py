"""A running round as arrays: every current answer, and its references for comparison."""

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.stats.choices import Choices

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

NONE = -1


@dataclass(frozen=True, eq=False)
class Answers:
    """Columns of shape (answers,), a person's rows together and in the order of their screens.

    Missing numbers are NaN, missing indexes -1: a rating has an item and a value, a choice a tuple with best and worst,
    a selection neither.
    """

    people: Integers
    """Index in `Work`'s columns of people."""
    items: Integers
    contexts: Integers
    main: Booleans
    """Whether it is in the main block, which scores are made of."""
    values: Floats
    tuples: Integers
    shown: Integers
    """Shape (answers, size): the items of a choice as this person saw them; -1 fills up."""
    best: Integers
    worst: Integers
    expected: Floats
    """The expected rating of a calibration pair."""
    earlier: Floats
    """The person's earlier rating of a repeated pair."""
    seconds: Floats
    """Thinking time."""
    active_ms: Floats
    counted: Booleans
    """Whether it counts, by `annotation.queries`."""
    countable: Booleans
    """Whether it counts, or would if the person were not excluded."""

    def keep(self, rows: Booleans) -> "Answers":
        return Answers(*(getattr(self, one.name)[rows] for one in fields(self)))


@dataclass(frozen=True, eq=False)
class Work:
    """One round.

    excluded: who is excluded from the round; shape (people,). gold: of each item, 1 similar, 0 dissimilar, NaN unknown;
    shape (items,). practised, practice_right: first answers
    of practice and check, and the share of the right ones; shape (people,). selected: ratings given while selecting.
    minimum, maximum, step: of the scale, NaN without one. on_screen: items that a screen compares.
    """

    answers: Answers
    excluded: Booleans
    gold: Floats
    practised: Floats
    practice_right: Floats
    selected: Floats
    minimum: float
    maximum: float
    step: float
    on_screen: int

    @property
    def people(self) -> int:
        return len(self.practised)

    @property
    def length(self) -> float:
        """Return the length of the scale."""
        return self.maximum - self.minimum

    @cached_property
    def rated(self) -> Answers:
        """Return the ratings of the main block."""
        return self.answers.keep(self.answers.main & ~np.isnan(self.answers.values))

    @cached_property
    def chosen(self) -> Answers:
        """Return the best-worst choices."""
        return self.answers.keep(self.answers.best != NONE)

    @cached_property
    def every_choice(self) -> Choices:
        """The choices of all annotators, for `scoring.stats`."""
        rows = self.chosen
        return Choices(rows.shown, rows.best, rows.worst, rows.tuples, rows.people, len(self.gold))

    @property
    def choices(self) -> Choices:
        """The choices that count."""
        return self.every_choice.keep(self.chosen.counted)


def units(ratings: Answers) -> Integers:
    """Return an index for each item in each context: the same pair in another context is a different one."""
    return np.asarray(ratings.items * 2 + ratings.contexts)


def only(work: Work, person: int) -> Work:
    """Return the same round with one person's answers."""
    return replace(work, answers=work.answers.keep(work.answers.people == person))
