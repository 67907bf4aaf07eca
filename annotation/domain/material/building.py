"""Pairs built from a corpus and written to a file that can be imported (SemRel2024 3.1.1)."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.utils.translation import gettext_lazy as _

from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import TENTH_LABELS, count_tenths
from annotation.corpora.pairing import (
    Corpus,
    Heuristic,
    LeftOut,
    Mix,
    Pair,
    build_pairs,
    read_corpus,
    remove_near_duplicates,
)
from annotation.domain.errors import Refusal, translated
from annotation.domain.material.findings import figure
from annotation.domain.material.ready_pairs import has_ready_pairs, read_ready_pairs
from annotation.domain.material.sentences import Sentence, read_choice, read_sentences

COLUMNS = ("id", "sentence1", "sentence2", "language", "source", "heuristic", "overlap")
LONGEST_NAME = 50
EXAMPLES = 3  # of each heuristic
# The name that each heuristic has in forms and commands, and in words.
NAMED = {
    "lexical": (Heuristic.OVERLAP, _("shared words")),
    "tfidf": (Heuristic.WEIGHTED_OVERLAP, _("shared words, weighted by rarity (TF-IDF)")),
    "contiguous": (Heuristic.CONTIGUITY, _("neighbouring sentences of a document")),
    "near_duplicates": (Heuristic.NEAR_DUPLICATE, _("near-duplicates")),
    "random": (Heuristic.RANDOM, _("random")),
    "paraphrases": (Heuristic.PARAPHRASE, _("paraphrases and other ready pairs")),
    "scored": (Heuristic.SCORE, _("ready pairs, spread evenly over their scores")),
}
LIMITS = ("shortest", "longest", "duplicate_threshold")
DUPLICATE_THRESHOLD = 0.9
"""The share of trigrams in common from which pages and commands leave sentences out, if nothing else is asked for."""
REASONS = {
    LeftOut.NO_WORDS: _("without words"),
    LeftOut.TOO_SHORT: _("too short"),
    LeftOut.TOO_LONG: _("too long"),
    LeftOut.REPEATED: _("same words as another sentence"),
    LeftOut.NEARLY_REPEATED: _("nearly the same as another sentence"),
}
TITLES = dict(NAMED.values()) | {Heuristic.MANUAL: _("chosen by hand")}


@dataclass(frozen=True)
class BuiltPair:
    """A pair as it is written; the sentences in the order of the corpus."""

    key: str
    first: Sentence
    second: Sentence
    heuristic: Heuristic
    overlap: float

    def as_row(self) -> tuple[str, ...]:
        sources = dict.fromkeys(source for source in (self.first.source, self.second.source) if source)
        language = self.first.language if self.first.language == self.second.language else ""
        texts = (self.key, self.first.text, self.second.text)
        return (*texts, language, " / ".join(sources), self.heuristic.value, f"{self.overlap:.4f}")


@dataclass(frozen=True)
class Built:
    """The pairs built from a corpus. sentences: how many there were; left_out: how many of them, by reason."""

    pairs: Sequence[BuiltPair]
    sentences: int
    left_out: Mapping[LeftOut, int]


@dataclass(frozen=True)
class _Sources:
    """Sentences; the places of those that came as ready pairs, with their scores; and of pairs chosen by hand."""

    sentences: Sequence[Sentence]
    ready: Sequence[tuple[int, int]]
    scores: Sequence[float]
    chosen: tuple[tuple[int, int], ...]
    has_documents: bool


def build(
    path: Path, name: str, wishes: Mapping[str, float], *, chosen: Path | None = None, ready: Path | None = None
) -> Built:
    """Return the pairs built from a corpus, which may itself be a table of ready pairs.

    Parameters: name, of the corpus, with which the pairs' IDs begin; wishes, how many pairs by each of NAMED, with
        the random `seed`, `uses`: the maximum number of pairs with the same sentence, `shortest` and `longest`: the
        words of a sentence, and `duplicate_threshold`: the share of trigrams in common from which sentences are
        near-duplicates, of which one is kept; 0 is no limit. chosen, a file of pairs chosen by hand. ready, a file of
        ready pairs in addition to the corpus.

    Raises:
        FileRefused: the files have problems.
        Refusal: no pairs are wanted, or the corpus does not give so many.
    """
    sources = _read(path, chosen, ready)
    wanted = {heuristic: int(wishes[key]) for key, (heuristic, _) in NAMED.items() if wishes.get(key)}
    if not wanted and not sources.chosen:
        raise Refusal(_("Enter a number of pairs for at least one method."))
    mix = Mix(wanted, seed=int(wishes.get("seed", 0)), uses=int(wishes.get("uses", 1)), chosen=sources.chosen)
    try:
        corpus = _corpus(sources, wishes, mix.seed)
        pairs = build_pairs(corpus, mix)
    except CorpusError as error:
        raise Refusal(translated(error)) from error
    prefix = Path(name).stem[:LONGEST_NAME]
    return Built([_built(pair, sources.sentences, prefix) for pair in pairs], len(corpus), corpus.left_out)


def _read(path: Path, chosen: Path | None, ready: Path | None) -> _Sources:
    tables = [path] if has_ready_pairs(path) else []
    sentences = [] if tables else read_sentences(path)
    own, has_documents = len(sentences), any(sentence.document is not None for sentence in sentences)
    pairs = [pair for table in (*tables, ready) if table for pair in read_ready_pairs(table)]
    sentences += [sentence for pair in pairs for sentence in (pair.first, pair.second)]
    return _Sources(
        sentences=sentences,
        ready=[(own + 2 * place, own + 2 * place + 1) for place in range(len(pairs))],
        scores=[pair.score for pair in pairs],
        chosen=read_choice(chosen, sentences) if chosen else (),
        has_documents=has_documents,
    )


def _corpus(sources: _Sources, wishes: Mapping[str, float], seed: int) -> Corpus:
    """Return the corpus that is paired, without near-duplicates if that is wished."""
    known, sentences = sources.has_documents, sources.sentences
    corpus = read_corpus(
        [sentence.text for sentence in sentences],
        documents=[sentence.document for sentence in sentences] if known else None,
        positions=[sentence.position or sentence.line for sentence in sentences] if known else None,
        shortest=int(wishes.get("shortest") or 1),
        longest=int(wishes.get("longest") or 0) or None,
        ready=sources.ready,
        scores=sources.scores,
    )
    threshold = wishes.get("duplicate_threshold")
    return remove_near_duplicates(corpus, threshold, np.random.default_rng(seed)) if threshold else corpus


def _built(pair: Pair, sentences: Sequence[Sentence], prefix: str) -> BuiltPair:
    first, second = sentences[pair.first], sentences[pair.second]
    return BuiltPair(f"{prefix}:{first.key}+{second.key}", first, second, pair.heuristic, pair.overlap)


def write_pairs(pairs: Sequence[BuiltPair], path: Path) -> None:
    """Write the pairs as CSV, as `import_items` reads it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(pair.as_row() for pair in pairs)


