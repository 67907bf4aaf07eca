"""The word overlap of two texts, and the distribution of such figures."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotation.texts import words

TENTHS = 10
TENTH_LABELS = tuple(f"{tenth / TENTHS:.1f} – {(tenth + 1) / TENTHS:.1f}" for tenth in range(TENTHS))
NUDGE = 1e-6  # 0.7 is in the eighth tenth, though its binary form, which may be in single precision, is below


def word_overlap(left: str, right: str) -> float:
    """Return twice the shared words over the sum of the sizes, on sets of case-folded words (SemRel2024 3.1.1).

    The baseline of SemRel2024, eq. 1, on white-space tokens, is in `scoring.stats.text`.

    Returns: 0 to 1; 0 if neither text has a word.
    """
    first, second = set(words(left)), set(words(right))
    return 2 * len(first & second) / max(len(first) + len(second), 1)


def tenth_of(values: ArrayLike) -> NDArray[np.int64]:
    """Return the tenth of the range that each value is in.

    Parameters: values, shape (values,), 0 to 1.
    Returns: shape (values,), 0 to 9; 1 itself is in the last.
    """
    tenths = np.floor(np.asarray(values, dtype=np.float64) * TENTHS + NUDGE).astype(np.int64)
    return np.clip(tenths, 0, TENTHS - 1)


def count_tenths(values: Sequence[float]) -> tuple[int, ...]:
    """Return the number of values in each tenth of the range from 0 to 1."""
    return tuple(np.bincount(tenth_of(values), minlength=TENTHS).tolist())
