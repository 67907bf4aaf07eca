"""Protocols as data: which texts are judged, on which scale, by whom, in which rounds and sessions.

A protocol is a frozen tree of dataclasses. It holds no behaviour beyond its own arithmetic: planning, flow and
scoring look up what to do by the type of a round's design.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, ClassVar

from annotation.protocols.errors import ProtocolError, require
from annotation.protocols.limits import Limited, between
from annotation.protocols.scale import Scale
from annotation.protocols.stopping import FINE_SCALE, FIXED, MARGIN, Stopping, TargetKind

PEOPLE = between(1, 10_000)
SHARE = between(0, 1)
ITEMS_A_PERSON = between(0, 10_000)
LEASE_MINUTES = between(1, 10_000)
LEASE = 30
"""The minutes of a lease, if the protocol says nothing else."""
SCREENING_MINIMUM = 10
"""Answers with known labels needed to screen somebody who leaves, if the protocol says nothing else. Of ten answers at
random more than 80 % contradict the labels with a probability of .01."""


class Context(StrEnum):
    """The surroundings of a sentence while it is judged (Czech News 4: context-free, context-dependent)."""

    FREE = "free"
    DEPENDENT = "dependent"


class BlockKind(StrEnum):
    """The blocks of a session, in the order in which they are shown (Czech News 4.2.2, Fig. 5)."""

    CALIBRATION = "calibration"
    MAIN = "main"
    INTRA = "intra"


class JudgmentKind(StrEnum):
    """The kind of answer that a person gives on one screen."""

    RATING = "rating"
    CHOICE = "choice"
    SELECTION = "selection"


class Material(StrEnum):
    """The kind of texts that a project imports."""

    INCIDENTS = "incidents"
    PAIRS = "pairs"
    DIALOGUES = "dialogues"
    TEXTS = "texts"

    @property
    def noun(self) -> str:
        """Return the noun for one judged item."""
        return {Material.DIALOGUES: "utterance", Material.TEXTS: "text"}.get(self, "pair")


@dataclass(frozen=True)
class Role:
    """One of the sentences chosen for a summary sentence, with its expected score."""

    key: str
    title: str
    colour: str
    expected: Decimal


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
    def rater_pools(self) -> "tuple[Pool, ...]":
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


Design = (
    SelectionDesign
    | SequenceDesign
    | StackDesign
    | CompleteDesign
    | IncompleteDesign
    | PairStackDesign
    | BestWorstDesign
)


@dataclass(frozen=True)
class Round(Limited):
    """A stage of the protocol, with its annotators."""

    key: str
    title: str
    design: Design
    sessions: tuple[Context, ...]
    pause_hours: Annotated[float, between(0, 10_000)] = 0.0
    """Hours between two sessions."""
    pause_enforced: bool = False
    """Whether the server refuses an earlier return, or recommends the pause and measures it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(len(self.sessions) >= 1, "Round %(key)s needs at least one session.", key=self.key)


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
            self.material != Material.TEXTS or design.compares,
            "Single texts can only be compared, but round %(round)s does not compare its items.",
            round=round_.key,
        )
        require(
            self.scale is not None or design.compares,
            "Round %(round)s collects ratings, but the protocol has no scale.",
            round=round_.key,
        )
        require(
            not design.is_open or len(round_.sessions) == 1,
            "Round %(round)s has a common pool and several sessions. Rounds with a common pool can have "
            "only one session.",
            round=round_.key,
        )
        self._check_validators(round_)
        require(
            not design.stopping.lower_limit or self.knows_interval_of(design),
            "Round %(round)s has the lower limit of the reliability as its target. The reliability has an interval "
            "only where people rate, on a scale with %(points)s points or more. Turn off “lower limit”.",
            round=round_.key,
            points=FINE_SCALE,
        )
        expected = [role.expected for role in design.roles] if isinstance(design, SelectionDesign) else []
        for value in (*expected, *design.calibration_values):
            require(
                self.scale is not None and value in self.scale.points,
                "Round %(round)s expects ratings of %(value)s, which is not on the scale.",
                round=round_.key,
                value=value,
            )

    def _check_validators(self, round_: Round) -> None:
        design = round_.design
        if not isinstance(design, SequenceDesign | StackDesign):
            return
        roles = len(self.selection(round_).roles)
        require(
            not isinstance(design, SequenceDesign) or design.validators % roles == 0,
            "The number of validators of round %(round)s must be a multiple of %(roles)s: each pair of a "
            "tuple has its own validator.",
            round=round_.key,
            roles=roles,
        )
        require(
            not isinstance(design, SequenceDesign) or roles > 1 or not design.overlap,
            "The validators of round %(round)s cannot overlap because a tuple has only one pair.",
            round=round_.key,
        )

    @property
    def compares(self) -> bool:
        """Return whether people compare tuples in some round."""
        return bool(self.rounds_of(JudgmentKind.CHOICE))

    @property
    def in_context(self) -> bool:
        """Return whether imported pairs are shown in their context in some session."""
        return self.material is Material.PAIRS and any(Context.DEPENDENT in round_.sessions for round_ in self.rounds)

    def knows_interval_of(self, design: Design) -> bool:
        """Return whether the interval of the reliability of such a round covers about as often as it says.

        It covers too seldom for comparisons and for ratings on coarse scales (docs/stopping.md).
        """
        return self.scale is not None and not design.compares and self.scale.size >= FINE_SCALE

    def goal_of(self, design: Design) -> float:
        """Return the estimate at which a round in waves has reached its target: higher than the target by a margin if
        the reliability has no interval."""
        kind = design.stopping.target
        if kind is None:
            raise ValueError("The round has no target.")
        value = design.stopping.targets[kind]
        if kind is TargetKind.WIDTH or self.knows_interval_of(design):
            return value
        return 1 - (1 - value) * (1 - MARGIN)

    def rounds_of(self, judgment: JudgmentKind) -> tuple[Round, ...]:
        """Return the rounds in which people give judgments of that kind."""
        return tuple(round_ for round_ in self.rounds if round_.design.judgment is judgment)

    def round(self, key: str) -> Round:
        """Return the round of that name. Raise ProtocolError if there is none; the message lists all rounds."""
        for round_ in self.rounds:
            if round_.key == key:
                return round_
        names = ", ".join(round_.key for round_ in self.rounds)
        raise ProtocolError("This protocol has no round “%(key)s”. Its rounds: %(names)s.", key=key, names=names)

    def selection(self, round_: Round) -> SelectionDesign:
        """Return the design of the round in which the pairs of a validating round were selected."""
        design = round_.design
        require(
            isinstance(design, SequenceDesign | StackDesign),
            "Round %(round)s does not validate selections.",
            round=round_.key,
        )
        source = self.round(design.source).design  # type: ignore[union-attr]
        if not isinstance(source, SelectionDesign):
            raise ProtocolError(
                "Round %(round)s validates selections, but its source round does not select anything.", round=round_.key
            )
        return source
