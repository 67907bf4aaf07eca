"""judgments.csv, .jsonl and .parquet: every judgment that the run read, under pseudonyms, and whether it counts.

The same pass over them writes tuples.csv, if there are choices.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotation.protocols.terms import JudgmentKind
from annotation.queries.judgments import JudgmentRow
from annotation.unknown import is_unknown
from scoring.exports.files import PlainCsv
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.tables import Column, Kind, write_tables
from scoring.exports.tuples import NAME, tuple_row, tuples_file
from scoring.queries import (
    answers_read,
    items_shown,
    milliseconds_between,
    pairs_selected,
    thinking_ms,
    with_shortened_pause,
)
from scoring.summaries.storing import OutdatedRun


@dataclass
class Tally:
    """The tally of one round: who answered, as far as known, how many judgments there are, and how many count.

    unsigned: the number of judgments by unknown people.
    """

    people: set[str] = field(default_factory=set)
    judgments: int = 0
    counted: int = 0
    unsigned: int = 0


Tallies = dict[str, Tally]


def columns_of(view: SnapshotView) -> list[Column]:
    """Return the columns; those of choices, with the items in the order shown, only for a protocol with choices.

    order tells which of the tuple's places was shown first.
    """
    columns = [
        Column("item", Kind.TEXT),
        Column("annotator", Kind.TEXT),
        Column("value", Kind.NUMBER, printed_value(view)),
        Column("round", Kind.TEXT),
        Column("context", Kind.TEXT),
        Column("block", Kind.TEXT),
        Column("session", Kind.INTEGER),
        Column("position", Kind.INTEGER),
        Column("role", Kind.TEXT),
        Column("pool", Kind.TEXT),
        Column("counted", Kind.TRUTH),
        Column("not_counted_because", Kind.TEXT),
        Column("invalid", Kind.TRUTH),
        Column("refill", Kind.TRUTH),
        Column("shown_at", Kind.TIME),
        Column("answered_at", Kind.TIME),
        Column("thinking_ms", Kind.INTEGER),
        Column("waiting_ms", Kind.INTEGER),
        Column("active_ms", Kind.INTEGER),
        Column("touched_ms", Kind.INTEGER),
        Column("adjustments", Kind.INTEGER),
        Column("pause_shortened", Kind.TRUTH),
    ]
    size = tuple_size(view)
    if _selects(view):
        columns.append(Column("inversion", Kind.TEXT))
    return columns + _choice_columns(size) if size else columns


def _selects(view: SnapshotView) -> bool:
    return bool(view.project.protocol.rounds_of(JudgmentKind.SELECTION))


def _choice_columns(size: int) -> list[Column]:
    return [
        Column("tuple", Kind.INTEGER),
        *(Column(f"item{place}", Kind.TEXT) for place in range(1, size + 1)),
        Column("best", Kind.TEXT),
        Column("worst", Kind.TEXT),
        Column("hard_to_say", Kind.TRUTH),
        Column("order", Kind.TEXT),
    ]


def tuple_size(view: SnapshotView) -> int:
    """Return the size of a tuple; 0 for a protocol without choices."""
    designs = [one.design for one in view.project.protocol.rounds]
    return max((design.tuple_size for design in designs if design.compares), default=0)


def printed_value(view: SnapshotView) -> Callable[[Any], object]:
    """Return how a value is written: as on the scale, and as a number, which no spreadsheet would run."""
    scale = view.project.protocol.scale
    return lru_cache(maxsize=2000)(lambda value: Decimal(scale.write(value)) if scale else "")


def export_judgments(view: SnapshotView, folder: Path) -> tuple[dict[str, int], Tallies]:
    """Write the judgments and return the rows of each file, and how many judgments each round has.

    Raises:
        ValueError: judgments that the run read have been deleted.
    """
    tallies: Tallies = defaultdict(Tally)
    with tuples_file(folder, tuple_size(view)) as choices:
        rows = write_tables(folder, "judgments", columns_of(view), _rows(view, tallies, choices))
    if choices:
        rows[NAME] = choices.rows
    found, read = sum(tally.judgments for tally in tallies.values()), len(view.reasons.codes)
    if found != read:
        raise OutdatedRun(f"The scoring run read {read} judgments, but now there are only {found}. Start a new run.")
    return rows, dict(tallies)


def _rows(view: SnapshotView, tallies: Tallies, choices: PlainCsv | None) -> Iterator[tuple[Any, ...]]:
    shortened = with_shortened_pause(view.project, view["sources.entries"])
    size, waits, selects = tuple_size(view), _Waits(), _selects(view)
    stand_ins = set(filter(is_unknown, view["raters.pseudonyms"]))
    for chunk in answers_read(view.project, view["sources.judgments"]):
        _require_known(view, chunk)
        pairs = _pairs(view, chunk)
        shown = items_shown(chunk)
        for row, because in zip(chunk, view.why_not("judgments", [row.id for row in chunk]), strict=True):
            items = shown.get(row.id, [])
            if choices and row.best_key and not because:
                choices.add(tuple_row(row, items))
            tally = tallies[row.round]
            if row.annotator in stand_ins:
                tally.unsigned += 1
            else:
                tally.people.add(row.annotator)
            before = waits.before(row)
            padded: list[str | None] = [*items, *[None] * (size - len(items))]
            for item, role, value, why in pairs.get(row.id, [(row.item, None, row.value, because)]):
                tally.judgments, tally.counted = tally.judgments + 1, tally.counted + (not why)
                cells = _row(row, item, role, value, why, before, row.participation in shortened)
                yield (*cells, *([row.inversion or None] if selects else []), *_choice(row, padded))


def _require_known(view: SnapshotView, rows: Sequence[JudgmentRow]) -> None:
    """Raise OutdatedRun if somebody's judgments have another pseudonym than the run read."""
    if {row.annotator for row in rows} - set(view["raters.pseudonyms"]):
        raise OutdatedRun("An annotator’s data was erased after this scoring run. Start a new run.")


