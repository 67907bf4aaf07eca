"""The designs in which every item is rated."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from annotation.protocols.designs.common import ITEMS_A_PERSON, LEASE, LEASE_MINUTES, PEOPLE, Pool, RatesAll
from annotation.protocols.errors import require
from annotation.protocols.limits import between
from annotation.protocols.stopping import FIXED, Stopping


@dataclass(frozen=True)
class CompleteDesign(RatesAll):
    """Every rater of every pool judges every item, in an individual order.

    In an open round each item gets as many ratings from a pool of raters as the pool has `people`, from as many raters
    as it takes.
    """

    pools: tuple[Pool, ...]
    shuffled: bool
    open: bool = False
    """Whether people take items from a common pool as they come, or everybody rates all."""
    items_a_person: Annotated[int, ITEMS_A_PERSON] = 0
    """In an open round: the maximum number of items that one person rates; 0: as many as they like."""
    lease_minutes: Annotated[int, LEASE_MINUTES] = LEASE
    """In an open round: how long an item stays with a person who does not answer, once others could do it."""
    stopping: Stopping = FIXED

    def __post_init__(self) -> None:
        super().__post_init__()
        require(len(self.pools) >= 1, "At least one pool of annotators is required.")
        require(
            self.open or not self.items_a_person,
            "A maximum per person is only possible with a common pool. Otherwise everybody rates all items.",
        )

    @property
    def complete(self) -> bool:
        return not self.open

    @property
    def answers_each(self) -> int:
        return sum(pool.people for pool in self.pools)

    @property
    def rater_pools(self) -> tuple[Pool, ...]:
        return self.pools


@dataclass(frozen=True)
class PartialDesign(RatesAll):
    """A design in which every item is rated by some of the raters, and each of them rates some of the items."""

    ratings: Annotated[int, PEOPLE]
    """Ratings of each item, each by another person."""
    items_a_person: Annotated[int, ITEMS_A_PERSON]
    """The maximum number of items that one person rates; 0: all of them, or in an open round as many as they like."""

    @property
    def answers_each(self) -> int:
        return self.ratings


@dataclass(frozen=True)
class IncompleteDesign(PartialDesign):
    """Some of the raters rate each item, once."""

    open: bool = False
    """Whether people take items from a common pool as they come, or each has their own, planned ahead."""
    lease_minutes: Annotated[int, LEASE_MINUTES] = LEASE
    """In an open round: how long an item stays with a person who does not answer, once others could do it."""
    stopping: Stopping = FIXED


@dataclass(frozen=True)
class PairStackDesign(PartialDesign):
    """Stacks of people rate imported pairs, between a calibration and an intra block (after Czech News 4.2.2)."""

    calibration: Annotated[tuple[Decimal, ...], between(1, 50)]
    intra: Annotated[int, between(0, 1000)]
    """Pairs of the main block that the same person rates again at the end of the session."""

    open = False
    lease_minutes = LEASE

    @property
    def calibration_values(self) -> tuple[Decimal, ...]:
        return self.calibration
