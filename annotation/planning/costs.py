"""What a protocol asks of people: judgments, screens, people and time, before anything is planned."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, comb
from typing import Any

from annotation.protocols.spec import (
    BestWorstDesign,
    CompleteDesign,
    Protocol,
    Round,
    SelectionDesign,
    SequenceDesign,
    StackDesign,
)

# Of one answer: a rating, a choice of best and worst, and the selection and rating of sentences for one sentence.
RATING_SECONDS, CHOICE_SECONDS, SELECTION_SECONDS = 7.0, 25.0, 75.0
UTTERANCES = 5  # of a dialogue, in GiCCS


@dataclass(frozen=True)
class Material:
    """How much there is to judge: items (pairs or utterances), incidents, and sentences of an incident's summary."""

    items: int = 0
    incidents: int = 0
    sentences: int = 8


@dataclass(frozen=True)
class RoundCost:
    """What one round asks for."""

    round: Round
    people: int
    screens: int
    """Of one person, at the most."""
    judgments: int
    """Of all people together."""
    seconds: float
    """Of one screen."""

    @property
    def minutes(self) -> int:
        """Of one person."""
        return ceil(self.screens * self.seconds / 60)

    @property
    def hours(self) -> float:
        """Of all people together."""
        return self.judgments * self.seconds / 3600


def round_costs(protocol: Protocol, material: Material) -> list[RoundCost]:
    """The cost of every round, in order; a validating round has the people that its source has to validate."""
    return [COSTS[type(one.design)](protocol, one, one.design, material) for one in protocol.rounds]


def _selection(protocol: Protocol, round_: Round, design: SelectionDesign, material: Material) -> RoundCost:
    people = material.incidents // design.incidents
    screens = design.incidents * material.sentences
    return RoundCost(round_, people, screens, people * screens, SELECTION_SECONDS)


def _sequences(protocol: Protocol, round_: Round, design: SequenceDesign, material: Material) -> RoundCost:
    source = protocol.selection(round_)
    people = material.incidents // source.incidents * design.validators
    screens = min(design.tuples, source.incidents * material.sentences) * len(round_.sessions)
    return RoundCost(round_, people, screens, people * screens, RATING_SECONDS)


def _stacks(protocol: Protocol, round_: Round, design: StackDesign, material: Material) -> RoundCost:
    people = design.annotators * design.stack_size * len(protocol.selection(round_).roles)
    screens = (len(design.calibration) + design.tuples + design.intra) * len(round_.sessions)
    return RoundCost(round_, people, screens, people * screens, RATING_SECONDS)


def _complete(protocol: Protocol, round_: Round, design: CompleteDesign, material: Material) -> RoundCost:
    people = sum(pool.people for pool in design.pools)
    screens = material.items * len(round_.sessions)
    return RoundCost(round_, people, screens, people * screens, RATING_SECONDS)


def _best_worst(protocol: Protocol, round_: Round, design: BestWorstDesign, material: Material) -> RoundCost:
    tuples = _tuples(design, material.items)
    judgments = tuples * design.people
    screens = min(design.tuples_a_person, tuples) if design.tuples_a_person else tuples
    people = max(design.people, ceil(judgments / screens)) if screens else 0
    return RoundCost(round_, people, screens, judgments, CHOICE_SECONDS)


def _tuples(design: BestWorstDesign, items: int) -> int:
    """In groups every possible tuple; otherwise so many for each item."""
    if design.grouped:
        return items // UTTERANCES * comb(UTTERANCES, design.tuple_size)
    return ceil(design.factor * items) if items >= design.tuple_size else 0


COSTS: dict[type, Callable[[Protocol, Round, Any, Material], RoundCost]] = {
    SelectionDesign: _selection,
    SequenceDesign: _sequences,
    StackDesign: _stacks,
    CompleteDesign: _complete,
    BestWorstDesign: _best_worst,
}
