import csv
from dataclasses import astuple
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats import bws
from scoring.stats.bws import best_worst_scores, bootstrap_errors, count_choices, exact_scores
from scoring.stats.choices import Choices
from scoring.stats.design_effect import design_effect
from scoring.stats.disagreement import StrongAgreement, item_disagreement, strong_agreement, tuple_disagreement
from scoring.stats.ratings import rounded
from tests.scoring.choosing import any_choices, choices_of, simulated


def scores_of(choices):
    return best_worst_scores(count_choices(choices))


def test_scores_are_best_less_worst_over_appearances():
    choices = choices_of([([0, 1, 2, 3], 0, 3), ([0, 1, 2, 4], 1, 0), ([0, 3], 0, 3)], number=6)

    counts = count_choices(choices)

    assert counts.best.tolist() == [2, 1, 0, 0, 0, 0]
    assert counts.worst.tolist() == [1, 0, 0, 2, 0, 0]
    assert counts.appearances.tolist() == [3, 2, 2, 2, 1, 0]
    np.testing.assert_array_equal(best_worst_scores(counts), [1 / 3, 0.5, 0, -1, 0, np.nan])
    assert exact_scores(counts) == [Fraction(1, 3), Fraction(1, 2), 0, -1, 0, None]
    assert exact_scores(counts, unit=True) == [Fraction(2, 3), Fraction(3, 4), Fraction(1, 2), 0, Fraction(1, 2), None]


def test_invalid_rows_are_counted_as_they_stand():
    counts = count_choices(choices_of([([0, 0, 1, 2], 0, 0)]))

    assert (counts.best.tolist(), counts.worst.tolist(), counts.appearances.tolist()) == (
        [1, 0, 0],
        [1, 0, 0],
        [2, 1, 1],
    )


