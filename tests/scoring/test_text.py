import csv
from dataclasses import astuple
from math import ceil, isnan
from pathlib import Path
from statistics import fmean, multimode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.text import dice_overlap, mtld, readability, root_type_token_ratio

texts = st.lists(st.sampled_from("abcdefg"), min_size=1).map(" ".join)
HARD = "The municipality's representatives unanimously rejected the controversial infrastructure proposal."
LONG = (
    "Dr. Novak, who had been re-elected twice, didn't expect the committee's decision. It was published at 3.30 in the "
    "morning! Nobody outside the university understood why. The documentation of well-known experiments is "
    "insufficient: investigators repeatedly asked for the original questionnaires, and received them after weeks."
)
TEXTSTAT = {
    "one": (-3.5, -28.01, -6.9, -0.5),
    LONG: (10.3, 15.22, 12.4, 5.9),
    HARD: (28.0, 37.67, 30.2, 11.5),
    "word " * 120: (43.0, 7.1, 57.4, 50.0),
}
"""Flesch-Kincaid, Coleman-Liau, automated readability and Linsear Write by textstat 0.7.4."""


def test_dice_overlap_keeps_case_and_punctuation():
    # {The, cat} and {the, cat.}: nothing shared; {a, b, c} and {b, c}: 2 * 2 / 5
    assert dice_overlap("The cat", "the cat.") == 0
    assert dice_overlap("a b c", "b  c b") == pytest.approx(0.8)
    with pytest.raises(ValueError, match="without words"):
        dice_overlap(" ", "")


@given(texts, texts)
def test_dice_overlap_is_symmetric_and_a_share(one, other):
    found = dice_overlap(one, other)

    assert found == dice_overlap(other, one)
    assert 0 <= found <= 1
    assert dice_overlap(one, one) == 1


def test_readability_of_one_sentence_by_hand():
    # Six one-syllable words in one sentence: .39 * 6 + 11.8 * 1 - 15.59 = -1.45 (DSCS eq. 4)
    found = readability("The cat sat on the mat.")

    assert found.flesch_kincaid == pytest.approx(-1.45, abs=0.06)
    assert found.gunning_fog == pytest.approx(2.4, abs=0.01)
    # 17 letters of 6 words, .17 sentences a word: .058 * 283 - .296 * 17 - 15.8 = -4.42; with the full stop 18
    # characters: 4.71 * 3 + .5 * 6 - 21.43 = -4.3. What is below zero is rounded one step too far, as by textstat.
    assert found.coleman_liau == pytest.approx(-4.42, abs=0.011)
    assert found.automated_readability == pytest.approx(-4.3, abs=0.101)
    # Six easy words in one sentence: r = 6, and 6 / 2 - 1 (eq. 7-8)
    assert found.linsear_write == 2


@pytest.mark.parametrize("text", ["", " ", "... !?", "–"])
def test_readability_of_a_text_without_words_is_not_defined(text):
    assert all(map(isnan, astuple(readability(text))))


@pytest.mark.parametrize(("text", "expected"), TEXTSTAT.items())
def test_readability_is_counted_and_rounded_as_textstat_does(text, expected):
    assert astuple(readability(text))[:4] == expected


def test_complex_words_have_three_syllables_and_count_once():
    # 10 words in one sentence; family and committee, the latter twice: .4 * (10 + 100 * 2 / 10)
    assert readability("The committee met, and a family met the same committee.").gunning_fog == 12


def test_text_standard_is_the_grade_that_most_indices_give():
    found = readability(LONG)
    grades = [round(grade) for grade in astuple(found)[:5]] + [ceil(grade) for grade in astuple(found)[:5]]
    assert found.text_standard in multimode(grades)


def test_text_standard_of_the_sentences_of_dscs(outside_data):
    with (Path(outside_data) / "dscs.csv").open(encoding="utf-8", newline="") as file:
        sentences = {row[name] for row in csv.DictReader(file) for name in ("sentence1", "sentence2")}

    standards = [readability(sentence).text_standard for sentence in sentences]

    assert (len(standards), round(fmean(standards), 1)) == (52, 12.4)


def test_root_type_token_ratio():
    assert root_type_token_ratio("a b a c".split()) == 1.5
    with pytest.raises(ValueError, match="at least one token"):
        root_type_token_ratio([])


def test_mtld_by_hand():
    # Forwards a b | a ... : the ratio falls to 2/3 <= .72 at every third token, so six tokens make two stretches of
    # three; backwards the same.
    assert mtld("a b a b a b".split()) == pytest.approx(3)
    # a a | b: one stretch of two, then one token whose ratio is 1, which counts nothing; backwards b, then b a a at
    # 2/3: one stretch of three.
    assert mtld("a a b".split()) == pytest.approx((3 / 1 + 3 / 1) / 2)


@pytest.mark.parametrize(("tokens", "reason"), [([], "at least one token"), (["a", "b"], "not defined")])
def test_mtld_is_not_defined(tokens, reason):
    with pytest.raises(ValueError, match=reason):
        mtld(tokens)
