"""The content of a snapshot: tables of columns, and the facts of the protocol.

Indexes count from 0 in the order of the tables; -1 is none; NaN is a missing number. Columns of one table have the same
length, which is written as its shape: (items,), (ratings,) and so on. Texts are tuples of strings.
"""

from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotation.protocols.counting import NotCounted
from annotation.protocols.terms import BlockKind, Context
from annotation.unknown import is_unknown

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Texts = tuple[str, ...]

NONE = -1
CONTEXTS: Texts = tuple(context.value for context in Context)
"""Codes of contexts are indexes of this tuple, codes of blocks indexes of BLOCKS."""
BLOCKS: Texts = tuple(block.value for block in BlockKind)
REASONS: Texts = ("", "superseded", "excluded", "withdrawn", "reassigned", "calibration", "invalid", "partial")
"""Codes of the reasons why judgments do not count are indexes of this tuple; 0 is a judgment that counts.

Snapshots are stored with these codes, so a further reason comes last, wherever it stands in `NotCounted`.
"""
STRONG_SHARE = 0.8
"""Strong agreement: four of five (GiCCS)."""


class Table:
    """Columns of the same length."""

    def __post_init__(self) -> None:
        lengths = {one.name: len(getattr(self, one.name)) for one in fields(self)}  # type: ignore[arg-type]
        if len(set(lengths.values())) > 1:
            raise ValueError(f"The columns of {type(self).__name__} differ in length: {lengths}.")


def _no_ids() -> Integers:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Items(Table):
    """The judged items; shapes (items,)."""

    keys: Texts
    sentence1: Texts
    sentence2: Texts
    """All empty where single texts are judged."""
    language: Texts
    """BCP 47, empty if unknown."""
    groups: Integers
    """Index in `Groups`."""
    gold: Floats
    """1 similar, 0 dissimilar."""
    calibration: Booleans
    roles: Integers
    """The index of a selected pair's role in `Facts.roles` (Czech News 4.1: green, orange, red)."""
    selected: Floats
    """The value that a selected pair got in its selection (R1)."""
    unvalidated: Booleans
    """Selected pairs that no later round used: those of the training data (Czech News, Fig. 1)."""

    @cached_property
    def paired(self) -> bool:
        """Whether an item has two texts."""
        return any(self.sentence2)

    @cached_property
    def texts(self) -> list[Texts]:
        """The two texts of each pair, or each single text."""
        columns = (self.sentence1, self.sentence2) if self.paired else (self.sentence1,)
        return list(zip(*columns, strict=True))


@dataclass(frozen=True, eq=False)
class Groups(Table):
    """Sets of items that only meet each other, such as the utterances of a dialogue; shapes (groups,)."""

    keys: Texts
    domains: Texts


@dataclass(frozen=True, eq=False)
class Dialogues(Table):
    """The dialogue of each group, row by row as `Groups`; shapes (groups,). Empty in files of earlier versions."""

    turns: Integers = field(default_factory=_no_ids)
    """How many turns it has, 0 for a group without a dialogue."""


@dataclass(frozen=True, eq=False)
class Ratings(Table):
    """Current ratings of the rounds of `Facts.rounds`, those of excluded people too; shapes (ratings,).

    The values of selections are no ratings: they are in `Items.selected`.
    """

    items: Integers
    raters: Integers
    rounds: Integers
    """Index in `Facts.rounds`."""
    contexts: Integers
    blocks: Integers
    session: Integers
    position: Integers
    """Position of the screen in its session."""
    values: Floats
    thinking_ms: Floats
    waiting_ms: Floats
    counted: Booleans
    """Whether it counts, by `annotation.queries`."""
    already_made: Integers
    """How many ratings this person had made before this one, in this round."""

    def keep(self, rows: Booleans | Integers) -> "Ratings":
        """Return these ratings only."""
        return Ratings(*(getattr(self, one.name)[rows] for one in fields(self)))


