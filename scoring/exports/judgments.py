"""judgments.csv, .jsonl and .parquet: every judgment that stood when the run read them, under pseudonyms.

In the same pass over them tuples.csv, where there are choices.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotation.protocols.scale import Scale
from annotation.protocols.spec import BestWorstDesign
from annotation.unknown import is_unknown
from scoring.exports.files import PlainCsv
from scoring.exports.frozen import Frozen
from scoring.exports.tables import Column, Kind, write_tables
from scoring.exports.tuples import NAME, tuple_row, tuples_file
from scoring.queries import (
    AnswerRow,
    among,
    answers_read,
    milliseconds_between,
    pairs_selected,
    with_shortened_pause,
)
from scoring.summaries.tables import NONE


@dataclass
class Tally:
    """Of one round: who answered, as far as that is known, how many judgments there are, and how many count.

    unsigned: of how many judgments nobody knows who made them.
    """

    people: set[str] = field(default_factory=set)
    judgments: int = 0
    counted: int = 0
    unsigned: int = 0


Tallies = dict[str, Tally]


def columns_of(frozen: Frozen) -> list[Column]:
    """Those of choices only where the protocol has choices: the items in the order in which this person saw them.

    order tells which of the tuple's places was shown first.
    """
    columns = [
        Column("item", Kind.TEXT),
        Column("annotator", Kind.TEXT),
        Column("value", Kind.NUMBER, _printed(frozen.project.protocol.scale)),
        Column("round", Kind.TEXT),
        Column("context", Kind.TEXT),
        Column("block", Kind.TEXT),
        Column("session", Kind.INTEGER),
        Column("position", Kind.INTEGER),
        Column("role", Kind.TEXT),
        Column("pool", Kind.TEXT),
        Column("counted", Kind.TRUTH),
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
    size = _tuple_size(frozen)
    return columns + _choice_columns(size) if size else columns


def _choice_columns(size: int) -> list[Column]:
    return [
        Column("tuple", Kind.INTEGER),
        *(Column(f"item{place}", Kind.TEXT) for place in range(1, size + 1)),
        Column("best", Kind.TEXT),
        Column("worst", Kind.TEXT),
        Column("hard_to_say", Kind.TRUTH),
        Column("order", Kind.TEXT),
    ]


def _tuple_size(frozen: Frozen) -> int:
    """0 where the protocol has no choices."""
    designs = [one.design for one in frozen.project.protocol.rounds]
    return max((design.tuple_size for design in designs if isinstance(design, BestWorstDesign)), default=0)


def _shown(frozen: Frozen, size: int) -> Iterator[list[str | None]]:
    """The items of each choice, in the order of the choices; the run read these in that of the answers."""
    keys = frozen["items.keys"]
    for items in frozen["choices.items"]:
        shown: list[str | None] = [keys[item] for item in items.tolist() if item != NONE]
        yield shown + [None] * (size - len(shown))


def _printed(scale: Scale | None) -> Callable[[Any], object]:
    """As the scale writes a value; a number, which no spreadsheet would run."""
    return lru_cache(maxsize=2000)(lambda value: Decimal(scale.write(value)) if scale else "")


def export_judgments(frozen: Frozen, folder: Path) -> tuple[dict[str, int], Tallies]:
    """Returns: the rows of each file, and how many judgments each round has.

    Raises:
        ValueError: judgments that the run read are gone.
    """
    tallies: Tallies = defaultdict(Tally)
    with tuples_file(folder, _tuple_size(frozen)) as choices:
        rows = write_tables(folder, "judgments", columns_of(frozen), _rows(frozen, tallies, choices))
    if choices:
        rows[NAME] = choices.rows
    found = sum(tally.judgments for key, tally in tallies.items() if key in frozen.facts.rounds)
    if found != frozen.judgments:
        raise ValueError(f"The run read {frozen.judgments} judgments, and {found} are there now. Start another run.")
    return rows, dict(tallies)


def _rows(frozen: Frozen, tallies: Tallies, choices: PlainCsv | None) -> Iterator[tuple[Any, ...]]:
    shortened = with_shortened_pause(frozen.project, frozen["sources.entries"])
    size, person, before = _tuple_size(frozen), 0, None
    shown, nothing = _shown(frozen, size), list[str | None]([None] * size)
    known = set(frozen["raters.pseudonyms"])
    stand_ins = set(filter(is_unknown, known))
    for chunk in answers_read(frozen.project, frozen["sources.judgments"]):
        pairs = pairs_selected({row.id for row in chunk if row.item is None and row.best is None})
        for row in chunk:
            if row.annotator not in known:
                raise ValueError("Somebody has had everything about them erased since this run. Start another run.")
            if row.participation != person:
                person, before = row.participation, None
            items = next(shown) if row.best else nothing
            counts = (row.annotator, row.round) not in frozen.excluded
            if choices and row.best and counts:
                choices.add(tuple_row(row, items))
            tally = tallies[row.round]
            if row.annotator in stand_ins:
                tally.unsigned += 1
            else:
                tally.people.add(row.annotator)
            for pair, item, role, value in pairs.get(row.id, [(None, row.item, None, row.value)]):
                own = counts if pair is None else among(frozen["sources.pairs"], [pair])[0]
                tally.judgments, tally.counted = tally.judgments + 1, tally.counted + own
                yield _row(row, item, role, value, own, before, row.participation in shortened, items)
            before = row.answered_at


def _row(
    row: AnswerRow,
    item: str | None,
    role: str | None,
    value: float | None,
    counted: bool,
    before: datetime | None,
    shortened: bool,
    shown: list[str | None],
) -> tuple[Any, ...]:
    """In the order of the columns. Thinking is measured by the browser's clock where there was one."""
    own = (
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
        counted,
        row.replaces is not None,
        row.shown_at,
        row.answered_at,
        milliseconds_between(row.shown_at, row.saved_at) if row.answered_ms is None else row.answered_ms,
        milliseconds_between(before, row.shown_at),
        row.active_ms,
        row.touched_ms,
        row.adjustments,
        shortened,
    )
    return (*own, row.tuple, *shown, row.best, row.worst, row.hard_to_say, row.order or None) if shown else own
