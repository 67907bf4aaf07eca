"""Models that were trained with several random seeds: mean and standard deviation of each measure over the seeds
(Czech News, tables 4 and 5)."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import nan
from statistics import fmean, stdev
from typing import Any

from scoring.models import Release
from scoring.summaries.undefined import Result, told

ONE_SEED = "the standard deviation of a single seed is not defined"
NO_SEED = "the standard deviation of predictions without a seed is not defined"
NO_ACCURACY = "for at least one seed, no group has predictions and scores for all its items"
Figures = Mapping[str, Any]
Rows = Iterable[tuple[str, int | None, Figures]]
"""Model, seed and figures of each evaluation, on one set of scores."""


@dataclass(frozen=True)
class OverSeeds:
    """One model. seeds: in order; empty if its only predictions have none. measures: by name, mean and sd (n - 1)."""

    model: str
    seeds: tuple[int, ...]
    measures: dict[str, Result]


def over_seeds(rows: Rows) -> list[OverSeeds]:
    """Return the models with the mean of each measure over their seeds, the highest mean of Pearson's r first."""
    models: dict[str, list[tuple[int | None, Figures]]] = {}
    for model, seed, figures in rows:
        models.setdefault(model, []).append((seed, figures))
    found = [
        OverSeeds(
            model,
            tuple(sorted(seed for seed, _ in own if seed is not None)),
            _measures([figures for _, figures in own], NO_SEED if own[0][0] is None else ONE_SEED),
        )
        for model, own in models.items()
    ]
    return sorted(found, key=lambda one: (-one.measures["pearson"]["mean"], one.model))


def _measures(each: list[Figures], reason: str) -> dict[str, Result]:
    """Parameters: reason, why a single value has no standard deviation."""
    values = {name: [figures["whole"][name]["r"] for figures in each] for name in ("pearson", "spearman")}
    values["mse"] = [figures["mse"] for figures in each]
    if each[0]["multiple_choice"] is not None:
        values["accuracy"] = [figures["multiple_choice"]["accuracy"] for figures in each]
    return {name: _spread(own, reason) for name, own in values.items()}


def _spread(values: list[float | None], reason: str) -> Result:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return told({"mean": nan, "sd": nan}, NO_ACCURACY)
    return {"mean": fmean(known), **told({"sd": stdev(known) if len(known) > 1 else nan}, reason)}


def models_of(release: Release) -> dict[str, list[Result]]:
    """Return `model`, `seeds` and `measures` of all models of a release, by the set of scores."""
    evaluations = list(release.evaluations.defer("predictions"))
    names = list(evaluations[0].results["scores"]) if evaluations else []
    found = {}
    for name in names:
        rows = ((one.model, one.seed, one.results["scores"][name]) for one in evaluations)
        found[name] = [asdict(model) for model in over_seeds(rows)]
    return found
