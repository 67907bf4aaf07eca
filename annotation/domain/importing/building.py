"""Pairs built from a corpus, and written to a file that can be imported (SemRel2024 3.1.1)."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning import Distribution
from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import TENTHS, count_tenths
from annotation.corpora.pairing import Heuristic, Mix, Pair, build_pairs, read_corpus
from annotation.domain.errors import Refusal
from annotation.domain.importing.findings import figure
from annotation.domain.importing.sentences import Sentence, read_choice, read_sentences

COLUMNS = ("id", "sentence1", "sentence2", "language", "source", "heuristic", "overlap")
LONGEST_NAME = 50
EXAMPLES = 3  # of each heuristic
# The name that each heuristic has in forms and commands, and in words.
NAMED = {
    "lexical": (Heuristic.OVERLAP, _("words in common")),
    "tfidf": (Heuristic.WEIGHTED_OVERLAP, _("words in common, rare ones counting more (TF-IDF)")),
    "contiguous": (Heuristic.CONTIGUITY, _("neighbours in their document")),
    "near_duplicates": (Heuristic.NEAR_DUPLICATE, _("near-duplicates")),
    "random": (Heuristic.RANDOM, _("at random")),
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


def build(path: Path, name: str, wishes: Mapping[str, int], *, chosen: Path | None = None) -> list[BuiltPair]:
    """The pairs of a corpus.

    Parameters: name, of the corpus, with which the pairs' ids begin; wishes, how many pairs by each of NAMED, with
        `seed`, and `uses`: in how many pairs a sentence may stand; chosen, a file of pairs chosen by hand.

    Raises:
        FileRefused: the files cannot be read as they should.
        Refusal: the corpus does not give so many pairs.
    """
    sentences = read_sentences(path)
    by_hand = read_choice(chosen, sentences) if chosen else ()
    wanted = {heuristic: wishes[key] for key, (heuristic, _) in NAMED.items() if wishes.get(key)}
    if not wanted and not by_hand:
        raise Refusal(_("Please say how many pairs are wanted, by at least one of the ways."))
    mix = Mix(wanted, seed=wishes.get("seed", 0), uses=wishes.get("uses", 1), chosen=by_hand)
    try:
        pairs = _drawn(sentences, mix)
    except CorpusError as error:
        raise Refusal(str(error)) from error
    prefix = Path(name).stem[:LONGEST_NAME]
    return [_built(pair, sentences, prefix) for pair in pairs]


def _drawn(sentences: Sequence[Sentence], mix: Mix) -> list[Pair]:
    known = any(sentence.document is not None for sentence in sentences)
    corpus = read_corpus(
        [sentence.text for sentence in sentences],
        documents=[sentence.document for sentence in sentences] if known else None,
        positions=[sentence.position or sentence.line for sentence in sentences] if known else None,
    )
    return build_pairs(corpus, mix)


def _built(pair: Pair, sentences: Sequence[Sentence], prefix: str) -> BuiltPair:
    first, second = sentences[pair.first], sentences[pair.second]
    return BuiltPair(f"{prefix}:{first.key}+{second.key}", first, second, pair.heuristic, pair.overlap)


def write_pairs(pairs: Sequence[BuiltPair], path: Path) -> None:
    """The pairs as CSV, as `import_items` reads it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(pair.as_row() for pair in pairs)


def spread_of(pairs: Sequence[BuiltPair]) -> dict[str, Any]:
    """How the overlap of the pairs is spread, in all and by heuristic, with some pairs of each, as it is stored."""
    by_heuristic = {one: [pair for pair in pairs if pair.heuristic is one] for one in Heuristic}
    return {
        "pairs": len(pairs),
        "overlap": _tenths(pairs, str(_("all pairs"))),
        "by_heuristic": [_tenths(some, str(TITLES[one])) for one, some in by_heuristic.items() if some],
        "examples": [_example(pair) for some in by_heuristic.values() for pair in some[:EXAMPLES]],
    }


def _example(pair: BuiltPair) -> dict[str, Any]:
    _, one, other, language, *_ = pair.as_row()
    told = {"heuristic": str(TITLES[pair.heuristic]), "overlap": round(pair.overlap, 2)}
    return {"texts": [one, other], "language": language} | told


def _tenths(pairs: Sequence[BuiltPair], name: str) -> dict[str, Any]:
    labels = tuple(f"{tenth / TENTHS:.1f} – {(tenth + 1) / TENTHS:.1f}" for tenth in range(TENTHS))
    counted = Distribution(labels, count_tenths([pair.overlap for pair in pairs]))
    return figure(name, list(zip(counted.labels, counted.counts, strict=True))) | {"pairs": len(pairs)}
