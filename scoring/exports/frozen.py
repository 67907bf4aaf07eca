"""A project as a run read it: what files are made of, whatever has happened in the database since."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Any, BinaryIO

import numpy as np

from annotation.models import Item, Project
from annotation.protocols.spec import BlockKind
from scoring.queries import CHUNK, items_in_order
from scoring.stats.bws import Counts
from scoring.stats.choices import valid_rows
from scoring.summaries.storing import read_columns
from scoring.summaries.tables import BLOCKS, CONTEXTS, NONE, Booleans, Facts, Floats, Integers, Raters

COLUMNS = (
    *(f"items.{name}" for name in ("keys", "language", "groups", "calibration", "roles", "selected", "unvalidated")),
    *(f"ratings.{name}" for name in ("items", "rounds", "contexts", "blocks", "values", "counted")),
    *(f"choices.{name}" for name in ("items", "best", "worst", "counted")),
    *(f"participations.{name}" for name in ("raters", "rounds", "states")),
    "raters.pseudonyms",
    *(f"sources.{name}" for name in ("judgments", "pairs", "entries")),
)
EXCLUDED = "excluded"


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
class Frozen:
    """columns: those of the run's snapshot that files need, by `COLUMNS`. An item's place is its index in there."""

    project: Project
    as_of: datetime
    facts: Facts
    columns: dict[str, Any]

    @classmethod
    def read(cls, project: Project, as_of: datetime, snapshot: BinaryIO) -> "Frozen":
        """Raises: ValueError: the snapshot was written by another version of the program."""
        return cls(project, as_of, *read_columns(snapshot, COLUMNS))

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each item by its key."""
        return {key: place for place, key in enumerate(self["items.keys"])}

    def items(self, *related: str) -> Iterator[tuple[int, Item]]:
        """The items that the run read, in order, with their places; streamed."""
        places = self.places
        for item in items_in_order(self.project).select_related(*related).iterator(chunk_size=CHUNK):
            if item.key in places:
                yield places[item.key], item

    def extras(self) -> Iterator[dict[str, str]]:
        """The further columns of those items that have some, in order; streamed."""
        found = items_in_order(self.project).exclude(extra={}).values_list("key", "extra")
        return (extra for key, extra in found.iterator(chunk_size=CHUNK) if key in self.places)

    @cached_property
    def unknown(self) -> Booleans:
        """Of each rater, whether they only stand in for people whom nobody knows."""
        return Raters(self["raters.pseudonyms"]).unknown

    @cached_property
    def invalid(self) -> int:
        """How many of the choices that count show an item twice, or have the same item as best and worst."""
        items, best, worst = (self[f"choices.{name}"][self["choices.counted"]] for name in ("items", "best", "worst"))
        return int((~valid_rows(items, best, worst)).sum())

    @property
    def judgments(self) -> int:
        """How many ratings and choices the run read."""
        return len(self["ratings.values"]) + len(self["choices.best"])

    @cached_property
    def languages(self) -> list[str]:
        return sorted(set(self["items.language"]) - {""})

    @cached_property
    def excluded(self) -> set[tuple[str, str]]:
        """Who was excluded when the run read the judgments: pseudonym and round, of rounds that rate or choose."""
        people = zip(
            self["participations.raters"].tolist(),
            self["participations.rounds"].tolist(),
            self["participations.states"],
            strict=True,
        )
        pseudonyms = self["raters.pseudonyms"]
        return {(pseudonyms[rater], self.facts.rounds[at]) for rater, at, state in people if state == EXCLUDED}

    def ratings_by_item(self, round_key: str, context: str) -> Values:
        """The counted ratings of the main block, calibration pairs left out."""
        wanted = self._main
        wanted = wanted & (self["ratings.rounds"] == self.facts.rounds.index(round_key))
        wanted &= self["ratings.contexts"] == CONTEXTS.index(context)
        return Values(self["ratings.items"][wanted], self["ratings.values"][wanted])

    @cached_property
    def _main(self) -> Booleans:
        calibrates = self["items.calibration"][self["ratings.items"]]
        own: Booleans = self["ratings.counted"] & (self["ratings.blocks"] == BLOCKS.index(BlockKind.MAIN.value))
        return own & ~calibrates & ~np.isnan(self["ratings.values"])

    def rated(self) -> Iterator[tuple[str, str, Values]]:
        """Round, context and values, of every round and context in which something was rated."""
        for round_key, contexts in zip(self.facts.rounds, self.facts.contexts, strict=True):
            for context in dict.fromkeys(contexts):
                if values := self.ratings_by_item(round_key, context):
                    yield round_key, context, values

    def role_of(self, place: int) -> str:
        """The role in which a pair was selected, if any selection of it counted."""
        role = int(self["items.roles"][place])
        return "" if role == NONE else self.facts.roles[role]

    @property
    def selected(self) -> Floats:
        """The value that each item got where it was selected; NaN for none."""
        return self["items.selected"]

    @cached_property
    def counts(self) -> Counts:
        """How often each item was best, was worst and was shown, in choices that count."""
        best, worst = (self._times(self[f"choices.{name}"]) for name in ("best", "worst"))
        # Column by column: of a million choices the whole table is large.
        return Counts(best, worst, sum(map(self._times, self["choices.items"].T), np.zeros_like(best)))

    def _times(self, places: Integers) -> Integers:
        counted = places[self["choices.counted"] & (places != NONE)]
        return np.bincount(counted, minlength=len(self["items.keys"])).astype(np.int64)

    @cached_property
    def shown(self) -> Booleans:
        """Of each item whether it was shown in a choice that counts, and so has a score."""
        appeared: Booleans = self.counts.appearances > 0
        return appeared

    def unit_score(self, place: int) -> Fraction:
        """The score of an item that was shown, from 0 to 1."""
        best, worst, shown = (int(own[place]) for own in (self.counts.best, self.counts.worst, self.counts.appearances))
        return Fraction(best - worst + shown, 2 * shown)
