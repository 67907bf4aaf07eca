"""The sentences of a corpus as counts of words, and which of them may be paired."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import scipy
from numpy.typing import NDArray

from annotation.corpora.errors import CorpusError
from annotation.texts import words

Ids = NDArray[np.int64]
Values = NDArray[np.float64]


class LeftOut(StrEnum):
    """Why a sentence is not paired, in the order in which it is decided."""

    NO_WORDS = "no words"
    TOO_SHORT = "too short"
    TOO_LONG = "too long"
    REPEATED = "repeated"
    NEARLY_REPEATED = "nearly repeated"


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences that are read once and searched by every heuristic.

    normalized: the words of each sentence, case-folded, with one space between them.
    counts: how often each sentence has each word, sparse, shape (sentences, different words), single precision.
    first: shape (sentences,), the first sentence with the same words in the same order, itself or an earlier one.
    pool: shape (pool,), ascending: the sentences that may be paired, no two with the same words.
    alike: shape (sentences,), the first sentence that is the same or nearly the same; `first` unless near-duplicates
        are removed.
    order: shape (sentences,), the sentences by document and position; None without documents.
    documents: shape (sentences,), a number for each document, all 0 without documents.
    ready: shape (pairs, 2), pairs that came ready, such as paraphrases; scores: shape (pairs,), NaN for none.
    left_out: the number of sentences that are not paired, by reason.
    """

    normalized: tuple[str, ...]
    counts: scipy.sparse.csr_array
    first: Ids
    pool: Ids
    alike: Ids
    order: Ids | None
    documents: Ids
    ready: Ids
    scores: Values
    left_out: Mapping[LeftOut, int]

    def __len__(self) -> int:
        return len(self.normalized)


def read_corpus(
    sentences: Sequence[str],
    *,
    documents: Sequence[Hashable] | None = None,
    positions: Sequence[int] | None = None,
    shortest: int = 1,
    longest: int | None = None,
    ready: Sequence[tuple[int, int]] = (),
    scores: Sequence[float] | None = None,
) -> Corpus:
    """Return a corpus of the sentences.

    Parameters: documents, for each sentence the document, thread or conversation it is from; positions, its place
        there, by default the order of the sentences; shortest and longest, in words: other sentences are never paired
        (SemRel2024 3.1.2 took 5 to 20 for Amharic, Hausa and Kinyarwanda). A sentence without words is never paired.
        ready, pairs that came ready, with their scores if they have some; NaN is no score.

    Raises:
        CorpusError: documents or positions are not as many as the sentences; or the limits exclude every length.
    """
    _guard_lengths(shortest, longest)
    _guard_columns(len(sentences), documents=documents, positions=positions)
    tokens = [words(sentence) for sentence in sentences]
    normalized = tuple(" ".join(row) for row in tokens)
    first = _first_alike(normalized)
    pool, left_out = _pool(np.array([len(row) for row in tokens], dtype=np.int64), first, shortest, longest)
    numbers = _first_alike(documents if documents is not None else ("",) * len(sentences))
    places = np.arange(len(sentences)) if positions is None else np.array(positions)
    return Corpus(
        normalized=normalized,
        counts=_count_words(tokens),
        first=first,
        pool=pool,
        alike=first,
        order=None if documents is None else np.lexsort((places, numbers)),
        documents=numbers,
        ready=np.array(ready, dtype=np.int64).reshape(-1, 2),
        scores=np.full(len(ready), np.nan) if scores is None else np.array(scores, dtype=np.float64),
        left_out=left_out,
    )


def _guard_lengths(shortest: int, longest: int | None) -> None:
    if longest is not None and longest < shortest:
        raise CorpusError(
            "The minimum length (%(shortest)s words) is greater than the maximum (%(longest)s).",
            shortest=shortest,
            longest=longest,
        )


def _guard_columns(sentences: int, **columns: Sequence[Hashable] | None) -> None:
    for name, column in columns.items():
        if column is not None and len(column) != sentences:
            raise CorpusError(
                "There are %(sentences)s sentences, but %(given)s %(name)s.",
                sentences=sentences,
                given=len(column),
                name=name,
            )


def _pool(lengths: Ids, first: Ids, shortest: int, longest: int | None) -> tuple[Ids, dict[LeftOut, int]]:
    """Return the places of the sentences that may be paired, and how many others there are, by their first reason."""
    too_long = lengths > (np.inf if longest is None else longest)
    reasons = {
        LeftOut.NO_WORDS: lengths == 0,
        LeftOut.TOO_SHORT: lengths < shortest,
        LeftOut.TOO_LONG: too_long,
        LeftOut.REPEATED: first != np.arange(len(first)),
    }
    why = np.select(list(reasons.values()), range(1, len(reasons) + 1), 0)
    numbers = np.bincount(why, minlength=len(reasons) + 1)[1:].tolist()
    return np.flatnonzero(why == 0), {reason: number for reason, number in zip(reasons, numbers, strict=True) if number}


def _first_alike(values: Sequence[Hashable]) -> Ids:
    """Return the place of each value's first occurrence."""
    first_places: dict[Hashable, int] = {}
    return np.array([first_places.setdefault(value, place) for place, value in enumerate(values)], dtype=np.int64)


def _count_words(tokens: list[list[str]]) -> scipy.sparse.csr_array:
    numbers: dict[str, int] = {}
    columns = np.array([numbers.setdefault(word, len(numbers)) for row in tokens for word in row], dtype=np.int64)
    starts = np.cumsum([0, *(len(row) for row in tokens)])
    counts = scipy.sparse.csr_array(
        (np.ones(len(columns), dtype=np.float32), columns, starts), shape=(len(tokens), max(len(numbers), 1))
    )
    counts.sum_duplicates()
    return counts
