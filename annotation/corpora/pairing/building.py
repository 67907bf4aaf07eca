"""Building the pairs of each heuristic, spread over the range of similarity (SemRel2024 3.1.1)."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import tenth_of
from annotation.corpora.pairing.corpus import Corpus, Ids, Values
from annotation.corpora.pairing.drawing import DrawnPairs
from annotation.corpora.pairing.heuristics import FINDERS, Heuristic, PairRequest
from annotation.corpora.pairing.mix import Mix, check
from annotation.corpora.pairing.similarity import overlap

OF_VERSIONS = {Heuristic.NEAR_DUPLICATE, Heuristic.PARAPHRASE, Heuristic.SCORE}
"""Heuristics whose pairs may be of two sentences that are nearly the same."""
UNSPREAD = {Heuristic.RANDOM, Heuristic.PARAPHRASE}
"""Heuristics whose pairs are not spread over the range of similarity."""


@dataclass(frozen=True)
class Pair:
    """Two sentences, the smaller index first; overlap is Dice on their words, 0 to 1, whatever the heuristic."""

    first: int
    second: int
    heuristic: Heuristic
    overlap: float


def build_pairs(corpus: Corpus, mix: Mix) -> list[Pair]:
    """Return the pairs, by heuristic: none twice in either order, none of a sentence with itself or with its own words,
    no sentence in more pairs than `uses`; near-duplicates that are removed count as the same sentence. Within a
    heuristic similarity is spread as evenly as the corpus allows, except for random and manual pairs and paraphrases.

    Raises:
        CorpusError: the corpus has fewer pairs than wanted, or the mix is wrong for it.
    """
    pairs = _draw(corpus, mix)
    drawn = Counter(pair.heuristic for pair in pairs)
    for heuristic, number in _wanted(mix).items():
        if drawn[heuristic] < number:
            raise CorpusError(
                "The corpus has only %(drawn)s of the %(number)s pairs requested by %(heuristic)s. Request "
                "fewer pairs, add sentences, or allow each sentence in more pairs.",
                drawn=drawn[heuristic],
                number=number,
                heuristic=heuristic,
            )
    return pairs


def _wanted(mix: Mix) -> dict[Heuristic, int]:
    """Return the number of pairs wanted by heuristic, in the order in which they are drawn."""
    wanted = {**mix.wanted, Heuristic.MANUAL: len(mix.chosen)}
    return {heuristic: wanted[heuristic] for heuristic in (Heuristic.MANUAL, *FINDERS) if wanted.get(heuristic)}


def _draw(corpus: Corpus, mix: Mix) -> list[Pair]:
    check(corpus, mix)
    generators = dict(zip(Heuristic, np.random.default_rng(mix.seed).spawn(len(Heuristic)), strict=True))
    drawn = DrawnPairs(corpus.alike, mix.uses)
    for heuristic, number in _wanted(mix).items():
        drawn.add(heuristic, number, _ordered_candidates(corpus, mix, heuristic, generators[heuristic]))
    overlaps = overlap(corpus, np.array(drawn.pairs, dtype=np.int64).reshape(-1, 2)).tolist()
    return [Pair(*pair, *rest) for pair, *rest in zip(drawn.pairs, drawn.heuristics, overlaps, strict=True)]


def _ordered_candidates(corpus: Corpus, mix: Mix, heuristic: Heuristic, generator: np.random.Generator) -> Ids:
    """Return the candidates in order of preference."""
    if heuristic is Heuristic.MANUAL:
        return np.sort(np.array(mix.chosen, dtype=np.int64), axis=1)
    if heuristic not in OF_VERSIONS:
        corpus = replace(corpus, pool=corpus.pool[corpus.alike[corpus.pool] == corpus.pool])
    found = FINDERS[heuristic](corpus, PairRequest(mix.wanted[heuristic], mix.window), generator)
    return found.pairs if heuristic in UNSPREAD else found.pairs[interleave_tenths(found.similarity, generator)]


def interleave_tenths(similarity: Values, generator: np.random.Generator) -> Ids:
    """Return an order that takes one of each tenth of the range in turn, random within a tenth, as long as each lasts.

    Parameters: similarity, shape (candidates,), 0 to 1.
    Returns: places in it, shape (candidates,).
    """
    order = generator.permutation(len(similarity))
    order = order[np.argsort(tenth_of(similarity[order]), kind="stable")]
    tenths = tenth_of(similarity[order])
    rank = np.arange(len(order)) - np.searchsorted(tenths, tenths)
    return order[np.argsort(rank, kind="stable")]
