"""Repeated rows (SemRel2024 3.3: no instances are repeated)."""

from collections.abc import Iterator, Sequence
from unicodedata import normalize

from annotation.corpora.cleaning.kinds import Finding, Kind, Row
from annotation.texts import words

Key = tuple[str, ...]


def as_compared(text: str) -> str:
    """Return a text in composed form (NFC), with any white space as one space."""
    return " ".join(normalize("NFC", text).split())


def find_same_sides(rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield pairs whose two sides are the same text."""
    for row, texts in enumerate(rows):
        if len(texts) == 2 and as_compared(texts[0]) == as_compared(texts[1]):
            yield Finding(Kind.SAME_SIDES, row, texts[0])


def find_repeated(rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield rows with the texts of an earlier row; for a pair in either order."""
    first: dict[Key, int] = {}
    for row, texts in enumerate(rows):
        twin = first.setdefault(_exactly(texts), row)
        if twin != row:
            yield Finding(Kind.REPEATED, row, " / ".join(texts), twin=twin)


def find_nearly_repeated(rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield rows with the words of an earlier row, but not written the same."""
    first: dict[Key, int] = {}
    for row, texts in enumerate(rows):
        key = _ordered(" ".join(words(text)) for text in texts)
        twin = first.setdefault(key, row) if any(key) else row
        if twin != row and _exactly(texts) != _exactly(rows[twin]):
            yield Finding(Kind.NEARLY_REPEATED, row, " / ".join(texts), twin=twin)


def find_repeated_texts(rows: Sequence[Row]) -> Iterator[Finding]:
    """Yield texts that an earlier row holds too, in rows that are not repeated as a whole."""
    first: dict[str, int] = {}
    whole = {finding.row for finding in find_repeated(rows)}
    for row, texts in enumerate(rows):
        for place, text in enumerate(texts):
            twin = first.setdefault(as_compared(text), row)
            if twin != row and row not in whole:
                yield Finding(Kind.REPEATED_TEXT, row, text, text=place, twin=twin)


def _exactly(texts: Row) -> Key:
    return _ordered(as_compared(text) for text in texts)


def _ordered(keys: Iterator[str]) -> Key:
    """Return the keys, sorted for a pair, whose sides may change places; utterances of a dialogue keep their order."""
    key = tuple(keys)
    return tuple(sorted(key)) if len(key) == 2 else key
