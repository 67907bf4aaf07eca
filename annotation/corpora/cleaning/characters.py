"""Characters that are invisible, that were read in the wrong encoding, or that are lost (SemRel2024 3.3)."""

from collections.abc import Iterator

import regex

from annotation.corpora.cleaning.kinds import Kind, Spot

# Scripts whose letters change their shape at a joiner (U+200D) and a non-joiner (U+200C), and those that are written
# without spaces, where a zero-width space (U+200B) separates the words.
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
LOST = regex.compile(r"[\uFFFD\p{Cs}\p{Co}]+")  # replaced, half of a pair, or an emoticon of a private font


def find_misencoded(text: str) -> Iterator[Spot]:
    """Yield the stretch that becomes readable by being encoded and decoded again, as ftfy decides; at most one."""
    from ftfy import fix_encoding  # noqa: PLC0415 processes that serve pages do not need it

    repaired = fix_encoding(text)
    if repaired != text:
        start = _common_prefix(text, repaired)
        rest, new = text[start:], repaired[start:]
        end = _common_prefix(rest[::-1], new[::-1])
        yield Spot(Kind.ENCODING, start, rest[: len(rest) - end], new[: len(new) - end])


def find_invisible(text: str) -> Iterator[Spot]:
    """Yield zero-width characters, soft hyphens, byte order marks and controls, unless a script or emoji needs them.

    Controls that separate words, such as a form feed, become a space; the others are removed. In a stretch read in the
    wrong encoding they are parts of characters that cannot be repaired without them, and therefore no findings.
    """
    misencoded = [range(spot.start, spot.end) for spot in find_misencoded(text)]
    for match in INVISIBLE.finditer(text):
        if any(match.start() in stretch for stretch in misencoded):
            continue
        yield Spot(Kind.INVISIBLE, match.start(), match[0], " " if match[0].isspace() else "")


def find_directions(text: str) -> Iterator[Spot]:
    """Yield marks of direction: sometimes needed to show mixed text in order, hence a separate kind."""
    for match in DIRECTION.finditer(text):
        yield Spot(Kind.DIRECTION, match.start(), match[0], "")


def find_lost(text: str) -> Iterator[Spot]:
    """Yield characters whose meaning is lost: nothing can replace them."""
    for match in LOST.finditer(text):
        yield Spot(Kind.LOST, match.start(), match[0])


def _common_prefix(left: str, right: str) -> int:
    """Return the length of the common prefix."""
    length = min(len(left), len(right))
    return next((place for place in range(length) if left[place] != right[place]), length)
