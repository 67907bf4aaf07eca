"""A release as its files describe it: protocol, items with their texts, and judgments that count."""

import csv
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import StringIO
from typing import Any, Protocol

from annotation.corpora.spreadsheets import without_apostrophe

MANIFEST, ITEMS, JUDGMENTS = "manifest.json", "items.csv", "judgments.jsonl"
READ = (MANIFEST, ITEMS, JUDGMENTS)
"""The files of a release that are read."""
TEXTS = ("sentence1", "sentence2", "context1", "context2", "text")
MAIN = "main"
Row = dict[str, Any]


class ReleaseFault(ValueError):
    """A release that cannot be read, or not be compared; the message is a full sentence."""


class Files(Protocol):
    """The files of a release, wherever they are."""

    def read(self, name: str) -> bytes:
        """Return the content of a file. Raise KeyError if the release has no such file."""


@dataclass(frozen=True)
class Place:
    """The round and context of ratings; both empty for choices."""

    round: str = ""
    context: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.round, {"free": "without context"}.get(self.context, self.context))))


@dataclass(frozen=True, eq=False)
class ReleasedData:
    """name: for messages and tables. sha256: of the manifest, which has the checksums of all other files. items: the
    texts of each item by its key, in order. rows: all judgments as the release has them."""

    name: str
    sha256: str
    manifest: Mapping[str, Any]
    header: tuple[str, ...]
    items: Mapping[str, Row]
    rows: tuple[Row, ...]

    @property
    def protocol(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.manifest["protocol"]
        return found

    @cached_property
    def compares(self) -> bool:
        """Return whether people chose the best and the worst of a tuple."""
        return "best" in self.rows[0] if self.rows else False

    @cached_property
    def counted(self) -> tuple[Row, ...]:
        """Return the judgments that scores are made of: counted, and of the main block."""
        return tuple(row for row in self.rows if row["counted"] and row.get("block") in (MAIN, None, ""))

    @cached_property
    def places(self) -> list[Place]:
        """Return the rounds and contexts with ratings, in the order of the protocol; one place for choices."""
        if self.compares:
            return [Place()]
        found = {Place(row["round"], row["context"] or "") for row in self.counted if row["value"] is not None}
        order = [one.get("key", "") for one in self.protocol.get("rounds", ())]
        return sorted(found, key=lambda place: (_index(order, place.round), place.context != "free"))

    def texts(self, item: str) -> tuple[str, ...]:
        """Return the texts of an item in a normal form, without empty ones."""
        own = self.items.get(item, {})
        return tuple(filter(None, (normal(own.get(name) or "") for name in TEXTS)))


def read_release(name: str, files: Files) -> ReleasedData:
    """Return a release from its files, checked against the checksums of its manifest.

    Raises: ReleaseFault if a file is missing, was changed, or is not one that a release has.
    """
    content = {wanted: _content(name, files, wanted) for wanted in READ}
    try:
        manifest = json.loads(content[MANIFEST])
        listed = {wanted: manifest["files"][wanted]["sha256"] for wanted in READ if wanted != MANIFEST}
        items = list(csv.DictReader(StringIO(content[ITEMS].decode("utf-8"), newline="")))
        rows = tuple(json.loads(line) for line in content[JUDGMENTS].splitlines())
        header = tuple(items[0]) if items else ()
        keyed = {without_apostrophe(row["item"]): _texts_of(row) for row in items}
    except (ValueError, KeyError, TypeError) as error:
        raise ReleaseFault(f"{name}: its files are not those of a release ({error}).") from error
    for wanted, digest in listed.items():
        if sha256(content[wanted]).hexdigest() != digest:
            raise ReleaseFault(f"{name}: {wanted} was changed after the release was created.")
    return ReleasedData(name, sha256(content[MANIFEST]).hexdigest(), manifest, header, keyed, rows)


def normal(text: str) -> str:
    """Return a text with composed characters and single spaces, so that it is the same however it was stored."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def values_of(release: ReleasedData, place: Place) -> Iterator[tuple[str, float]]:
    """Yield item and value of each judgment that counts: a rating, or 1, 0 and -1 for best, neither and worst."""
    for row in rows_of(release, place):
        if not release.compares:
            yield row["item"], float(row["value"])
            continue
        for item in shown(row):
            yield item, float((item == row["best"]) - (item == row["worst"]))


def rows_of(release: ReleasedData, place: Place) -> Iterable[Row]:
    """Return the judgments of a place that count."""
    if release.compares:
        return release.counted
    return (
        row
        for row in release.counted
        if row["value"] is not None and (row["round"], row["context"] or "") == (place.round, place.context)
    )


def shown(row: Row) -> list[str]:
    """Return the items of a choice, in the order shown."""
    names = (f"item{number}" for number in range(1, len(row) + 1))
    found = []
    for name in names:
        if name not in row:
            break
        found += [row[name]] if row[name] else []
    return found


def _texts_of(row: Mapping[str, str]) -> Row:
    return {key: without_apostrophe(text or "") for key, text in row.items()}


def _content(name: str, files: Files, wanted: str) -> bytes:
    try:
        return files.read(wanted)
    except KeyError as error:
        raise ReleaseFault(f"{name}: {wanted} is missing. Choose the folder or ZIP file of a whole release.") from error


def _index(order: list[str], name: str) -> int:
    return order.index(name) if name in order else len(order)
