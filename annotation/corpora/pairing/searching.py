"""Pairs of sentences that share words, found without comparing every sentence with every other.

The sentences of a random sample are multiplied, block by block, with the whole corpus. Words in more than a tenth of
the sentences are not looked up: they would bring together nearly everything, and say little. From each block only so
many pairs are kept, at random, in each tenth of the range: memory does not grow with the square of the corpus.
"""

import numpy as np
from scipy.sparse import csr_array

from annotation.corpora.overlap import TENTHS, tenth_of
from annotation.corpora.pairing.corpus import Corpus, Ids
from annotation.corpora.pairing.likeness import Measure

SAMPLE = 10_000  # sentences that are compared with all others
BLOCK = 100  # of them at once
KEPT = 1_000  # pairs kept in each tenth, of each block
FREQUENT = 100  # a word in no more sentences than this is always looked up


def search(corpus: Corpus, rows: csr_array, measure: Measure, generator: np.random.Generator) -> Ids:
    """Pairs of the pool with at least one word in common, thinned out to about as many in each tenth of the measure.

    Parameters: rows, sparse, shape (sentences, different words); measure, of two rows.
    Returns: sentences, shape (pairs, 2); the same pair may be there in both orders.
    """
    index = _rare_words(rows, corpus.pool)
    sample = generator.permutation(corpus.pool)[:SAMPLE]
    found = [np.empty((0, 2), dtype=np.int64)]
    for start in range(0, len(sample), BLOCK):
        block = sample[start : start + BLOCK]
        shared = (rows[block] @ index).tocoo()
        pairs = np.column_stack([block[shared.row], corpus.pool[shared.col]])
        found.append(pairs[_thinned(tenth_of(measure(shared.data, *pairs.T)), generator)])
    return np.concatenate(found)


def _rare_words(rows: csr_array, pool: Ids) -> csr_array:
    """The pool by the words that are looked up: sparse, shape (different words, pool)."""
    index = rows[pool].T.tocsr()
    spread = np.diff(index.indptr)
    index.data[np.repeat(spread > max(len(pool) // 10, FREQUENT), spread)] = 0
    index.eliminate_zeros()
    return index


def _thinned(tenths: Ids, generator: np.random.Generator) -> Ids:
    """Which of the pairs are kept, at most so many of each tenth."""
    kept = [_some(np.flatnonzero(tenths == tenth), generator) for tenth in range(TENTHS)]
    return np.concatenate(kept)


def _some(places: Ids, generator: np.random.Generator) -> Ids:
    """All, or about so many of them, drawn with replacement: a million are not shuffled for a thousand."""
    if len(places) <= KEPT:
        return places
    return np.unique(generator.choice(places, KEPT))
