"""The design in which the best and the worst item of tuples are chosen."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from annotation.protocols.designs.common import LEASE_MINUTES, PEOPLE, SHARE, AnyDesign
from annotation.protocols.errors import require
from annotation.protocols.limits import between
from annotation.protocols.stopping import FIXED, Stopping, TargetKind
from annotation.protocols.terms import JudgmentKind


@dataclass(frozen=True)
class BestWorstDesign(AnyDesign):
    """Tuples from which the best and the worst item are chosen (SemRel2024 3.2; GiCCS, data annotation)."""

    best: str
    worst: str
    tuple_size: Annotated[int, between(2, 8)]
    factor: Annotated[Decimal, between(0.1, 20)]
    """Tuples for each item."""
    people: Annotated[int, PEOPLE]
    """Answers for each tuple, each by another person."""
    grouped: bool
    """Whether items only meet items of their own group, in every possible tuple."""
    open: bool
    """Whether people take tuples from a common pool as they come, or each has their own, planned ahead."""
    tuples_a_person: Annotated[int, between(0, 10_000)]
    """The number of tuples for one person; 0: all of them, or in an open round as many as they like."""
    lease_minutes: Annotated[int, LEASE_MINUTES]
    """In an open round: how long a tuple stays with a person who does not answer, once others could do it."""
    hard_to_say: bool
    """Whether people may mark a choice as hard to say."""
    check_share: Annotated[Decimal, SHARE]
    """The share of right answers that the check before the work asks for, where there is a check."""
    stopping: Stopping = FIXED
    adaptive: bool = False
    """In a round with a target: whether later waves have new tuples of items whose scores are close, each for one
    person, or further answers to the same tuples."""
    uneven: bool = False
    """In an adaptive round: whether items that have many others near them appear more often."""
    together: Annotated[int, between(1, 100)] = 2
    """In an adaptive round: the maximum number of tuples that two items share."""

    judgment = JudgmentKind.CHOICE

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.adaptive or not self.uneven, "Only adaptive rounds can show some items more often than others.")
        if not self.adaptive:
            return
        require(
            self.stopping.target in (TargetKind.SPLIT_HALF, TargetKind.ICC),
            "An adaptive round needs a reliability as its target.",
        )
        require(not self.grouped, "Adaptive rounds are not possible if items only meet items of their own group.")

    @property
    def answers_each(self) -> int:
        return self.people

    @property
    def is_open(self) -> bool:
        return self.open

    @property
    def most_a_person(self) -> int | None:
        return self.tuples_a_person or None
