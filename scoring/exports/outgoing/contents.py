"""What was judged in a release, each with its texts, score and judgments."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from annotation.corpora.spreadsheets import without_apostrophe

Open = Callable[[str], TextIO]
"""Opens a file of the release by its name."""
Row = dict[str, Any]
NEEDED = ("items.csv", "scores.csv", "judgments.jsonl")
"""The files of a release that are read."""


@dataclass(frozen=True)
class Rated:
    """An item in one round and context.

    texts: by their columns; scores: `mean`, `sd` (None if undefined) and `ratings`, their number.
    """

    key: str
    item: str
    texts: dict[str, str]
    scores: dict[str, float | int | None]
    judgments: list[Row]


@dataclass(frozen=True)
class Compared:
    """A tuple. items, texts: in its order; scores: of each item, None if undefined."""

    key: str
    items: tuple[str, ...]
    texts: tuple[str, ...]
    scores: tuple[float | None, ...]
    judgments: list[Row]


def rated(open_file: Open) -> Iterator[Rated]:
    """Yield what was rated, in the order of scores.csv, with the judgments that count."""
    texts = _texts(open_file)
    judgments: dict[tuple[str, str, str], list[Row]] = {}
    for row in _counted(open_file):
        if row.get("value") is not None:
            judgments.setdefault((row["item"], row["round"], row["context"]), []).append(row)
    for score in _table(open_file, "scores.csv"):
        place = score["item"], score["round"], score["context"]
        numbers = {"mean": _number(score["mean"]), "sd": _number(score["sd"]), "ratings": int(score["ratings"])}
        yield Rated(" ".join(place), place[0], texts[place[0]], numbers, judgments.get(place, []))


def compared(open_file: Open) -> Iterator[Compared]:
    """Yield the tuples in the order of their numbers, with the judgments that count."""
    texts = _texts(open_file)
    scores = {row["item"]: _number(row["score"]) for row in _table(open_file, "scores.csv")}
    judgments: dict[int, list[Row]] = {}
    for row in _counted(open_file):
        if row.get("best") is not None:
            judgments.setdefault(row["tuple"], []).append(row)
    for number, rows in sorted(judgments.items()):
        items = _in_order(rows[0])
        shown = tuple(" / ".join(texts[item].values()) for item in items)
        yield Compared(str(number), items, shown, tuple(scores.get(item) for item in items), rows)


def _in_order(row: Row) -> tuple[str, ...]:
    """Return the items of a tuple in its own order, from those that somebody was shown."""
    size = sum(1 for name in row if name.startswith("item") and name != "item" and row[name] is not None)
    shown = [row[f"item{place}"] for place in range(1, size + 1)]
    order = [int(place) for place in row.get("order") or ""] or range(1, size + 1)
    return tuple(item for _, item in sorted(zip(order, shown, strict=True)))


def _texts(open_file: Open) -> dict[str, dict[str, str]]:
    names = ("text",), ("sentence1", "sentence2")
    return {
        row["item"]: {name: row[name] for columns in names if columns[0] in row for name in columns}
        for row in _table(open_file, "items.csv")
    }


def _counted(open_file: Open) -> Iterator[Row]:
    with open_file("judgments.jsonl") as lines:
        yield from (row for row in map(json.loads, lines) if row["counted"] and not row["invalid"])


def _table(open_file: Open, name: str) -> Iterator[Mapping[str, str]]:
    """Yield the rows of a table, without the apostrophes that keep spreadsheets from running texts."""
    with open_file(name) as lines:
        for row in csv.DictReader(lines):
            yield {column: without_apostrophe(value) for column, value in row.items()}


def _number(text: str) -> float | None:
    return float(text) if text else None
