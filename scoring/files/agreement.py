"""`agreement FILE.csv`: inter-annotator agreement of ratings or of best-worst choices."""

from argparse import Namespace
from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.files.choices import collect, is_choices
from scoring.files.reading import FileFault, Table, open_table
from scoring.files.writing import defined, write_json
from scoring.stats.agreement import (
    inter_annotator,
    intraclass_correlation,
    leave_one_out,
    mse_bound,
    mse_oracle,
    with_others,
    with_stack,
)
from scoring.stats.alpha import all_alphas, choices_alpha
from scoring.stats.choices import Choices
from scoring.stats.disagreement import strong_agreement
from scoring.stats.reasons import first_reason, why_no_agreement, why_no_alpha, why_no_icc

NO_BOUND = "no item has more than three ratings"
NO_ORACLE = "no item has more than one rating"
NO_STRONG = "no tuple was judged twice"
LARGEST = 1e100


@dataclass(frozen=True)
class Ratings:
    """Ratings as numbers, shape (ratings,) each; the names of items and annotators by their numbers."""

    items: np.ndarray
    annotators: np.ndarray
    values: np.ndarray
    item_names: list[str]
    annotator_names: list[str]


def run(options: Namespace) -> None:
    with open_table(options.judgments) as table:
        chosen = is_choices(table)
        found = collect(table, keep_invalid=options.keep_invalid) if chosen else read_ratings(table)
    write_json(_of_choices(found, options.strong) if chosen else _of_ratings(found))


def read_ratings(table: Table) -> Ratings:
    """Return the rows of item, annotator and value; an empty value is a missing rating and is left out."""
    columns = [table.column(name) for name in ("item", "annotator", "value")]
    names: tuple[dict[str, int], dict[str, int]] = ({}, {})
    numbers, values, seen = (array("q"), array("q")), array("d"), dict[tuple[int, int], int]()
    for line, record in table.rows:
        item, annotator, text = (record[place].strip() for place in columns)
        value = _number(text)
        if not text:
            continue
        if not item or not annotator:
            table.fault(line, "item and annotator must not be empty.")
        elif value is None:
            table.fault(
                line, f"“{text}” is not a valid rating. Enter a number, or leave the value empty if there is no rating."
            )
        else:
            pair = names[0].setdefault(item, len(names[0])), names[1].setdefault(annotator, len(names[1]))
            if pair in seen:
                table.fault(line, f"{annotator} has already rated “{item}” (line {seen[pair]}).")
            seen[pair] = line
            for column, number in zip(numbers, pair, strict=True):
                column.append(number)
            values.append(value)
    table.refuse()
    if not values:
        raise FileFault(f"{table.name}: there are no ratings.")
    items, annotators = (np.array(column, dtype=np.int64) for column in numbers)
    return Ratings(items, annotators, np.array(values, dtype=np.float64), *map(list, names))


def _number(text: str) -> float | None:
    """Return a plain decimal number or None; Python would also read 1_000, and squares of larger numbers overflow."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) <= LARGEST and "_" not in text else None


def _of_ratings(ratings: Ratings) -> dict[str, Any]:
    items, values = ratings.items, ratings.values
    return {
        "kind": "ratings",
        "items": int(items.max()) + 1,
        "annotators": int(ratings.annotators.max()) + 1,
        "ratings": len(values),
        "inter": defined(inter_annotator(items, values), why_no_agreement(with_stack(items, values), "item means")),
        "leave_one_out": defined(
            leave_one_out(items, values), why_no_agreement(with_others(items, values), "means of the others")
        ),
        "alpha": defined(all_alphas(items, values), why_no_alpha(items, values)),
        "icc": defined(intraclass_correlation(items, values), why_no_icc(items, values)),
        **defined({"mse_bound": mse_bound(items, values)}, NO_BOUND),
        **defined({"mse_oracle": mse_oracle(items, values)}, NO_ORACLE),
    }


def _of_choices(choices: Choices, share: float) -> dict[str, Any]:
    alpha = choices_alpha(choices)
    strong = strong_agreement(choices, share)
    reason = first_reason((np.bincount(choices.tuples).max() < 2, NO_STRONG), (True, "every choice is the same"))
    return {
        "kind": "choices",
        "items": choices.number,
        "tuples": int(choices.tuples.max()) + 1,
        "judgments": choices.judgments,
        "alpha": {"best": defined(alpha.best, reason), "worst": defined(alpha.worst, reason)},
        "strong": {"share": share, **defined({"best": strong.best, "worst": strong.worst}, NO_STRONG)},
    }
