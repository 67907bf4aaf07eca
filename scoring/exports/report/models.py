"""Tables of models compared with the scores of a run (Czech News, tables 4 and 5)."""

from collections.abc import Iterator, Mapping, Sequence

from scoring.exports.report.tables import UNDEFINED, Cell, Table, Tree, marked, printed

MEASURES = {
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s ρ",
    "mse": "Mean squared error",
    "accuracy": "Best of its group",
}
DECIMALS = 4  # tables 4 and 5: deviations over seeds are small
NOTE = (
    "Mean ± standard deviation (n − 1) over the random seeds of a model; each seed is compared with the scores "
    "separately. Predictions without a seed have no standard deviation."
)


def models(release: int, scores: Mapping[str, Sequence[Tree]]) -> Iterator[Table]:
    """Yield a table of the models evaluated on a release, for each set of scores.

    Parameters: scores, by name the models with `model`, `seeds` and `measures`: mean and sd of each measure.
    """
    for name, rows in scores.items():
        if not rows:
            continue
        shown = [key for key in MEASURES if key in rows[0]["measures"]]
        cells = [(row["model"], [_seeds(row), *(_spread(row["measures"][key]) for key in shown)]) for row in rows]
        columns = ("Seeds", *(MEASURES[key] for key in shown))
        yield marked(f"Release {release}: models compared with the scores {name}", columns, cells, NOTE)


def _seeds(row: Tree) -> Cell:
    return Cell(f"{len(row['seeds']):,}" if row["seeds"] else "–")


def _spread(measure: Tree) -> Cell:
    if measure["mean"] is None:
        return Cell(UNDEFINED, measure["mean_reason"])
    mean = printed(measure["mean"], DECIMALS)
    if measure["sd"] is None:
        return Cell(mean)
    return Cell(f"{mean} ± {printed(measure['sd'], DECIMALS)}")
