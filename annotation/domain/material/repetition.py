"""Repeated rows of a file of any length: of each row a number is kept, and no text."""

from collections.abc import Iterable, Sequence

from annotation.corpora.cleaning import Kind
from annotation.corpora.cleaning.repetition import as_compared
from annotation.texts import words


class Seen:
    """The rows and the texts so far, with the lines on which they were first."""

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}
        self._spoken: dict[int, int] = {}
        self._texts: dict[int, int] = {}

    def row(self, texts: Sequence[str], line: int) -> tuple[Kind, int] | None:
        """Return how the row repeats an earlier one, and the line of that one; None where it does not."""
        same = self._rows.setdefault(_number(map(as_compared, texts)), line)
        if same != line:
            return Kind.REPEATED, same
        spoken = [" ".join(words(text)) for text in texts]
        alike = self._spoken.setdefault(_number(spoken), line) if any(spoken) else line
        return None if alike == line else (Kind.NEARLY_REPEATED, alike)

    def text(self, text: str, line: int) -> int:
        """Return the line on which the text was first."""
        return self._texts.setdefault(hash(as_compared(text)), line)


def _number(texts: Iterable[str]) -> int:
    """Return one number for a row; the two sides of a pair may change places."""
    key = tuple(texts)
    return hash(tuple(sorted(key)) if len(key) == 2 else key)
