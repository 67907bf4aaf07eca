"""How many pairs by which heuristic, spread over the range of likeness (SemRel2024 3.1.1)."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import count_tenths, tenth_of
from annotation.corpora.pairing.corpus import Corpus, Ids, Values
from annotation.corpora.pairing.heuristics import FINDERS, Heuristic, Wish
from annotation.corpora.pairing.likeness import overlap
from annotation.corpora.pairing.mix import Mix, check
from annotation.corpora.pairing.taking import Drawn


@dataclass(frozen=True)
class Pair:
    """Two sentences, the smaller index first; overlap is Dice on their words, 0 to 1, whatever the heuristic."""

    first: int
    second: int
    heuristic: Heuristic
    overlap: float


@dataclass(frozen=True)
class Spread:
    """How many pairs have an overlap in each tenth from 0 to 1, in all and by heuristic, and how many are missing."""

    tenths: tuple[int, ...]
    by_heuristic: dict[Heuristic, tuple[int, ...]]
    missing: dict[Heuristic, int]


def expected_spread(corpus: Corpus, mix: Mix) -> Spread:
    """How the overlap of the pairs will be spread: that of exactly the pairs which build_pairs gives.

    Raises:
        CorpusError: the mix makes no sense for this corpus.
    """
    pairs = _draw(corpus, mix)
    drawn = Counter(pair.heuristic for pair in pairs)
    wanted = _wanted(mix)
    return Spread(
        tenths=count_tenths([pair.overlap for pair in pairs]),
        by_heuristic={one: count_tenths([pair.overlap for pair in pairs if pair.heuristic is one]) for one in wanted},
        missing={one: number - drawn[one] for one, number in wanted.items() if number > drawn[one]},
    )


def build_pairs(corpus: Corpus, mix: Mix) -> list[Pair]:
    """The pairs, by heuristic: none twice in either order, none of a sentence with itself or with its own words,
    no sentence in more pairs than `uses`. Within a heuristic likeness is spread as evenly as the corpus has it; by
    chance and by hand it is as it comes.

    Raises:
        CorpusError: the corpus has fewer pairs than wanted, or the mix makes no sense for it.
    """
    pairs = _draw(corpus, mix)
    drawn = Counter(pair.heuristic for pair in pairs)
    for heuristic, number in _wanted(mix).items():
        if drawn[heuristic] < number:
            raise CorpusError(
                f"The corpus gives {drawn[heuristic]} of the {number} pairs wanted by {heuristic}. "
                "Ask for fewer, take more sentences, or allow each sentence in more pairs."
            )
    return pairs


def _wanted(mix: Mix) -> dict[Heuristic, int]:
    """What is wanted, in the order in which it is drawn."""
    wanted = {**mix.wanted, Heuristic.MANUAL: len(mix.chosen)}
    return {heuristic: wanted[heuristic] for heuristic in Heuristic if wanted.get(heuristic)}


def _draw(corpus: Corpus, mix: Mix) -> list[Pair]:
    check(corpus, mix)
    generators = dict(zip(Heuristic, np.random.default_rng(mix.seed).spawn(len(Heuristic)), strict=True))
    drawn = Drawn(corpus.first, mix.uses)
    for heuristic, number in _wanted(mix).items():
        drawn.take(heuristic, number, _in_order(corpus, mix, heuristic, generators[heuristic]))
    overlaps = overlap(corpus, np.array(drawn.pairs, dtype=np.int64).reshape(-1, 2)).tolist()
    return [Pair(*pair, *rest) for pair, *rest in zip(drawn.pairs, drawn.heuristics, overlaps, strict=True)]


def _in_order(corpus: Corpus, mix: Mix, heuristic: Heuristic, generator: np.random.Generator) -> Ids:
    """The candidates in the order in which they are wanted."""
    if heuristic is Heuristic.MANUAL:
        return np.sort(np.array(mix.chosen, dtype=np.int64), axis=1)
    found = FINDERS[heuristic](corpus, Wish(mix.wanted[heuristic], mix.window), generator)
    return found.pairs if heuristic is Heuristic.RANDOM else found.pairs[by_turns(found.likeness, generator)]


def by_turns(likeness: Values, generator: np.random.Generator) -> Ids:
    """One of each tenth of the range in turn, within a tenth at random, as long as each lasts.

    Parameters: likeness, shape (candidates,), 0 to 1.
    Returns: places in it, shape (candidates,).
    """
    order = generator.permutation(len(likeness))
    order = order[np.argsort(tenth_of(likeness[order]), kind="stable")]
    tenths = tenth_of(likeness[order])
    turn = np.arange(len(order)) - np.searchsorted(tenths, tenths)
    return order[np.argsort(turn, kind="stable")]
