"""The alternative annotator test: an example worked out by hand, the definitions written out, and its error rates."""

import json
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scoring.stats.alternative import (
    alternative_test,
    by_error,
    by_match,
    false_discoveries_controlled,
    signed_rank_p,
    worse_by,
)

GOLDEN = json.loads((Path(__file__).parent / "golden" / "alternative.json").read_text())


def rows_of(table):
    """Items, people and values of a table of people by items, NaN for nothing."""
    people, items = np.nonzero(~np.isnan(table))
    return items, people, table[people, items]


def golden_table():
    kinds = GOLDEN["kinds"]
    people = np.array([kind["people"] for kind in kinds for _ in range(kind["items"])], dtype=float).T
    model = np.array([kind["model"] for kind in kinds for _ in range(kind["items"])], dtype=float)
    return people, model


def test_the_example_worked_out_by_hand():
    table, model = golden_table()

    found = alternative_test(*rows_of(table), model, by_error, epsilon=GOLDEN["epsilon"])

    differences = [np.repeat(own, 10) for own in GOLDEN["differences"].values()]
    t = [(own.mean() - 0.15) / sqrt(own.var(ddof=1) / 40) for own in differences]
    assert [own.mean() for own in differences] == GOLDEN["means"]
    assert [own.var(ddof=1) for own in differences] == pytest.approx(GOLDEN["variances"])
    assert t == pytest.approx(GOLDEN["t"], abs=1e-6)
    assert found.model.tolist() == GOLDEN["model"]
    assert found.person.tolist() == GOLDEN["person"]
    assert found.p.tolist() == pytest.approx(stats.t.cdf(GOLDEN["t"], 39), abs=1e-6)
    assert found.won.tolist() == GOLDEN["won"]
    assert (found.winning_rate, found.advantage) == (GOLDEN["winning_rate"], GOLDEN["advantage"])
    assert not found.passed


def written_out(table, model, closeness, epsilon, rate):
    """The definitions, one person and item at a time: p-values, advantages of the model, winning rate."""
    p_values, advantages = [], []
    for person, own in enumerate(table):
        differences, wins = [], []
        for item in np.flatnonzero(~np.isnan(own)):
            others = [value for value in np.delete(table[:, item], person) if not np.isnan(value)]
            if others and not np.isnan(model[item]):
                ours, theirs = closeness(model[item], others), closeness(own[item], others)
                wins.append(ours >= theirs)
                differences.append(int(theirs >= ours) - int(ours >= theirs))
        p_values.append(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
        advantages.append(np.mean(wins))
    number = len(p_values)
    harmonic = sum(1 / rank for rank in range(1, number + 1))
    below = [k for k, p in enumerate(sorted(p_values), 1) if p <= k / number * rate / harmonic]
    return p_values, advantages, max(below, default=0) / number


CLOSENESS = {
    by_error: lambda value, others: -round(sqrt(np.mean([(value - other) ** 2 for other in others])), 9),
    by_match: lambda value, others: np.mean([value == other for other in others]),
}


@pytest.mark.parametrize("closeness", [by_error, by_match])
@pytest.mark.parametrize("seed", range(4))
def test_the_definitions_written_out_give_the_same(closeness, seed):
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, 6, 80)
    table = np.clip(truth + chance.integers(-1, 2, (5, 80)), 0, 5).astype(float)
    table[chance.random(table.shape) < 0.3] = np.nan
    model = np.clip(truth + chance.integers(-1, 2, 80), 0, 5).astype(float)
    model[chance.random(80) < 0.1] = np.nan

    found = alternative_test(*rows_of(table), model, closeness, epsilon=0.1)

    p_values, advantages, winning_rate = written_out(table, model, CLOSENESS[closeness], 0.1, 0.05)
    assert found.p.tolist() == pytest.approx(p_values, abs=1e-9)
    assert found.model.tolist() == pytest.approx(advantages)
    assert found.winning_rate == pytest.approx(winning_rate)


def test_signed_ranks_are_all_signs_tried():
    values = np.array([0.8, -1.15, -0.15, -1.15, 0.85, -0.15, -0.15, -1.15])
    ranks = stats.rankdata(np.abs(values))
    observed = ranks[values > 0].sum()
    sums = [sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign) for signs in product((0, 1), repeat=8)]

    assert signed_rank_p(values) == np.mean([one <= observed for one in sums])
    assert signed_rank_p(np.zeros(3)) == 1.0
    without_ties = np.array([-0.5, 0.2, -0.7, -0.9, 0.1, -1.3, -2.0])
    assert signed_rank_p(without_ties) == pytest.approx(stats.wilcoxon(without_ties, alternative="less").pvalue)


def test_few_items_are_tested_by_ranks_and_very_few_not_at_all():
    table, model = golden_table()
    table[2, 5:] = np.nan
    found = alternative_test(*rows_of(table[:, ::4]), model[::4], by_error)

    assert (found.people.tolist(), found.items.tolist()) == ([0, 1], [10, 10])
    assert found.signed_rank.tolist() == [True, True]
    nobody = alternative_test(*rows_of(table[:1]), model, by_error)
    assert np.isnan([nobody.winning_rate, nobody.advantage]).all()
    assert not nobody.passed


def test_differences_that_are_all_the_same_are_decided_without_a_variance():
    assert [worse_by(np.full(40, value), 0.15) for value in (-1.0, 0.0, 1.0)] == [0.0, 0.0, 1.0]


def test_false_discoveries_are_those_of_benjamini_and_yekutieli():
    p = np.array([0.02, 0.001, 0.5, 0.008])

    expected = stats.false_discovery_control(p, method="by") <= 0.05
    assert false_discoveries_controlled(p, 0.05).tolist() == expected.tolist() == [False, True, False, True]
    assert false_discoveries_controlled(np.array([]), 0.05).tolist() == []


def test_a_poor_model_wins_rarely_and_a_good_one_often():
    chance = np.random.default_rng(7)
    rates = {}
    for name, noise in (("good", 0.4), ("poor", 2.5)):
        wins = []
        for _ in range(60):
            truth = chance.normal(0, 2, 60)
            people, model = truth + chance.normal(0, 1, (4, 60)), truth + chance.normal(0, noise, 60)
            wins.append(alternative_test(*rows_of(people), model, by_error, epsilon=0.15).winning_rate)
        rates[name] = np.mean(wins)

    assert rates["poor"] < 0.02
    assert rates["good"] > 0.8
