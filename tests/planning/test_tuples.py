import json
from collections import Counter
from dataclasses import asdict
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.planning.errors import PlanningError
from annotation.planning.tuples import (
    certificate,
    connection,
    count_tuples,
    cyclic,
    design,
    design_groups,
    design_tuples,
    extend_design,
    extend_groups,
    search,
    swaps,
)
from tests.properties import examples

FACTORS = st.sampled_from([Fraction(2, 3), 1, 1.5, Fraction(5, 3), 2, Decimal("2.25"), 3])


@pytest.fixture(autouse=True, scope="module")
def short_search():
    """What must hold always does not depend on how long the search goes on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "PATIENCE", 3)
        yield


def make(items, size=4, factor=2, seed=0):
    return design_tuples(items, size=size, factor=factor, generator=np.random.default_rng(seed))


def assert_sound(found):
    assert found.appearances_min >= 1
    assert (found.tuples_twice, found.items_twice, found.pairs_across_groups) == (0, 0, 0)
    assert found.repeats >= found.repeats_at_least
    assert found.connected


# Designs made at once


@settings(max_examples=examples(0.3))
@given(items=st.integers(3, 70), size=st.integers(2, 8), factor=FACTORS, seed=st.integers(0, 1000))
def test_design_is_balanced_connected_and_without_repetition(items, size, factor, seed):
    assume(size <= items)
    wanted = count_tuples(items, size=size, factor=factor)
    assume(wanted <= comb(items, size) and wanted * (size - 1) >= items + size)

    found = certificate(make(items, size, factor, seed), items)

    assert (found.tuples, found.size) == (wanted, size)
    assert_sound(found)
    assert found.appearances_max - found.appearances_min == (wanted * size % items > 0)
    assert found.position_spread <= 1
    assert found.components == 1


@pytest.mark.parametrize("items", [26, 34, 40, 41, 57, 100, 101, 5_500])
def test_semrel_design_is_exact(items):
    found = certificate(make(items), items)

    assert_sound(found)
    assert (found.appearances_min, found.appearances_max) == (8, 8)
    assert (found.position_min, found.position_max) == (2, 2)
    assert found.pairs_together == {0: comb(items, 2) - 12 * items, 1: 12 * items}


@pytest.mark.parametrize("size", range(2, 6))
def test_every_possible_number_of_tuples_of_few_items(size):
    for items in range(size, 7):
        for wanted in range(-(-(items - 1) // (size - 1)), comb(items, size) + 1):
            found = certificate(make(items, size, Fraction(wanted, items)), items)
            assert found.tuples == wanted
            assert_sound(found)
            assert found.appearances_max - found.appearances_min == (wanted * size % items > 0)
            assert found.position_spread <= 1


@pytest.mark.parametrize(
    ("items", "size", "factor"),
    # Fano plane, affine plane of 9 points, projective plane of 13, the tightest of the SemRel and other kinds
    [(7, 3, 1), (9, 3, Fraction(4, 3)), (13, 4, 1), (26, 4, 2), (27, 4, 2), (33, 4, 2), (45, 5, 2), (85, 6, 2)],
)
def test_design_with_hardly_any_room_repeats_no_pair(monkeypatch, items, size, factor):
    monkeypatch.setattr(search, "PATIENCE", 20)
    found = certificate(make(items, size, factor), items)

    assert_sound(found)
    assert (found.repeats, found.position_spread) == (0, int(factor != int(factor)))


@pytest.mark.parametrize(
    ("items", "size", "wanted"), [(5, 3, 4), (5, 3, 5), (6, 2, 6), (6, 3, 4), (6, 3, 5), (6, 4, 5), (6, 4, 6)]
)
def test_few_items_meet_as_evenly_as_in_any_balanced_design(items, size, wanted):
    def meet_again(tuples):
        met = Counter(pair for one in tuples for pair in combinations(sorted(one), 2))
        return sum(comb(times, 2) for times in met.values())

    def balanced(tuples):
        appearances = Counter(item for one in tuples for item in one)
        return len(appearances) == items and max(appearances.values()) - min(appearances.values()) <= 1

    every = combinations(combinations(range(items), size), wanted)
    found = make(items, size, Fraction(wanted, items)).tolist()
    assert meet_again(found) == min(map(meet_again, filter(balanced, every)))


def test_more_pairs_than_exist_are_spread_evenly():
    # 16 items have 120 pairs, 32 tuples of 4 hold 192: 72 of them twice
    found = certificate(make(16), 16)
    assert found.pairs_together == {1: 48, 2: 72}
    assert found.repeats == found.repeats_at_least == 72


def test_seed_decides_the_design():
    assert (make(45, seed=1) == make(45, seed=1)).all()
    assert (make(45, seed=1) != make(45, seed=2)).any()


def test_pieces_are_joined():
    # 13 pairs for 14 items, so that the design is a tree; dealt at random it falls apart
    found = [certificate(make(14, 2, Fraction(13, 14), seed), 14) for seed in range(10)]
    assert {one.components for one in found} == {1}


@pytest.mark.parametrize(
    ("factor", "tuples"), [(2, 10), (1.5, 8), (Fraction(1, 2), 3), (Decimal("0.7"), 4), (0.7, 4), (0.69, 3)]
)
def test_half_a_tuple_counts_as_one(factor, tuples):
    assert count_tuples(5, size=3, factor=factor) == tuples


@pytest.mark.parametrize(
    ("items", "size", "factor", "message"),
    [
        (5, 1, 2, "A tuple needs at least two items to choose from, but the size is 1."),
        (3, 4, 2, "Tuples of 4 items need at least 4 items, but there are 3."),
        (0, 4, 2, "Tuples of 4 items need at least 4 items, but there are 0."),
        (9, 4, 0, "The number of tuples per item must be greater than zero, but it is 0."),
        (9, 4, -1.5, "The number of tuples per item must be greater than zero, but it is -1.5."),
        (9, 4, float("nan"), "The number of tuples per item must be greater than zero, but it is nan."),
        (9, 4, float("inf"), "The number of tuples per item must be greater than zero, but it is inf."),
        (5, 4, 2, "2 tuples per item for 5 items are 10 tuples, but only 5 different tuples of 4 exist."),
        (9, 4, 0.2, "2 tuples of 4 can link up to 7 items, but there are 9. At least 3 tuples are needed."),
        (10**7, 4, 2, "20000000 tuples of 10000000 items are too many for one design. Divide the items."),
    ],
)
def test_impossible_design_is_refused(items, size, factor, message):
    with pytest.raises(PlanningError) as refusal:
        make(items, size, factor)
    assert str(refusal.value) == message


def test_search_that_ends_with_repeated_tuples_is_refused(monkeypatch):
    monkeypatch.setattr(swaps, "ROUNDS", 0)
    monkeypatch.setattr(design, "MATRIX", 0)
    with pytest.raises(PlanningError, match="No design without repeated tuples was found"):
        make(12)


def test_search_ends_after_its_work_though_pairs_are_repeated(monkeypatch):
    monkeypatch.setattr(search, "WORK", 4_000)
    found = certificate(make(25), 25)
    assert_sound(found)
    assert found.repeats > 20


def test_many_tuples_of_many_items_hold_no_item_twice():
    found = certificate(make(400, 8, 12), 400)
    assert_sound(found)
    assert (found.appearances_min, found.appearances_max, found.position_spread) == (96, 96, 0)


def test_search_takes_over_where_no_cyclic_design_exists():
    found = certificate(make(14, 3, 2), 14)
    assert_sound(found)
    assert found.position_spread == 0


def test_search_goes_on_where_no_cyclic_design_is_found(monkeypatch):
    monkeypatch.setattr(cyclic, "STEPS", (3,))
    assert_sound(certificate(make(40), 40))


def test_components_that_cannot_be_joined_are_refused(monkeypatch):
    monkeypatch.setattr(connection, "ATTEMPTS", 0)
    with pytest.raises(PlanningError, match="No design that links all items was found"):
        make(40, 2, Fraction(39, 40))


# Groups


def test_giccs_group_gets_all_ten_tuples_with_even_positions():
    groups = np.repeat(np.arange(60), 5)
    tuples = design_groups(groups, size=3, generator=np.random.default_rng(0))

    assert {tuple(sorted(one)) for one in tuples.tolist()} == {
        tuple(5 * group + np.array(one)) for group in range(60) for one in combinations(range(5), 3)
    }
    found = certificate(tuples, 300, groups=groups)
    assert_sound(found)
    assert (found.tuples, found.groups, found.components, found.pairs_together) == (600, 60, 60, {3: 600})
    assert (found.position_min, found.position_max) == (2, 2)


@settings(max_examples=examples(0.3))
@given(
    sizes=st.lists(st.integers(3, 14), min_size=1, max_size=5),
    factor=st.sampled_from([1, 1.5, 2, 4]),
    data=st.data(),
)
def test_items_only_meet_their_own_group(sizes, factor, data):
    groups = data.draw(
        st.permutations([f"dialogue {number}" for number, each in enumerate(sizes) for _ in range(each)])
    )

    tuples = design_groups(groups, size=3, factor=factor, generator=np.random.default_rng(0))

    found = certificate(tuples, len(groups), groups=groups)
    assert found.tuples == sum(min(count_tuples(size, size=3, factor=factor), comb(size, 3)) for size in sizes)
    assert_sound(found)
    assert found.position_spread <= 1
    assert found.components == len(sizes)


def test_group_that_is_too_small_is_named():
    with pytest.raises(PlanningError) as refusal:
        design_groups(["a", "a", "a", "b", "b"], size=3, generator=np.random.default_rng(0))
    assert str(refusal.value) == "Group “b”: Tuples of 3 items need at least 3 items, but there are 2."


def test_no_groups_are_refused():
    with pytest.raises(PlanningError, match="There are no items to combine"):
        design_groups([], size=3, generator=np.random.default_rng(0))


# Items added later


@settings(max_examples=examples(0.3))
@given(
    old=st.integers(12, 50),
    new=st.integers(1, 30),
    size=st.integers(3, 5),
    factor=st.sampled_from([1, 1.5, 2]),
    wanted=st.sampled_from([None, 3]),
    seed=st.integers(0, 100),
)
def test_extension_leaves_the_existing_and_evens_the_rest(old, new, size, factor, wanted, seed):
    assume(wanted is None or new > 8)
    generator = np.random.default_rng(seed)
    existing = design_tuples(old, size=size, factor=factor, generator=generator)

    extended = extend_design(existing.copy(), old + new, size=size, factor=wanted, generator=generator)

    assert (extended[: len(existing)] == existing).all()
    assert_sound(certificate(extended, old + new))
    before, after = certificate(existing, old), np.bincount(extended.ravel())
    assert set(after[old:]) == {int(existing.size / old + 0.5)}
    assert np.ptp(after[:old]) <= 1
    assert after[:old].min() >= before.appearances_min
    held = (extended[len(existing) :] >= old).sum(axis=1)
    assert np.ptp(held) <= 1
    assert certificate(extended, old + new).position_spread <= 2


def test_extension_of_a_large_design_repeats_no_pair():
    generator = np.random.default_rng(0)
    extended = extend_design(make(200), 250, size=4, generator=generator)

    found = certificate(extended, 250)
    assert_sound(found)
    assert (found.tuples, found.repeats, found.position_spread) == (600, 0, 1)
    assert (np.bincount(extended.ravel())[:200] == 10).all()


def test_extension_by_many_items_is_exact_too():
    extended = extend_design(make(300), 600, size=4, generator=np.random.default_rng(0))
    assert certificate(extended, 600).repeats == 0


def test_extension_repeats_no_pair_beyond_those_that_exist(monkeypatch):
    monkeypatch.setattr(swaps, "ROUNDS", 0)
    existing = np.array([[0, 1, 2, 3], [0, 1, 4, 5]])
    extended = extend_design(existing, 40, size=4, generator=np.random.default_rng(0))
    assert len(extended) == 2 + 12
    assert certificate(extended, 40).repeats == certificate(existing, 40).repeats == 1


def test_extension_cannot_mend_positions_that_stand():
    existing = np.array([[0, 1, 2], [0, 3, 4], [0, 5, 6], [0, 1, 3], [0, 2, 5], [0, 4, 6]])
    found = certificate(extend_design(existing, 10, size=3, generator=np.random.default_rng(0)), 10)
    assert_sound(found)
    assert found.position_spread == 6


def test_extension_by_most_of_the_items_asks_little_of_the_others():
    extended = extend_design(make(20), 100, size=4, generator=np.random.default_rng(0))

    found = certificate(extended, 100)
    assert_sound(found)
    assert set(np.bincount(extended.ravel())[20:]) == {8}
    assert ((extended[40:] < 20).sum(axis=1) <= 2).all()


@pytest.mark.parametrize(
    ("existing", "items", "size", "factor", "message"),
    [
        ((20, 3), 30, 4, None, "There are no existing tuples of 4 items. "),
        ((20,), 19, 4, None, "The existing tuples contain item 19, which is not among the 19 items."),
        ((20,), 20, 4, None, "All 20 items are already in the existing tuples. There is nothing to add."),
        ((20,), 30, 4, 2, "The added tuples would contain only"),
        ((20,), 22, 4, 3, "An item would have to appear 8 times in 6 added tuples. "),
        ((4, 3, 1), 5, 3, 8, "12 tuples are requested, but only 10 different tuples of 3 exist."),
    ],
)
def test_impossible_extension_is_refused(existing, items, size, factor, message):
    assert_refused(make(*existing), items, size, factor, message)


def test_nothing_cannot_be_extended():
    assert_refused(np.empty((0, 4), dtype=int), 9, 4, None, "There are no existing tuples of 4 items. ")


def assert_refused(existing, items, size, factor, message):
    with pytest.raises(PlanningError) as refusal:
        extend_design(existing, items, size=size, factor=factor, generator=np.random.default_rng(0))
    assert str(refusal.value).startswith(message)


def test_new_dialogues_get_their_own_tuples():
    groups = np.repeat(["a", "b"], 5)
    existing = design_groups(groups, size=3, generator=np.random.default_rng(0))

    later = np.concatenate([groups, np.repeat(["d", "c"], 5)])
    extended = extend_groups(existing.copy(), later, size=3, generator=np.random.default_rng(1))

    assert (extended[:20] == existing).all()
    assert {tuple(sorted(one)) for one in extended[20:].tolist()} == {
        tuple(start + np.array(one)) for start in (10, 15) for one in combinations(range(5), 3)
    }
    found = certificate(extended, 20, groups=later)
    assert_sound(found)
    assert (found.tuples, found.appearances_min, found.appearances_max, found.components) == (40, 6, 6, 4)


@settings(max_examples=examples(0.25))
@given(
    old=st.lists(st.integers(6, 14), min_size=1, max_size=3),
    more=st.lists(st.integers(0, 8), min_size=3, max_size=3),
    new=st.integers(0, 9),
    seed=st.integers(0, 100),
)
def test_groups_are_extended_each_by_itself(old, more, new, seed):
    groups = np.repeat(range(len(old)), old)
    added = np.concatenate([np.repeat(range(len(old)), more[: len(old)]), np.full(new if new > 2 else 3, 9)])
    generator = np.random.default_rng(seed)
    existing = design_groups(groups, size=3, factor=1.5, generator=generator)
    later = np.concatenate([groups, generator.permutation(added)])

    extended = extend_groups(existing.copy(), later, size=3, factor=1.5, generator=generator)

    assert (extended[: len(existing)] == existing).all()
    found = certificate(extended, len(later), groups=later)
    assert_sound(found)
    assert found.components == len(old) + 1
    without_new = [group for group, items in enumerate(more[: len(old)]) if not items]
    assert not np.isin(later[extended[len(existing) :]], without_new).any()


@pytest.mark.parametrize(
    ("existing", "groups", "message"),
    [
        ([[0, 1, 2]], "aabc", "An existing tuple contains items of"),
        ([[0, 1, 2]], "aaa", "All 3 items are already in the existing tuples"),
        ([[0, 1, 2]], "aaabb", "Group “b”: Tuples of 3 items need at least 3 items, but there are 2."),
        ([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], "aaaab", "Group “b”: "),
        ([[0, 1, 5]], "aaa", "The existing tuples contain item 5, which is not among the 3 items."),
    ],
)
def test_impossible_extension_of_groups_is_refused(existing, groups, message):
    with pytest.raises(PlanningError) as refusal:
        extend_groups(np.array(existing), list(groups), size=3, generator=np.random.default_rng(0))
    assert str(refusal.value).startswith(message)


# Certificates


def naive_components(tuples, items):
    piece = list(range(items))
    for one in tuples:
        for item in one:
            piece = [piece[one[0]] if other == piece[item] else other for other in piece]
    return piece


@given(data=st.data(), items=st.integers(1, 8), size=st.integers(1, 5), count=st.integers(1, 12))
def test_certificate_of_any_tuples_equals_a_naive_count(data, items, size, count):
    numbers = st.integers(0, items - 1)
    rows = data.draw(st.lists(st.lists(numbers, min_size=size, max_size=size), min_size=count, max_size=count))
    groups = data.draw(st.none() | st.lists(st.sampled_from("ab"), min_size=items, max_size=items))

    found = certificate(np.array(rows), items, seed=3, groups=groups)

    group = groups or ["a"] * items
    allowed = [pair for pair in combinations(range(items), 2) if group[pair[0]] == group[pair[1]]]
    met = Counter(pair for row in rows for pair in combinations(sorted(set(row)), 2))
    appearances = [sum(item in row for row in rows) for item in range(items)]
    positions = [[sum(row[place] == item for row in rows) for place in range(size)] for item in range(items)]
    excess = [
        max(0, sum(met[pair] for pair in allowed if item in pair) - sum(item in pair for pair in allowed))
        for item in range(items)
    ]
    piece = naive_components(rows, items)
    assert asdict(found) == {
        "tuples": count,
        "items": items,
        "size": size,
        "groups": groups and len(set(groups)),
        "appearances_min": min(appearances),
        "appearances_max": max(appearances),
        "tuples_twice": count - len({tuple(sorted(row)) for row in rows}),
        "items_twice": sum(len(set(row)) < size for row in rows),
        "pairs_together": dict(Counter(met[pair] for pair in allowed)),
        "pairs_across_groups": len(set(met) - set(allowed)),
        "repeats": sum(max(0, met[pair] - 1) for pair in allowed),
        "repeats_at_least": -(-sum(excess) // 2),
        "position_min": min(map(min, positions)),
        "position_max": max(map(max, positions)),
        "position_spread": max(max(row) - min(row) for row in positions),
        "components": len(set(piece)),
        "connected": len(set(zip(group, piece, strict=True))) == len(set(group)),
        "seed": 3,
        "sha256": sha256(b"".join(number.to_bytes(8, "little") for row in rows for number in row)).hexdigest(),
    }


def test_certificate_can_be_written_as_json():
    found = certificate(make(30, seed=5).astype(np.int32), 30, seed=5)
    assert json.loads(json.dumps(asdict(found)))["seed"] == 5
    assert found == certificate(make(30, seed=5), 30, seed=5)


@pytest.mark.parametrize(
    ("tuples", "items", "groups", "message"),
    [
        ([1, 2], 3, None, "A design must be a table"),
        ([[1.5, 2.0]], 3, None, "A design must be a table"),
        (np.empty((0, 3), dtype=int), 3, None, "A design must be a table"),
        ([[0, 3]], 3, None, "The design refers to items 0 to 3, but there are 3 items, numbered from 0."),
        ([[-1, 2]], 3, None, "The design refers to items -1 to 2, but there are 3 items, numbered from 0."),
        ([[0, 1]], 3, ["a", "b"], "3 items need 3 groups, one each, but there are 2."),
    ],
)
def test_what_is_no_design_has_no_certificate(tuples, items, groups, message):
    with pytest.raises(PlanningError) as refusal:
        certificate(np.array(tuples), items, groups=groups)
    assert str(refusal.value).startswith(message)
