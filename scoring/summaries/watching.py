"""What is watched while a round goes on: everybody's figures, agreement so far, distributions, items in dispute."""

from typing import Any

import numpy as np

from scoring.stats.agreement import intraclass_correlation
from scoring.stats.alpha import choices_alpha
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.disagreement import item_disagreement, tuple_disagreement
from scoring.stats.filtering import contradicting_choices
from scoring.stats.flags import PeopleFigures
from scoring.stats.intervals import alpha_with_interval
from scoring.stats.people import (
    Habits,
    above_chance,
    beside_others,
    counts_of_each,
    longest_runs,
    means_of_each,
    medians_of_each,
    position_habits,
    same_choice_shares,
)
from scoring.stats.reliability import split_half
from scoring.summaries.bars import BARS, bars, value_bars
from scoring.summaries.work import Answers, Floats, Integers, Work, units

Figures = dict[str, Any]
SPLITS = 100
MOST_DISPUTES = 6
FEWEST_RATINGS = 3  # of a pair, to speak of a dispute


def people_figures(work: Work) -> PeopleFigures:
    """Everybody's figures, in the order of the people."""
    number, answers = work.people, work.answers
    seconds = answers.seconds / work.on_screen
    runs = longest_runs(work.rated.people, work.rated.values, number)
    share, chance = _habits(work)
    calibrated, repeated = ~np.isnan(answers.expected), ~np.isnan(answers.earlier)
    labelled, contradictions = _contradictions(work)
    shared, agreement = _agreement(work)
    return PeopleFigures(
        answers=counts_of_each(answers.people, number).astype(np.float64),
        median_seconds=medians_of_each(answers.people, seconds, number),
        quick_share=means_of_each(answers.people, np.where(np.isnan(seconds), np.nan, seconds < 1), number),
        longest_run=np.where(runs.length > 0, runs.length, np.nan),
        run_expected=runs.expected,
        position_share=share,
        position_chance=chance,
        labelled=labelled,
        contradictions=contradictions,
        practised=work.practised,
        practice_right=work.practice_right,
        calibrated=counts_of_each(answers.people[calibrated], number).astype(np.float64),
        calibration_distance=_distances(work, answers.expected),
        repeated=counts_of_each(answers.people[repeated], number).astype(np.float64),
        repeat_distance=_distances(work, answers.earlier),
        shared=shared,
        agreement=agreement,
    )


def reports(work: Work) -> dict[str, Floats]:
    """What else a person's page shows, by name, shapes (people,): times, and answers beside those of the others."""
    number, rated, chosen = work.people, work.rated, work.chosen
    answers = work.answers
    found: dict[str, Floats] = {
        "active_ms": np.bincount(answers.people, weights=np.nan_to_num(answers.active_ms), minlength=number).astype(
            np.float64
        ),
        "median_ms": medians_of_each(answers.people, answers.active_ms, number),
    }
    if len(rated.people):
        beside = beside_others(units(rated), rated.people, rated.values, rated.counted, number)
        low, high = np.full(number, np.inf), np.full(number, -np.inf)
        np.minimum.at(low, rated.people, rated.values)
        np.maximum.at(high, rated.people, rated.values)
        used = np.where(np.isinf(low), np.nan, (high - low) / work.length)
        found |= {"bias": beside.bias, "rmse": beside.rmse, "correlation": beside.correlation, "scale_used": used}
    if len(chosen.people):
        for name, labels, habits in zip(
            ("best", "worst"), (chosen.best, chosen.worst), _both_habits(work), strict=True
        ):
            same = same_choice_shares(chosen.tuples, labels, chosen.counted)
            found[f"{name}_same"] = means_of_each(chosen.people, same, number)
            found[f"{name}_position"] = np.asarray(habits.position + 1.0, dtype=np.float64)
            found[f"{name}_position_share"] = habits.share
    return found


def _habits(work: Work) -> tuple[Floats, Floats]:
    """The more one-sided of best and worst: share and chance."""
    best, worst = _both_habits(work)
    left = np.nan_to_num(best.chance, nan=1.0) <= np.nan_to_num(worst.chance, nan=1.0)
    return np.where(left, best.share, worst.share), np.where(left, best.chance, worst.chance)


def _both_habits(work: Work) -> tuple[Habits, Habits]:
    rows = work.chosen
    best, worst = (np.argmax(rows.shown == one[:, None], axis=1) for one in (rows.best, rows.worst))
    return (
        position_habits(rows.people, best, work.on_screen, work.people),
        position_habits(rows.people, worst, work.on_screen, work.people),
    )


def _contradictions(work: Work) -> tuple[Floats, Floats]:
    """Answers to what has a known label, and the share of them against it.

    A rating is against it below the middle of the scale for what is similar, and above it for what is dissimilar.
    """
    rated = work.rated
    gold, middle = work.gold[rated.items], (work.minimum + work.maximum) / 2
    rating = np.where(gold == 1, rated.values < middle, rated.values > middle)
    people, against = [rated.people[~np.isnan(gold)]], [rating[~np.isnan(gold)]]
    chosen = work.chosen
    for label, picked in ((1.0, chosen.best), (0.0, chosen.worst)):
        contradicts = contradicting_choices(_labels(work, chosen), work.gold[picked], label)
        people.append(chosen.people[~np.isnan(contradicts)])
        against.append(contradicts[~np.isnan(contradicts)])
    everybody = np.concatenate(people)
    share = means_of_each(everybody, np.concatenate(against).astype(np.float64), work.people)
    return counts_of_each(everybody, work.people).astype(np.float64), share


