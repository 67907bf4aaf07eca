"""From a raw corpus to pairs whose relatedness will be spread over the whole range (SemRel2024 3.1.1).

Most pairs of sentences drawn at random have nothing to do with each other; hence the heuristics. A sentence is an
index from 0 into the corpus.
"""

from annotation.corpora.pairing.corpus import Corpus, read_corpus
from annotation.corpora.pairing.heuristics import Heuristic
from annotation.corpora.pairing.mix import Mix
from annotation.corpora.pairing.mixing import Pair, Spread, build_pairs, expected_spread

__all__ = ["Corpus", "Heuristic", "Mix", "Pair", "Spread", "build_pairs", "expected_spread", "read_corpus"]
