"""A project as a run read it: the source of files, whatever has happened in the database since."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Any, BinaryIO

import numpy as np

from annotation.models import Item, Project
from annotation.protocols.terms import BlockKind
from scoring.queries import CHUNK, items_in_order
from scoring.stats.bws import Counts
from scoring.stats.choices import Choices, valid_rows
from scoring.summaries.snapshot import EXCLUDED
from scoring.summaries.storing import read_columns
from scoring.summaries.tables import (
    BLOCKS,
    CONTEXTS,
    NONE,
    REASONS,
    Booleans,
    Facts,
    Floats,
    Integers,
    Raters,
    Reasons,
)

COLUMNS = (
    *(f"items.{name}" for name in ("keys", "language", "groups", "calibration", "roles", "selected", "unvalidated")),
    *(f"ratings.{name}" for name in ("items", "raters", "rounds", "contexts", "blocks", "values", "counted")),
    *(f"choices.{name}" for name in ("tuples", "items", "best", "worst", "annotators", "counted")),
    *(f"participations.{name}" for name in ("raters", "rounds", "pools", "states")),
    *("raters.pseudonyms", "tuples"),
    *(f"sources.{name}" for name in ("judgments", "pairs", "entries")),
    *(f"reasons.{name}" for name in ("judgments", "pairs")),
)
OPTIONAL = {"machines.names": (), "machine_answers.ids": np.empty(0, dtype=np.int64), "registered.plans": ()}
"""The columns of models and registered plans, which some projects do not have, and what stands for them there."""


class Values(Mapping[int, list[float]]):
    """Ratings by place of the item, each item's in the order of seats; as arrays, of which there may be millions."""

    def __init__(self, items: Integers, values: Floats) -> None:
        order = np.argsort(items, kind="stable")
        self.items_, self.values_ = items[order], values[order]

    def __getitem__(self, place: int) -> list[float]:
        start, end = (int(np.searchsorted(self.items_, place, side)) for side in ("left", "right"))
        if start == end:
            raise KeyError(place)
        found: list[float] = self.values_[start:end].tolist()
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(np.unique(self.items_).tolist())

    def __len__(self) -> int:
        return len(np.unique(self.items_))


