"""Ready pairs as a source, limits of length, and near-duplicates that are removed."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import count_tenths
from annotation.corpora.pairing import Heuristic, LeftOut, Mix, build_pairs, read_corpus, remove_near_duplicates
from tests.corpora.corpora import SENTENCES, made_up

FOX = "The quick brown fox jumps over the lazy dog near the river"
FOXES = [FOX, "A heron stands in the pond", f"{FOX}s", FOX.upper(), "Snow fell on the hills all night", f"{FOX}bank"]


def without_near_duplicates(sentences, threshold=0.9, **limits):
    return remove_near_duplicates(read_corpus(sentences, **limits), threshold, np.random.default_rng(0))


def trigrams(text):
    padded = f" {text} "
    return {padded[place : place + 3] for place in range(len(text))}


def shared(one, other):
    first, second = trigrams(one), trigrams(other)
    return 2 * len(first & second) / (len(first) + len(second))


def test_the_first_of_several_near_duplicates_is_kept():
    corpus = without_near_duplicates(FOXES)

    assert corpus.alike.tolist() == [0, 1, 0, 0, 4, 0]
    assert corpus.left_out == {LeftOut.REPEATED: 1, LeftOut.NEARLY_REPEATED: 2}
    pairs = build_pairs(corpus, Mix({Heuristic.RANDOM: 3}, 0, uses=2))
    assert {(pair.first, pair.second) for pair in pairs} == {(0, 1), (0, 4), (1, 4)}


def test_near_duplicates_are_still_paired_with_each_other_but_only_once():
    corpus = without_near_duplicates(FOXES)

    (pair,) = build_pairs(corpus, Mix({Heuristic.NEAR_DUPLICATE: 1}, 0, uses=9))

    assert {pair.first, pair.second} <= {0, 2, 5}
    with pytest.raises(
        CorpusError,
        match="The corpus has only 1 of the 2 pairs requested by near duplicate",
    ):
        build_pairs(corpus, Mix({Heuristic.NEAR_DUPLICATE: 2}, 0, uses=9))


@settings(deadline=None)
@given(sentences=SENTENCES, shortest=st.integers(1, 3), longest=st.integers(3, 6), threshold=st.sampled_from([0.8, 1]))
def test_every_sentence_is_kept_or_counted_once(sentences, shortest, longest, threshold):
    corpus = without_near_duplicates(sentences, threshold, shortest=shortest, longest=longest)

    kept = corpus.pool[corpus.alike[corpus.pool] == corpus.pool]
    assert len(kept) + sum(corpus.left_out.values()) == len(sentences)
    assert (corpus.alike <= np.arange(len(sentences))).all()
    for sentence in corpus.pool.tolist():
        text = corpus.normalized[sentence]
        assert shortest <= len(text.split()) <= longest
        if corpus.alike[sentence] != sentence:
            others = [corpus.normalized[other] for other in corpus.pool if other != sentence]
            assert max(shared(text, other) for other in others) >= threshold - 1e-6


def test_nearly_all_near_duplicates_of_a_corpus_are_found():
    sentences = made_up(800)
    corpus = without_near_duplicates(sentences)

    kept = corpus.pool[corpus.alike[corpus.pool] == corpus.pool].tolist()
    texts = [trigrams(corpus.normalized[place]) for place in corpus.pool]
    near = [
        (one, other)
        for one in range(len(texts))
        for other in range(one)
        if 2 * len(texts[one] & texts[other]) / (len(texts[one]) + len(texts[other])) >= 0.9
    ]
    assert len(near) > 20
    assert not [pair for pair in near if {corpus.pool[place] for place in pair} <= set(kept)]


@pytest.mark.parametrize("threshold", [0.79, 1.01, -1])
def test_thresholds_that_make_no_sense(threshold):
    with pytest.raises(CorpusError, match="The near-duplicate threshold must be from"):
        without_near_duplicates(FOXES, threshold)


def test_lengths_that_exclude_each_other():
    with pytest.raises(CorpusError, match="is greater than the maximum"):
        read_corpus(FOXES, shortest=5, longest=4)


def test_reasons_why_sentences_are_left_out():
    corpus = read_corpus(["…", "one", "one two", "One, two!", "one two three four"], shortest=2, longest=3)

    assert corpus.left_out == {
        LeftOut.NO_WORDS: 1,
        LeftOut.TOO_SHORT: 1,
        LeftOut.TOO_LONG: 1,
        LeftOut.REPEATED: 1,
    }


def ready(pairs, scores=None, **limits):
    sentences = [side for pair in pairs for side in pair]
    places = [(place, place + 1) for place in range(0, len(sentences), 2)]
    return read_corpus(sentences, ready=places, scores=scores, **limits)


def test_paraphrases_are_taken_as_they_came():
    corpus = ready([("a b", "c d"), ("e f", "g h"), ("A b!", "C d"), ("i j", "I, j"), ("k", "l m"), ("n o p", "q r")])
    shorter = ready([("k", "l m"), ("n o p q", "q r"), ("s t", "u v")], shortest=2, longest=3)

    found = build_pairs(corpus, Mix({Heuristic.PARAPHRASE: 4}, 1))

    # Neither the pair that is repeated nor the one whose sides have the same words is taken.
    assert {(pair.first, pair.second) for pair in found} == {(0, 1), (2, 3), (8, 9), (10, 11)}
    (pair,) = build_pairs(shorter, Mix({Heuristic.PARAPHRASE: 1}, 1))
    assert (pair.first, pair.second, pair.heuristic) == (4, 5, Heuristic.PARAPHRASE)
    with pytest.raises(
        CorpusError,
        match="The corpus has only 4 of the 5 pairs requested by paraphrase",
    ):
        build_pairs(corpus, Mix({Heuristic.PARAPHRASE: 5}, 1))


def test_scored_pairs_are_spread_over_the_range_of_their_scores():
    generator = np.random.default_rng(0)
    scores = np.concatenate([generator.uniform(0, 0.5, 900), generator.uniform(0.5, 5, 100)])
    pairs = [(f"a{place} b{place}", f"c{place} d{place}") for place in range(1000)]

    found = build_pairs(ready(pairs, scores), Mix({Heuristic.SCORE: 50}, 1))

    tenths = count_tenths([scores[pair.first // 2] / scores.max() for pair in found])
    assert min(tenths) >= 4


def test_pairs_without_a_score_are_no_scored_pairs():
    corpus = ready([("a b", "c d"), ("e f", "g h")], [np.nan, 3.0])

    (pair,) = build_pairs(corpus, Mix({Heuristic.SCORE: 1}, 1))

    assert (pair.first, pair.second) == (2, 3)


def test_paraphrases_that_are_near_duplicates_are_taken_and_their_sides_count_as_one():
    corpus = remove_near_duplicates(
        ready([(FOX, f"{FOX}s"), ("A heron stands in the pond", "Snow fell")]), 0.9, np.random.default_rng(0)
    )

    pairs = build_pairs(corpus, Mix({Heuristic.PARAPHRASE: 2}, 0))

    assert {(pair.first, pair.second) for pair in pairs} == {(0, 1), (2, 3)}


@pytest.mark.slow
def test_near_duplicates_of_many_sentences_are_removed_in_seconds(paper_size):
    corpus = read_corpus(made_up(100_000 if paper_size else 25_000, words=40_000))
    began = time.monotonic()

    removed = remove_near_duplicates(corpus, 0.9, np.random.default_rng(0)).left_out[LeftOut.NEARLY_REPEATED]

    assert removed > 0.02 * len(corpus)
    assert time.monotonic() - began < 60
