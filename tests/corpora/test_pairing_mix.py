import time
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import count_tenths, word_overlap
from annotation.corpora.pairing import Heuristic, Mix, Pair, build_pairs, read_corpus
from annotation.corpora.pairing.building import interleave_tenths
from tests.corpora.corpora import SENTENCES, made_up

FROM_FILES = (Heuristic.MANUAL, Heuristic.PARAPHRASE, Heuristic.SCORE)
COUNTED = [one for one in Heuristic if one not in FROM_FILES]


def corpus_of(sentences):
    return read_corpus(sentences, documents=[place // 10 for place in range(len(sentences))])


@settings(deadline=None)
@given(
    sentences=SENTENCES,
    wanted=st.dictionaries(st.sampled_from(COUNTED), st.integers(0, 6)),
    uses=st.integers(1, 4),
    window=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
def test_what_is_wanted_is_built_or_refused(sentences, wanted, uses, window, seed):
    corpus, mix = corpus_of(sentences), Mix(wanted, seed, uses=uses, window=window)
    try:
        pairs = build_pairs(corpus, mix)
    except CorpusError as error:
        assert str(error).startswith("The corpus has only ")
        return
    assert Counter(pair.heuristic for pair in pairs) == Counter(wanted)
    assert len({(pair.first, pair.second) for pair in pairs}) == len(pairs)
    assert max(Counter(one for pair in pairs for one in (pair.first, pair.second)).values(), default=0) <= uses
    for pair in pairs:
        assert pair.first < pair.second
        assert pair.overlap == pytest.approx(word_overlap(sentences[pair.first], sentences[pair.second]))


def test_same_seed_same_pairs():
    corpus = corpus_of(made_up(300))
    wanted = dict.fromkeys(COUNTED, 10)
    assert build_pairs(corpus, Mix(wanted, 1)) == build_pairs(corpus, Mix(wanted, 1))
    assert build_pairs(corpus, Mix(wanted, 1)) != build_pairs(corpus, Mix(wanted, 2))


def test_pairs_by_hand_come_first_and_count_as_used():
    corpus = read_corpus(["a b", "b c", "B, c", "d"])
    mix = Mix({Heuristic.RANDOM: 2}, 0, uses=2, chosen=((2, 0),))
    manual, *others = build_pairs(corpus, mix)
    assert manual == Pair(0, 2, Heuristic.MANUAL, 0.5)
    assert {(pair.first, pair.second) for pair in others} == {(0, 3), (1, 3)}
    with pytest.raises(
        CorpusError,
        match="The corpus has only 0 of the 1 pairs requested by random",
    ):
        build_pairs(corpus, Mix({Heuristic.RANDOM: 1}, 0, chosen=((2, 0),)))


def test_mix_spreads_pairs_from_unrelated_to_nearly_the_same():
    corpus = corpus_of(made_up(2000))
    wanted = {Heuristic.NEAR_DUPLICATE: 60, Heuristic.OVERLAP: 150, Heuristic.CONTIGUITY: 40, Heuristic.RANDOM: 50}
    tenths = count_tenths([pair.overlap for pair in build_pairs(corpus, Mix(wanted, 5))])
    assert sum(tenths[:2]) >= 50
    assert sum(tenths[2:5]) >= 50
    assert sum(tenths[8:]) >= 50


def test_turns_take_each_tenth_as_long_as_it_lasts():
    similarity = np.array([0.05] * 50 + [0.55] * 3 + [0.95])
    first = similarity[interleave_tenths(similarity, np.random.default_rng(0))][:8]
    assert first.tolist() == [0.05, 0.55, 0.95, 0.05, 0.55, 0.05, 0.55, 0.05]


def test_too_few_pairs():
    corpus, mix = read_corpus(["a", "b", "c"]), Mix({Heuristic.RANDOM: 2}, 0)
    with pytest.raises(
        CorpusError,
        match="The corpus has only 1 of the 2 pairs requested by random",
    ):
        build_pairs(corpus, mix)


@pytest.mark.parametrize(
    ("mix", "message"),
    [
        (Mix({Heuristic.RANDOM: -1}, 0), "Numbers of pairs must be 0"),
        (Mix({}, 0, uses=0), "Numbers of pairs must be 0"),
        (Mix({}, 0, window=0), "Numbers of pairs must be 0"),
        (Mix({Heuristic.MANUAL: 1}, 0), "Pairs chosen by hand are listed"),
        (Mix({Heuristic.CONTIGUITY: 1}, 0), "Neighbouring sentences can only be paired"),
        (Mix({Heuristic.PARAPHRASE: 1}, 0), "Paraphrases need a file of ready pairs"),
        (Mix({Heuristic.SCORE: 1}, 0), "Pairs spread over their scores need"),
        (
            Mix({}, 0, chosen=((0, 4),)),
            r"\(0, 4\) refers to a sentence that does not exist. There are 4",
        ),
        (Mix({}, 0, chosen=((-1, 0),)), "does not exist"),
        (Mix({}, 0, chosen=((1, 1),)), "same words"),
        (Mix({}, 0, chosen=((1, 2),)), "same words"),
        (Mix({}, 0, uses=2, chosen=((0, 1), (2, 0))), r"have the same sentences"),
        (Mix({}, 0, chosen=((0, 1), (0, 3))), "Sentence 0 is in 2 chosen pairs, but the maximum is 1"),
    ],
)
def test_mix_that_makes_no_sense(mix, message):
    with pytest.raises(CorpusError, match=message):
        build_pairs(read_corpus(["a b", "b c", "B, c", "d"]), mix)


@pytest.mark.thorough
@pytest.mark.slow
def test_many_sentences_in_seconds_and_bounded_memory(paper_size):
    number = 50_000 if paper_size else 12_500
    sentences = made_up(number, words=40_000)
    began = time.monotonic()
    corpus = corpus_of(sentences)
    build_pairs(corpus, Mix(dict.fromkeys(COUNTED, 1000), 1))
    assert time.monotonic() - began < 60
    tracemalloc.start()
    build_pairs(corpus, Mix({Heuristic.OVERLAP: 1000}, 1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < number * 10_000
