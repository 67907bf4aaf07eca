"""The designs of the three rounds of the Czech News dataset."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from annotation.protocols.designs.common import PEOPLE, AnyDesign
from annotation.protocols.errors import require
from annotation.protocols.limits import between
from annotation.protocols.terms import JudgmentKind, Role


@dataclass(frozen=True)
class SelectionDesign(AnyDesign):
    """Each person gets whole incidents, which nobody else gets, and selects sentences (Czech News 4.1)."""

    incidents: Annotated[int, between(1, 1000)]
    context_sentences: Annotated[int, between(0, 20)]
    roles: tuple[Role, ...]
    marks_words_alike: bool = False
    """Whether all words that a report shares with the sentence are marked alike, as in the paper (4.1).

    Otherwise function words, and words in many sentences of the incident, are marked faintly."""
    marks_inflected_forms: bool = False
    """Whether other forms of the sentence's words are marked too, in languages that have a stemmer (Snowball)."""

    judgment = JudgmentKind.SELECTION
    judged_once = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require(len(self.roles) >= 1, "At least one sentence must be chosen.")


@dataclass(frozen=True)
class SequenceDesign(AnyDesign):
    """Validators of one annotator get disjoint sequences of pairs (Czech News 4.2, Fig. 2)."""

    source: str
    tuples: Annotated[int, between(1, 10_000)]
    validators: Annotated[int, between(1, 300)]
    overlap: Annotated[int, between(0, 10_000)] = 0
    """Of the tuples: in how many each pair is rated by a second validator of the group (4.2.1, overlapping block)."""

    judged_once = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require(
            self.overlap <= self.tuples,
            "The overlap (%(overlap)s selections) must not be greater than the number of validated "
            "selections (%(tuples)s).",
            overlap=self.overlap,
            tuples=self.tuples,
        )


@dataclass(frozen=True)
class StackDesign(AnyDesign):
    """Stacks of validators rate the same pair, between a calibration and an intra block (Czech News 4.2.2)."""

    source: str
    people_from: str
    annotators: Annotated[int, PEOPLE]
    tuples: Annotated[int, between(1, 10_000)]
    stack_size: Annotated[int, between(1, 100)]
    calibration: Annotated[tuple[Decimal, ...], between(1, 50)]
    intra: Annotated[int, between(0, 1000)]
    refill_from_start: bool = False
    """Whether the place that takes over from somebody who left begins with the first session: it rates the pairs again
    that they did not rate in every session, so that the same people rate a pair without and with context (4.2.2)."""

    makes_test_data = True

    @property
    def answers_each(self) -> int:
        return self.stack_size

    @property
    def selections_validated(self) -> int:
        return self.annotators * self.tuples

    @property
    def calibration_values(self) -> tuple[Decimal, ...]:
        return self.calibration

    @property
    def refills_all_sessions(self) -> bool:
        return self.refill_from_start
