"""Cleaning many rows: all findings in them, and the rows without what the user agreed to change."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from annotation.corpora.cleaning.expletives import find_expletives
from annotation.corpora.cleaning.kinds import DROPPED, Finding, Kind, Row
from annotation.corpora.cleaning.repetition import (
    find_nearly_repeated,
    find_repeated,
    find_repeated_texts,
    find_same_sides,
)
from annotation.corpora.cleaning.texts import clean, find_in_text


@dataclass(frozen=True)
class CleanRow:
    """A row that stays: its number among the original rows, from 0, and its texts."""

    row: int
    texts: tuple[str, ...]


def find_in_rows(rows: Sequence[Row], *, expletives: Collection[str] = ()) -> list[Finding]:
    """Return all findings, by row and within it in the order of the checks. Nothing is changed.

    Parameters: rows of any number of texts; expletives, the unwanted words of their language.
    """
    findings = [*_find_within(rows, expletives), *_find_repetition(rows), *find_repeated_texts(rows)]
    return sorted(findings, key=lambda finding: finding.row)


def clean_rows(rows: Sequence[Row], kinds: Collection[Kind], *, expletives: Collection[str] = ()) -> list[CleanRow]:
    """Return the rows with all of these kinds changed or, if a row cannot be repaired, dropped; nothing else.

    Rows are dropped for their content before repeated rows are looked for: of these the first one stays.
    """
    drop = DROPPED & frozenset(kinds)
    kept = [CleanRow(row, tuple(clean(text, kinds) for text in texts)) for row, texts in enumerate(rows)]
    kept = _without(kept, _find_within([row.texts for row in kept], expletives), drop)
    return _without(kept, _find_repetition([row.texts for row in kept]), drop)


def _without(rows: list[CleanRow], findings: Iterable[Finding], drop: Collection[Kind]) -> list[CleanRow]:
    dropped = {finding.row for finding in findings if finding.kind in drop}
    return [row for place, row in enumerate(rows) if place not in dropped]


def _find_within(rows: Sequence[Row], expletives: Collection[str]) -> Iterator[Finding]:
    """Yield what is found in each row by itself."""
    for row, texts in enumerate(rows):
        for place, text in enumerate(texts):
            for spot in find_in_text(text):
                yield Finding(spot.kind, row, spot.excerpt, spot.becomes, place, spot.start)
            if not text.strip():
                yield Finding(Kind.EMPTY, row, text, text=place)
    yield from find_same_sides(rows)
    yield from find_expletives(rows, expletives)


def _find_repetition(rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield what is found by comparing rows with each other."""
    yield from find_repeated(rows)
    yield from find_nearly_repeated(rows)
