"""The statistics of a running round: everybody's figures, agreement so far, distributions, disputed items."""

from typing import Any

import numpy as np

from scoring.stats.agreement import intraclass_correlation
from scoring.stats.alpha import choices_alpha
from scoring.stats.bws import best_worst_scores, count_choices, unit
from scoring.stats.disagreement import item_disagreement, tuple_disagreement
from scoring.stats.filtering import contradicting_ratings
from scoring.stats.flags import PeopleFigures
from scoring.stats.intervals import alpha_with_interval
from scoring.stats.limits import Thresholds
from scoring.stats.people import (
    BesideOthers,
    Runs,
    beside_others,
    counts_of_each,
    longest_runs,
    means_of_each,
    medians_of_each,
    ranges_of_each,
)
from scoring.stats.rating_halves import split_half_of_ratings
from scoring.stats.reliability import SplitHalf, split_half
from scoring.summaries.bars import BARS, bars, value_bars
from scoring.summaries.bounds import chance_bounds
from scoring.summaries.choosers import choice_figures, contradicting, contradictions
from scoring.summaries.work import Answers, Floats, Integers, Work, units

Figures = dict[str, Any]
SPLITS = 100
MOST_DISPUTES = 6
SHOWN = [f"{one}_{name}" for one in ("best", "worst") for name in ("same", "position", "position_share")]
"""What a person's page shows of their choices."""
FEWEST_RATINGS = 3  # of a pair, to speak of a dispute


def people_figures(work: Work, limits: Thresholds) -> PeopleFigures:
    """Return everybody's figures, in the order of the people, with what chance gives of them."""
    runs = longest_runs(work.rated.people, work.rated.values, work.people)
    figures = _figures(work, runs)
    return PeopleFigures(**figures, **chance_bounds(work, figures, runs, limits))


def _figures(work: Work, runs: Runs) -> dict[str, Floats]:
    number, answers = work.people, work.answers
    seconds = answers.seconds / work.on_screen
    chosen, labelled = _choice_figures(work), _contradictions(work)
    calibrated, repeated = ~np.isnan(answers.expected), ~np.isnan(answers.earlier)
    left = np.nan_to_num(chosen["best_chance"], nan=1.0) <= np.nan_to_num(chosen["worst_chance"], nan=1.0)
    rated = _beside_others(work) if len(work.rated.people) else None
    return {
        "answers": counts_of_each(answers.people, number).astype(np.float64),
        "median_seconds": medians_of_each(answers.people, seconds, number),
        "quick_share": means_of_each(answers.people, np.where(np.isnan(seconds), np.nan, seconds < 1), number),
        "longest_run": np.where(runs.length > 0, runs.length, np.nan),
        "position_share": np.where(left, chosen["best_position_share"], chosen["worst_position_share"]),
        "labelled": labelled["labelled"].astype(np.float64),
        "contradictions": labelled["contradictions"].astype(np.float64),
        "practised": work.practised,
        "practice_right": work.practice_right,
        "calibrated": counts_of_each(answers.people[calibrated], number).astype(np.float64),
        "calibration_distance": _distances(work, answers.expected),
        "repeated": counts_of_each(answers.people[repeated], number).astype(np.float64),
        "repeat_distance": _distances(work, answers.earlier),
        "shared": (rated.shared if rated else chosen["shared"]).astype(np.float64),
        "agreement": rated.correlation if rated else chosen["agreement"].astype(np.float64),
    }


def reports(work: Work) -> dict[str, Floats]:
    """Return further figures of a person's page by name, shapes (people,): times, and comparisons with the others."""
    number, answers, rated = work.people, work.answers, work.rated
    milliseconds = np.bincount(answers.people, weights=np.nan_to_num(answers.active_ms), minlength=number)
    found: dict[str, Floats] = {
        "active_ms": milliseconds.astype(np.float64),
        "median_ms": medians_of_each(answers.people, answers.active_ms, number),
    }
    if len(rated.people):
        beside, used = _beside_others(work), ranges_of_each(rated.people, rated.values, number) / work.length
        found |= {"bias": beside.bias, "rmse": beside.rmse, "correlation": beside.correlation, "scale_used": used}
    if len(work.chosen.people):
        chosen = _choice_figures(work)
        found |= {name: chosen[name].astype(np.float64) for name in SHOWN}
    return found


def _beside_others(work: Work) -> BesideOthers:
    rated = work.rated
    return beside_others(units(rated), rated.people, rated.values, rated.counted, work.people)


def _choice_figures(work: Work) -> dict[str, Floats | Integers]:
    chosen = work.chosen
    return choice_figures(work.every_choice, chosen.people, chosen.counted, work.on_screen, work.people)


def _contradictions(work: Work) -> dict[str, Floats | Integers]:
    """Return the answers to what has a known label, and the share of them against it.

    Of answers that count, or would if the person were not excluded.
    """
    rated, chosen = (rows.keep(rows.countable) for rows in (work.rated, work.chosen))
    rating = contradicting_ratings(rated.values, work.gold[rated.items], (work.minimum + work.maximum) / 2)
    people = np.concatenate([rated.people, chosen.people, chosen.people])
    choices = work.every_choice.keep(work.chosen.countable)
    return contradictions(people, np.concatenate([rating, contradicting(choices, work.gold)]), work.people)


def _distances(work: Work, reference: Floats) -> Floats:
    """Return the mean distance of each person's ratings from a reference, as a share of the scale's length."""
    answers = work.answers
    if not work.length > 0:
        return np.full(work.people, np.nan)
    return means_of_each(answers.people, np.abs(answers.values - reference) / work.length, work.people)


def round_figures(work: Work, generator: np.random.Generator) -> Figures:
    """Return the figures of a page for the round as a whole; a figure that is not defined is None."""
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
    halves = None
    if counts.max() > 1:
        halves = split_half_of_ratings(index, rated.values, generator, splits=SPLITS)
    return {
        "agreement": {
            "kind": "ratings",
            "alpha": _told(alpha.value, alpha.low, alpha.high),
            **_of_halves(halves),
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
    """Return the pairs with the greatest standard deviation, largest first."""
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
    halves = split_half(choices, generator, splits=SPLITS)
    alpha, counts = choices_alpha(choices), count_choices(choices)
    scores, disagreement = unit(best_worst_scores(counts)), tuple_disagreement(choices)
    spread = np.mean([item_disagreement(choices, one) for one in (disagreement.best, disagreement.worst)], axis=0)
    return {
        "agreement": {
            "kind": "choices",
            **_of_halves(halves),
            "alpha_best": _number(alpha.best.item),
            "alpha_worst": _number(alpha.worst.item),
            "units": int((np.bincount(choices.tuples) > 1).sum()),
        },
        "scores": bars(scores, np.linspace(0, 1, BARS + 1)),
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


def _of_halves(halves: SplitHalf | None) -> Figures:
    """Return the spread of Spearman's correlations; None where there is nothing to halve."""
    if halves is None:
        return {"split_half": _told(np.nan, np.nan, np.nan), "full_length": None, "splits": SPLITS}
    spread, _ = halves.summary()
    found = {"split_half": _told(spread.mean, spread.low, spread.high), "full_length": _number(spread.full_length)}
    return found | {"splits": SPLITS}


def _largest(spread: Floats) -> list[int]:
    """Return the places of the largest numbers above zero, largest first."""
    order = np.argsort(-np.nan_to_num(spread), kind="stable")[:MOST_DISPUTES]
    return [int(one) for one in order if spread[one] > 0]


def _told(value: float, low: float, high: float) -> Figures:
    return {"value": _number(value), "low": _number(low), "high": _number(high)}


def _median(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
