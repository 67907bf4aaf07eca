"""The cost of a protocol before anything is planned: judgments, screens, people and time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, comb
from typing import Any

from annotation.planning.amounts import people_needed
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.designs.news import SelectionDesign, SequenceDesign, StackDesign
from annotation.protocols.designs.rating import CompleteDesign, IncompleteDesign, PairStackDesign, PartialDesign
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import JudgmentKind

# Seconds for one answer: a rating, a choice of best and worst, and selecting and rating sentences for one sentence.
RATING_SECONDS, CHOICE_SECONDS, SELECTION_SECONDS = 7.0, 25.0, 75.0
SECONDS = {
    JudgmentKind.RATING: RATING_SECONDS,
    JudgmentKind.CHOICE: CHOICE_SECONDS,
    JudgmentKind.SELECTION: SELECTION_SECONDS,
}
UTTERANCES = 5  # in a dialogue, in GiCCS


@dataclass(frozen=True)
class Material:
    """The amount of material: items (pairs or utterances), incidents, and sentences in the summary of an incident."""

    items: int = 0
    incidents: int = 0
    sentences: int = 8


@dataclass(frozen=True)
class RoundCost:
    """The cost of one round."""

    round: Round
    people: int
    screens: int
    """The maximum for one person."""
    judgments: int
    """The total over all people."""
    seconds: float
    """Seconds for one screen."""

    @property
    def minutes(self) -> int:
        """Return the minutes that one person needs."""
        return ceil(self.screens * self.seconds / 60)

    @property
    def hours(self) -> float:
        """Return the hours that all people need together."""
        return self.judgments * self.seconds / 3600


def minutes_for(screens: int, kind: JudgmentKind, seconds: float | None = None) -> int:
    """Return the minutes that so many screens take, by the seconds of one where they are known."""
    return ceil(screens * (seconds or SECONDS[kind]) / 60)


def round_costs(protocol: Protocol, material: Material) -> list[RoundCost]:
    """Return the cost of every round, in order; a validating round has the people that its source needs."""
    return [COSTS[type(round_.design)](protocol, round_, round_.design, material) for round_ in protocol.rounds]


def _selection(protocol: Protocol, round_: Round, design: SelectionDesign, material: Material) -> RoundCost:
    people = material.incidents // design.incidents
    screens = design.incidents * material.sentences
    return RoundCost(round_, people, screens, people * screens, SELECTION_SECONDS)


def _sequences(protocol: Protocol, round_: Round, design: SequenceDesign, material: Material) -> RoundCost:
    source = protocol.selection(round_)
    people = material.incidents // source.incidents * design.validators
    tuples = min(design.tuples, source.incidents * material.sentences)
    screens = (tuples + min(design.overlap, tuples)) * len(round_.sessions)
    return RoundCost(round_, people, screens, people * screens, RATING_SECONDS)


def _stacks(protocol: Protocol, round_: Round, design: StackDesign, material: Material) -> RoundCost:
    people = design.annotators * design.stack_size * len(protocol.selection(round_).roles)
    screens = (len(design.calibration) + design.tuples + design.intra) * len(round_.sessions)
    return RoundCost(round_, people, screens, people * screens, RATING_SECONDS)


def _complete(protocol: Protocol, round_: Round, design: CompleteDesign, material: Material) -> RoundCost:
    if design.open:
        return _rated_in_parts(round_, design, material)
    people = sum(pool.people for pool in design.pools)
    screens = material.items * len(round_.sessions)
    return RoundCost(round_, people, screens, people * screens, RATING_SECONDS)


def _incomplete(protocol: Protocol, round_: Round, design: PartialDesign, material: Material) -> RoundCost:
    return _rated_in_parts(round_, design, material)


def _rated_in_parts(round_: Round, design: CompleteDesign | PartialDesign, material: Material) -> RoundCost:
    """Return the cost of a round in which each person rates some of the items."""
    sessions, most = len(round_.sessions), design.most_a_person
    people = sum(people_needed(material.items, ratings, most) for ratings in design.ratings_by_pool.values())
    screens = min(most or material.items, material.items) * sessions
    return RoundCost(round_, people, screens, material.items * design.answers_each * sessions, RATING_SECONDS)


def _pair_stacks(protocol: Protocol, round_: Round, design: PairStackDesign, material: Material) -> RoundCost:
    main, sessions = _incomplete(protocol, round_, design, material), len(round_.sessions)
    intra = min(design.intra, main.screens // sessions)
    around = (len(design.calibration) + intra) * sessions if main.people else 0
    return replace(main, screens=main.screens + around, judgments=main.judgments + main.people * around)


def _best_worst(protocol: Protocol, round_: Round, design: BestWorstDesign, material: Material) -> RoundCost:
    tuples, most = _tuples(design, material.items), design.most_a_person
    people, screens = people_needed(tuples, design.people, most), min(most or tuples, tuples)
    return RoundCost(round_, people, screens, tuples * design.people, CHOICE_SECONDS)


def _tuples(design: BestWorstDesign, items: int) -> int:
    """Return the number of tuples: every possible tuple of each group, or `factor` tuples per item without groups."""
    if design.grouped:
        return items // UTTERANCES * comb(UTTERANCES, design.tuple_size)
    return ceil(design.factor * items) if items >= design.tuple_size else 0


COSTS: dict[type, Callable[[Protocol, Round, Any, Material], RoundCost]] = {
    SelectionDesign: _selection,
    SequenceDesign: _sequences,
    StackDesign: _stacks,
    CompleteDesign: _complete,
    IncompleteDesign: _incomplete,
    PairStackDesign: _pair_stacks,
    BestWorstDesign: _best_worst,
}
