"""Search for pairs of sentences that share words, without comparing every sentence with every other.

The sentences of a random sample are multiplied, block by block, with the whole corpus. Words in more than a tenth of
the sentences are not looked up: they would bring together nearly everything, and say little. From each block only a
limited number of random pairs are kept in each tenth of the range: memory does not grow with the square of the corpus.
"""

from __future__ import annotations

import numpy as np
import scipy

from annotation.corpora.overlap import TENTHS, tenth_of
from annotation.corpora.pairing.corpus import Corpus, Ids
from annotation.corpora.pairing.similarity import Measure

SAMPLE = 10_000  # sentences that are compared with all others
BLOCK = 100  # of them at once
KEPT = 1_000  # pairs kept in each tenth, of each block
FREQUENT = 100  # a word in no more sentences than this is always looked up


def search(corpus: Corpus, rows: scipy.sparse.csr_array, measure: Measure, generator: np.random.Generator) -> Ids:
    """Return pairs of the pool that share at least one word, thinned out to about as many in each tenth of the measure.

    Parameters: rows, sparse, shape (sentences, different words); measure, of two rows.
    Returns: sentences, shape (pairs, 2); the same pair may be there in both orders.
    """
    index = _rare_words(rows, corpus.pool)
    sample = generator.permutation(corpus.pool)[:SAMPLE]
    blocks = [np.empty((0, 2), dtype=np.int64)]
    for start in range(0, len(sample), BLOCK):
        block = sample[start : start + BLOCK]
        shared = (rows[block] @ index).tocoo()
        pairs = np.column_stack([block[shared.row], corpus.pool[shared.col]])
        blocks.append(pairs[_thin(tenth_of(measure(shared.data, *pairs.T)), generator)])
    return np.concatenate(blocks)


def _rare_words(rows: scipy.sparse.csr_array, pool: Ids) -> scipy.sparse.csr_array:
    """Return the pool by the words that are looked up: sparse, shape (different words, pool)."""
    index = rows[pool].T.tocsr()
    spread = np.diff(index.indptr)
    index.data[np.repeat(spread > max(len(pool) // 10, FREQUENT), spread)] = 0
    index.eliminate_zeros()
    return index


def _thin(tenths: Ids, generator: np.random.Generator) -> Ids:
    """Return the places of the pairs that are kept, at most KEPT of each tenth."""
    kept = [_sample(np.flatnonzero(tenths == tenth), generator) for tenth in range(TENTHS)]
    return np.concatenate(kept)


def _sample(places: Ids, generator: np.random.Generator) -> Ids:
    """Return all places, or about KEPT of them, drawn with replacement to avoid shuffling a million for a thousand."""
    if len(places) <= KEPT:
        return places
    return np.unique(generator.choice(places, KEPT))
