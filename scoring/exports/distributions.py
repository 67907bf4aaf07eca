"""distributions.csv and .parquet: how the answers to each item are distributed; and contested.csv: the items that
people disagree about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annotation.protocols.terms import Material
from scoring.exports.files import write_plain_csv
from scoring.exports.scores import Measures
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.tables import Column, Kind, write_tables
from scoring.figures.wording import counted
from scoring.stats.contested import RatedItems, Steps, describe_choices, describe_ratings
from scoring.stats.distributions import CHOSEN, PRIOR_WEIGHT, Floats, Integers, soft_labels
from scoring.stats.item_means import mean_intervals

STEM, CONTESTED = "distributions", "contested.csv"
RATED = ("mean", "sd", "interval_low", "interval_high", "entropy", "dip", "p", "p_adjusted")
COMPARED = ("interval_low", "interval_high", "entropy")
Row = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Described:
    """The items judged in one round and context: places, figures by name, and counts by level, in the same order."""

    round: str
    context: str
    places: list[int]
    figures: dict[str, Floats]
    counts: Integers
    contested: Floats


def export_distributions(view: SnapshotView, folder: Path, measures: Measures) -> dict[str, int]:
    """Write a row for each judged item, of ratings in each round and context, and the contested ones with their texts.

    The columns by level are the count, the share (`soft_`) and the share with a prior (`smoothed_`). A figure that is
    not defined is empty. There is no `contested.csv` if no item is contested.

    Parameters: measures, of the scores, that a run computed; the interval of a best-worst score is among them.
    """
    compares = view.project.protocol.compares
    found = list(_of_choices(view, measures) if compares else _of_ratings(view))
    names = COMPARED if compares else RATED
    rows = (row for own in found for row in _rows(view, own, names))
    written = write_tables(folder, STEM, _columns(view, names), rows, "csv", "parquet")
    return written | _export_contested(view, folder, found, names)


def about_disagreement(rows: Mapping[str, int], *, compares: bool) -> Iterator[str]:
    """Yield what a data card says of these files: what they contain, and how many rows are contested.

    Parameters: rows, of each file by its name; compares, whether people chose the best and the worst.
    """
    yield f"`{STEM}.*` has the answers to each item by level: their number (`count_`), their share (`soft_`), and"
    yield "the share with a prior that counts as one judgment, spread evenly over the levels (`smoothed_`). `entropy`"
    yield "is from 0 (all agree) to 1 (all levels are equally frequent). An item is contested"
    if compares:
        yield "if it was chosen as best and as worst, each at least as often as by chance."
    else:
        yield "if its standard deviation is at least that of answers spread evenly over the scale, or if its answers"
        yield "have more than one mode: `p_adjusted` is at most 0.05 (Hartigan’s dip test with Benjamini-Hochberg)."
    yield "Items with fewer than five judgments are not tested, and `contested` is empty for them."
    contested, judged = rows.get(CONTESTED, 0), rows.get(f"{STEM}.csv", 0)
    where = f"; {'its text is' if contested == 1 else 'their texts are'} in `{CONTESTED}`" if contested else ""
    yield f"\nOf {counted(judged, 'row')}, {contested:,} {'is' if contested == 1 else 'are'} contested{where}."


def _level_names(view: SnapshotView) -> tuple[str, ...]:
    """Return the names of the levels: best, middle and worst, or the values of the scale or middles of its bins."""
    if view.project.protocol.compares:
        return CHOSEN
    return _scale(view).levels.names


def _scale(view: SnapshotView) -> Steps:
    return Steps(view.facts.minimum, view.facts.maximum, view.facts.step)


def _columns(view: SnapshotView, names: Sequence[str]) -> list[Column]:
    levels = _level_names(view)
    return [
        *(Column(name, Kind.TEXT) for name in ("item", "round", "context")),
        Column("judgments", Kind.INTEGER),
        *(Column(name, Kind.NUMBER) for name in names),
        Column("contested", Kind.TRUTH),
        *(Column(f"count_{level}", Kind.INTEGER) for level in levels),
        *(Column(f"{kind}_{level}", Kind.NUMBER) for kind in ("soft", "smoothed") for level in levels),
    ]


def _rows(view: SnapshotView, own: Described, names: Sequence[str]) -> Iterator[Row]:
    keys, judgments = view["items.keys"], own.counts.sum(axis=1).tolist()
    soft, smoothed = soft_labels(own.counts), soft_labels(own.counts, PRIOR_WEIGHT)
    figures = [own.figures[name].tolist() for name in names]
    for at, (place, contested) in enumerate(zip(own.places, own.contested.tolist(), strict=True)):
        shares = (*soft[at].tolist(), *smoothed[at].tolist())
        values = (_defined(column[at]) for column in figures)
        truth = None if contested != contested else bool(contested)
        yield keys[place], own.round, own.context, judgments[at], *values, truth, *own.counts[at].tolist(), *shares


def _defined(value: float) -> float | None:
    return None if value != value else value


def _of_ratings(view: SnapshotView) -> Iterator[Described]:
    for round_key, context, values in view.rated():
        found = describe_ratings(values.items_, values.values_, _scale(view))
        figures = _figures_of_ratings(view, found) | {"entropy": found.entropy}
        yield Described(round_key, context, found.places.tolist(), figures, found.counts, found.contested)


def _figures_of_ratings(view: SnapshotView, found: RatedItems) -> dict[str, Floats]:
    """Return mean, standard deviation, and the 95 % interval of the mean within the scale (`mean_intervals`)."""
    half = mean_intervals(found.judgments, found.deviations)
    tested = found.tested
    return {
        "mean": found.means,
        "sd": found.deviations,
        "interval_low": np.maximum(found.means - half, view.facts.minimum),
        "interval_high": np.minimum(found.means + half, view.facts.maximum),
        **{"dip": tested.dips, "p": tested.p_values, "p_adjusted": tested.adjusted},
    }


def _of_choices(view: SnapshotView, measures: Measures) -> Iterator[Described]:
    found, keys = describe_choices(view.counted_choices), view["items.keys"]
    places = found.places.tolist()
    figures = {"entropy": found.entropy}
    for name in COMPARED[:2]:
        known = measures.get(name, {})
        bounds = (known.get(keys[place]) for place in places)
        figures[name] = np.array([np.nan if bound is None else bound for bound in bounds], dtype=np.float64)
    yield Described("", "", places, figures, found.counts, found.contested)


def _export_contested(
    view: SnapshotView, folder: Path, found: Sequence[Described], names: Sequence[str]
) -> dict[str, int]:
    """Write the contested items in the order of the project, each with its texts as they are."""
    rows: dict[int, list[Row]] = {}
    for own in found:
        judgments = own.counts.sum(axis=1).tolist()
        for at in np.flatnonzero(own.contested == 1).tolist():
            values = (_defined(float(own.figures[name][at])) for name in names)
            rows.setdefault(own.places[at], []).append((own.round, own.context, judgments[at], *values))
    if not rows:
        return {}
    single = view.project.protocol.material == Material.TEXTS
    texts = ("sentence1",) if single else ("sentence1", "sentence2")
    header = ("item", *(("text",) if single else texts), "round", "context", "judgments", *names)
    lines = (
        (item.key, *(getattr(item, text) for text in texts), *row)
        for place, item in view.items()
        for row in rows.get(place, ())
    )
    return {CONTESTED: write_plain_csv(folder / CONTESTED, header, lines)}
