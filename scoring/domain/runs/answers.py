"""All judgments of a project as columns, read in one pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Case, QuerySet, Value, When
from django.db.models.functions import NullIf
from numpy.typing import NDArray

from annotation.models import Project
from annotation.protocols.counting import NotCounted
from annotation.queries.counting import reason_code
from annotation.queries.judgments import COLUMNS, judgments_of
from scoring.domain.runs.columns import FLAG, MISSING, REAL, TIME, WHOLE, Chunk, Kind, coded, each_chunk
from scoring.domain.runs.places import Narrow, Places, places_of
from scoring.domain.runs.working_time import WorkingTime
from scoring.summaries.tables import BLOCKS, CONTEXTS, NONE, REASONS, Booleans, Facts, Integers

CODES = {reason: REASONS.index(reason) for reason in NotCounted}
SUPERSEDED = CODES[NotCounted.SUPERSEDED]
COUNTED = 0
READ = {
    "id": ("pk", WHOLE),
    "participation": ("assignment__participation_id", WHOLE),
    "session": ("assignment__session", WHOLE),
    "position": ("assignment__position", WHOLE),
    "item": ("assignment__item_id", WHOLE),
    "tuple": ("assignment__tuple_id", WHOLE),
    "context": (coded("assignment__context", places_of(CONTEXTS)), WHOLE),
    "block": (coded("assignment__block", places_of(BLOCKS)), WHOLE),
    "order": (NullIf("assignment__order", Value("")), WHOLE),
    "value": ("value", REAL),
    "best": ("best_id", WHOLE),
    "worst": ("worst_id", WHOLE),
    "hard_to_say": ("hard_to_say", FLAG),
    "selection": (Case(When(assignment__sentence__isnull=False, then=Value(True)), default=Value(False)), FLAG),
    "withdrawn": (COLUMNS["withdrawn"], FLAG),
    "reason": (reason_code(CODES, COUNTED), WHOLE),
    "answered_ms": ("answered_ms", WHOLE),
    "active_ms": ("active_ms", WHOLE),
    "shown_at": ("assignment__shown_at", TIME),
    "saved_at": ("saved_at", TIME),
    "answered_at": ("assignment__answered_at", TIME),
}
"""What is read of every judgment, by the name of the column."""
SCREEN = {"place": np.int32, "session": np.int16, "position": np.int32, "counted": np.bool_, "thinking": np.float64}
RATED = SCREEN | {"item": np.int32, "context": np.int8, "block": np.int8, "value": np.float64}
RATED |= {"shown_at": np.int64, "answered_at": np.int64, "withdrawn": np.bool_}
CHOSEN = SCREEN | {"tuple": np.int32, "order": np.int32, "best": np.int32, "worst": np.int32, "hard_to_say": np.bool_}
"""The columns that are kept of ratings and of choices, in as few bytes as hold them."""


class Collected:
    """Columns that grow chunk by chunk."""

    def __init__(self, kinds: dict[str, Any]) -> None:
        self.kinds = kinds
        self.parts: dict[str, list[NDArray[Any]]] = {name: [] for name in kinds}

    def add(self, chunk: Chunk, rows: Any = slice(None)) -> None:
        for name, kind in self.kinds.items():
            self.parts[name].append(chunk[name][rows].astype(kind))

    def taken(self, name: str) -> NDArray[Any]:
        """Return a column as a whole, once: its parts are forgotten."""
        return np.concatenate([np.empty(0, self.kinds[name]), *self.parts.pop(name)])


def columns_by_id(rows: QuerySet[Any], columns: Mapping[str, tuple[Any, Kind]]) -> dict[str, NDArray[Any]]:
    """Return columns of a query, each with its expression and kind, in the order of the ids of the rows."""
    read = {"id": ("pk", WHOLE), **columns}
    found = Collected({name: np.dtype(kind.size).newbyteorder("=") for name, (_, kind) in read.items()})
    each_chunk(rows, read, found.add)
    taken = {name: found.taken(name) for name in read}
    order = np.argsort(taken["id"])
    return {name: column[order] for name, column in taken.items()}


@dataclass(frozen=True, eq=False)
class Seats:
    """The participations of a project in the order of rounds and seats. pks: their ids. people: the person's place
    among the raters. rounds: the place of the round in `Facts.rounds`, -1 for one that selects. keys: of the round."""

    pks: Places
    people: Narrow
    rounds: Narrow
    keys: Sequence[str]


def seats_of(project: Project, raters: Places, facts: Facts) -> Seats:
    rows = list(project.participations.order_by("round", "seat").values_list("pk", "annotator", "round"))
    rounds = places_of(facts.rounds)
    people = np.array([MISSING if person is None else person for _, person, _ in rows], dtype=np.int64)
    return Seats(
        Places([pk for pk, *_ in rows]),
        raters.of(people),
        np.array([rounds.get(key, NONE) for *_, key in rows], dtype=np.int32),
        [key for *_, key in rows],
    )


class Answers:
    """The judgments of a project: ids and reasons of all, the current ratings and choices, and the working time.

    Ratings of withdrawn items are among them, as they come before a person's later ones.
    """

    def __init__(self, seats: Seats, items: Places, tuples: Places) -> None:
        self.seats, self.items, self.tuples = seats, items, tuples
        self.every = Collected({"id": np.int64, "code": np.int8})
        self.ratings, self.choices = Collected(RATED), Collected(CHOSEN)
        self.working_time = WorkingTime(seats.keys)

    def read(self, project: Project) -> None:
        each_chunk(judgments_of(project), READ, self._take)

    def _take(self, chunk: Chunk) -> None:
        place = self.seats.pks.of(chunk["participation"])
        self.working_time.add(place, chunk["active_ms"], chunk["reason"] == COUNTED)
        self.every.add({"id": chunk["id"], "code": np.where(chunk["selection"], NONE, chunk["reason"])})
        current = chunk["reason"] != SUPERSEDED
        rated = current & ~np.isnan(chunk["value"]) & (self.seats.rounds[place] != NONE)
        chosen = current & ~chunk["withdrawn"] & (chunk["best"] != MISSING)
        for rows, kept, ids in ((rated, self.ratings, ("item",)), (chosen, self.choices, ("tuple", "best", "worst"))):
            if rows.any():
                kept.add(self._places(chunk, place, rows, ids))

    def _places(self, chunk: Chunk, place: Narrow, rows: Booleans, ids: Sequence[str]) -> Chunk:
        own = {name: column[rows] for name, column in chunk.items()}
        own |= {"place": place[rows], "counted": own["reason"] == COUNTED, "thinking": thinking_ms(own)}
        return own | {name: (self.tuples if name == "tuple" else self.items).of(own[name]) for name in ids}

    def sources(self) -> tuple[Integers, Integers]:
        """Return the ids of all judgments, ascending, and why each does not count, -1 for a selection."""
        ids, codes = self.every.taken("id"), self.every.taken("code")
        order = np.argsort(ids)
        return ids[order], codes[order].astype(np.int64)


def thinking_ms(chunk: Chunk) -> NDArray[np.float64]:
    """Return the thinking time in milliseconds, as the browser measured it; else between the server's times."""
    measured = milliseconds_between(chunk["shown_at"], chunk["saved_at"])
    return np.where(chunk["answered_ms"] == MISSING, measured, chunk["answered_ms"])


def milliseconds_between(earlier: Integers, later: Integers) -> NDArray[np.float64]:
    """Return the whole milliseconds between times; NaN if one is missing or the order is wrong."""
    known = (earlier != MISSING) & (later != MISSING) & (later >= earlier)
    passed = np.subtract(later, earlier, out=np.zeros(len(later), np.int64), where=known)
    return np.where(known, np.rint(passed / 1_000_000 * 1_000), np.nan)
