"""Figures of the texts themselves: overlap, readability, lexical diversity."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

with warnings.catch_warnings():
    # It asks for pkg_resources, which says of itself at every start that it is old.
    warnings.filterwarnings("ignore", message="pkg_resources is deprecated")
    import textstat

MTLD_THRESHOLD = 0.72


@dataclass(frozen=True)
class Readability:
    """Grades of school that a text asks for (DSCS 4.2, eq. 4-9)."""

    flesch_kincaid: float
    coleman_liau: float
    automated_readability: float
    linsear_write: float
    gunning_fog: float
    text_standard: float


def dice_overlap(one: str, other: str) -> float:
    """Twice the shared tokens over the sum of the sizes, on sets of white-space tokens (SemRel2024, eq. 1).

    Case and punctuation are kept. Returns 0 to 1.

    Raises:
        ValueError: neither text has a token.
    """
    first, second = set(one.split()), set(other.split())
    if not first and not second:
        raise ValueError("Two texts without words have no overlap.")
    return 2 * len(first & second) / (len(first) + len(second))


def readability(text: str) -> Readability:
    """The indices of DSCS 4.2, for English, by textstat; the 52 sentences of DSCS have a mean text standard of 12.4.

    Flesch-Kincaid .39 words/sentences + 11.8 syllables/words - 15.59; Coleman-Liau .058 L - .296 S - 15.8, with L
    letters and S sentences for 100 words (eq. 5 prints .588); automated readability 4.71 characters/words + .5
    words/sentences - 21.43; Linsear Write r / 2, less 1 up to r = 20, of easy words and hard words thrice for each
    sentence; Gunning fog .4 (words/sentences + 100 complex words/words); text standard, the grade most of them give.
    textstat rounds them to one or two decimals, below zero always downwards.

    Raises:
        ValueError: no word in the text.
    """
    if not text.strip():
        raise ValueError("A text without words has no readability.")
    return Readability(
        flesch_kincaid=textstat.flesch_kincaid_grade(text),
        coleman_liau=textstat.coleman_liau_index(text),
        automated_readability=textstat.automated_readability_index(text),
        linsear_write=textstat.linsear_write_formula(text),
        gunning_fog=textstat.gunning_fog(text),
        text_standard=float(textstat.text_standard(text, float_output=True)),
    )


def root_type_token_ratio(tokens: Sequence[str]) -> float:
    """Different tokens over the square root of all tokens (Guiraud; GiCCS, lexical diversity: RTTR).

    Raises:
        ValueError: no tokens.
    """
    if not tokens:
        raise ValueError("Without tokens there is no lexical diversity.")
    return len(set(tokens)) / float(len(tokens) ** 0.5)


def mtld(tokens: Sequence[str], threshold: float = MTLD_THRESHOLD) -> float:
    """Measure of textual lexical diversity (McCarthy and Jarvis 2010; GiCCS), the mean of both reading directions.

    The mean length of stretches over which the ratio of different tokens to all stays above the threshold; what is
    left at the end counts as the part of a stretch that it has come along.

    Raises:
        ValueError: no tokens, or no token twice, which leaves the length open.
    """
    if not tokens:
        raise ValueError("Without tokens there is no lexical diversity.")
    factors = [_factors(direction, threshold) for direction in (tokens, tokens[::-1])]
    if not all(factors):
        raise ValueError("Where no token stands twice, the measure of textual lexical diversity is not defined.")
    return sum(len(tokens) / factor for factor in factors) / 2


def _factors(tokens: Sequence[str], threshold: float) -> float:
    """How many stretches there are, the last one as a fraction."""
    factors, start, seen = 0.0, 0, set[str]()
    for end, token in enumerate(tokens, start=1):
        seen.add(token)
        if len(seen) / (end - start) <= threshold:
            factors, start, seen = factors + 1, end, set()
    left = len(tokens) - start
    return factors + (1 - len(seen) / left) / (1 - threshold) if left else factors
