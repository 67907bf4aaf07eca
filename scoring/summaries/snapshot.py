"""The judgments of a project as arrays, read once: the input of every part of a run."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from annotation.protocols.terms import BlockKind
from scoring.stats.choices import Choices
from scoring.summaries.tables import (
    BLOCKS,
    CONTEXTS,
    NONE,
    Booleans,
    ChoiceRows,
    Dialogues,
    Efforts,
    Facts,
    Groups,
    Integers,
    Items,
    MachineAnswers,
    Machines,
    Origins,
    Participations,
    Raters,
    Ratings,
    Reasons,
    Registered,
    Screens,
    Sources,
)

EXCLUDED = "excluded"
"""The state of a participation whose person is excluded."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The input of a run. tuples: shape (tuples, size), the designed tuples, judged or not, -1 for none.

    Raises:
        ValueError: columns differ in length, or an index is beyond its table.
    """

    items: Items
    groups: Groups
    ratings: Ratings
    choices: ChoiceRows
    tuples: Integers
    raters: Raters
    participations: Participations
    facts: Facts
    sources: Sources = field(default_factory=Sources)
    screens: Screens = field(default_factory=Screens)
    origins: Origins = field(default_factory=Origins)
    reasons: Reasons = field(default_factory=Reasons)
    dialogues: Dialogues = field(default_factory=Dialogues)
    efforts: Efforts = field(default_factory=Efforts)
    machines: Machines = field(default_factory=Machines)
    machine_answers: MachineAnswers = field(default_factory=MachineAnswers)
    registered: Registered = field(default_factory=Registered)

    def __post_init__(self) -> None:
        items, people, rounds = len(self.items.keys), len(self.raters.pseudonyms), len(self.facts.rounds)
        for name, column, below in (
            ("an item of a rating", self.ratings.items, items),
            ("a rater", self.ratings.raters, people),
            ("a round of a rating", self.ratings.rounds, rounds),
            ("a context", self.ratings.contexts, len(CONTEXTS)),
            ("a block", self.ratings.blocks, len(BLOCKS)),
            ("an annotator", self.choices.annotators, people),
            ("a tuple of a choice", self.choices.tuples, len(self.tuples)),
            ("a participant", self.participations.raters, people),
            ("a round of a participation", self.participations.rounds, rounds),
            ("a round of a choice", self.screens.rounds, rounds),
            ("a round of a model", self.machines.rounds, rounds),
            ("a model", self.machine_answers.arms, len(self.machines.names)),
            ("a context of a model", self.machine_answers.contexts, len(CONTEXTS)),
        ):
            _check_index(name, column, 0, below)
        for name, column, below in (
            ("an item shown", self.choices.items, items),
            ("an item of a tuple", self.tuples, items),
            ("a group", self.items.groups, len(self.groups.keys)),
            ("a role", self.items.roles, len(self.facts.roles)),
            ("an item of a model", self.machine_answers.items, items),
            ("a tuple of a model", self.machine_answers.tuples, len(self.tuples)),
        ):
            _check_index(name, column, NONE, below)

        for name, further, number in (
            ("screens", self.screens.rounds, len(self.choices.best)),
            ("origins", self.origins.sources, items),
            ("dialogues", self.dialogues.turns, len(self.groups.keys)),
        ):
            if len(further) not in (0, number):
                raise ValueError(f"There are {len(further)} {name} of {number}.")

    @cached_property
    def every_choice(self) -> Choices:
        """Return the choices of everybody, for `scoring.stats`."""
        rows = self.choices
        return Choices(rows.items, rows.best, rows.worst, rows.tuples, rows.annotators, len(self.items.keys))

    @cached_property
    def counted_choices(self) -> Choices:
        """Return the choices that count for figures; where all do, these are not copied."""
        return self.every_choice.keep(self.choices.counted)

    @cached_property
    def unsigned(self) -> bool:
        """Return whether the annotator of some choice that counts is unknown."""
        own = self.choices
        return bool(self.raters.unknown[own.annotators[own.counted]].any())

    @cached_property
    def calibrating(self) -> Booleans:
        """Return which ratings are calibration: of its block, or of its items; shape (ratings,)."""
        own = self.ratings
        return np.asarray((own.blocks == BLOCKS.index(BlockKind.CALIBRATION.value)) | self.items.calibration[own.items])

    @cached_property
    def excluded(self) -> Booleans:
        """Return which ratings are of people excluded from their round; shape (ratings,)."""
        return self._of_excluded(self.ratings.rounds, self.ratings.raters)

    @cached_property
    def choices_of_excluded(self) -> Booleans:
        """Return which choices are of people excluded from their round; shape (choices,)."""
        return self._of_excluded(self.screens.rounds, self.choices.annotators)

    def _of_excluded(self, rounds: Integers, raters: Integers) -> Booleans:
        out = np.array([state == EXCLUDED for state in self.participations.states], dtype=np.bool_)
        people, number = self.participations, len(self.raters.pseudonyms)
        return np.isin(rounds * number + raters, (people.rounds * number + people.raters)[out])

    @cached_property
    def rated(self) -> Ratings:
        """Return the ratings that scores are made of: counted, of the main block, and not of calibration pairs.

        They are in the order of people and their screens.
        """
        own = self.ratings
        main = own.counted & (own.blocks == BLOCKS.index(BlockKind.MAIN.value)) & ~np.isnan(own.values)
        order = np.lexsort((own.position, own.session, own.raters, own.rounds))
        return own.keep(order[(main & ~self.items.calibration[own.items])[order]])


def _check_index(name: str, column: Integers, least: int, below: int) -> None:
    if column.size and (column.min() < least or column.max() >= below):
        raise ValueError(f"The index of {name} is outside the range {least} to {below - 1}.")
