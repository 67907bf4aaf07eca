"""Near-duplicate sentences, found by MinHash on the trigrams of their characters (Broder 1997).

Characters and not words: in Amharic or Telugu two versions of a sentence may share few whole words. Sentences whose
smallest hashes agree in one of the bands are compared exactly; of those that share 80 % of their trigrams nearly all
are found. Time and memory grow with the length of the corpus.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from annotation.corpora.pairing.corpus import Corpus, Ids

Hashes = NDArray[np.uint64]
BANDS = 12
HASHES = 4  # in a band: dissimilar sentences hardly ever agree in all of these
REACH = 4  # how many of those that agree each one is compared with
MIX = np.uint64(0x9E3779B97F4A7C15)  # an odd number without pattern: 2**64 over the golden ratio


def find_near_duplicates(corpus: Corpus, generator: np.random.Generator) -> tuple[scipy.sparse.csr_array, Ids]:
    """Return the trigrams of the pool, and pairs that probably share many of them.

    Returns: ones, sparse, shape (pool, different trigrams); places in the pool, shape (pairs, 2), maybe repeated.
    """
    grams, starts = _trigrams([corpus.normalized[sentence] for sentence in corpus.pool])
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for _ in range(BANDS if len(grams) else 0):
        pairs += _pair_agreeing(_hash_band(grams, starts[:-1], generator))
    different, columns = np.unique(grams, return_inverse=True)
    rows = scipy.sparse.csr_array(
        (np.ones(len(grams), dtype=np.float32), columns, starts), shape=(len(starts) - 1, len(different))
    )
    rows.sum_duplicates()
    return rows.sign(), np.concatenate(pairs)


def _trigrams(texts: list[str]) -> tuple[Hashes, Ids]:
    """Return each trigram as a number, with a space before and after each text, and where texts' trigrams start."""
    codes = np.frombuffer("".join(f" {text} " for text in texts).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)  # a text of n characters has n trigrams
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(starts[-1]) + 2 * np.repeat(np.arange(len(texts)), lengths)
    code = np.uint64(21)  # bits of a code point
    return codes[places] | codes[places + 1] << code | codes[places + 2] << (code + code), starts


def _hash_band(grams: Hashes, starts: Ids, generator: np.random.Generator) -> Hashes:
    """Return one number per text, the same if the smallest of each of the band's hashes is the same."""
    mixed = (grams ^ grams >> np.uint64(31)) * MIX
    mixed ^= mixed >> np.uint64(29)
    key = np.zeros(len(starts), dtype=np.uint64)
    for odd in generator.integers(2**63, dtype=np.uint64, size=HASHES) * np.uint64(2) + np.uint64(1):
        key = key * MIX ^ np.minimum.reduceat(mixed * odd, starts)
    return key


def _pair_agreeing(key: Hashes) -> list[Ids]:
    """Return pairs of texts with the same key: each with the next few."""
    order = np.argsort(key, kind="stable")
    pairs = []
    for reach in range(1, REACH + 1):
        agreeing = key[order[:-reach]] == key[order[reach:]]
        pairs.append(np.column_stack([order[:-reach][agreeing], order[reach:][agreeing]]))
    return pairs
