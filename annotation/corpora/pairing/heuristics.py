"""The candidates of each heuristic (SemRel2024 3.1.1): the pairs that it proposes, with their similarity."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from annotation.corpora.pairing.corpus import Corpus, Ids, Values
from annotation.corpora.pairing.near_duplicates import find_near_duplicates
from annotation.corpora.pairing.search import search
from annotation.corpora.pairing.similarity import compare, cosine, dice, overlap, presence, weights

NEAR = 0.7  # shared trigrams, Dice: below, two sentences are hardly versions of one
DRAWS = 20  # random pairs drawn for each that is wanted, as the sentences of many are used up by then


class Heuristic(StrEnum):
    """The ways to find pairs. Their order is that of their random numbers: a new one goes to the end."""

    MANUAL = "manual"
    NEAR_DUPLICATE = "near duplicate"
    CONTIGUITY = "contiguity"
    OVERLAP = "overlap"
    WEIGHTED_OVERLAP = "weighted overlap"
    RANDOM = "random"
    PARAPHRASE = "paraphrase"
    SCORE = "score"


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs, the smaller sentence first, none twice: shape (pairs, 2); their similarity, 0 to 1: shape (pairs,)."""

    pairs: Ids
    similarity: Values


@dataclass(frozen=True)
class PairRequest:
    """The input of a heuristic: the number of pairs wanted, and the maximum distance of neighbours."""

    pairs: int
    window: int


Finder = Callable[[Corpus, PairRequest, np.random.Generator], Candidates]


def by_overlap(corpus: Corpus, request: PairRequest, generator: np.random.Generator) -> Candidates:
    """Return sentences with one or more words in common; similarity is Dice on their sets of words."""
    rows = presence(corpus.counts)
    pairs = unordered(search(corpus, rows, dice(rows), generator))
    return Candidates(pairs, compare(rows, pairs, dice(rows)))


def by_weighted_overlap(corpus: Corpus, request: PairRequest, generator: np.random.Generator) -> Candidates:
    """Return sentences with one or more words in common; similarity is the cosine of their words weighted by TF-IDF."""
    rows = weights(corpus)
    pairs = unordered(search(corpus, rows, cosine, generator))
    return Candidates(pairs, compare(rows, pairs, cosine))


def by_contiguity(corpus: Corpus, request: PairRequest, generator: np.random.Generator) -> Candidates:
    """Return sentences at most `window` places apart in one document; a repeated one is taken from its first place."""
    order = np.empty(0, dtype=np.int64) if corpus.order is None else corpus.order
    near = [np.column_stack([order[:-reach], order[reach:]]) for reach in range(1, request.window + 1)]
    pairs = np.concatenate(near)
    pairs = corpus.first[pairs[corpus.documents[pairs[:, 0]] == corpus.documents[pairs[:, 1]]]]
    pairs = unordered(pairs[np.isin(pairs, corpus.pool).all(axis=1)])
    return Candidates(pairs, overlap(corpus, pairs))


def by_near_duplication(corpus: Corpus, request: PairRequest, generator: np.random.Generator) -> Candidates:
    """Return sentences written nearly the same, such as paraphrases; similarity is Dice on trigrams, at least 0.7."""
    rows, probable = find_near_duplicates(corpus, generator)
    places = unordered(probable)
    similarity = compare(rows, places, dice(rows))
    near = similarity >= NEAR
    return Candidates(corpus.pool[places[near]], similarity[near])


def by_chance(corpus: Corpus, request: PairRequest, generator: np.random.Generator) -> Candidates:
    """Return any two sentences, in random order, enough to choose from."""
    size = len(corpus.pool)
    if size * (size - 1) // 2 <= DRAWS * request.pairs:
        places = np.column_stack(np.triu_indices(size, k=1))
    else:
        places = unordered(generator.integers(size, size=(DRAWS * request.pairs, 2)))
    pairs = corpus.pool[generator.permutation(places)]
    return Candidates(pairs, overlap(corpus, pairs))


def by_paraphrase(corpus: Corpus, request: PairRequest, generator: np.random.Generator) -> Candidates:
    """Return the pairs that came ready, in random order."""
    pairs, _ = _ready(corpus)
    pairs = generator.permutation(pairs)
    return Candidates(pairs, overlap(corpus, pairs))


def by_score(corpus: Corpus, request: PairRequest, generator: np.random.Generator) -> Candidates:
    """Return the pairs that came with a score, such as those of STS; similarity is the score's place in their range."""
    pairs, scores = _ready(corpus)
    pairs, scores = pairs[~np.isnan(scores)], scores[~np.isnan(scores)]
    lowest = scores.min(initial=np.inf)
    width = scores.max(initial=-np.inf) - lowest
    return Candidates(pairs, (scores - lowest) / width if width > 0 else np.zeros(len(scores)))


def _ready(corpus: Corpus) -> tuple[Ids, Values]:
    """Return the pairs that came ready and may be used, once each, and the score of each."""
    pairs = np.sort(corpus.first[corpus.ready], axis=1)
    usable = np.isin(pairs, corpus.pool).all(axis=1) & (pairs[:, 0] < pairs[:, 1])
    pairs, places = np.unique(pairs[usable], axis=0, return_index=True)
    return pairs, corpus.scores[usable][places]


def unordered(pairs: Ids) -> Ids:
    """Return the pairs once each, the smaller sentence first, none of a sentence with itself."""
    ordered = np.sort(pairs, axis=1)
    return np.unique(ordered[ordered[:, 0] < ordered[:, 1]], axis=0)


FINDERS: dict[Heuristic, Finder] = {
    Heuristic.PARAPHRASE: by_paraphrase,
    Heuristic.SCORE: by_score,
    Heuristic.NEAR_DUPLICATE: by_near_duplication,
    Heuristic.CONTIGUITY: by_contiguity,
    Heuristic.OVERLAP: by_overlap,
    Heuristic.WEIGHTED_OVERLAP: by_weighted_overlap,
    Heuristic.RANDOM: by_chance,
}
"""In the order in which they choose: those with the fewest candidates first."""
