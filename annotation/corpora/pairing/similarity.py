"""The similarity of the two sentences of pairs: rows of a sparse matrix against rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

from annotation.corpora.pairing.corpus import Corpus, Ids, Values

CHUNK = 50_000  # pairs whose rows are in memory together
Measure = Callable[[Values, Ids, Ids], Values]  # of what two rows share, and which rows they are


def presence(counts: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Return 1 for each word that a sentence has, however often."""
    return counts.sign()


def weights(corpus: Corpus) -> scipy.sparse.csr_array:
    """Return TF-IDF: count times log(1 + sentences / sentences with the word), rows of length 1 (Spärck Jones 1972).

    Returns: sparse, shape (sentences, different words); the product of two rows is their cosine.
    """
    with_word = presence(corpus.counts).sum(axis=0)
    weighted = corpus.counts @ scipy.sparse.diags_array(
        np.log1p(len(corpus) / np.maximum(with_word, 1)).astype(np.float32)
    )
    lengths = np.sqrt(weighted.multiply(weighted).sum(axis=1))
    return (scipy.sparse.diags_array(1 / np.where(lengths > 0, lengths, 1)) @ weighted).tocsr()


def dice(rows: scipy.sparse.csr_array) -> Measure:
    """Return Dice for rows of ones: twice what two rows share over the sum of their sizes (SemRel2024 4.3)."""
    sizes = rows.sum(axis=1)

    def measure(shared: Values, first: Ids, second: Ids) -> Values:
        result: Values = 2 * shared / np.maximum(sizes[first] + sizes[second], 1)
        return result

    return measure


def cosine(shared: Values, first: Ids, second: Ids) -> Values:
    """Return the product of two rows of length 1, which is their cosine."""
    return shared


def compare(rows: scipy.sparse.csr_array, pairs: Ids, measure: Measure) -> Values:
    """Return the measure of each pair of rows.

    Parameters: rows, sparse; pairs, row numbers, shape (pairs, 2).
    Returns: shape (pairs,), 0 to 1.
    """
    result = np.zeros(len(pairs))
    for start in range(0, len(pairs), CHUNK):
        first, second = pairs[start : start + CHUNK].T
        shared: NDArray[np.float64] = rows[first].multiply(rows[second]).sum(axis=1)
        result[start : start + CHUNK] = measure(shared, first, second)
    return np.minimum(result, 1)


def overlap(corpus: Corpus, pairs: Ids) -> Values:
    """Return the share of words that the sentences of each pair have in common, on sets of words.

    Parameters: pairs, sentences, shape (pairs, 2).
    Returns: shape (pairs,), 0 to 1; the same figure as `word_overlap` of the two texts.
    """
    rows = presence(corpus.counts)
    return compare(rows, pairs, dice(rows))
