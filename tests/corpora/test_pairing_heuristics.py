import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import word_overlap
from annotation.corpora.pairing import Heuristic, read_corpus, search
from annotation.corpora.pairing.heuristics import FINDERS, NEAR, PairRequest, unordered
from annotation.corpora.pairing.similarity import compare, cosine, overlap, weights
from tests.corpora.corpora import SENTENCES, made_up


def find(heuristic, corpus, *, pairs=100, window=1, seed=0):
    return FINDERS[heuristic](corpus, PairRequest(pairs, window), np.random.default_rng(seed))


def pairs_of(heuristic, sentences, *, window=1, **given):
    found = find(heuristic, read_corpus(sentences, **given), window=window)
    return {tuple(pair) for pair in found.pairs.tolist()}


@settings(deadline=None)
@given(sentences=SENTENCES, heuristic=st.sampled_from(list(FINDERS)), window=st.integers(1, 4), seed=st.integers(0, 99))
def test_candidates_are_different_pairs_of_the_pool(sentences, heuristic, window, seed):
    corpus = read_corpus(sentences, documents=[place // 7 for place in range(len(sentences))])
    found = find(heuristic, corpus, window=window, seed=seed)
    assert np.isin(found.pairs, corpus.pool).all()
    assert (found.pairs[:, 0] < found.pairs[:, 1]).all()
    assert len(np.unique(found.pairs, axis=0)) == len(found.pairs) == len(found.similarity)
    assert ((found.similarity >= 0) & (found.similarity <= 1)).all()
    again = find(heuristic, corpus, window=window, seed=seed)
    assert (again.pairs == found.pairs).all()


@settings(deadline=None)
@given(sentences=SENTENCES)
def test_overlap_finds_every_pair_with_a_word_in_common(sentences):
    corpus = read_corpus(sentences)
    found = find(Heuristic.OVERLAP, corpus)
    shared = {
        (int(one), int(other)): word_overlap(sentences[one], sentences[other])
        for one in corpus.pool
        for other in corpus.pool
        if one < other and word_overlap(sentences[one], sentences[other])
    }
    assert dict(zip(map(tuple, found.pairs.tolist()), found.similarity.tolist(), strict=True)) == pytest.approx(shared)
    weighted = find(Heuristic.WEIGHTED_OVERLAP, corpus)
    assert (weighted.pairs == found.pairs).all()


def test_weights_make_rare_words_count():
    corpus = read_corpus(["the cat", "the dog", "a cat", "the sun", "the sea"])
    frequent, rare = compare(weights(corpus), np.array([[0, 1], [0, 2]]), cosine)
    assert rare > frequent
    assert overlap(corpus, np.array([[0, 1], [0, 2]])).tolist() == [0.5, 0.5]


def test_weights_are_those_worked_out_by_hand():
    corpus = read_corpus(["x x y", "y z"])
    x, y, z = np.log([3, 2, 3])
    expected = y * y / np.hypot(2 * x, y) / np.hypot(y, z)
    assert compare(weights(corpus), np.array([[0, 1]]), cosine) == pytest.approx([expected])


def test_words_of_a_tenth_of_the_sentences_are_not_looked_up(monkeypatch):
    monkeypatch.setattr(search, "FREQUENT", 2)
    sentences = ["the cat", "the dog", "the sun", "a cat", "a sea"]
    assert pairs_of(Heuristic.OVERLAP, sentences) == {(0, 3), (3, 4)}


def test_search_keeps_a_bounded_number_of_each_tenth(monkeypatch):
    monkeypatch.setattr(search, "KEPT", 5)
    monkeypatch.setattr(search, "BLOCK", 20)
    monkeypatch.setattr(search, "SAMPLE", 60)
    found = find(Heuristic.OVERLAP, read_corpus(made_up(200)))
    assert 20 < len(found.pairs) <= 3 * 10 * 5


def test_contiguity_within_a_document():
    sentences = ["one", "two", "three", "four", "five"]
    documents = ["b", "a", "b", "a", "b"]
    assert pairs_of(Heuristic.CONTIGUITY, sentences, documents=documents) == {(0, 2), (2, 4), (1, 3)}
    assert pairs_of(Heuristic.CONTIGUITY, sentences, documents=documents, window=2) == {(0, 2), (2, 4), (1, 3), (0, 4)}
    assert pairs_of(Heuristic.CONTIGUITY, sentences, documents=documents, positions=[2, 1, 1, 2, 3]) == {
        (0, 2),
        (0, 4),
        (1, 3),
    }


def test_contiguity_takes_a_repeated_sentence_from_where_it_stands_first():
    assert pairs_of(Heuristic.CONTIGUITY, ["yes", "no", "Yes!", "why"], documents=[0, 0, 1, 1]) == {(0, 1), (0, 3)}


def test_contiguity_without_documents_or_sentences():
    assert pairs_of(Heuristic.CONTIGUITY, ["one", "two"]) == set()
    assert pairs_of(Heuristic.CONTIGUITY, [], documents=[]) == set()


def test_near_duplicates_in_many_scripts():
    sentences = [
        "ጠቅላይ ሚኒስትሩ ዛሬ ወደ አዲስ አበባ ተመለሱ",
        "ጠቅላይ ሚኒስትር ዛሬ ወደ አዲስ አበባ ተመለሱ",
        "प्रधानमंत्री ने आज नई दिल्ली में भाषण दिया",
        "प्रधानमंत्री ने आज नई दिल्ली में एक भाषण दिया",
        "عاد رئيس الوزراء اليوم إلى العاصمة بعد زيارة طويلة",
        "عاد رئيس الوزراء اليوم إلى العاصمة بعد زيارة قصيرة طويلة",
        "The weather is fine",
        "The Weather is fine!",
    ]
    assert pairs_of(Heuristic.NEAR_DUPLICATE, sentences) == {(0, 1), (2, 3), (4, 5)}


def test_near_duplicates_of_a_larger_corpus_are_found():
    corpus = read_corpus(made_up(1000))
    found = find(Heuristic.NEAR_DUPLICATE, corpus)
    every = np.column_stack(np.triu_indices(1000, k=1))
    alike = every[overlap(corpus, every) >= 0.85]
    assert len(alike) > 60
    assert len({*map(tuple, alike.tolist())} - {*map(tuple, found.pairs.tolist())}) <= 0.05 * len(alike)
    assert found.similarity.min() >= NEAR


def test_chance_gives_every_pair_of_a_small_corpus_and_enough_of_a_large_one():
    small = find(Heuristic.RANDOM, read_corpus(["a", "b", "c", "!"]))
    assert {tuple(pair) for pair in small.pairs.tolist()} == {(0, 1), (0, 2), (1, 2)}
    large = find(Heuristic.RANDOM, read_corpus(made_up(300)), pairs=50)
    assert 800 <= len(large.pairs) <= 1000


def test_pool_leaves_out_sentences_too_short_too_long_or_repeated():
    sentences = ["one", "one two", "One, two.", "one two three four", "…", "two one"]
    assert read_corpus(sentences, shortest=2, longest=3).pool.tolist() == [1, 5]
    assert read_corpus(sentences).pool.tolist() == [0, 1, 3, 5]
    assert read_corpus(sentences, shortest=0).first.tolist() == [0, 1, 1, 3, 4, 5]
    assert len(read_corpus([])) == 0


@pytest.mark.parametrize("given", [{"documents": [1]}, {"positions": [1, 2, 3]}])
def test_corpus_with_columns_of_another_length(given):
    with pytest.raises(CorpusError, match=f"2 sentences, but {len(next(iter(given.values())))} {next(iter(given))}"):
        read_corpus(["a", "b"], **given)


def test_unordered():
    assert unordered(np.array([[2, 1], [1, 2], [3, 3], [0, 1]])).tolist() == [[0, 1], [1, 2]]