Pair = tuple[str | None, str | None, float | None, str]
"""Item, role and value, and why it does not count."""


def _pairs(view: SnapshotView, rows: Sequence[JudgmentRow]) -> dict[int, list[Pair]]:
    """Return the selected pairs of each selection by its id."""
    selections = pairs_selected({row.id for row in rows if row.item is None and row.best_key is None})
    ids = [pair for pairs in selections.values() for pair, *_ in pairs]
    why = dict(zip(ids, view.why_not("pairs", ids), strict=True))
    return {
        judgment: [(item, role, value, why[pair]) for pair, item, role, value in pairs]
        for judgment, pairs in selections.items()
    }


class _Waits:
    """When somebody answered the screen before: a screen that is answered again has the same one before it."""

    def __init__(self) -> None:
        self.screen: tuple[int, int, int] | None = None
        self.answered: datetime | None = None
        self.earlier: datetime | None = None

    def before(self, row: JudgmentRow) -> datetime | None:
        """Return the time of the previous screen of the row's participation; rows come in the order of screens."""
        screen = row.participation, row.session, row.position
        if screen != self.screen:
            same_person = self.screen is not None and self.screen[0] == row.participation
            self.earlier = self.answered if same_person else None
            self.screen, self.answered = screen, row.answered_at
        return self.earlier


def _row(
    row: JudgmentRow,
    item: str | None,
    role: str | None,
    value: float | None,
    because: str,
    before: datetime | None,
    shortened: bool,
) -> tuple[Any, ...]:
    """Return a row in the order of the common columns. Thinking is measured by the browser's clock if there was one."""
    return (
        item,
        row.annotator,
        value,
        row.round,
        row.context,
        row.block,
        row.session,
        row.position,
        role,
        row.pool or None,
        not because,
        because or None,
        row.invalid,
        row.replaces is not None,
        row.shown_at,
        row.answered_at,
        thinking_ms(row),
        milliseconds_between(before, row.shown_at),
        row.active_ms,
        row.touched_ms,
        row.adjustments,
        shortened,
    )


def _choice(row: JudgmentRow, shown: list[str | None]) -> tuple[Any, ...]:
    """Return the columns of a choice; none for a protocol without choices."""
    return (row.tuple, *shown, row.best_key, row.worst_key, row.hard_to_say, row.order or None) if shown else ()