def _labels(work: Work, chosen: Answers) -> Floats:
    """The labels of the items shown, shape (choices, size); NaN for unknown, and for no item."""
    known = np.append(work.gold, np.nan)  # so that -1, for no item, finds NaN
    return np.asarray(known[chosen.shown])


def _distances(work: Work, reference: Floats) -> Floats:
    """The mean distance of each person's ratings from a reference, as a share of the scale's length."""
    answers = work.answers
    if not work.length > 0:
        return np.full(work.people, np.nan)
    return means_of_each(answers.people, np.abs(answers.values - reference) / work.length, work.people)


def _agreement(work: Work) -> tuple[Floats, Floats]:
    """Answers to what others answered too, and how far each person agrees with them."""
    number, rated, chosen = work.people, work.rated, work.chosen
    if len(rated.people):
        beside = beside_others(units(rated), rated.people, rated.values, rated.counted, number)
        return beside.shared.astype(np.float64), beside.correlation
    same = [same_choice_shares(chosen.tuples, labels, chosen.counted) for labels in (chosen.best, chosen.worst)]
    both = np.mean(same, axis=0)
    shared = counts_of_each(chosen.people[~np.isnan(both)], number)
    return shared.astype(np.float64), above_chance(means_of_each(chosen.people, both, number), 1 / work.on_screen)


def round_figures(work: Work, generator: np.random.Generator) -> Figures:
    """What a page shows of the round as a whole; a figure that is not defined is None."""
    rated = work.rated.keep(work.rated.counted)
    figures: Figures = {"median_ms": _median(work.answers.active_ms), "agreement": {}, "scores": [], "disputes": []}
    values = rated.values if len(rated.values) else work.selected
    figures["values"] = value_bars(values, work.minimum, work.maximum, work.step)
    if len(rated.people):
        figures |= _of_ratings(work, rated, generator)
    elif work.choices.judgments:
        figures |= _of_choices(work, generator)
    return figures


def _of_ratings(work: Work, rated: Answers, generator: np.random.Generator) -> Figures:
    place, index = np.unique(units(rated), return_inverse=True)
    alpha, icc = alpha_with_interval(index, rated.values, generator), intraclass_correlation(index, rated.values)
    counts, means = np.bincount(index), means_of_each(index, rated.values, len(place))
    return {
        "agreement": {
            "kind": "ratings",
            "alpha": _told(alpha.value, alpha.low, alpha.high),
            "icc1": _number(icc.icc1),
            "icc1k": _number(icc.icc1k),
            "units": int((counts > 1).sum()),
        },
        "scores": bars(means, np.linspace(work.minimum, work.maximum, BARS + 1)),
        "disputes": _disputed_ratings(place, counts, means, index, rated.values),
    }


def _disputed_ratings(
    place: Integers, counts: Integers, means: Floats, index: Integers, values: Floats
) -> list[Figures]:
    """The pairs with the greatest standard deviation, largest first."""
    squares = np.bincount(index, weights=(values - means[index]) ** 2)
    enough = counts >= FEWEST_RATINGS
    spread = np.full(len(place), np.nan)
    np.divide(squares, counts - 1, out=spread, where=enough)
    spread = np.sqrt(spread)
    return [
        {
            "item": int(place[one]) // 2,
            "context": int(place[one]) % 2,
            "answers": int(counts[one]),
            "mean": float(means[one]),
            "spread": float(spread[one]),
        }
        for one in _largest(spread)
    ]


def _of_choices(work: Work, generator: np.random.Generator) -> Figures:
    choices = work.choices
    halves, _ = split_half(choices, generator, splits=SPLITS).summary()
    alpha, counts = choices_alpha(choices), count_choices(choices)
    scores, disagreement = best_worst_scores(counts), tuple_disagreement(choices)
    spread = np.mean([item_disagreement(choices, one) for one in (disagreement.best, disagreement.worst)], axis=0)
    return {
        "agreement": {
            "kind": "choices",
            "split_half": _told(halves.mean, halves.low, halves.high),
            "splits": SPLITS,
            "alpha_best": _number(alpha.best.item),
            "alpha_worst": _number(alpha.worst.item),
            "units": int((np.bincount(choices.tuples) > 1).sum()),
        },
        "scores": bars(scores, np.linspace(-1, 1, BARS + 1)),
        "disputes": [
            {
                "item": one,
                "answers": int(counts.appearances[one]),
                "mean": float(scores[one]),
                "spread": float(spread[one]),
            }
            for one in _largest(spread)
        ],
    }


def _largest(spread: Floats) -> list[int]:
    """The places of the largest numbers above zero, largest first."""
    order = np.argsort(-np.nan_to_num(spread), kind="stable")[:MOST_DISPUTES]
    return [int(one) for one in order if spread[one] > 0]


def _told(value: float, low: float, high: float) -> Figures:
    return {"value": _number(value), "low": _number(low), "high": _number(high)}


def _median(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
