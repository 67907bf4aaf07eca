"""Preparing text to be drawn: without characters that XML forbids, and broken into lines, as Vega breaks none."""

import re
from unicodedata import east_asian_width

FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
BOLDER = 1.08
"""The width of bold text, relative to regular text."""
WIDTHS = {
    letter: width
    for letters, width in (("ijl'|", 0.23), ("tfI.,:;!/ ", 0.28), ("r()-", 0.34), ("mMW%", 0.9))
    for letter in letters
}


def printable(text: str) -> str:
    """Return text with what XML 1.0 (2.2) forbids replaced: one such character ends vl-convert's process."""
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def text_width(text: str, size: float) -> float:
    """Return the width of text in Arial or the like, in the unit of its size, by classes of letters."""
    return size * sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.0
    return WIDTHS.get(letter, 0.7 if letter.isupper() else 0.556)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return lines of at most that width; a longer word gets a line of its own and is cut there."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(_cut(word, width, size))
    return lines


def _cut(word: str, width: float, size: float) -> str:
    if text_width(word, size) <= width:
        return word
    while word and text_width(f"{word}…", size) > width:
        word = word[:-1]
    return f"{word}…"
