"""What all designs of a round have in common, and the groups of raters."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, ClassVar

from annotation.protocols.errors import require
from annotation.protocols.limits import Limited, between
from annotation.protocols.stopping import FIXED, Stopping
from annotation.protocols.terms import JudgmentKind

PEOPLE = between(1, 10_000)
SHARE = between(0, 1)
ITEMS_A_PERSON = between(0, 10_000)
LEASE_MINUTES = between(1, 10_000)
LEASE = 30
"""The minutes of a lease, if the protocol says nothing else."""
SCREENING_MINIMUM = 10
"""Answers with known labels needed to screen somebody who leaves, if the protocol says nothing else. Of ten answers at
random more than 80 % contradict the labels with a probability of .01."""


@dataclass(frozen=True)
class Pool(Limited):
    """A group of raters recruited together."""

    key: str
    title: str
    people: Annotated[int, PEOPLE]
    contradictions_above: Annotated[float | None, SHARE] = None
    """Exclude who contradicts the known labels in more than this share of the answers (DSCS 4.1)."""
    screening_minimum: Annotated[int | None, between(1, 10_000)] = None
    """Screen people who leave only if they gave at least so many answers with known labels; None: nobody is screened.

    People who finish are screened whatever their number of answers, as in the paper, which has nobody who left."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.contradictions_above is not None and self.screening_minimum is None:
            object.__setattr__(self, "screening_minimum", SCREENING_MINIMUM)


class AnyDesign(Limited):
    """The properties of every design; a design overrides those in which it differs."""

    judgment: ClassVar[JudgmentKind] = JudgmentKind.RATING
    judged_once: ClassVar[bool] = False
    """Whether every item or sentence is judged by one person, so that agreement between people is unknown."""

    rates_all: ClassVar[bool] = False
    """Whether every item is rated, each by a number of people that the design gives."""
    makes_test_data: ClassVar[bool] = False
    """Whether its mean ratings are the test data of a dataset."""
    stopping: Stopping = FIXED
    adaptive: bool = False
    """Whether later waves have new tuples of items whose scores are close."""
    uneven: bool = False
    """Whether information also chooses how often items appear in them."""
    together: int = 0
    """The maximum number of tuples that two items share; 0 where no design of this kind has tuples."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stopping.target is None:
            return
        require(self.is_open, "Only a round with a common pool can have a target.")
        require(len(self.rater_pools) < 2, "A round with several groups of annotators can have no target.")
        require(
            self.compares or self.stopping.first > 1,
            "The first wave needs at least two ratings per item, so that their variance is known.",
        )

    @property
    def in_waves(self) -> bool:
        """Return whether the pool of the round is opened in waves, until a target is reached."""
        return self.stopping.target is not None

    @property
    def first_answers(self) -> int:
        """Return by how many people each item or tuple is judged before anything is known of its precision."""
        return self.stopping.first if self.in_waves else self.answers_each

    @property
    def budget_each(self) -> float:
        """Return the maximum number of judgments of an item or a tuple, on average."""
        return max(self.stopping.budget or self.answers_each, self.first_answers)

    @property
    def answers_each(self) -> int:
        """Return by how many people each item or tuple of the round is judged."""
        return 1

    @property
    def selections_validated(self) -> int:
        """Return how many selections are validated, the pairs of all people together; 0 if it depends on people."""
        return 0

    @property
    def compares(self) -> bool:
        """Return whether people choose the best and the worst of a tuple."""
        return self.judgment is JudgmentKind.CHOICE

    @property
    def selects(self) -> bool:
        """Return whether people select sentences."""
        return self.judgment is JudgmentKind.SELECTION

    @property
    def refills_all_sessions(self) -> bool:
        """Return whether who takes over a pair from somebody who left rates it in all sessions."""
        return False

    @property
    def complete(self) -> bool:
        """Return whether everybody judges all items, so that the places of a round take no further ones."""
        return False

    @property
    def is_open(self) -> bool:
        """Return whether people take tuples or items from a common pool."""
        return False

    @property
    def most_a_person(self) -> int | None:
        """Return how many tuples or items one person judges at most; None without a limit."""
        return None

    @property
    def rater_pools(self) -> tuple[Pool, ...]:
        """Return the groups of raters recruited together; empty if all raters of the round are one group."""
        return ()

    @property
    def ratings_by_pool(self) -> dict[str, int]:
        """Return the number of judgments of each item by group of raters; a single group may have the key ""."""
        return {pool.key: pool.people for pool in self.rater_pools} or {"": self.answers_each}

    @property
    def calibration_values(self) -> tuple[Decimal, ...]:
        """Return the ratings expected in the calibration block, in order; empty without such a block."""
        return ()


class RatesAll(AnyDesign):
    """A design in which every item is rated, by people who have their items planned ahead or take them from a pool."""

    open: bool
    items_a_person: int
    lease_minutes: int

    rates_all = True

    @property
    def is_open(self) -> bool:
        return self.open

    @property
    def most_a_person(self) -> int | None:
        return self.items_a_person or None
