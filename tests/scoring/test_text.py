import csv
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.text import dice_overlap, mtld, readability, root_type_token_ratio

pytestmark = pytest.mark.once
texts = st.lists(st.sampled_from("abcdefg"), min_size=1).map(" ".join)


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
    # characters: 4.71 * 3 + .5 * 6 - 21.43 = -4.3. textstat rounds what is below zero one step too far.
    assert found.coleman_liau == pytest.approx(-4.42, abs=0.011)
    assert found.automated_readability == pytest.approx(-4.3, abs=0.101)
    # Six easy words in one sentence: r = 6, and 6 / 2 - 1 (eq. 7-8)
    assert found.linsear_write == 2
    with pytest.raises(ValueError, match="without words"):
        readability(" ")


def test_text_standard_of_the_sentences_of_dscs(outside_data):
    with (Path(outside_data) / "dscs.csv").open(encoding="utf-8", newline="") as file:
        sentences = {row[name] for row in csv.DictReader(file) for name in ("sentence1", "sentence2")}

    standards = [readability(sentence).text_standard for sentence in sentences]

    assert (len(standards), round(fmean(standards), 1)) == (52, 12.4)


def test_root_type_token_ratio():
    assert root_type_token_ratio("a b a c".split()) == 1.5
    with pytest.raises(ValueError, match="Without tokens"):
        root_type_token_ratio([])


def test_mtld_by_hand():
    # Forwards a b | a ... : the ratio falls to 2/3 <= .72 at every third token, so six tokens make two stretches of
    # three; backwards the same.
    assert mtld("a b a b a b".split()) == pytest.approx(3)
    # a a | b: one stretch of two, then one token whose ratio is 1, which counts nothing; backwards b, then b a a at
    # 2/3: one stretch of three.
    assert mtld("a a b".split()) == pytest.approx((3 / 1 + 3 / 1) / 2)


@pytest.mark.parametrize(("tokens", "reason"), [([], "Without tokens"), (["a", "b"], "not defined")])
def test_mtld_is_not_defined(tokens, reason):
    with pytest.raises(ValueError, match=reason):
        mtld(tokens)
