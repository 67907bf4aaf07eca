"""Many rows: all that is found in them, and the rows without what was consented to."""

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
    """A row that stays: its number among the rows given, from 0, and its texts."""

    row: int
    texts: tuple[str, ...]


def find_in_rows(rows: Sequence[Row], *, expletives: Collection[str] = ()) -> list[Finding]:
    """All that is found in the rows, by row and within it in the order of the checks. Nothing is changed.

    Parameters: rows of any number of texts; expletives, the words of their language that are not wanted.
    """
    found = [*_find_within(rows, expletives), *_find_repetition(rows), *find_repeated_texts(rows)]
    return sorted(found, key=lambda finding: finding.row)


def clean_rows(rows: Sequence[Row], kinds: Collection[Kind], *, expletives: Collection[str] = ()) -> list[CleanRow]:
    """The rows with all of these kinds changed or, where a row cannot be mended, left out; nothing else.

    Rows go for what stands in them before it is looked which are there twice: of a repeated row the first one stays.
    """
    drop = DROPPED & frozenset(kinds)
    kept = [CleanRow(row, tuple(clean(text, kinds) for text in texts)) for row, texts in enumerate(rows)]
    kept = _without(kept, _find_within([one.texts for one in kept], expletives), drop)
    return _without(kept, _find_repetition([one.texts for one in kept]), drop)


def _without(rows: list[CleanRow], findings: Iterable[Finding], drop: Collection[Kind]) -> list[CleanRow]:
    gone = {finding.row for finding in findings if finding.kind in drop}
    return [row for place, row in enumerate(rows) if place not in gone]


def _find_within(rows: Sequence[Row], expletives: Collection[str]) -> Iterator[Finding]:
    """What a row shows by itself."""
    for row, texts in enumerate(rows):
        for place, text in enumerate(texts):
            for spot in find_in_text(text):
                yield Finding(spot.kind, row, spot.what, spot.becomes, place, spot.start)
            if not text.strip():
                yield Finding(Kind.EMPTY, row, text, text=place)
    yield from find_same_sides(rows)
    yield from find_expletives(rows, expletives)


def _find_repetition(rows: Sequence[Row]) -> Iterator[Finding]:
    """What a row shows beside the others."""
    yield from find_repeated(rows)
    yield from find_nearly_repeated(rows)
