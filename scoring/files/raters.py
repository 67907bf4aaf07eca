"""`raters FILE.csv`: scores by models of raters, and everybody's weight, from ratings or best-worst choices."""

from argparse import Namespace
from typing import Any

import numpy as np

from scoring.files.agreement import Ratings, read_ratings
from scoring.files.choices import NamedChoices, collect_named, is_choices
from scoring.files.reading import FileFault, open_table
from scoring.files.writing import defined, write_json
from scoring.stats.choices import Floats
from scoring.stats.raters.best_worst import annotator_errors
from scoring.stats.raters.categories import Answers, expected_values
from scoring.stats.raters.dawid_skene import fit_dawid_skene
from scoring.stats.raters.mace import fit_mace
from scoring.stats.raters.mixed import fit_mixed
from scoring.stats.raters.ordinal import MOST_CATEGORIES, fit_ordinal
from scoring.stats.raters.rated import Rated, comparable
from scoring.stats.raters.weighed import fit_weighed
from scoring.stats.reliabilities import fit_best_worst_annotators

NOT_COMPARED = "no annotator of the item shares an item with another annotator, or there are too many values"
REPLICATES = 20


def run(options: Namespace) -> None:
    with open_table(options.judgments) as table:
        chosen = is_choices(table)
        found: Any = collect_named(table, keep_invalid=False, signed=True) if chosen else read_ratings(table)
    generator = np.random.default_rng(options.seed)
    try:
        result = _of_choices(found, generator) if chosen else _of_ratings(found, generator)
    except ValueError as error:
        raise FileFault(f"{table.name}: {error}") from error
    write_json(result)


def _of_ratings(ratings: Ratings, generator: np.random.Generator) -> dict[str, Any]:
    numbers = len(ratings.item_names), len(ratings.annotator_names)
    found = comparable(Rated(ratings.items, ratings.annotators, ratings.values, *numbers))
    if found.reason:
        raise ValueError(f"no model of raters can be fitted, because {found.reason}.")
    rated = found.rated
    mixed, weighed = fit_mixed(rated), fit_weighed(rated, generator, replicates=REPLICATES)
    means = np.bincount(ratings.items, ratings.values) / np.bincount(ratings.items)
    columns = {"mean": means, "mixed": mixed.scores, "mixed_error": mixed.errors}
    columns |= {"weighed": weighed.scores, "weighed_error": weighed.errors} | _categories(rated, generator)
    people = {"shift": weighed.shifts, "stretch": weighed.stretches, "noise": np.sqrt(weighed.noises)}
    return {
        "kind": "ratings",
        "ratings": len(rated.values),
        "groups": found.groups,
        "converged": mixed.converged and weighed.converged,
        "items": _rows(ratings.item_names, columns),
        "annotators": _rows(ratings.annotator_names, people | {"weight": weighed.weights}),
    }


def _categories(rated: Rated, generator: np.random.Generator) -> dict[str, Floats]:
    """Return scores by models of categories; all NaN where there are too many different values."""
    names = "ordinal", "ordinal_error", "dawid_skene", "mace"
    answers, values = Answers.of(rated)
    if len(values) > MOST_CATEGORIES:
        return {name: np.full(rated.item_number, np.nan) for name in names}
    ordinal = fit_ordinal(rated, generator, replicates=REPLICATES)
    models = fit_dawid_skene(answers).probabilities, fit_mace(answers, generator).probabilities
    expected = (expected_values(probabilities, values, answers.answered) for probabilities in models)
    return dict(zip(names, (ordinal.scores, ordinal.errors, *expected), strict=True))


def _of_choices(found: NamedChoices, generator: np.random.Generator) -> dict[str, Any]:
    choices = found.choices
    fitted = fit_best_worst_annotators(choices)
    columns = {"utility": fitted.utilities.values, "error": annotator_errors(choices, fitted, generator)}
    return {
        "kind": "choices",
        "judgments": choices.judgments,
        "converged": fitted.utilities.converged,
        "items": _rows(found.items, columns),
        "annotators": _rows(found.annotators, {"reliability": fitted.reliabilities}),
    }


def _rows(names: list[str], columns: dict[str, Floats]) -> list[dict[str, Any]]:
    """Return a row for each name, in the order of the file, null with the reason where a figure is undefined."""
    values = [column.tolist() for column in columns.values()]
    return [
        {"name": name, **defined(dict(zip(columns, row, strict=True)), NOT_COMPARED)}
        for name, row in zip(names, zip(*values, strict=True), strict=True)
    ]
