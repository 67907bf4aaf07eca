"""Each rater beside the others, and beside the known labels."""

from math import nan
from typing import Any

import numpy as np

from scoring.stats.filtering import contradiction_share
from scoring.stats.missing import rows_of_each
from scoring.stats.raters import RaterReport, rater_reports
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import BLOCKS, Booleans, Integers, Ratings
from scoring.summaries.undefined import Result, told

NO_SHARED = "nobody else rated the same pairs"
REASONS = {
    "bias": NO_SHARED,
    "rmse": NO_SHARED,
    "correlation": "fewer than two pairs that others rated too, or no variance among the ratings",
    "scale_used": "no ratings",
    "median_seconds": "no times were measured",
}
NOTHING = RaterReport(0, bias=nan, rmse=nan, correlation=nan, scale_used=nan, longest_run=0, median_seconds=nan)
NO_LABELS = "no rating of a pair whose label is known"


def people(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """The report of everybody who takes part in a round, against those whose ratings count: {round: [report]}.

    Of the main block without calibration pairs. The same pair in another context is another one. Somebody who was
    excluded is held against the others too, who are not held against them.
    """
    return {
        name: [
            identity(snapshot, place) | report
            for place, report in zip(own, _reports(snapshot, round_, snapshot.participations.raters[own]), strict=True)
        ]
        for round_, name in enumerate(snapshot.facts.rounds)
        for own in [np.flatnonzero(snapshot.participations.rounds == round_).tolist()]
    }


def identity(snapshot: Snapshot, participation: int) -> Result:
    """Who took part, by pseudonym, where and how it ended."""
    own = snapshot.participations
    return {
        "annotator": snapshot.raters.pseudonyms[own.raters[participation]],
        "pool": own.pools[participation],
        "state": own.states[participation],
    }


def _reports(snapshot: Snapshot, round_: int, raters: Integers) -> list[Result]:
    own = _in_order(snapshot, round_)
    length = snapshot.facts.maximum - snapshot.facts.minimum
    counted = _report_each(own.keep(own.counted), length)
    uncounted = set(own.raters[~own.counted].tolist())
    reports = [
        _report_alone(own, rater, length) if rater in uncounted else counted[rater] if rater < len(counted) else NOTHING
        for rater in raters.tolist()
    ]
    return [told(report, REASONS) for report in reports]


def _in_order(snapshot: Snapshot, round_: int) -> Ratings:
    """Ratings of the main block, each person's in the order in which they were given."""
    ratings = snapshot.ratings
    own = (ratings.rounds == round_) & (ratings.blocks == BLOCKS.index("main")) & ~np.isnan(ratings.values)
    rows = np.flatnonzero(own & ~snapshot.items.calibration[ratings.items])
    return ratings.keep(rows[np.lexsort((ratings.position[rows], ratings.session[rows], ratings.raters[rows]))])


def _report_each(own: Ratings, length: float) -> list[RaterReport]:
    return rater_reports(_pairs(own), own.raters, own.values, own.thinking_ms / 1000, length=length)


def _report_alone(own: Ratings, rater: int, length: float) -> RaterReport:
    """Of somebody whose ratings do not count, among those that do."""
    mine = own.raters == rater
    shared: Booleans = np.isin(_pairs(own), _pairs(own)[mine]) & own.counted
    among = own.keep(mine | shared)
    others = (among.raters != rater).astype(np.int64)
    return rater_reports(_pairs(among), others, among.values, among.thinking_ms / 1000, length=length)[0]


def _pairs(ratings: Ratings) -> Integers:
    """An index for each item in each context."""
    return np.asarray(ratings.items * 2 + ratings.contexts)


def has_labels(snapshot: Snapshot) -> bool:
    labelled = ~np.isnan(snapshot.items.gold)
    return bool(labelled[snapshot.ratings.items].any())


def screening(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """The share of everybody's answers that contradict the known labels, beside the limit of their pool (DSCS 4.1)."""
    own = snapshot.participations
    limits = dict(snapshot.facts.limits)
    names = snapshot.facts.rounds
    people: list[dict[str, Any]] = []
    for round_, name in enumerate(names):
        answers = _labelled(snapshot, round_)
        rows = rows_of_each(answers.raters)
        for place in np.flatnonzero(own.rounds == round_).tolist():
            mine = answers.keep(rows.get(int(own.raters[place]), np.zeros(0, np.int64)))
            found = _contradictions(snapshot, mine, limits.get(own.pools[place]))
            people.append({"round": name, **identity(snapshot, place), **found})
    return {"midpoint": snapshot.facts.midpoint, "people": people}


def _labelled(snapshot: Snapshot, round_: int) -> Ratings:
    ratings = snapshot.ratings
    main = (ratings.rounds == round_) & (ratings.blocks == BLOCKS.index("main")) & ~np.isnan(ratings.values)
    return ratings.keep(main & ~np.isnan(snapshot.items.gold[ratings.items]))


def _contradictions(snapshot: Snapshot, mine: Ratings, limit: float | None) -> Result:
    share = float("nan")
    if len(mine.values):
        similar = snapshot.items.gold[mine.items] == 1
        share = contradiction_share(mine.values, similar, snapshot.facts.midpoint)
    return {
        "answers": len(mine.values),
        **told({"share": share}, NO_LABELS),
        "limit": limit,
        "too_many": limit is not None and share > limit,
    }