def spread_of(built: Built) -> dict[str, Any]:
    """Return the distribution of the overlap, in all and by heuristic, with examples of each, and the number of
    sentences that were left out by reason, as it is stored."""
    pairs = built.pairs
    by_heuristic = {kind: [pair for pair in pairs if pair.heuristic is kind] for kind in Heuristic}
    return {
        "pairs": len(pairs),
        "sentences": built.sentences,
        "left_out": [[str(REASONS[reason]), number] for reason, number in built.left_out.items()],
        "overlap": _tenths(pairs, str(_("all pairs"))),
        "by_heuristic": [_tenths(some, str(TITLES[kind])) for kind, some in by_heuristic.items() if some],
        "examples": [_example(pair) for some in by_heuristic.values() for pair in some[:EXAMPLES]],
    }


def _example(pair: BuiltPair) -> dict[str, Any]:
    _, first, second, language, *_ = pair.as_row()
    values = {"heuristic": str(TITLES[pair.heuristic]), "overlap": round(pair.overlap, 2)}
    return {"texts": [first, second], "language": language} | values


def _tenths(pairs: Sequence[BuiltPair], name: str) -> dict[str, Any]:
    counts = count_tenths([pair.overlap for pair in pairs])
    return figure(name, list(zip(TENTH_LABELS, counts, strict=True))) | {"pairs": len(pairs)}
