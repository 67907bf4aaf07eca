"""The distribution of the items, so that a skewed set is seen before it is annotated (SemRel2024 3.3: balanced data).

No function calls a set skewed: the right distribution depends on the study. For pairs it is the whole range.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np

from annotation.corpora.cleaning.kinds import Row
from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import TENTH_LABELS, TENTHS, count_tenths, word_overlap
from annotation.texts import words

EXACT = 9  # decimals


@dataclass(frozen=True)
class Distribution:
    """The number of items under each label, in the order of the labels."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def largest_share(self) -> float:
        """Return the share of the items under the most frequent label, 0 to 1; 0 without items."""
        return max(self.counts, default=0) / max(sum(self.counts), 1)

    @property
    def evenness(self) -> float:
        """Return entropy over its maximum (Pielou 1966): 1 if all labels are equally frequent, 0 for only one."""
        total = sum(self.counts)
        if total == max(self.counts, default=0):
            return 0.0
        entropy = -sum(count / total * log(count / total) for count in self.counts if count)
        return entropy / log(len(self.counts))


def category_balance(values: Sequence[str]) -> Distribution:
    """Count items by language, source or any other column, the most frequent first."""
    counts = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
    return Distribution(tuple(label for label, _ in counts), tuple(count for _, count in counts))


def number_balance(values: Sequence[float], lowest: float, highest: float, *, bins: int = TENTHS) -> Distribution:
    """Count items by a number such as a score, in bins of equal width over its scale, the last one with both its ends.

    Raises:
        CorpusError: there is no value, or one is not finite.
    """
    if not len(values) or not np.isfinite(values).all():
        raise CorpusError("A distribution needs at least one number and no missing numbers.")
    # A mean such as 0.6 must not fall below the edge 0.6000000000000001.
    edges = np.round(np.linspace(lowest, highest, bins + 1), EXACT)
    counts, _ = np.histogram(np.round(values, EXACT), edges)
    labels = tuple(f"{low:g} – {high:g}" for low, high in pairwise(edges))
    return Distribution(labels, tuple(counts.tolist()))


def length_balance(rows: Sequence[Row]) -> Distribution:
    """Count texts by their number of words, in bins of five, up to the last bin that holds a text."""
    fives = Counter(len(words(text)) // 5 for texts in rows for text in texts)
    bins = range(max(fives, default=-1) + 1)
    return Distribution(tuple(f"{5 * five} – {5 * five + 4}" for five in bins), tuple(fives[five] for five in bins))


def overlap_balance(rows: Sequence[Row]) -> Distribution:
    """Count pairs by the share of words that their two sides have in common, in tenths.

    Raises:
        CorpusError: a row is not a pair.
    """
    if any(len(texts) != 2 for texts in rows):
        raise CorpusError("Overlap is defined for pairs, but some rows do not have two texts.")
    return Distribution(TENTH_LABELS, count_tenths([word_overlap(left, right) for left, right in rows]))
