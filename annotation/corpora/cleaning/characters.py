"""Characters that nobody sees, that were read in the wrong encoding, or that are lost (SemRel2024 3.3)."""

from collections.abc import Iterator

import regex
from ftfy import fix_encoding

from annotation.corpora.cleaning.kinds import Kind, Spot

# Scripts whose letters change their shape at a joiner (U+200D) and a non-joiner (U+200C), and those that are written
# without spaces, where a zero-width space (U+200B) tells the words apart.
JOINED = (
    r"\p{Arabic}\p{Syriac}\p{Mandaic}\p{Nko}\p{Mongolian}\p{Adlam}\p{Hanifi_Rohingya}\p{Devanagari}\p{Bengali}"
    r"\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}"
)
UNSPACED = r"\p{Khmer}\p{Thai}\p{Lao}\p{Myanmar}\p{Tibetan}\p{Javanese}"
NEEDED = "|".join(
    [
        rf"(?<=[{JOINED}]\p{{M}}*)[\u200C\u200D]",
        rf"[\u200C\u200D](?=[{JOINED}])",
        rf"(?<=[{UNSPACED}]\p{{M}}*)\u200B(?=[{UNSPACED}])",
        r"(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\U000E007F])\u200D(?=\p{Extended_Pictographic})",
        r"\U0001F3F4[\U000E0020-\U000E007E]+\U000E007F",  # the flags of England, Scotland and Wales
    ]
)
UNSEEN = r"[[\p{Cc}--[\t\n\r]]\u00AD\u200B-\u200D\u2060-\u2064\uFEFF\uFFF9-\uFFFB\U000E0000-\U000E007F]"
INVISIBLE = regex.compile(rf"(?:{NEEDED})(*SKIP)(*FAIL)|{UNSEEN}", regex.VERSION1)
DIRECTION = regex.compile(r"[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]")
LOST = regex.compile(r"[\uFFFD\p{Cs}\p{Co}]+")  # replaced, half of a pair, or an emoticon of a font of its own


def find_misencoded(text: str) -> Iterator[Spot]:
    """The stretch that becomes readable by being encoded and decoded again, as ftfy decides; at most one."""
    repaired = fix_encoding(text)
    if repaired != text:
        start = _shared(text, repaired)
        rest, new = text[start:], repaired[start:]
        end = _shared(rest[::-1], new[::-1])
        yield Spot(Kind.ENCODING, start, rest[: len(rest) - end], new[: len(new) - end])


def find_invisible(text: str) -> Iterator[Spot]:
    """Zero-width characters, soft hyphens, byte order marks and controls, but not where a script or emoji needs them.

    Controls that part words, such as a form feed, become a space; the others go. In a stretch read in the wrong
    encoding they are parts of characters, which are past repair without them, and therefore no findings.
    """
    misencoded = [range(spot.start, spot.end) for spot in find_misencoded(text)]
    for found in INVISIBLE.finditer(text):
        if any(found.start() in stretch for stretch in misencoded):
            continue
        yield Spot(Kind.INVISIBLE, found.start(), found[0], " " if found[0].isspace() else "")


def find_directions(text: str) -> Iterator[Spot]:
    """Marks of direction: sometimes needed to show mixed text in order, hence a kind of their own."""
    for found in DIRECTION.finditer(text):
        yield Spot(Kind.DIRECTION, found.start(), found[0], "")


def find_lost(text: str) -> Iterator[Spot]:
    """Characters whose meaning is gone: nothing can take their place."""
    for found in LOST.finditer(text):
        yield Spot(Kind.LOST, found.start(), found[0])


def _shared(one: str, other: str) -> int:
    """How many characters the two begin with in common."""
    length = min(len(one), len(other))
    return next((place for place in range(length) if one[place] != other[place]), length)
