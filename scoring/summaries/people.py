"""Each rater compared with the others, and with the known labels."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from scoring.stats.filtering import contradicting_ratings
from scoring.stats.people import (
    beside_others,
    counts_of_each,
    longest_runs,
    means_of_each,
    medians_of_each,
    ranges_of_each,
)
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import BLOCKS, Floats, Integers, Ratings
from scoring.summaries.undefined import Result, told

NO_SHARED = "no other annotator rated the same pairs"
REASONS = {
    "bias": NO_SHARED,
    "rmse": NO_SHARED,
    "correlation": "fewer than three pairs in common with other annotators, or no variance among the ratings",
    "scale_used": "no ratings",
    "median_seconds": "no times were recorded",
}
NO_LABELS = "no rating of a pair with a known label"
Figures = dict[str, Floats | Integers]
"""Figures of everybody by name, shapes (people,)."""


def people(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the report of everybody in a round, compared with those whose ratings count: {round: [report]}.

    It is on the main block without calibration pairs. The same pair in another context is a different one. An excluded
    person is compared with the others too, but not the others with them.
    """
    own = snapshot.participations
    return {
        name: [
            identity(snapshot, place) | report_of(figures, int(own.raters[place]), REASONS)
            for place in np.flatnonzero(own.rounds == round_).tolist()
        ]
        for round_, name in enumerate(snapshot.facts.rounds)
        for figures in [_figures(snapshot, round_)]
    }


def identity(snapshot: Snapshot, participation: int) -> Result:
    """Return a participant's pseudonym, pool, and how their participation ended."""
    own = snapshot.participations
    return {
        "annotator": snapshot.raters.pseudonyms[own.raters[participation]],
        "pool": own.pools[participation],
        "state": own.states[participation],
    }


def report_of(figures: Figures, person: int, reasons: Mapping[str, str]) -> Result:
    """Return one person's figures, with the reason for each that is not defined."""
    return told({name: column[person].item() for name, column in figures.items()}, reasons)


def _figures(snapshot: Snapshot, round_: int) -> Figures:
    own, number, facts = _in_order(snapshot, round_), len(snapshot.raters.pseudonyms), snapshot.facts
    # The same item in another context is another one.
    beside = beside_others(own.items * 2 + own.contexts, own.raters, own.values, own.counted, number)
    return {
        "ratings": counts_of_each(own.raters, number),
        "bias": beside.bias,
        "rmse": beside.rmse,
        "correlation": beside.correlation,
        "scale_used": ranges_of_each(own.raters, own.values, number) / (facts.maximum - facts.minimum),
        "longest_run": longest_runs(own.raters, own.values, number).length,
        "median_seconds": medians_of_each(own.raters, own.thinking_ms / 1000, number),
    }


def _in_order(snapshot: Snapshot, round_: int) -> Ratings:
    """Return the ratings of the main block, each person's in the order in which they were given."""
    own = _main(snapshot, round_)
    rows = np.flatnonzero(~snapshot.items.calibration[own.items])
    return own.keep(rows[np.lexsort((own.position[rows], own.session[rows], own.raters[rows]))])


def _main(snapshot: Snapshot, round_: int) -> Ratings:
    ratings = snapshot.ratings
    main = ratings.blocks == BLOCKS.index("main")
    return ratings.keep((ratings.rounds == round_) & main & ~np.isnan(ratings.values))


def has_labels(snapshot: Snapshot) -> bool:
    labelled = ~np.isnan(snapshot.items.gold) & ~snapshot.items.calibration
    return bool(labelled[snapshot.ratings.items].any())


def screening(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return everybody's share of answers that contradict the known labels, and the limit of their pool (DSCS 4.1)."""
    own, limits = snapshot.participations, dict(snapshot.facts.limits)
    people: list[dict[str, Any]] = []
    for round_, name in enumerate(snapshot.facts.rounds):
        ratings, number = _in_order(snapshot, round_), len(snapshot.raters.pseudonyms)
        against = contradicting_ratings(ratings.values, snapshot.items.gold[ratings.items], snapshot.facts.midpoint)
        answers = counts_of_each(ratings.raters[~np.isnan(against)], number)
        shares = means_of_each(ratings.raters, against, number)
        for place in np.flatnonzero(own.rounds == round_).tolist():
            rater, limit = own.raters[place], limits.get(own.pools[place])
            share = float(shares[rater])
            found = {"answers": int(answers[rater]), **told({"share": share}, NO_LABELS), "limit": limit}
            too_many = limit is not None and share > limit
            people.append({"round": name, **identity(snapshot, place), **found, "too_many": too_many})
    return {"midpoint": snapshot.facts.midpoint, "people": people}