@dataclass(frozen=True, eq=False)
class SnapshotView:
    """columns: those of the run's snapshot that files need, by `COLUMNS`. An item's place is its index in there."""

    project: Project
    as_of: datetime
    facts: Facts
    columns: dict[str, Any]

    @classmethod
    def read(cls, project: Project, as_of: datetime, snapshot: BinaryIO) -> "SnapshotView":
        """Read the snapshot of a run. Raises: ValueError: another version of the program wrote it."""
        return cls(project, as_of, *read_columns(snapshot, COLUMNS, OPTIONAL))

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    @cached_property
    def places(self) -> dict[str, int]:
        """Return the place of each item by its key."""
        return {key: place for place, key in enumerate(self["items.keys"])}

    def items(self, *related: str) -> Iterator[tuple[int, Item]]:
        """Yield the items that the run read, in order, with their places; streamed."""
        places = self.places
        for item in items_in_order(self.project).select_related(*related).iterator(chunk_size=CHUNK):
            if item.key in places:
                yield places[item.key], item

    def extras(self) -> Iterator[dict[str, str]]:
        """Return the further columns of those items that have some, in order; streamed."""
        found = items_in_order(self.project).exclude(extra={}).values_list("key", "extra")
        return (extra for key, extra in found.iterator(chunk_size=CHUNK) if key in self.places)

    @cached_property
    def unknown(self) -> Booleans:
        """Return which raters represent unknown people."""
        return Raters(self["raters.pseudonyms"]).unknown

    @cached_property
    def invalid(self) -> int:
        """Return how many of the choices that count show an item twice, or have the same item as best and worst."""
        items, best, worst = (self[f"choices.{name}"][self["choices.counted"]] for name in ("items", "best", "worst"))
        return int((~valid_rows(items, best, worst)).sum())

    def why_not(self, kind: str, ids: Sequence[int]) -> list[str]:
        """Return the reason why each judgment or selected pair does not count, "" for one that does.

        Parameters: kind, "judgments" or "pairs"; ids, of those that the run read.
        """
        places = np.searchsorted(self[f"sources.{kind}"], ids)
        return [REASONS[code] for code in self[f"reasons.{kind}"][places].tolist()]

    @property
    def machines(self) -> tuple[str, ...]:
        """Return the names of the models that had answered."""
        return tuple(self["machines.names"])

    @property
    def machine_answers(self) -> Integers:
        """Return the ids of the valid answers of models, ascending."""
        return self["machine_answers.ids"]  # type: ignore[no-any-return]

    @cached_property
    def reasons(self) -> Reasons:
        """Return why judgments and selected pairs do not count."""
        return Reasons(self["reasons.judgments"], self["reasons.pairs"])

    @cached_property
    def languages(self) -> list[str]:
        return sorted(set(self["items.language"]) - {""})

    @cached_property
    def excluded(self) -> set[tuple[str, str]]:
        """Return pseudonym and round of those excluded when the run read the judgments; no rounds that select."""
        people = zip(
            self["participations.raters"].tolist(),
            self["participations.rounds"].tolist(),
            self["participations.states"],
            strict=True,
        )
        pseudonyms = self["raters.pseudonyms"]
        return {(pseudonyms[rater], self.facts.rounds[at]) for rater, at, state in people if state == EXCLUDED}

    def ratings_by_item(self, round_key: str, context: str) -> Values:
        """Return the counted ratings of the main block, calibration pairs left out."""
        wanted = self.rows_of(round_key, context)
        return Values(self["ratings.items"][wanted], self["ratings.values"][wanted])

    def raters_by_item(self, round_key: str, context: str) -> Values:
        """Return the raters of `ratings_by_item`, by their index in the snapshot."""
        wanted = self.rows_of(round_key, context)
        return Values(self["ratings.items"][wanted], self["ratings.raters"][wanted])

    def rows_of(self, round_key: str, context: str) -> Booleans:
        """Return which ratings are counted ones of the main block, calibration pairs left out."""
        wanted: Booleans = self._main & (self["ratings.rounds"] == self.facts.rounds.index(round_key))
        return wanted & (self["ratings.contexts"] == CONTEXTS.index(context))

    @cached_property
    def _main(self) -> Booleans:
        calibrates = self["items.calibration"][self["ratings.items"]]
        own: Booleans = self["ratings.counted"] & (self["ratings.blocks"] == BLOCKS.index(BlockKind.MAIN.value))
        return own & ~calibrates & ~np.isnan(self["ratings.values"])

    def rated(self) -> Iterator[tuple[str, str, Values]]:
        """Yield round, context and values, of every round and context in which something was rated."""
        for round_key, contexts in zip(self.facts.rounds, self.facts.contexts, strict=True):
            for context in dict.fromkeys(contexts):
                if values := self.ratings_by_item(round_key, context):
                    yield round_key, context, values

    def role_of(self, place: int) -> str:
        """Return the role in which a pair was selected, if any selection of it counted."""
        role = int(self["items.roles"][place])
        return "" if role == NONE else self.facts.roles[role]

    @property
    def selected(self) -> Floats:
        """Return the value that each item got in its selection; NaN for none."""
        return self["items.selected"]

    @property
    def counted_choices(self) -> Choices:
        """Return the choices that count, for `scoring.stats`."""
        names = ("items", "best", "worst", "tuples", "annotators")
        return Choices(*(self[f"choices.{name}"][self["choices.counted"]] for name in names), len(self["items.keys"]))

    @cached_property
    def counts(self) -> Counts:
        """Return how often each item was best, was worst and was shown, in choices that count."""
        best, worst = (self._times(self[f"choices.{name}"]) for name in ("best", "worst"))
        # Column by column: the whole table of a million choices is large.
        return Counts(best, worst, sum(map(self._times, self["choices.items"].T), np.zeros_like(best)))

    def _times(self, places: Integers) -> Integers:
        counted = places[self["choices.counted"] & (places != NONE)]
        return np.bincount(counted, minlength=len(self["items.keys"])).astype(np.int64)

    @cached_property
    def shown(self) -> Booleans:
        """Return which items were shown in a choice that counts, and so have a score."""
        appeared: Booleans = self.counts.appearances > 0
        return appeared

    def unit_score(self, place: int) -> Fraction:
        """Return the score of an item that was shown, from 0 to 1."""
        best, worst, shown = (int(own[place]) for own in (self.counts.best, self.counts.worst, self.counts.appearances))
        return Fraction(best - worst + shown, 2 * shown)