def read_ruddit(folder):
    with (folder / "judgments.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with (folder / "scores.csv").open(newline="") as file:
        released = {row["comment_id"]: Decimal(row["offensiveness_score"]) for row in csv.DictReader(file)}
    names = np.array([[row[f"Item{place}"] for place in (1, 2, 3, 4)] for row in rows])
    comments, items = np.unique(names, return_inverse=True)
    best, worst = (np.searchsorted(comments, [row[name] for row in rows]) for name in ("BestItem", "WorstItem"))
    tuples = np.unique(np.sort(items.reshape(-1, 4), axis=1), axis=0, return_inverse=True)[1].ravel()
    return comments.tolist(), Choices(items.reshape(-1, 4), best, worst, tuples, None, len(comments)), released


def test_all_released_scores_of_ruddit(request):
    path = request.config.getoption("--outside-data", default=None)
    if not path or not (Path(path) / "ruddit").is_dir():
        pytest.skip("needs the folder with ruddit/judgments.csv: --outside-data PATH")
    comments, choices, released = read_ruddit(Path(path) / "ruddit")

    scores = dict(zip(comments, exact_scores(count_choices(choices)), strict=True))

    assert len(released) == 6000
    assert {comment: rounded(scores[comment], 3) for comment in released} == released


@given(any_choices())
def test_scores_stay_in_range_and_match_a_plain_count(choices):
    scores = scores_of(choices)

    for item, score in enumerate(scores):
        rows = range(choices.judgments)
        shown = sum(list(choices.items[row]).count(item) for row in rows)
        total = sum(int(choices.best[row] == item) - int(choices.worst[row] == item) for row in rows)
        assert np.isnan(score) if not shown else score == total / shown
    assert np.nanmax(np.abs(scores)) <= 1


@given(any_choices(), st.randoms())
def test_scores_do_not_depend_on_names_and_order(choices, random):
    names = np.array(random.sample(range(choices.number), choices.number))
    order = np.array(random.sample(range(choices.judgments), choices.judgments))
    renamed = np.where(choices.items < 0, -1, names[choices.items])[order]
    other = Choices(
        renamed, names[choices.best][order], names[choices.worst][order], choices.tuples[order], None, choices.number
    )

    np.testing.assert_array_equal(scores_of(other)[names], scores_of(choices))


def test_symmetric_choices_score_zero():
    rows = [([0, 1, 2], best, worst) for best in range(3) for worst in range(3) if best != worst]

    assert scores_of(choices_of(rows)).tolist() == [0, 0, 0]


def test_bootstrap_errors_are_those_of_a_proportion():
    # Two items, 40 judgments, 30 for the first: score .5 with the error of 2 p - 1, 2 sqrt(p q / n) = .1369.
    choices = choices_of([([0, 1], 0, 1)] * 30 + [([0, 1], 1, 0)] * 10, number=3)

    found = bootstrap_errors(choices, np.random.default_rng(1), replicates=4000)

    assert found.errors[:2] == pytest.approx(2 * np.sqrt(0.75 * 0.25 / 40), rel=0.05)
    assert np.isnan(found.errors[2])
    assert found.replicates.tolist() == [4000, 4000, 0]


def test_errors_need_five_judgments_or_people_of_the_item():
    rows = [([0, 1], 0, 1), ([0, 1], 1, 0)] * 2 + [([0, 2], 0, 2), ([0, 2], 2, 0)]
    choices = choices_of(rows, annotators=np.array([0, 1, 2, 3, 0, 1]))

    found = {by: bootstrap_errors(choices, np.random.default_rng(1), by=by) for by in ("judgment", "annotator")}

    assert np.isnan(found["judgment"].errors).tolist() == [False, True, True]
    assert found["judgment"].degrees.tolist() == [5, 3, 1]
    assert np.isnan(found["annotator"].errors).all()
    assert found["annotator"].degrees.tolist() == [3, 3, 1]


def test_bootstrap_by_annotator_sees_what_people_always_do():
    # Each of eight people answers ten times alike: the errors are those of a mean of eight answers, s / sqrt(8).
    rows = [([0, 1], 0, 1)] * 40 + [([0, 1], 1, 0)] * 40
    choices = choices_of(rows, annotators=np.repeat(np.arange(8) * 3, 10))

    found = bootstrap_errors(choices, np.random.default_rng(1), replicates=8000, by="annotator")

    answers = np.repeat([1, -1], 4)
    assert found.errors == pytest.approx(np.std(answers, ddof=1) / np.sqrt(8), rel=0.03)


@pytest.mark.parametrize("items", [12, 160])
def test_bootstrap_equals_a_plain_one_with_the_same_draws(items, monkeypatch):
    choices = simulated(items=items, appearances=2, judgments=4)
    drawn, draw = [], bws._draw_weights
    monkeypatch.setattr(bws, "_draw_weights", lambda *about: drawn.append(draw(*about)) or drawn[-1])

    found = bootstrap_errors(choices, np.random.default_rng(5), replicates=40)

    rows = [np.repeat(np.arange(choices.judgments), weights) for weights in np.concatenate(drawn, axis=1).T]
    assert [len(each) for each in rows] == [choices.judgments] * 40
    scores = np.array([scores_of(choices.keep(each)) for each in rows])
    number = np.bincount(choices.shown()[1], minlength=items)
    factor = np.sqrt(number / (number - 1) * max(1, design_effect(choices, of_tuples=False)))
    assert found.errors == pytest.approx(np.nanstd(scores, axis=0, ddof=1) * factor, rel=1e-10)
    assert found.degrees.tolist() == (number - 1).tolist()
    assert found.replicates.tolist() == np.sum(~np.isnan(scores), axis=0).tolist()


@pytest.mark.parametrize("units", [1, 3, 255, 256, 257, 512, 700])
def test_every_unit_is_drawn_as_often_as_any_other(units):
    weights = bws._draw_weights(np.random.default_rng(2), units, 4000)

    assert (weights.sum(axis=0) == units).all()
    # Binomial: n draws of chance 1 / n, mean 1 and variance 1 - 1 / n.
    assert np.abs(weights.mean(axis=1) - 1).max() < 5 / np.sqrt(4000)
    assert weights.var(axis=1).mean() == pytest.approx(1 - 1 / units, abs=0.05)
    # Two units share the draws: their covariance is -1 / n, within a block and across.
    if units > 1:
        pairs = np.cov(weights[0], weights[-1])[0, 1]
        assert pairs == pytest.approx(-1 / units, abs=5 / np.sqrt(4000))


def test_bootstrap_without_a_base_is_refused():
    none = np.zeros(0, np.int64)
    empty = Choices(np.zeros((0, 4), np.int64), none, none, none, None, 3)

    with pytest.raises(ValueError, match="at least one judgment"):
        bootstrap_errors(empty, np.random.default_rng(0))
    with pytest.raises(ValueError, match="the annotator of every judgment"):
        bootstrap_errors(choices_of([([0, 1], 0, 1)]), np.random.default_rng(0), by="annotator")


def disputed():
    """Tuple 0 agrees; tuple 2 has four best choices and two worst ones; tuple 1 was never judged."""
    rows = [([0, 1, 2, 3], 0, 3)] * 4 + [([0, 4, 5, 6], best, 0 if best else 4) for best in (0, 4, 5, 6)]
    return choices_of(rows, number=8, tuples=[0] * 4 + [2] * 4)


def test_disagreement_is_entropy_in_bits():
    found = tuple_disagreement(disputed())

    np.testing.assert_allclose(found.best, [0, np.nan, 2])
    np.testing.assert_allclose(found.worst, [0, np.nan, 0.8112781244591328])
    np.testing.assert_allclose(item_disagreement(disputed(), found.best), [1, 0, 0, 0, 2, 2, 2, np.nan])


def test_strong_agreement_counts_tuples():
    assert strong_agreement(disputed(), 0.75) == StrongAgreement(best=0.5, worst=1, tuples=2, single=0)


def test_tuples_judged_once_are_in_no_strong_agreement():
    twice = [([0, 1, 2], 0, 2), ([0, 1, 2], 1, 2)]
    choices = choices_of([*twice, ([3, 4, 5], 3, 4), ([6, 7, 8], 6, 7)], tuples=[0, 0, 1, 2])

    assert strong_agreement(choices) == StrongAgreement(best=0, worst=1, tuples=3, single=2)
    alone = strong_agreement(choices.keep(np.array([False, False, True, True])))
    assert (alone.tuples, alone.single) == (2, 2)
    assert np.isnan([alone.best, alone.worst]).all()


def test_strong_agreement_takes_shares_exactly():
    # 0.07 * 100 is 7.000000000000001 in binary numbers; no item but number 0 is chosen more often than 7 times.
    rows = [([*range(15)], item, 14 if item < 14 else 0) for item in range(14) for _ in range(7)] + [
        ([*range(15)], 14, 0)
    ] * 2

    assert strong_agreement(choices_of(rows, tuples=[0] * 100), 0.07).best == 1


@pytest.mark.parametrize("share", [0, 1.1])
def test_strong_agreement_refuses_other_shares(share):
    with pytest.raises(ValueError, match="share greater than 0"):
        strong_agreement(disputed(), share)


@given(any_choices(), st.randoms())
def test_disagreement_does_not_depend_on_names_and_order(choices, random):
    names = np.array(random.sample(range(choices.number), choices.number))
    order = np.array(random.sample(range(choices.judgments), choices.judgments))
    renamed = np.where(choices.items < 0, -1, names[choices.items])[order]
    other = Choices(
        renamed, names[choices.best][order], names[choices.worst][order], choices.tuples[order], None, choices.number
    )

    one, two = tuple_disagreement(choices), tuple_disagreement(other)

    np.testing.assert_allclose(two.best, one.best, atol=1e-12)
    np.testing.assert_allclose(two.worst, one.worst, atol=1e-12)
    assert np.nanmin(one.best, initial=0) >= 0 and np.nanmax(one.best, initial=0) <= 2
    items = item_disagreement(choices, one.best)
    np.testing.assert_allclose(item_disagreement(other, two.best)[names], items, atol=1e-12)
    assert np.array(astuple(strong_agreement(other))) == pytest.approx(
        np.array(astuple(strong_agreement(choices))), nan_ok=True
    )


@given(any_choices())
def test_disagreement_equals_the_naive_form(choices):
    found = tuple_disagreement(choices)

    for index in np.unique(choices.tuples):
        if (choices.tuples == index).sum() == 1:
            assert np.isnan(found.worst[index])
            continue
        shares = np.unique(choices.worst[choices.tuples == index], return_counts=True)[1] / np.sum(
            choices.tuples == index
        )
        assert found.worst[index] == pytest.approx(-np.sum(shares * np.log2(shares)), abs=1e-12)


def test_strong_agreement_of_a_share_with_many_decimals():
    # As a fraction the float has a denominator near 2^53, which times the judgments would run over.
    choices = choices_of([([0, 1], 0, 1)] * 2000 + [([0, 1], 1, 0)] * 1000, tuples=[0] * 3000)

    assert strong_agreement(choices, 0.6666666666666666).best == 1
    assert strong_agreement(choices, 0.6667).best == 0


def test_intervals_of_scores_follow_the_counts():
    counts = bws.Counts(best=np.array([2, 4, 0]), worst=np.array([1, 0, 0]), appearances=np.array([8, 4, 0]))

    low, high = bws.score_intervals(counts)

    # With half of each added: mean and variance of the difference, and the beta distribution that has them.
    for item, (best, worst, shown) in enumerate([(2.5, 1.5, 9.5), (4.5, 0.5, 5.5)]):
        mean = (best - worst) / shown
        deviation = np.sqrt(((best + worst) / shown - mean**2) / (shown + 1))
        between = (1 + mean) * (1 - mean) / deviation**2 - 1
        beta = stats.beta((1 + mean) / 2 * between, (1 - mean) / 2 * between, loc=-1, scale=2)
        assert (beta.mean(), beta.std()) == pytest.approx((mean, deviation))
        assert low[item] == pytest.approx(beta.ppf(0.025))
        assert high[item] == (pytest.approx(beta.ppf(0.975)) if item == 0 else 1)
    assert np.isnan([low[2], high[2]]).all()


@pytest.mark.parametrize("shown", [8, 16, 32])
@pytest.mark.parametrize("shares", [(0.25, 0.25), (0.5, 0.1), (0.8, 0.02)])
def test_intervals_of_scores_cover_what_they_promise(shown, shares):
    generator = np.random.default_rng(1)
    best, worst, _ = generator.multinomial(shown, [*shares, 1 - sum(shares)], size=20_000).T

    low, high = bws.score_intervals(bws.Counts(best, worst, np.full(20_000, shown)))

    truth = shares[0] - shares[1]
    assert 0.93 < np.mean((low <= truth) & (truth <= high)) < 0.97
    assert np.all((low >= -1) & (high <= 1) & (low <= (best - worst) / shown) & ((best - worst) / shown <= high))
