"""Figures of the texts themselves: overlap, readability, lexical diversity."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mode

from pyphen import Pyphen

MTLD_THRESHOLD = 0.72
HYPHENATION = Pyphen(lang="en_US")
HARD = 3
"""The number of syllables from which a word is hard."""
SAMPLE = 100
"""The number of words that Linsear Write uses."""
MINIMUM_WORDS = 3
"""The minimum number of words of a sentence; fewer are a heading or an abbreviation."""


@dataclass(frozen=True)
class Readability:
    """School grades needed to read a text (DSCS 4.2, eq. 4-9)."""

    flesch_kincaid: float
    coleman_liau: float
    automated_readability: float
    linsear_write: float
    gunning_fog: float
    text_standard: float


def dice_overlap(left: str, right: str) -> float:
    """Return twice the shared tokens over the sum of the sizes, on sets of white-space tokens (SemRel2024, eq. 1).

    Case and punctuation are kept. The overlap is 0 to 1.

    Raises:
        ValueError: neither text has a token.
    """
    first, second = set(left.split()), set(right.split())
    if not first and not second:
        raise ValueError("The overlap of two texts without words is not defined.")
    return 2 * len(first & second) / (len(first) + len(second))


def readability(text: str) -> Readability:
    """Return the indices of DSCS 4.2, for English; the 52 sentences of DSCS have a mean text standard of 12.4.

    Flesch-Kincaid .39 words/sentences + 11.8 syllables/words - 15.59; Coleman-Liau .058 L - .296 S - 15.8, with L
    letters and S sentences for 100 words (.0588 in Coleman and Liau 1975; eq. 5 prints .588); automated readability
    4.71 characters/words + .5 words/sentences - 21.43; Linsear Write r / 2, less 1 up to r = 20, of easy words and hard
    words thrice for each sentence; Gunning fog .4 (words/sentences + 100 complex words/words), each complex word once;
    text standard, the grade most of them give. Every index of a text without words is NaN. Parts and results are
    rounded as textstat does: docs/decisions/0030-readability-without-textstat.md.
    """
    words, sentences = _words(text), _sentences(text)
    if not words:
        return Readability(*[math.nan] * 6)
    length = _rounded(len(words) / sentences, 1)
    syllables = _rounded(sum(map(_syllables, words)) / len(words), 1)
    letters = _rounded(sum(map(len, words)) / len(words), 2)
    characters = _rounded(sum(map(len, text.split())) / len(words), 2)
    complex_words = sum(_syllables(part) >= HARD for part in set(re.findall(r"[\w'‘’]+", text.lower())))
    grades = (
        _rounded(0.39 * length + 11.8 * syllables - 15.59, 1),  # eq. 4
        _rounded(5.8 * letters - 29.6 * _rounded(sentences / len(words), 2) - 15.8, 2),  # eq. 5
        _rounded(4.71 * characters + 0.5 * _rounded(len(words) / sentences, 2) - 21.43, 1),  # eq. 6
        _linsear_write(text.split()[:SAMPLE]),
        _rounded(0.4 * (length + 100 * complex_words / len(words)), 2),  # eq. 9
    )
    votes = [vote for grade in grades for vote in (_rounded(grade, 0), math.ceil(grade))]
    return Readability(*grades, text_standard=float(mode(votes)))


def _linsear_write(sample: Sequence[str]) -> float:
    points = sum(3 if _syllables(word) >= HARD else 1 for word in sample) / _sentences(" ".join(sample))  # eq. 7
    return points / 2 if points > 20 else points / 2 - 1  # eq. 8


def _words(text: str) -> list[str]:
    return re.sub(r"[^\w\s]", "", text).split()


def _sentences(text: str) -> int:
    return max(1, sum(len(_words(part)) >= MINIMUM_WORDS for part in re.split(r"[.!?]+", text)))


def _syllables(word: str) -> int:
    """Return one more than the places where the word can be hyphenated."""
    return len(HYPHENATION.positions("".join(_words(word.lower())))) + 1


def _rounded(number: float, decimals: int) -> float:
    """Return the number rounded, halves upwards; one below zero comes out up to one step too low."""
    factor = 10.0**decimals
    return math.floor(number * factor + math.copysign(0.5, number)) / factor


def root_type_token_ratio(tokens: Sequence[str]) -> float:
    """Return different tokens over the square root of all tokens (Guiraud; GiCCS, lexical diversity: RTTR).

    Raises:
        ValueError: there are no tokens.
    """
    if not tokens:
        raise ValueError("Lexical diversity needs at least one token.")
    return len(set(tokens)) / float(len(tokens) ** 0.5)


def mtld(tokens: Sequence[str], threshold: float = MTLD_THRESHOLD) -> float:
    """Return the measure of textual lexical diversity (McCarthy and Jarvis 2010; GiCCS), the mean of both directions.

    It is the mean length of stretches over which the ratio of different tokens to all stays above the threshold; the
    rest at the end counts as a part of a stretch.

    Raises:
        ValueError: there are no tokens, or no token occurs twice, which leaves the length undefined.
    """
    if not tokens:
        raise ValueError("Lexical diversity needs at least one token.")
    factors = [_factors(direction, threshold) for direction in (tokens, tokens[::-1])]
    if not all(factors):
        raise ValueError("MTLD is not defined for a text in which no token is repeated.")
    return sum(len(tokens) / factor for factor in factors) / 2


def _factors(tokens: Sequence[str], threshold: float) -> float:
    """Return the number of stretches, the last one as a fraction."""
    factors, start, types = 0.0, 0, set[str]()
    for end, token in enumerate(tokens, start=1):
        types.add(token)
        if len(types) / (end - start) <= threshold:
            factors, start, types = factors + 1, end, set()
    rest = len(tokens) - start
    return factors + (1 - len(types) / rest) / (1 - threshold) if rest else factors
