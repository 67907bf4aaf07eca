"""The same people in two releases: how they answered the same things again, and how long after."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

import numpy as np

from scoring.stats.intervals import correlations_of_repeats
from scoring.stats.repeated import choices_repeated, retest
from scoring.summaries.releases.reading import Place, ReleasedData, Row, rows_of, shown
from scoring.summaries.tables import Integers
from scoring.summaries.undefined import Result, distribution, told

DAY = 86_400
NOBODY = "nobody answered the same items in both"
NO_RETEST = "fewer than three answers, or they do not vary"
NO_INTERVAL = "too few people or items for an interval, or a correlation of 1 or -1"
NO_TIMES = "the times of the answers are not known"
REPLICATES = 1_000
Key = tuple[tuple[str, str], frozenset[str]]
"""A project and a pseudonym, and the item that was rated, or those of a tuple."""


@dataclass(frozen=True)
class Answer:
    """What a person answered, when, in seconds (None if unknown), and on which screen."""

    value: Any
    at: float | None
    screen: tuple[Any, ...]


def same_judgments(first: ReleasedData, second: ReleasedData, places: tuple[Place, Place]) -> int:
    """Return how many judgments are in both: those of an earlier release of the same project."""
    both = [
        {identity(row) for row in rows_of(release, place)}
        for release, place in zip((first, second), places, strict=True)
    ]
    return len(both[0] & both[1])


def people_again(
    first: ReleasedData,
    second: ReleasedData,
    places: tuple[Place, Place],
    names: dict[str, str],
    generator: np.random.Generator,
) -> Result:
    """Return how people who took part in both answered the same items, or tuples, again.

    Judgments that are in both releases were given once, and are left out. Pseudonyms are those of a project, so that
    nobody is in releases of two projects.

    Parameters: names, the shared items, as the second release names them, by their names in the first.
    """
    before, after = _answers(first, places[0], names), _answers(second, places[1], None)
    again = [key for key in before if key in after and before[key] != after[key]]
    people: dict[str, list[Key]] = {}
    for key in again:
        people.setdefault(key[0][1], []).append(key)
    found: Result = {"annotators": len(people), "answers": len(again)}
    if not again:
        return found
    rows = [
        {"annotator": person, **_of_person([before[key] for key in keys], [after[key] for key in keys], first.compares)}
        for person, keys in people.items()
    ]
    found |= _of_all(again, before, after, generator) if not first.compares else _of_choices(rows)
    return found | {"people": rows}


def _of_person(before: Sequence[Answer], after: Sequence[Answer], compares: bool) -> Result:
    days = [
        (late.at - early.at) / DAY
        for early, late in zip(before, after, strict=True)
        if early.at is not None and late.at is not None
    ]
    apart = told({"days": abs(median(days)) if days else float("nan")}, NO_TIMES)
    if compares:
        best, worst = choices_repeated([own.value for own in before], [own.value for own in after])
        return {"answers": len(before), "same_best": best, "same_worst": worst} | apart
    values = (np.array([own.value for own in side], dtype=np.float64) for side in (before, after))
    return told(retest(*values), NO_RETEST) | apart


def _of_all(again: list[Key], before: dict[Key, Answer], after: dict[Key, Answer], generator: Any) -> Result:
    people, items = (_numbered([key[at] for key in again]) for at in (0, 1))
    x, y = (np.array([side[key].value for key in again], dtype=np.float64) for side in (before, after))
    repeated = correlations_of_repeats(people, items, x, y, generator, replicates=REPLICATES)["pearson"]
    whole = retest(x, y)
    bounds = told({"pearson_low": repeated.low, "pearson_high": repeated.high}, NO_INTERVAL)
    return {**told({"pearson": whole.pearson, "shift": whole.shift, "rmse": whole.rmse}, NO_RETEST), **bounds}


def _numbered(labels: Sequence[Hashable]) -> Integers:
    """Return the number of each label, from 0."""
    numbers = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return np.array([numbers[label] for label in labels], dtype=np.int64)


def _of_choices(rows: list[Result]) -> Result:
    return {
        name: distribution(np.array([row[name] for row in rows], dtype=np.float64), NOBODY)
        for name in ("same_best", "same_worst")
    }


def _answers(release: ReleasedData, place: Place, names: dict[str, str] | None) -> dict[Key, Answer]:
    """Return the answers by person and item, or items of a tuple, under the names of the second release."""
    project = str(release.manifest.get("project", ""))
    found: dict[Key, Answer] = {}
    for row in rows_of(release, place):
        items = [row["item"]] if not release.compares else shown(row)
        if names is not None and any(item not in names for item in items):
            continue
        known = {item: names[item] if names else item for item in items}
        key: Key = ((project, row["annotator"]), frozenset(known.values()))
        if release.compares:
            value: Any = (known[row["best"]], known[row["worst"]])
        else:
            value = float(row["value"])
        if key not in found:
            screen = tuple(row.get(name) for name in ("round", "session", "position"))
            found[key] = Answer(value, _seconds(row), screen)
    return found


def _seconds(row: Row) -> float | None:
    at = row.get("answered_at")
    return datetime.fromisoformat(at).timestamp() if at else None


def identity(row: Row) -> tuple[Any, ...]:
    """Return what tells a judgment from all others of its project."""
    names = ("annotator", "item", "tuple", "round", "context", "session", "position", "answered_at")
    return (*(row.get(name) for name in names), row.get("value"), row.get("best"), row.get("worst"))
