"""The numbers of pairs to build from a corpus, and their validation."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from annotation.corpora.errors import CorpusError
from annotation.corpora.pairing.corpus import Corpus
from annotation.corpora.pairing.heuristics import Heuristic


@dataclass(frozen=True)
class Mix:
    """The pairs that are wanted.

    wanted: how many pairs by each heuristic; manual choice brings its own number.
    seed: the random seed: the same corpus and mix give the same pairs.
    uses: the maximum number of pairs with the same sentence.
    window: the maximum distance of neighbours; 1 is one right after the other.
    chosen: pairs of sentences chosen by hand.
    """

    wanted: Mapping[Heuristic, int]
    seed: int
    uses: int = 1
    window: int = 1
    chosen: tuple[tuple[int, int], ...] = ()


def check(corpus: Corpus, mix: Mix) -> None:
    """Raise an error for a mix that this corpus cannot give.

    Raises:
        CorpusError: the mix is wrong; the message says why.
    """
    if min(mix.wanted.values(), default=0) < 0 or min(mix.uses, mix.window) < 1:
        raise CorpusError("Numbers of pairs must be 0 or greater; uses and window must be 1 or greater.")
    if mix.wanted.get(Heuristic.MANUAL):
        raise CorpusError("Pairs chosen by hand are listed individually; a number can't be requested.")
    if mix.wanted.get(Heuristic.CONTIGUITY) and corpus.order is None:
        raise CorpusError("Neighbouring sentences can only be paired if each sentence has a document.")
    if mix.wanted.get(Heuristic.PARAPHRASE) and not len(corpus.ready):
        raise CorpusError("Paraphrases need a file of ready pairs.")
    if mix.wanted.get(Heuristic.SCORE) and np.isnan(corpus.scores).all():
        raise CorpusError("Pairs spread over their scores need a file of ready pairs with scores.")
    _check_chosen(corpus, mix)


def _check_chosen(corpus: Corpus, mix: Mix) -> None:
    pairs_by_sentences: dict[frozenset[int], tuple[int, int]] = {}
    uses = Counter[int]()
    for pair in mix.chosen:
        if not all(0 <= sentence < len(corpus) for sentence in pair):
            raise CorpusError(
                "The pair %(pair)s refers to a sentence that does not exist. There are %(there)s sentences, "
                "numbered from 0.",
                pair=pair,
                there=len(corpus),
            )
        if len({int(corpus.first[sentence]) for sentence in pair}) < 2:
            raise CorpusError("Both sentences of the pair %(pair)s have the same words.", pair=pair)
        alike = frozenset(int(corpus.alike[sentence]) for sentence in pair)
        if alike in pairs_by_sentences:
            other = pairs_by_sentences[alike]
            raise CorpusError("The pairs %(pair)s and %(other)s have the same sentences.", pair=pair, other=other)
        pairs_by_sentences[alike] = pair
        uses.update(alike)
    for sentence, number in uses.items():
        if number > mix.uses:
            raise CorpusError(
                "Sentence %(sentence)s is in %(number)s chosen pairs, but the maximum is %(uses)s.",
                sentence=sentence,
                number=number,
                uses=mix.uses,
            )
