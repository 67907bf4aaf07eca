"""What chance gives of each figure that raises a flag, for a person's number of answers and the group's variation."""

import numpy as np

from scoring.stats.chance import (
    correlation_bounds,
    distance_bounds,
    independent_answers,
    level_of_each,
    longest_by_chance,
    median_by_chance,
    most_by_chance,
    share_bounds,
)
from scoring.stats.flags import MINIMUM_EVIDENCE
from scoring.stats.limits import Thresholds
from scoring.stats.people import Runs, above_chance, counts_of_each, same_choice_shares, variance_within
from scoring.summaries.choosers import contradicting
from scoring.summaries.work import Booleans, Floats, Work

Figures = dict[str, Floats]
MEAN_OF_NORMAL = np.sqrt(2 / np.pi)  # mean absolute deviation / root mean squared deviation
USUAL_REPEAT = 1.396 / 6 * MEAN_OF_NORMAL  # Czech News, table 1: RMSE intra, on a scale from 0 to 6
USUAL_CALIBRATION = 1.017 / 6 * MEAN_OF_NORMAL  # the same table, RMSE inter
GUESSED = 0.5
DIGITS = 9  # in which equal shares are equal
QUICKEST = 0.01  # seconds; so that a logarithm exists


def chance_bounds(work: Work, figures: Figures, runs: Runs, limits: Thresholds) -> Figures:
    """Return the bounds of `PeopleFigures` by name, shapes (people,).

    A flag that two figures raise gives each of them half of the false alarms.
    """
    group = ~work.excluded
    return {
        **_speed(work, figures, limits),
        **_straight(work, figures, runs, limits),
        **_labels(work, figures, group, limits),
        **_distances(work, figures, group, limits),
        "agreement_bound": _agreement(work, figures, group, limits),
    }


def _speed(work: Work, figures: Figures, limits: Thresholds) -> Figures:
    """Return the bounds for an annotator as fast as the limits allow; a group of fast annotators hides nobody."""
    level = level_of_each(limits.false_alarms / 2, figures["answers"] >= limits.least_answers)
    people, seconds = work.answers.people, work.answers.seconds / work.on_screen
    timed = counts_of_each(people[~np.isnan(seconds)], work.people).astype(np.float64)
    spread = np.sqrt(variance_within(people, np.log(np.maximum(seconds, QUICKEST)), work.people))
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "median_seconds_bound": median_by_chance(timed, limits.median_seconds, spread, level),
            "quick_share_bound": most_by_chance(timed, limits.quick_share, level) / timed,
        }


def _straight(work: Work, figures: Figures, runs: Runs, limits: Thresholds) -> Figures:
    """Return the bounds of somebody who answers as the others do, in any order, and knows no place on the screen."""
    rate = level_of_each(limits.false_alarms, figures["answers"] >= limits.least_answers)
    values = max(1, len(np.unique(work.rated.values)))
    given = counts_of_each(work.chosen.people, work.people).astype(np.float64)
    places = work.on_screen
    with np.errstate(divide="ignore", invalid="ignore"):
        # Either of the best and the worst choices may be in any of the places.
        habit = most_by_chance(given, 1 / places, rate / (2 * places)) / given
        run = np.floor(longest_by_chance(figures["answers"], runs.share, rate / values))
    return {"longest_run_bound": run, "position_share_bound": habit}


def _labels(work: Work, figures: Figures, group: Booleans, limits: Thresholds) -> Figures:
    """Return the bounds for an annotator who is wrong as often as the others, and at most as often as by guessing."""
    rate, independent = limits.false_alarms / 2, np.ones(work.people)
    if len(work.chosen.people):
        best, worst = np.split(contradicting(work.choices, work.gold), 2)
        independent *= independent_answers(best, worst)
    enough = figures["labelled"] >= limits.least_answers
    against = _wrong_by_chance(figures["labelled"], figures["contradictions"], independent, group, rate, enough)
    practised, wrong = figures["practised"], 1 - figures["practice_right"]
    unlearned = _wrong_by_chance(practised, wrong, np.ones(work.people), group, rate, practised >= MINIMUM_EVIDENCE)
    return {"contradictions_bound": against, "practice_right_bound": 1 - unlearned}


def _wrong_by_chance(
    answers: Floats, wrong: Floats, independent: Floats, group: Booleans, rate: float, compared: Booleans
) -> Floats:
    """Return the greatest share of wrong answers, with (c + 1) / (n + 2) for that of the others' n answers.

    Parameters: independent, the share of the answers that count as independent of each other.
    """
    number, cases = answers * group, np.nan_to_num(answers * wrong) * group
    share = (cases.sum() - cases + 1) / (number.sum() - number + 2)
    level, whole = level_of_each(rate, compared), np.floor(answers * independent)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(most_by_chance(whole, np.minimum(share, GUESSED), level) / whole)


def _distances(work: Work, figures: Figures, group: Booleans, limits: Thresholds) -> Figures:
    own, found = work.answers, {}
    for name, number, reference, usual in (
        ("calibration_distance", "calibrated", own.expected, USUAL_CALIBRATION),
        ("repeat_distance", "repeated", own.earlier, USUAL_REPEAT),
    ):
        answers = figures[number]
        compared = (answers >= MINIMUM_EVIDENCE) & ~np.isnan(figures[name])
        each = np.abs(own.values - reference) / work.length if work.length > 0 else np.full(len(own.values), np.nan)
        variance = variance_within(own.people, np.where(group[own.people], each, np.nan), work.people)
        level = level_of_each(limits.false_alarms, compared)
        found[f"{name}_bound"] = distance_bounds(figures[name], answers, usual, variance, compared & group, level)
    return found


def _agreement(work: Work, figures: Figures, group: Booleans, limits: Thresholds) -> Floats:
    agreement, shared = figures["agreement"], figures["shared"]
    compared = (shared >= limits.least_answers) & ~np.isnan(agreement)
    level = level_of_each(limits.false_alarms, compared)
    if not len(work.chosen.people):
        return correlation_bounds(agreement, shared, compared & group, level)
    rows, choices, chance = work.chosen, work.every_choice, 1 / work.on_screen
    same = [same_choice_shares(choices.tuples, chosen, rows.counted) for chosen in (choices.best, choices.worst)]
    both = (same[0] + same[1]) / 2
    variance, step = variance_within(rows.people, both, work.people), _step(both)
    shares = chance + (1 - chance) * agreement
    return above_chance(share_bounds(shares, shared, variance, step, compared & group, level), chance)


def _step(values: Floats) -> float:
    """Return the least distance between two different values, 0 if all are the same."""
    different = np.unique(np.round(values[~np.isnan(values)], DIGITS))
    return float(np.diff(different).min(initial=1.0)) if len(different) > 1 else 0.0
