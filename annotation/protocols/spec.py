"""Protocols as data: which texts are judged, on which scale, by whom, in which rounds and sessions.

A protocol is a frozen tree of dataclasses. It holds no behaviour beyond its own arithmetic: planning, flow and
scoring look up what to do by the type of a round's design.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from annotation.protocols.errors import ProtocolError, require
from annotation.protocols.scale import Scale

LONGEST_PAUSE = 10_000  # hours, more than a year


class Context(StrEnum):
    """What stands around a sentence while it is judged (Czech News 4: context-free, context-dependent)."""

    FREE = "free"
    DEPENDENT = "dependent"


class BlockKind(StrEnum):
    """The blocks of a session, in the order in which they are shown (Czech News 4.2.2, Fig. 5)."""

    CALIBRATION = "calibration"
    MAIN = "main"
    INTRA = "intra"


class Material(StrEnum):
    """What a project brings in."""

    INCIDENTS = "incidents"
    PAIRS = "pairs"
    DIALOGUES = "dialogues"


@dataclass(frozen=True)
class Role:
    """One of the sentences chosen for a summary sentence, with the score one would expect of it."""

    key: str
    title: str
    colour: str
    expected: Decimal


@dataclass(frozen=True)
class SelectionDesign:
    """Each person gets whole incidents that nobody else gets and selects sentences (Czech News 4.1)."""

    incidents: int
    context_sentences: int
    roles: tuple[Role, ...]

    def __post_init__(self) -> None:
        require(self.incidents >= 1, "A person needs at least one incident.")
        require(self.context_sentences >= 0, "The number of context sentences cannot be negative.")
        require(len(self.roles) >= 1, "At least one sentence has to be chosen.")


@dataclass(frozen=True)
class SequenceDesign:
    """Validators of one annotator get disjoint sequences of pairs (Czech News 4.2, Fig. 2)."""

    source: str
    tuples: int
    validators: int

    def __post_init__(self) -> None:
        require(self.tuples >= 1, "A validator needs at least one pair.")
        require(self.validators >= 1, "An annotator needs at least one validator.")


@dataclass(frozen=True)
class StackDesign:
    """Stacks of validators rate the same pair, between a calibration and an intra block (Czech News 4.2.2)."""

    source: str
    people_from: str
    annotators: int
    tuples: int
    stack_size: int
    calibration: tuple[Decimal, ...]
    intra: int

    def __post_init__(self) -> None:
        require(self.annotators >= 1, "At least one annotator's selections have to be validated.")
        require(self.tuples >= 1, "A validator needs at least one pair.")
        require(self.stack_size >= 1, "A stack needs at least one validator.")
        require(self.intra >= 0, "The intra-annotator block cannot have a negative size.")


@dataclass(frozen=True)
class Pool:
    """A group of raters recruited together."""

    key: str
    title: str
    people: int
    contradictions_above: float | None = None
    """Exclude who contradicts the known labels in more than this share of the answers (DSCS 4.1)."""

    def __post_init__(self) -> None:
        require(self.people >= 1, f"The pool “{self.key}” needs at least one rater.")
        share = self.contradictions_above
        require(share is None or 0 <= share <= 1, "A share of contradictions lies between 0 and 1.")


@dataclass(frozen=True)
class CompleteDesign:
    """Every rater of every pool judges every item, in an order of their own."""

    pools: tuple[Pool, ...]
    shuffled: bool

    def __post_init__(self) -> None:
        require(len(self.pools) >= 1, "At least one pool of raters is needed.")


@dataclass(frozen=True)
class BestWorstDesign:
    """Tuples from which the best and the worst item are chosen (SemRel2024 3.2; GiCCS, data annotation)."""

    best: str
    worst: str
    tuple_size: int
    factor: Decimal
    """Tuples for each item."""
    people: int
    """Answers for each tuple, each by another person."""
    grouped: bool
    """Whether items only meet items of their own group, in every possible tuple."""
    open: bool
    """Whether people take tuples from a common pool as they come, or each has their own, planned ahead."""
    tuples_a_person: int
    """How many one person is to answer; 0: all of them, or in an open round as many as they like."""
    lease_minutes: int
    """In an open round: how long a tuple stays with a person who does not answer, once others could do it."""
    hard_to_say: bool
    """Whether people may mark a choice as hard to say."""
    check_share: Decimal
    """The share of right answers that the check before the work asks for, where there is a check."""

    def __post_init__(self) -> None:
        require(3 <= self.tuple_size <= 8, "A best-worst tuple has three to eight items.")
        require(self.factor.is_finite() and self.factor > 0, "The number of tuples for each item must be above zero.")
        require(self.people >= 1, "A tuple needs at least one person.")
        require(self.tuples_a_person >= 0, "The number of tuples for a person cannot be negative.")
        require(self.lease_minutes >= 1, "A tuple stays with a person for at least one minute.")
        share = self.check_share
        require(share.is_finite() and 0 <= share <= 1, "A share of right answers lies between 0 and 1.")


Design = SelectionDesign | SequenceDesign | StackDesign | CompleteDesign | BestWorstDesign


@dataclass(frozen=True)
class Round:
    """A stage of the protocol, with its own annotators."""

    key: str
    title: str
    design: Design
    sessions: tuple[Context, ...]
    pause_hours: float = 0.0
    """Hours between two sessions."""
    pause_enforced: bool = False
    """Whether the server refuses an earlier return, or recommends the pause and measures it."""

    def __post_init__(self) -> None:
        require(len(self.sessions) >= 1, f"The round {self.key} needs at least one session.")
        require(0 <= self.pause_hours <= LONGEST_PAUSE, f"A pause has 0 to {LONGEST_PAUSE} hours.")


@dataclass(frozen=True)
class Protocol:
    """One way of collecting judgments, from the material to the last session."""

    key: str
    title: str
    material: Material
    question: str
    scale: Scale | None
    rounds: tuple[Round, ...]

    def __post_init__(self) -> None:
        keys = [round_.key for round_ in self.rounds]
        require(len(keys) >= 1, "A protocol needs at least one round.")
        require(len(set(keys)) == len(keys), "Two rounds have the same name.")
        for round_ in self.rounds:
            self._check(round_)

    def _check(self, round_: Round) -> None:
        design = round_.design
        require(
            self.scale is not None or isinstance(design, BestWorstDesign),
            f"The round {round_.key} asks for ratings, and the protocol has no scale.",
        )
        if isinstance(design, SequenceDesign | StackDesign):
            roles = len(self.selection(round_).roles)
            require(
                not isinstance(design, SequenceDesign) or design.validators % roles == 0,
                f"The validators of {round_.key} work in groups of {roles}, one for each pair of a tuple; "
                f"their number must be a multiple of {roles}.",
            )
        expected = [role.expected for role in design.roles] if isinstance(design, SelectionDesign) else []
        calibration = design.calibration if isinstance(design, StackDesign) else ()
        for value in (*expected, *calibration):
            require(
                self.scale is not None and value in self.scale.points,
                f"{round_.key} expects ratings of {value}, which is not on the scale.",
            )

    def round(self, key: str) -> Round:
        """The round of that name.

        Raises:
            ProtocolError: there is none; the message lists those there are.
        """
        for round_ in self.rounds:
            if round_.key == key:
                return round_
        names = ", ".join(round_.key for round_ in self.rounds)
        raise ProtocolError(f"This protocol has no round “{key}”. Its rounds: {names}.")

    def selection(self, round_: Round) -> SelectionDesign:
        """The design of the round in which the pairs of a validating round were selected."""
        design = round_.design
        require(isinstance(design, SequenceDesign | StackDesign), f"{round_.key} validates no selections.")
        source = self.round(design.source).design  # type: ignore[union-attr]
        if not isinstance(source, SelectionDesign):
            raise ProtocolError(f"{round_.key} validates selections, and its source selects nothing.")
        return source
