"""The kinds of finding, and a finding itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from unicodedata import name

Row = Sequence[str]


class Kind(StrEnum):
    """What may be found; each kind is consented to apart."""

    ENCODING = "encoding"  # characters read in the wrong encoding, which reading them again repairs
    INVISIBLE = "invisible"  # characters that nobody sees and no script needs at that place
    DIRECTION = "direction"  # marks that steer the order of right-to-left and left-to-right text
    URL = "url"
    EMAIL = "e-mail"
    MENTION = "mention"
    ID = "id"
    LOST = "lost"  # characters that nothing can bring back
    EMPTY = "empty"
    EXPLETIVE = "expletive"
    SAME_SIDES = "same sides"
    REPEATED = "repeated"
    NEARLY_REPEATED = "nearly repeated"  # the same but for case, punctuation or invisible characters
    REPEATED_TEXT = "repeated text"  # a text that stands in another row too, beside other texts


CHANGED = frozenset({Kind.ENCODING, Kind.INVISIBLE, Kind.DIRECTION, Kind.URL, Kind.EMAIL, Kind.MENTION, Kind.ID})
DROPPED = frozenset(
    {Kind.LOST, Kind.EMPTY, Kind.EXPLETIVE, Kind.SAME_SIDES, Kind.REPEATED, Kind.NEARLY_REPEATED}
)  # with consent the row goes
TOLD = frozenset({Kind.REPEATED_TEXT})  # often wanted; never acted on


@dataclass(frozen=True)
class Spot:
    """A stretch of one text, and what it would become; None where nothing could take its place."""

    kind: Kind
    start: int
    what: str
    becomes: str | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.what)


@dataclass(frozen=True)
class Finding:
    """Something found in the rows, counted from 0.

    text: which text of the row, from 0; None where the row as a whole is meant.
    start: where `what` begins in the text, in characters; None where it is not one stretch.
    becomes: what would stand in its place; None where the text would not change.
    twin: the earlier row that holds the same.
    """

    kind: Kind
    row: int
    what: str
    becomes: str | None = None
    text: int | None = None
    start: int | None = None
    twin: int | None = None


def visible(text: str) -> str:
    """The text with each character that cannot be seen written as its code point and name."""
    return "".join(one if one.isprintable() else f"[{_called(one)}]" for one in text)


def _called(character: str) -> str:
    return f"U+{ord(character):04X} {name(character, '')}".rstrip()
