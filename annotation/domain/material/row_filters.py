"""Filters for the texts of each imported row; without consent nothing is left out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.corpora.cleaning import ENGLISH_EXPLETIVES, Kind, clean, clean_rows
from annotation.domain.material.repetition import Seen

REPETITION = frozenset({Kind.REPEATED, Kind.NEARLY_REPEATED})


@dataclass(frozen=True)
class TextRow:
    """The texts that belong together in a file, from this line on: a pair, or all of a dialogue or an incident.

    beside: further texts that are changed like the others, but make no row different from another.
    """

    line: int
    texts: Sequence[str]
    beside: Sequence[str] = ()
    language: str = ""
    categories: Mapping[str, str] = field(default_factory=dict)

    def unwanted(self, words: Collection[str]) -> Collection[str]:
        """Return the words to look for: these, and for English texts those of ENGLISH_EXPLETIVES."""
        return {*words, *ENGLISH_EXPLETIVES} if self.language.lower().split("-")[0] == "en" else words


class RowFilter:
    """Lets every row through unchanged."""

    def row(self, row: TextRow) -> TextRow | None:
        """Return the row as it is imported; None where it is left out."""
        return row


class Cleaner(RowFilter):
    """Changes and leaves out what was agreed to, and counts both. A row of which a text vanishes is left out.

    Parameters: expletives, unwanted words besides those of ENGLISH_EXPLETIVES.
    decisions: by line the rows that change, and None for those that are left out.
    """

    def __init__(self, kinds: Collection[Kind], expletives: Collection[str] = ()) -> None:
        self.kinds, self.expletives = frozenset(kinds), expletives
        self.changed = self.left_out = 0
        self.decisions: dict[int, TextRow | None] = {}
        self._seen = Seen()

    def row(self, row: TextRow) -> TextRow | None:
        cleaned = self._cleaned(row)
        if cleaned is not row:
            self.decisions[row.line] = cleaned
        return cleaned

    def _cleaned(self, row: TextRow) -> TextRow | None:
        texts = self._texts(row)
        if texts is None:
            self.left_out += 1
            return None
        beside = [clean(text, self.kinds) for text in row.beside]
        pairs = zip([*row.texts, *row.beside], [*texts, *beside], strict=True)
        changed = sum(before != after for before, after in pairs)
        self.changed += changed
        return replace(row, texts=texts, beside=beside) if changed else row

    def _texts(self, row: TextRow) -> Sequence[str] | None:
        """Return the cleaned texts of a row that stays."""
        left = clean_rows([row.texts], self.kinds, expletives=row.unwanted(self.expletives))
        if not left or not all(text.strip() for text in left[0].texts):
            return None
        repeats = self._seen.row(left[0].texts, row.line) if self.kinds & REPETITION else None
        return None if repeats and repeats[0] in self.kinds else left[0].texts


class ReplayFilter(RowFilter):
    """Repeats what was decided for each line of the same file."""

    def __init__(self, decisions: Mapping[int, TextRow | None]) -> None:
        self.decisions = decisions

    def row(self, row: TextRow) -> TextRow | None:
        return self.decisions.get(row.line, row)
