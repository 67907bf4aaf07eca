"""Predicted distributions of answers: checked, and compared with those of people."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from scoring.domain.evaluations.baselines import Scores
from scoring.stats.distribution_scores import Floats, Integers, compare_distributions, normal_shares
from scoring.stats.distributions import CHOSEN, Levels, choice_counts, level_counts
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import stacks_of
from scoring.summaries.tables import CONTEXTS
from scoring.summaries.undefined import Result, told

PREFIX = "p_"
TOLERANCE = 1e-3  # of the sum of probabilities
NAMED = 20  # items that a message lists
MOMENTS = {"mean", "sd"}
CHOSEN_VALUES = (1.0, 0.0, -1.0)  # of best, neither and worst, as a score counts them
NOT_JUDGED = "no item with a predicted distribution was judged"
NO_SPREAD = "fewer than two of these items were judged twice, or all standard deviations are equal"
Distributions = Mapping[str, Mapping[str, float]]
Shares = dict[str, Floats]
"""The predicted probability of each level, by item."""


def shares_of(snapshot: Snapshot, distributions: Distributions) -> Shares:
    """Return the predicted probabilities of the levels of each item.

    An item has either a probability for each level, named as the counts in distributions.csv (`p_3` for `count_3`), or
    the `mean` and `sd` of a normal distribution, which is rounded to the levels.

    Raises: Refusal if an item has other names, probabilities that do not sum to 1, or moments of choices.
    """
    levels = _levels(snapshot)
    names = _names(levels)
    wrong = [item for item, own in distributions.items() if not _is_distribution(own, names, levels)]
    if wrong:
        expected = ", ".join(f"{PREFIX}{name}" for name in names)
        raise Refusal(
            _(
                "Each distribution needs the probabilities %(expected)s, which sum to 1, or, for ratings, mean and sd "
                "(0 or more). Check these items: %(wrong)s."
            )
            % {"expected": expected, "wrong": ", ".join(f"“{item}”" for item in wrong[:NAMED])}
        )
    return {item: _shares(own, names, levels) for item, own in distributions.items()}


def expected_values(snapshot: Snapshot, shares: Shares) -> Scores:
    """Return the mean of each distribution: on the scale, or the score of a best-worst choice from -1 to 1."""
    values = _values(_levels(snapshot))
    return {item: float(own @ values) for item, own in shares.items()}


def figures_of_distributions(place: Sequence[str], snapshot: Snapshot, shares: Shares) -> Result:
    """Return how closely distributions follow the answers in a round and context, or those of all choices.

    Parameters: place, round and context of ratings; empty for choices.
    """
    levels = _levels(snapshot)
    places = {key: at for at, key in enumerate(snapshot.items.keys)}
    items = [item for item in shares if item in places]
    counts = _counts(snapshot, place, levels)[[places[item] for item in items]]
    predicted = np.array([shares[item] for item in items], dtype=np.float64)
    found = asdict(compare_distributions(predicted.reshape(counts.shape), counts, _values(levels)))
    impossible = f"a level that was answered has probability 0 for {found['impossible']} of the items"
    reason = impossible if found["impossible"] else NOT_JUDGED
    return told(found, {**dict.fromkeys(found, NOT_JUDGED), "cross_entropy": reason, "spread": NO_SPREAD})


def _levels(snapshot: Snapshot) -> Levels | None:
    """Return the levels of ratings; None for choices."""
    facts = snapshot.facts
    return Levels.of(facts.minimum, facts.maximum, facts.step) if facts.minimum == facts.minimum else None


def _names(levels: Levels | None) -> tuple[str, ...]:
    return levels.names if levels else CHOSEN


def _values(levels: Levels | None) -> Floats:
    return levels.values if levels else np.array(CHOSEN_VALUES)


def _is_distribution(own: Mapping[str, float], names: Sequence[str], levels: Levels | None) -> bool:
    if set(own) == MOMENTS:
        return levels is not None and own["sd"] >= 0
    if set(own) != {f"{PREFIX}{name}" for name in names}:
        return False
    return all(value >= 0 for value in own.values()) and abs(sum(own.values()) - 1) <= TOLERANCE


def _shares(own: Mapping[str, float], names: Sequence[str], levels: Levels | None) -> Floats:
    if levels and set(own) == MOMENTS:
        return np.asarray(normal_shares(np.array([own["mean"]]), np.array([own["sd"]]), levels)[0])
    values = np.array([own[f"{PREFIX}{name}"] for name in names], dtype=np.float64)
    return np.asarray(values / values.sum())


def _counts(snapshot: Snapshot, place: Sequence[str], levels: Levels | None) -> Integers:
    if levels is None:
        return choice_counts(snapshot.counted_choices)
    round_, context = place
    own = stacks_of(snapshot, snapshot.facts.rounds.index(round_), CONTEXTS.index(context)).ratings
    return level_counts(levels, own.items, own.values, len(snapshot.items.keys))
