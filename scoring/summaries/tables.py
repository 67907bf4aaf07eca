"""What a snapshot consists of: tables of columns, and what is known of the protocol.

Indexes count from 0 in the order of the tables; -1 is none; NaN is a missing number. Columns of one table have the same
length, which is written as its shape: (items,), (ratings,) and so on. Texts are tuples of strings.
"""

from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotation.protocols.spec import BlockKind, Context
from annotation.unknown import is_unknown

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Texts = tuple[str, ...]

NONE = -1
CONTEXTS: Texts = tuple(context.value for context in Context)
"""Codes of contexts are places in here, codes of blocks places in BLOCKS."""
BLOCKS: Texts = tuple(block.value for block in BlockKind)
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
    """What is judged; shapes (items,)."""

    keys: Texts
    sentence1: Texts
    sentence2: Texts
    language: Texts
    """BCP 47, empty where not known."""
    groups: Integers
    """Place in `Groups`."""
    gold: Floats
    """1 similar, 0 dissimilar."""
    calibration: Booleans
    roles: Integers
    """Of selected pairs, the place of their role in `Facts.roles` (Czech News 4.1: green, orange, red)."""
    selected: Floats
    """Of selected pairs, the value that they got where they were selected (R1)."""
    unvalidated: Booleans
    """Selected pairs that no later round used: those of the training data (Czech News, Fig. 1)."""


@dataclass(frozen=True, eq=False)
class Groups(Table):
    """Sets of items that only meet each other, such as the utterances of a dialogue; shapes (groups,)."""

    keys: Texts
    domains: Texts


@dataclass(frozen=True, eq=False)
class Ratings(Table):
    """Current ratings of the rounds of `Facts.rounds`, those of excluded people too; shapes (ratings,).

    The values of selections are no ratings: they stand in `Items.selected`.
    """

    items: Integers
    raters: Integers
    rounds: Integers
    """Place in `Facts.rounds`."""
    contexts: Integers
    blocks: Integers
    session: Integers
    position: Integers
    """Of the screen in its session."""
    values: Floats
    thinking_ms: Floats
    waiting_ms: Floats
    counted: Booleans
    """Whether figures are made of it: of nobody excluded."""
    already_made: Integers
    """How many ratings this person had made before this one, in this round."""

    def keep(self, rows: Booleans | Integers) -> "Ratings":
        """These ratings only."""
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
    """Place in `Raters`."""
    hard_to_say: Booleans
    counted: Booleans


@dataclass(frozen=True, eq=False)
class Screens(Table):
    """Where and how fast each choice was made, row by row as `ChoiceRows`; shapes (choices,).

    Empty in files of earlier versions, as is `Origins`.
    """

    rounds: Integers = field(default_factory=_no_ids)
    """Place in `Facts.rounds`."""
    thinking_ms: Floats = field(default_factory=lambda: np.empty(0, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Origins(Table):
    """What the file told of each item that it was brought in with, empty where nothing; shapes (items,)."""

    sources: Texts = ()
    heuristics: Texts = ()
    """By which the pair was built (SemRel2024 3.1.1)."""


@dataclass(frozen=True, eq=False)
class Raters(Table):
    """People, each once; shapes (raters,)."""

    pseudonyms: Texts

    @cached_property
    def unknown(self) -> Booleans:
        """Who only stands in for people whom nobody knows, shape (raters,)."""
        return np.array([is_unknown(name) for name in self.pseudonyms], dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Participations(Table):
    """One person in one round; shapes (participations,)."""

    raters: Integers
    rounds: Integers
    """Place in `Facts.rounds`."""
    pools: Texts
    states: Texts
    waits: Floats
    """Hours from the end of the first session to the beginning of the second; NaN for who had none."""


@dataclass(frozen=True, eq=False)
class Sources:
    """The rows that were read, by their ids in ascending order: by these, and no others, a release is made.

    No greatest id could tell them: on PostgreSQL an answer with a smaller one may be stored after a greater one was
    read. No figure is made of ids.
    """

    judgments: Integers = field(default_factory=_no_ids)
    """Those that were current, selections too."""
    pairs: Integers = field(default_factory=_no_ids)
    """Selected pairs that counted, one an item."""
    entries: Integers = field(default_factory=_no_ids)
    """Of the audit log."""


@dataclass(frozen=True)
class Facts:
    """What the figures need to know of the protocol.

    rounds: the rounds that rate or choose, in their order (not those that select). contexts: for each round, those of
    its sessions. roles, expected: of selected pairs, and the score that one would expect of each (Czech News 5.2).
    minimum, maximum, step: of the scale; NaN where there is none. decimals: of a mean, as the paper prints it.
    limits: the share of contradictions above which a rater of a pool is excluded, by pool (DSCS 4.1).
    strong_share: the share of a tuple's judgments that makes agreement strong (GiCCS).
    grouped: whether items only meet items of their own group. design_seed: -1 where the tuples were brought in.
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

    def __post_init__(self) -> None:
        if len(self.rounds) != len(self.contexts) or len(self.roles) != len(self.expected):
            raise ValueError("Every round needs its contexts, and every role its expected score.")

    @property
    def midpoint(self) -> float:
        return (self.minimum + self.maximum) / 2
