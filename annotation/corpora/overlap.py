"""How much two texts share, and how a set of such figures is spread."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotation.texts import words

TENTHS = 10
NUDGE = 1e-6  # 0.7 stands in the eighth tenth, though its binary form, here in single precision, lies below


def word_overlap(one: str, other: str) -> float:
    """Twice the shared words over the sum of the sizes, on sets of case-folded words (SemRel2024 3.1.1).

    The baseline of SemRel2024, eq. 1, takes white-space tokens instead, and stands with the statistics.

    Returns: 0 to 1; 0 where neither text has a word.
    """
    first, second = set(words(one)), set(words(other))
    return 2 * len(first & second) / max(len(first) + len(second), 1)


def tenth_of(values: ArrayLike) -> NDArray[np.int64]:
    """In which tenth of the range each value lies.

    Parameters: values, shape (values,), 0 to 1.
    Returns: shape (values,), 0 to 9; 1 itself lies in the last.
    """
    tenths = np.floor(np.asarray(values, dtype=np.float64) * TENTHS + NUDGE).astype(np.int64)
    return np.clip(tenths, 0, TENTHS - 1)


def count_tenths(values: Sequence[float]) -> tuple[int, ...]:
    """How many values lie in each tenth of the range from 0 to 1."""
    return tuple(np.bincount(tenth_of(values), minlength=TENTHS).tolist())
