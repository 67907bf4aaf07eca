from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.splitting import SplitError, connect, read_sizes, sizes_for, split_items

NAMES = ("train", "dev", "test")


def sized(text, number):
    return sizes_for(read_sizes(text, NAMES), number)


def dealt(keys, sizes, seed=0, clusters=None):
    parts = split_items(keys, sizes, np.random.default_rng(seed), clusters)
    return dict(zip(keys, parts.tolist(), strict=True))


@st.composite
def items_and_sizes(draw):
    """Different keys in any order, and sizes of one to four parts that add up to their number."""
    keys = draw(st.lists(st.text(min_size=1, max_size=5), max_size=30, unique=True))
    ends = sorted(draw(st.lists(st.integers(0, len(keys)), max_size=3)))
    sizes = [end - start for start, end in zip([0, *ends], [*ends, len(keys)], strict=True)]
    return keys, sizes, draw(st.integers(0, 2**32))


@st.composite
def pairs_and_sizes(draw):
    """As above; each item with two of a few sentences."""
    keys, sizes, seed = draw(items_and_sizes())
    sentences = st.tuples(st.integers(0, 25), st.integers(0, 25))
    return keys, draw(st.lists(sentences, min_size=len(keys), max_size=len(keys))), sizes, seed


# sizes


@pytest.mark.parametrize(
    ("text", "number", "sizes"),
    [
        ("train=0.8,dev=0.1,test=0.1", 300, (240, 30, 30)),
        ("train=0.8, dev=.1 ,test=0.1", 7, (5, 1, 1)),
        ("train=5500,dev=250,test=2600", 8350, (5500, 250, 2600)),
        ("train=rest,dev=250,test=2600", 8350, (5500, 250, 2600)),
        ("dev=0.5,test=0.5", 3, (0, 2, 1)),
        ("train=rest", 3, (3, 0, 0)),
        ("train=0,dev=0.5,test=rest", 10, (0, 5, 5)),
        ("train=1.0", 10, (10, 0, 0)),
        ("train=0.68,dev=0.06,test=0.26", 0, (0, 0, 0)),
        ("train=10,dev=rest", 10, (10, 0, 0)),
    ],
)
def test_sizes(text, number, sizes):
    assert sized(text, number) == dict(zip(NAMES, sizes, strict=True))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("valid=0.1", "“valid” is not a part of the dataset. Use one of: train, dev, test."),
        ("", "“” is not a part of the dataset. Use one of: train, dev, test."),
        ("train=5,train=5", "The size of train is given twice."),
        ("train=rest,dev=rest", "Only one part can take the rest."),
        ("train=0.5,dev=5", "Give all sizes as numbers of items, or all as shares such as 0.8."),
        ("train=80%", "The size of train must be a number of items, a share such as 0.8, or rest, not “80%”."),
        ("train", "The size of train must be a number of items, a share such as 0.8, or rest, not “”."),
        ("dev=-1", "The size of dev must be a number of items, a share such as 0.8, or rest, not “-1”."),
        (
            "train=0.8,dev=0.1",
            "The shares add up to 0.9, not to 1. One part can take the rest, as in train=rest.",
        ),
        (
            "train=0.8,dev=0.3,test=rest",
            "The shares add up to 1.1, not to 1. One part can take the rest, as in train=rest.",
        ),
        (
            "train=8,dev=1",
            "The sizes add up to 9, not to 10 items. One part can take the rest, as in train=rest.",
        ),
        (
            "train=rest,test=11",
            "The sizes add up to 11, not to 10 items. One part can take the rest, as in train=rest.",
        ),
    ],
)
def test_sizes_that_make_no_sense(text, reason):
    with pytest.raises(SplitError) as refused:
        sized(text, 10)
    assert str(refused.value) == reason


@given(st.integers(0, 10_000), st.integers(0, 1000), st.integers(0, 1000))
def test_shares_are_met_to_one_item(number, one, two):
    shares = {"train": Fraction(one, 2000), "dev": Fraction(two, 2000), "test": None}
    sizes = sizes_for(shares, number)
    shares["test"] = 1 - shares["train"] - shares["dev"]
    assert sum(sizes.values()) == number
    assert all(abs(sizes[name] - shares[name] * number) < 1 for name in NAMES)


# items dealt


@given(items_and_sizes())
def test_without_clusters_every_size_is_met(drawn):
    keys, sizes, seed = drawn
    parts = Counter(dealt(keys, sizes, seed).values())
    assert [parts[part] for part in range(len(sizes))] == sizes


@given(pairs_and_sizes(), st.randoms())
def test_the_same_seed_splits_the_same_in_any_order(drawn, chance):
    keys, sentences, sizes, seed = drawn
    rows = list(zip(keys, sentences, strict=True))
    chance.shuffle(rows)
    shuffled, moved = [key for key, _ in rows], [pair for _, pair in rows]
    assert dealt(keys, sizes, seed) == dealt(shuffled, sizes, seed)
    apart = dealt(keys, sizes, seed, connect(sentences))
    assert apart == dealt(shuffled, sizes, seed, connect(moved))


@given(pairs_and_sizes())
def test_no_sentence_is_in_two_parts(drawn):
    keys, sentences, sizes, seed = drawn
    parts = dealt(keys, sizes, seed, connect(sentences))
    seen = {(sentence, parts[key]) for key, pair in zip(keys, sentences, strict=True) for sentence in pair}
    assert parts.keys() == set(keys)
    assert set(parts.values()) <= set(range(len(sizes)))
    assert len(seen) == len({sentence for sentence, _ in seen})


def test_another_seed_splits_differently():
    keys = [f"p{number}" for number in range(40)]
    assert dealt(keys, [20, 20], 0) != dealt(keys, [20, 20], 1)


def test_items_hang_together_over_others():
    labels = connect([("a", "b"), ("c", "d"), ("b", "e"), ("f", "f"), ("e", "c")]).tolist()
    assert [label == labels[0] for label in labels] == [True, True, True, False, True]


def test_clusters_even_the_sizes_out():
    keys = [f"p{number}" for number in range(10)]
    clusters = np.array([0, 0, 0, 0, 1, 1, 2, 2, 3, 4])
    parts = dealt(keys, [6, 2, 2], 3, clusters)
    assert Counter(parts.values()) == {0: 6, 1: 2, 2: 2}
    assert len({parts[key] for key in keys[:4]}) == 1


def test_a_cluster_larger_than_every_part_stays_whole():
    keys = [f"p{number}" for number in range(10)]
    parts = dealt(keys, [4, 3, 3], 0, np.array([0] * 8 + [1, 2]))
    assert Counter(parts.values()) == {0: 8, 1: 1, 2: 1}


@pytest.mark.parametrize(("keys", "sizes"), [(["a", "b"], [1]), (["a", "a"], [1, 1])])
def test_what_cannot_be_dealt(keys, sizes):
    with pytest.raises(ValueError, match="items with distinct keys"):
        split_items(keys, sizes, np.random.default_rng(0))
