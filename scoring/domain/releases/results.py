"""The results of a run, read and written part by part, because those of a large project are very large."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from scoring.exports.files import whole_file
from scoring.exports.scores import MODEL_COLUMNS, ItemKey, Measures
from scoring.models import Run
from scoring.queries import part_of_results
from scoring.summaries.tree import SLICE, as_json

SHAPE = "shape"


def write_results(run: Run, path: Path) -> None:
    """Write results.json, a line for each part in the order of their names; the same results give the same bytes."""
    with whole_file(path) as file:
        file.write("{\n")
        for name, parts in _names(run).items():
            if parts:
                lines = (f"{as_json(part)}: {as_json(part_of_results(run, name, part))}" for part in parts)
                for place, line in enumerate(lines):
                    file.write(f"{',' if place else as_json(name) + ': {'}\n{line}")
                file.write("\n},\n")
            else:
                file.write(f"{as_json(name)}: {as_json(part_of_results(run, name))},\n")
        file.write(f"{as_json(SHAPE)}: {as_json(part_of_results(run, SHAPE))}\n}}\n")


def results_of(run: Run, names: Collection[str]) -> dict[str, Any]:
    """Return the named parts that the run has."""
    return {name: part_of_results(run, name) for name in _names(run) if name in names}


def measures_of(run: Run) -> Measures:
    """Return what the run computed of each item in addition to its score by counting or its mean; nothing if that has
    no results."""
    errors, model = part_of_results(run, "choice_errors", "judgment"), part_of_results(run, "models", "best_worst")
    scores, weighed = part_of_results(run, "choice_scores"), part_of_results(run, "rater_models", "choices")
    columns = {name: (scores, name) for name in ("interval_low", "interval_high")}
    columns |= {"error": (errors, "error"), "utility": (model, "utility"), "utility_error": (model, "error")}
    columns |= {"weighed_utility": (weighed, "utility"), "weighed_utility_error": (weighed, "error")}
    return {
        name: dict(zip(part["item"], part[column], strict=True))
        for name, (part, column) in columns.items()
        if part and part.get(column)
    } | _rating_measures(run)


def _rating_measures(run: Run) -> dict[str, dict[ItemKey, float | None]]:
    """Return the columns of models of raters: values by item, round and context."""
    measures: dict[str, dict[ItemKey, float | None]] = defaultdict(dict)
    for part, names in MODEL_COLUMNS.items():
        for round_key, contexts in (part_of_results(run, "rater_models", part) or {}).items():
            for context, own in contexts.items():
                for name in (name for name in names if own.get(name)):
                    keys = ((item, round_key, context) for item in own["item"])
                    measures[name] |= dict(zip(keys, own[name], strict=True))
    return measures


def _names(run: Run) -> Mapping[str, list[str]]:
    """Return the keys of the results, each with the parts under it: for `models.best_worst` that is `best_worst`."""
    found: dict[str, set[str]] = defaultdict(set)
    for key in run.parts.values_list("key", flat=True):
        name, _, below = key.partition(SLICE)[0].partition(".")
        found[name] |= {below} if below else set()
    return {name: sorted(found[name]) for name in sorted(found)}
