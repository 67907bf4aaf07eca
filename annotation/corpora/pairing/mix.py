"""What is to be built from a corpus, and whether it makes sense."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.corpora.errors import CorpusError
from annotation.corpora.pairing.corpus import Corpus
from annotation.corpora.pairing.heuristics import Heuristic


@dataclass(frozen=True)
class Mix:
    """The pairs that are wanted.

    wanted: how many pairs by each heuristic; manual choice brings its own number.
    seed: of all that is left to chance: the same corpus and mix give the same pairs.
    uses: in how many pairs a sentence may stand.
    window: how far apart neighbours may stand; 1 is one right after the other.
    chosen: pairs of sentences chosen by hand.
    """

    wanted: Mapping[Heuristic, int]
    seed: int
    uses: int = 1
    window: int = 1
    chosen: tuple[tuple[int, int], ...] = ()


def check(corpus: Corpus, mix: Mix) -> None:
    """Refuses a mix that this corpus cannot be asked for.

    Raises:
        CorpusError: saying what is wrong with it.
    """
    if min(mix.wanted.values(), default=0) < 0 or min(mix.uses, mix.window) < 1:
        raise CorpusError("No heuristic can give fewer than 0 pairs; uses and window start at 1.")
    if mix.wanted.get(Heuristic.MANUAL):
        raise CorpusError("Pairs chosen by hand are listed, not counted.")
    if mix.wanted.get(Heuristic.CONTIGUITY) and corpus.order is None:
        raise CorpusError("Which sentences stand side by side is only known where each has its document.")
    _check_chosen(corpus, mix)


def _check_chosen(corpus: Corpus, mix: Mix) -> None:
    seen: dict[frozenset[int], tuple[int, int]] = {}
    uses = Counter[int]()
    for pair in mix.chosen:
        if not all(0 <= one < len(corpus) for one in pair):
            raise CorpusError(f"The pair {pair} names a sentence that is not there; there are {len(corpus)}, from 0.")
        alike = frozenset(int(corpus.first[one]) for one in pair)
        if len(alike) < 2:
            raise CorpusError(f"Both sentences of the pair {pair} have the same words.")
        if alike in seen:
            raise CorpusError(f"The pair {pair} says the same as the pair {seen[alike]}.")
        seen[alike] = pair
        uses.update(alike)
    for sentence, number in uses.items():
        if number > mix.uses:
            raise CorpusError(f"Sentence {sentence} is chosen for {number} pairs; it may stand in {mix.uses}.")
