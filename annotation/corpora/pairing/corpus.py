"""The sentences of a corpus as counts of words, and which of them may be paired."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from annotation.corpora.errors import CorpusError
from annotation.texts import words

Ids = NDArray[np.int64]
Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences read once, to be searched by every heuristic.

    spoken: the words of each sentence, case-folded, with one space between them.
    counts: how often each sentence has each word, sparse, shape (sentences, different words), single precision.
    first: shape (sentences,), the first sentence with the same words in the same order, itself or an earlier one.
    pool: shape (pool,), ascending: the sentences that may be paired, no two with the same words.
    order: shape (sentences,), the sentences by document and position; None where no documents are given.
    documents: shape (sentences,), a number for each document, all 0 where no documents are given.
    """

    spoken: tuple[str, ...]
    counts: csr_array
    first: Ids
    pool: Ids
    order: Ids | None
    documents: Ids

    def __len__(self) -> int:
        return len(self.spoken)


def read_corpus(
    sentences: Sequence[str],
    *,
    documents: Sequence[Hashable] | None = None,
    positions: Sequence[int] | None = None,
    shortest: int = 1,
    longest: int | None = None,
) -> Corpus:
    """A corpus of sentences.

    Parameters: documents, for each sentence the document, thread or conversation it is from; positions, its place
        there, by default the order given; shortest and longest, in words: sentences outside are never paired
        (SemRel2024 3.1.2 took 5 to 20 for Amharic, Hausa and Kinyarwanda). A sentence without words is never paired.

    Raises:
        CorpusError: documents or positions are not as many as the sentences.
    """
    for name, given in (("documents", documents), ("positions", positions)):
        if given is not None and len(given) != len(sentences):
            raise CorpusError(f"There are {len(sentences)} sentences, but {len(given)} {name}.")
    tokens = [words(sentence) for sentence in sentences]
    spoken = tuple(" ".join(one) for one in tokens)
    first = _first_alike(spoken)
    lengths = np.array([len(one) for one in tokens], dtype=np.int64)
    fits = (lengths >= max(shortest, 1)) & (lengths <= (np.inf if longest is None else longest))
    numbers = _first_alike(documents if documents is not None else ("",) * len(sentences))
    places = np.arange(len(sentences)) if positions is None else np.array(positions)
    return Corpus(
        spoken=spoken,
        counts=_counted(tokens),
        first=first,
        pool=np.flatnonzero(fits & (first == np.arange(len(first)))),
        order=None if documents is None else np.lexsort((places, numbers)),
        documents=numbers,
    )


def _first_alike(values: Sequence[Hashable]) -> Ids:
    """For each value the place where it stands first."""
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(value, place) for place, value in enumerate(values)], dtype=np.int64)


def _counted(tokens: list[list[str]]) -> csr_array:
    numbers: dict[str, int] = {}
    columns = np.array([numbers.setdefault(word, len(numbers)) for one in tokens for word in one], dtype=np.int64)
    starts = np.cumsum([0, *(len(one) for one in tokens)])
    counts = csr_array(
        (np.ones(len(columns), dtype=np.float32), columns, starts), shape=(len(tokens), max(len(numbers), 1))
    )
    counts.sum_duplicates()
    return counts
