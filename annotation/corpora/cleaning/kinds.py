"""The kinds of finding, and a finding itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from unicodedata import name

Row = Sequence[str]


class Kind(StrEnum):
    """The kinds of finding; the user agrees to the change of each kind separately."""

    ENCODING = "encoding"  # characters read in the wrong encoding, which reading them again repairs
    INVISIBLE = "invisible"  # characters that nobody sees and no script needs at that place
    DIRECTION = "direction"  # marks that control the order of right-to-left and left-to-right text
    MARKUP = "markup"  # HTML tags and entities
    URL = "url"
    EMAIL = "e-mail"
    MENTION = "mention"
    ID = "id"
    LOST = "lost"  # characters that cannot be recovered
    EMPTY = "empty"
    EXPLETIVE = "expletive"
    SAME_SIDES = "same sides"
    REPEATED = "repeated"
    NEARLY_REPEATED = "nearly repeated"  # the same but for case, punctuation or invisible characters
    REPEATED_TEXT = "repeated text"  # a text that is in another row too, with other texts


CHANGED = frozenset(
    {Kind.ENCODING, Kind.INVISIBLE, Kind.DIRECTION, Kind.MARKUP, Kind.URL, Kind.EMAIL, Kind.MENTION, Kind.ID}
)
DROPPED = frozenset(
    {Kind.LOST, Kind.EMPTY, Kind.EXPLETIVE, Kind.SAME_SIDES, Kind.REPEATED, Kind.NEARLY_REPEATED}
)  # the row is dropped if the user agrees
REPORTED = frozenset({Kind.REPEATED_TEXT})  # often intended; never acted on


@dataclass(frozen=True)
class Spot:
    """A stretch of one text, and its replacement; None if nothing can replace it."""

    kind: Kind
    start: int
    excerpt: str
    becomes: str | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.excerpt)


@dataclass(frozen=True)
class Finding:
    """Something found in the rows, counted from 0.

    text: which text of the row, from 0; None if the row as a whole is meant.
    start: where `excerpt` begins in the text, in characters; None if it is not one stretch.
    becomes: the replacement of `excerpt`; None if the text would not change.
    twin: the earlier row that holds the same.
    """

    kind: Kind
    row: int
    excerpt: str
    becomes: str | None = None
    text: int | None = None
    start: int | None = None
    twin: int | None = None


def visible(text: str) -> str:
    """Return the text with each invisible character written as its code point and name."""
    return "".join(character if character.isprintable() else f"[{_code_point(character)}]" for character in text)


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X} {name(character, '')}".rstrip()
