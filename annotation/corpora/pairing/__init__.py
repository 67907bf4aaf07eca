"""Choosing pairs from a raw corpus whose relatedness covers the whole range (SemRel2024 3.1.1).

Most pairs of sentences drawn at random have nothing to do with each other; hence the heuristics. A sentence is an
index from 0 into the corpus.
"""

from annotation.corpora.pairing.building import Pair, build_pairs
from annotation.corpora.pairing.corpus import Corpus, LeftOut, read_corpus
from annotation.corpora.pairing.deduplication import remove_near_duplicates
from annotation.corpora.pairing.heuristics import Heuristic
from annotation.corpora.pairing.mix import Mix

__all__ = [
    "Corpus",
    "Heuristic",
    "LeftOut",
    "Mix",
    "Pair",
    "build_pairs",
    "read_corpus",
    "remove_near_duplicates",
]
