"""What the texts of each row pass through on their way in; without consent nothing is held back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.corpora.cleaning import ENGLISH_EXPLETIVES, Kind, clean, clean_rows
from annotation.domain.importing.repetition import Seen

REPETITION = frozenset({Kind.REPEATED, Kind.NEARLY_REPEATED})


@dataclass(frozen=True)
class TextRow:
    """What stands together in a file, from this line on: a pair, or all texts of a dialogue or an incident.

    beside: further texts that are changed like the others, but make no row different from another.
    """

    line: int
    texts: Sequence[str]
    beside: Sequence[str] = ()
    language: str = ""
    categories: Mapping[str, str] = field(default_factory=dict)

    def unwanted(self, words: Collection[str]) -> Collection[str]:
        """The words to look for: those given, and for English texts a list that is at hand."""
        return {*words, *ENGLISH_EXPLETIVES} if self.language.lower().split("-")[0] == "en" else words


class Sieve:
    """Lets every row through as it is."""

    def row(self, row: TextRow) -> TextRow | None:
        """The row as it comes in; none where it stays out."""
        return row


class Cleaner(Sieve):
    """Changes and leaves out what was agreed to, and counts both. A row of which a text vanishes stays out.

    Parameters: expletives, words that should not occur, beside those that are at hand.
    decisions: by line the rows that change, and none for those that stay out.
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
        before, after = [*row.texts, *row.beside], [*texts, *beside]
        changed = sum(one != other for one, other in zip(before, after, strict=True))
        self.changed += changed
        return replace(row, texts=texts, beside=beside) if changed else row

    def _texts(self, row: TextRow) -> Sequence[str] | None:
        """The cleaned texts of a row that stays."""
        left = clean_rows([row.texts], self.kinds, expletives=row.unwanted(self.expletives))
        if not left or not all(text.strip() for text in left[0].texts):
            return None
        repeats = self._seen.row(left[0].texts, row.line) if self.kinds & REPETITION else None
        return None if repeats and repeats[0] in self.kinds else left[0].texts


class Decided(Sieve):
    """Does once more what was decided for each line of the same file."""

    def __init__(self, decisions: Mapping[int, TextRow | None]) -> None:
        self.decisions = decisions

    def row(self, row: TextRow) -> TextRow | None:
        return self.decisions.get(row.line, row)
