"""Rated pairs with mean and standard deviation."""

from collections.abc import Iterator

from annotation.models import Item
from annotation.protocols.terms import Context
from scoring.exports.snapshot_view import SnapshotView
from scoring.stats.ratings import MeanAndDeviation, mean_and_deviation


def mean_ratings(view: SnapshotView) -> Iterator[tuple[Item, MeanAndDeviation]]:
    """Yield the rated pairs of the round that rates every pair; calibration pairs are left out."""
    round_key = next(one.key for one in view.project.protocol.rounds if one.design.rates_all)
    values = view.ratings_by_item(round_key, Context.FREE)
    for place, item in view.items():
        if place in values:
            yield item, mean_and_deviation(values[place])
