from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.cleaning import (
    Distribution,
    category_balance,
    length_balance,
    number_balance,
    overlap_balance,
)
from annotation.corpora.errors import CorpusError
from annotation.corpora.overlap import count_tenths, tenth_of, word_overlap


def test_categories_most_frequent_first():
    found = category_balance(["news", "blog", "news", "", "news", "blog"])
    assert found == Distribution(("news", "blog", ""), (3, 2, 1))
    assert found.largest_share == 0.5


@pytest.mark.parametrize(
    ("counts", "share", "evenness"), [((5, 5), 0.5, 1), ((5,), 1, 0), ((5, 0), 1, 0), ((), 0, 0), ((0, 0), 0, 0)]
)
def test_share_and_evenness(counts, share, evenness):
    found = Distribution(tuple("abc"[: len(counts)]), counts)
    assert (found.largest_share, found.evenness) == (share, pytest.approx(evenness))


def test_numbers_in_bins():
    assert number_balance([0, 0.1, 0.5, 1], 0, 1, bins=2) == Distribution(("0 – 0.5", "0.5 – 1"), (2, 2))
    assert number_balance([3.0, 3.0], 0, 4, bins=4).counts == (0, 0, 0, 2)
    assert number_balance([-0.2, 0.6], -1, 1).counts == (0, 0, 0, 0, 1, 0, 0, 0, 1, 0)


@pytest.mark.parametrize("values", [[], [1, nan], [inf]])
def test_numbers_missing(values):
    with pytest.raises(CorpusError, match="at least one number"):
        number_balance(values, 0, 1)


def test_lengths_in_fives():
    rows = [["one two", "क ख ग घ ङ च"], ["!", "ሀ ለ ሐ መ ሠ"]]
    assert length_balance(rows) == Distribution(("0 – 4", "5 – 9"), (2, 2))
    assert length_balance([]) == Distribution((), ())


def test_overlap_of_pairs():
    found = overlap_balance([["a b", "A, b!"], ["a b", "b c"], ["a", "b"], ["!", "?"]])
    assert found.counts == (2, 0, 0, 0, 0, 1, 0, 0, 0, 1)
    assert (found.labels[0], found.labels[-1]) == ("0.0 – 0.1", "0.9 – 1.0")
    with pytest.raises(CorpusError, match="Overlap is defined for pairs, but"):
        overlap_balance([["a"]])


@settings(deadline=None)
@given(one=st.text(), other=st.text())
def test_overlap_is_the_same_from_both_sides(one, other):
    assert word_overlap(one, other) == word_overlap(other, one)
    assert 0 <= word_overlap(one, other) <= 1


def test_word_overlap_keeps_marks_and_folds_case():
    assert word_overlap("हिन्दी भाषा", "हिन्दी!") == pytest.approx(2 / 3)
    assert word_overlap("Straße", "STRASSE") == 1


def test_tenths():
    assert tenth_of([0, 0.05, 0.1, 0.3, 0.7, 0.99, 1]).tolist() == [0, 0, 1, 3, 7, 9, 9]
    assert count_tenths([]) == (0,) * 10
