"""Each heuristic's candidates (SemRel2024 3.1.1): the pairs it may give, with their likeness."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from annotation.corpora.pairing.corpus import Corpus, Ids, Values
from annotation.corpora.pairing.likeness import compare, cosine, dice, overlap, presence, weights
from annotation.corpora.pairing.nearness import near_each_other
from annotation.corpora.pairing.searching import search

NEAR = 0.7  # shared trigrams, Dice: below, two sentences are hardly versions of one
DRAWS = 20  # random pairs drawn for each that is wanted: the sentences of many are used up by then


class Heuristic(StrEnum):
    """The ways to a pair, those with the fewest candidates first: that is the order in which they choose."""

    MANUAL = "manual"
    NEAR_DUPLICATE = "near duplicate"
    CONTIGUITY = "contiguity"
    OVERLAP = "overlap"
    WEIGHTED_OVERLAP = "weighted overlap"
    RANDOM = "random"


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs, the smaller sentence first, none twice: shape (pairs, 2); with their likeness, 0 to 1: shape (pairs,)."""

    pairs: Ids
    likeness: Values


@dataclass(frozen=True)
class Wish:
    """What a heuristic has to know: how many pairs are wanted, and how far apart neighbours may stand."""

    pairs: int
    window: int


Finder = Callable[[Corpus, Wish, np.random.Generator], Candidates]


def by_overlap(corpus: Corpus, wish: Wish, generator: np.random.Generator) -> Candidates:
    """Sentences with one or more words in common; likeness is Dice on their sets of words."""
    rows = presence(corpus.counts)
    pairs = unordered(search(corpus, rows, dice(rows), generator))
    return Candidates(pairs, compare(rows, pairs, dice(rows)))


def by_weighted_overlap(corpus: Corpus, wish: Wish, generator: np.random.Generator) -> Candidates:
    """Sentences with one or more words in common; likeness is the cosine of their words weighted by TF-IDF."""
    rows = weights(corpus)
    pairs = unordered(search(corpus, rows, cosine, generator))
    return Candidates(pairs, compare(rows, pairs, cosine))


def by_contiguity(corpus: Corpus, wish: Wish, generator: np.random.Generator) -> Candidates:
    """Sentences of one document that follow each other, or with fewer than `window` others between; none without
    documents. A sentence that stands in the corpus before is taken from there."""
    order = np.empty(0, dtype=np.int64) if corpus.order is None else corpus.order
    near = [np.column_stack([order[:-reach], order[reach:]]) for reach in range(1, wish.window + 1)]
    pairs = np.concatenate(near)
    pairs = corpus.first[pairs[corpus.documents[pairs[:, 0]] == corpus.documents[pairs[:, 1]]]]
    pairs = unordered(pairs[np.isin(pairs, corpus.pool).all(axis=1)])
    return Candidates(pairs, overlap(corpus, pairs))


def by_nearness(corpus: Corpus, wish: Wish, generator: np.random.Generator) -> Candidates:
    """Sentences written nearly the same, such as paraphrases; likeness is Dice on their trigrams, at least 0.7."""
    rows, found = near_each_other(corpus, generator)
    places = unordered(found)
    likeness = compare(rows, places, dice(rows))
    near = likeness >= NEAR
    return Candidates(corpus.pool[places[near]], likeness[near])


def by_chance(corpus: Corpus, wish: Wish, generator: np.random.Generator) -> Candidates:
    """Any two sentences, in random order, enough to choose from."""
    size = len(corpus.pool)
    if size * (size - 1) // 2 <= DRAWS * wish.pairs:
        places = np.column_stack(np.triu_indices(size, k=1))
    else:
        places = unordered(generator.integers(size, size=(DRAWS * wish.pairs, 2)))
    pairs = corpus.pool[generator.permutation(places)]
    return Candidates(pairs, overlap(corpus, pairs))


def unordered(pairs: Ids) -> Ids:
    """The pairs once each, the smaller sentence first, none of a sentence with itself."""
    ordered = np.sort(pairs, axis=1)
    return np.unique(ordered[ordered[:, 0] < ordered[:, 1]], axis=0)


FINDERS: dict[Heuristic, Finder] = {
    Heuristic.NEAR_DUPLICATE: by_nearness,
    Heuristic.CONTIGUITY: by_contiguity,
    Heuristic.OVERLAP: by_overlap,
    Heuristic.WEIGHTED_OVERLAP: by_weighted_overlap,
    Heuristic.RANDOM: by_chance,
}
