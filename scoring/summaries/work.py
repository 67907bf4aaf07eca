"""A round as it goes on, as arrays: every current answer, and what it may be held against."""

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
    """Place in `Work`'s columns of people."""
    items: Integers
    contexts: Integers
    main: Booleans
    """Of the main block, which scores are made of."""
    values: Floats
    tuples: Integers
    shown: Integers
    """Shape (answers, size): the items of a choice as this person saw them; -1 fills up."""
    best: Integers
    worst: Integers
    expected: Floats
    """Of a calibration pair: the rating that is expected."""
    earlier: Floats
    """Of a pair shown again: what the person had rated before."""
    seconds: Floats
    """Of thinking."""
    active_ms: Floats
    counted: Booleans
    """Whether figures are made of it: of nobody excluded."""

    def keep(self, rows: Booleans) -> "Answers":
        return Answers(*(getattr(self, one.name)[rows] for one in fields(self)))


@dataclass(frozen=True, eq=False)
class Work:
    """One round.

    gold: of each item, 1 similar, 0 dissimilar, NaN unknown; shape (items,). practised, practice_right: first answers
    of practice and check, and the share of the right ones; shape (people,). selected: ratings given while selecting.
    minimum, maximum, step: of the scale, NaN where there is none. on_screen: items that a screen compares.
    """

    answers: Answers
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
        """Of the scale."""
        return self.maximum - self.minimum

    @cached_property
    def rated(self) -> Answers:
        """The ratings of the main block."""
        return self.answers.keep(self.answers.main & ~np.isnan(self.answers.values))

    @cached_property
    def chosen(self) -> Answers:
        """The best-worst choices."""
        return self.answers.keep(self.answers.best != NONE)

    @cached_property
    def choices(self) -> Choices:
        """Those that count, for `scoring.stats`."""
        rows = self.chosen.keep(self.chosen.counted)
        return Choices(rows.shown, rows.best, rows.worst, rows.tuples, rows.people, len(self.gold))


def units(ratings: Answers) -> Integers:
    """An index for each item in each context: the same pair in another context is another one."""
    return np.asarray(ratings.items * 2 + ratings.contexts)


def only(work: Work, person: int) -> Work:
    """The same round with one person's answers."""
    return replace(work, answers=work.answers.keep(work.answers.people == person))
