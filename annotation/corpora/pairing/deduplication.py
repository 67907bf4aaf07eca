"""Removal of near-duplicate sentences from a corpus before it is paired (SemRel2024 3.3: no instances are repeated)."""

from dataclasses import replace

import numpy as np
import scipy

from annotation.corpora.errors import CorpusError
from annotation.corpora.pairing.corpus import Corpus, LeftOut
from annotation.corpora.pairing.heuristics import unordered
from annotation.corpora.pairing.near_duplicates import find_near_duplicates
from annotation.corpora.pairing.similarity import compare, dice

LOWEST = 0.8
"""Below, MinHash misses too many, and sentences that differ would be linked by chains of others."""


def remove_near_duplicates(corpus: Corpus, threshold: float, generator: np.random.Generator) -> Corpus:
    """Return the corpus with the first sentence standing for all that are nearly the same.

    Nearly the same are sentences whose share of character trigrams in common (Dice on their sets, 0 to 1) is at least
    the threshold, and those linked by such a sentence. Not every sentence is compared with every other: see
    `near_duplicates`.

    Raises:
        CorpusError: the threshold is below 0.8 or above 1.
    """
    if not LOWEST <= threshold <= 1:
        raise CorpusError(
            "The near-duplicate threshold must be from %(lowest)s to 1, not %(threshold)s.",
            lowest=LOWEST,
            threshold=threshold,
        )
    rows, probable = find_near_duplicates(corpus, generator)
    places = unordered(probable)
    near = places[compare(rows, places, dice(rows)) >= threshold]
    size = len(corpus.pool)
    links = scipy.sparse.coo_array((np.ones(len(near), dtype=np.int8), near.T), shape=(size, size))
    _, sets = scipy.sparse.csgraph.connected_components(links, directed=False)
    _, first_places = np.unique(sets, return_index=True)
    standing = np.arange(len(corpus))
    standing[corpus.pool] = corpus.pool[first_places[sets]]
    alike = standing[corpus.first]
    removed = size - len(first_places)
    return replace(
        corpus, alike=alike, left_out={**corpus.left_out} | ({LeftOut.NEARLY_REPEATED: removed} if removed else {})
    )