@dataclass(frozen=True, eq=False)
class ChoiceRows(Table):
    """Current best-worst choices, those of excluded people too; shapes (choices,)."""

    tuples: Integers
    """Row of `Snapshot.tuples`."""
    items: Integers
    """Shape (choices, size), in the order in which this person saw them; -1 fills up shorter rows."""
    best: Integers
    worst: Integers
    annotators: Integers
    """Index in `Raters`."""
    hard_to_say: Booleans
    counted: Booleans


@dataclass(frozen=True, eq=False)
class Screens(Table):
    """The round and time of each choice, row by row as `ChoiceRows`; shapes (choices,).

    Empty in files of earlier versions, as is `Origins`.
    """

    rounds: Integers = field(default_factory=_no_ids)
    """Index in `Facts.rounds`."""
    thinking_ms: Floats = field(default_factory=lambda: np.empty(0, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Origins(Table):
    """The origin of each item according to its imported file, empty if unknown; shapes (items,)."""

    sources: Texts = ()
    heuristics: Texts = ()
    """The heuristic that built the pair (SemRel2024 3.1.1)."""


@dataclass(frozen=True, eq=False)
class Raters(Table):
    """People, each once; shapes (raters,)."""

    pseudonyms: Texts

    @cached_property
    def unknown(self) -> Booleans:
        """Return which raters represent unknown people, shape (raters,)."""
        return np.array([is_unknown(name) for name in self.pseudonyms], dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Participations(Table):
    """One person in one round; shapes (participations,)."""

    raters: Integers
    rounds: Integers
    """Index in `Facts.rounds`."""
    pools: Texts
    states: Texts
    waits: Floats
    """Hours from the end of the first session to the beginning of the second; NaN for people without one."""


@dataclass(frozen=True, eq=False)
class Sources:
    """The rows that were read, by their ids in ascending order: a release is made of exactly these.

    A greatest id would not be enough: on PostgreSQL an answer with a smaller one may be stored after a greater one was
    read. No figure is made of ids.
    """

    judgments: Integers = field(default_factory=_no_ids)
    """All judgments, selections included."""
    pairs: Integers = field(default_factory=_no_ids)
    """All selected pairs."""
    entries: Integers = field(default_factory=_no_ids)
    """Entries of the audit log."""


@dataclass(frozen=True, eq=False)
class Reasons:
    """Why judgments and selected pairs do not count, as indexes of `REASONS`, in the order of `Sources`.

    Empty in files of earlier versions.
    """

    judgments: Integers = field(default_factory=_no_ids)
    """-1 for a selection: each of its pairs counts or does not."""
    pairs: Integers = field(default_factory=_no_ids)

    @cached_property
    def codes(self) -> Integers:
        """Return the reasons of ratings, choices and selected pairs; shape (judgments,)."""
        return np.concatenate([self.judgments[self.judgments != NONE], self.pairs])

    @property
    def made(self) -> int:
        """Return the number of ratings and choices, without those that the same person replaced later."""
        return int((~np.isin(self.judgments, [NONE, REASONS.index(NotCounted.SUPERSEDED)])).sum())

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Return the number of judgments for each reason that applies to any, in the order of `NotCounted`."""
        numbers = dict(zip(REASONS, np.bincount(self.codes, minlength=len(REASONS)).tolist(), strict=True))
        return {str(reason): numbers[reason] for reason in NotCounted if numbers[reason]}


@dataclass(frozen=True, eq=False)
class Efforts(Table):
    """The answers and working time of every round, selecting ones too, in the protocol's order; shapes (rounds,).

    All stored answers are work, whether they count or not. Empty in files of earlier versions.
    """

    rounds: Texts = ()
    people: Integers = field(default_factory=_no_ids)
    """People with an answer whose active time is known."""
    answers: Integers = field(default_factory=_no_ids)
    timed: Integers = field(default_factory=_no_ids)
    """Answers whose active time is known."""
    active_ms: Integers = field(default_factory=_no_ids)
    counted_ms: Integers = field(default_factory=_no_ids)
    """The active time of the answers that count; of a selection, if its incident, person and answer count."""


@dataclass(frozen=True, eq=False)
class Machines(Table):
    """Models that answered as annotators, apart from people; shapes (arms,). Not in files of projects without any."""

    names: Texts = ()
    models: Texts = ()
    rounds: Integers = field(default_factory=_no_ids)
    """Index in `Facts.rounds`."""
    screens: Integers = field(default_factory=_no_ids)
    invalid: Integers = field(default_factory=_no_ids)
    """Answers that were not valid, most of which were followed by a valid one."""
    given_up: Integers = field(default_factory=_no_ids)
    """Screens without a valid answer."""
    epsilons: Floats = field(default_factory=lambda: np.empty(0, dtype=np.float64))
    """The bonus in the alternative annotator test, chosen when the model was added."""
    costs: Floats = field(default_factory=lambda: np.empty(0, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class MachineAnswers(Table):
    """The valid answers of models, by ascending id; shapes (answers,). -1 and NaN stand for what a kind of answer does
    not have."""

    ids: Integers = field(default_factory=_no_ids)
    arms: Integers = field(default_factory=_no_ids)
    """Index in `Machines`."""
    repeats: Integers = field(default_factory=_no_ids)
    """From 1."""
    backwards: Booleans = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    """Whether the second text of the pair was shown first."""
    contexts: Integers = field(default_factory=_no_ids)
    items: Integers = field(default_factory=_no_ids)
    tuples: Integers = field(default_factory=_no_ids)
    values: Floats = field(default_factory=lambda: np.empty(0, dtype=np.float64))
    best: Integers = field(default_factory=_no_ids)
    worst: Integers = field(default_factory=_no_ids)
    best_positions: Integers = field(default_factory=_no_ids)
    """The place on the screen, from 0."""
    worst_positions: Integers = field(default_factory=_no_ids)

    def keep(self, rows: Booleans) -> "MachineAnswers":
        """Return these answers only."""
        return MachineAnswers(*(getattr(self, one.name)[rows] for one in fields(self)))


@dataclass(frozen=True, eq=False)
class Registered(Table):
    """The registered plan that a run is compared with, if there is one; shapes (1,). Not in files of other projects."""

    plans: Texts = ()
    """The plan in its canonical form."""
    happened: Texts = ()
    """What was done, as JSON."""


@dataclass(frozen=True)
class Facts:
    """The facts of the protocol that the figures need.

    rounds: the rounds that rate or choose, in their order (not those that select). contexts: for each round, those of
    its sessions. roles, expected: of selected pairs, and the expected score of each (Czech News 5.2).
    minimum, maximum, step: of the scale; NaN without one. decimals: of a mean, as the paper prints it.
    limits: the share of contradictions above which a rater of a pool is excluded, by pool (DSCS 4.1).
    strong_share: the share of a tuple's judgments that makes agreement strong (GiCCS).
    grouped: whether items only meet items of their own group. design_seed: -1 for imported tuples. adaptive: whether
    tuples of later waves have items whose scores were close, so that scores by counting are biased.
    pairs, wanted: for each round, the pairs that it asks to be rated, and the ratings of a pair by the protocol; both
    empty in files of earlier versions. tested: the rounds whose mean ratings are test data (Czech News 4.2.2).
    withdrawn: the keys of withdrawn items. selecting: the pseudonyms of people with a selection that counts.
    """

    rounds: Texts
    contexts: tuple[Texts, ...]
    roles: Texts = ()
    expected: tuple[float, ...] = ()
    minimum: float = float("nan")
    maximum: float = float("nan")
    step: float = float("nan")
    decimals: int = 2
    limits: tuple[tuple[str, float], ...] = ()
    strong_share: float = STRONG_SHARE
    grouped: bool = False
    design_seed: int = NONE
    pairs: tuple[int, ...] = ()
    wanted: tuple[int, ...] = ()
    tested: Texts = ()
    withdrawn: Texts = ()
    selecting: Texts = ()
    adaptive: bool = False

    def __post_init__(self) -> None:
        if len(self.rounds) != len(self.contexts) or len(self.roles) != len(self.expected):
            raise ValueError("Every round needs its contexts, and every role its expected score.")

    @property
    def midpoint(self) -> float:
        return (self.minimum + self.maximum) / 2
