"""How far people agree, in words and numbers."""

from collections.abc import Iterator, Sequence

from scoring.exports.report.collection import Collection
from scoring.exports.report.ratings import by_place, place_in_words
from scoring.exports.report.tables import Tree
from scoring.figures.wording import MINUS, counted, listed, share

HALVES = {
    "tuple": "dealing the choices of each tuple to two halves",
    "judgment": "halving all choices",
    "annotator": "halving the people",
}


def reliability(own: Collection) -> Iterator[str]:
    """How far people agree, in sentences."""
    told = [*_of_ratings(own), *_again(own), *_of_choices(own), *_of_context(own)]
    yield from told or ["No figure applies yet: there is nothing that two people judged."]


def _of_ratings(own: Collection) -> Iterator[str]:
    for place, found in by_place(own.results.get("agreement", {})).items():
        if not found["ratings"]:
            continue
        if found["ratings"] == found["items"]:
            where = place_in_words(place, own.protocol)
            yield f"In {where}, no pair was rated by two people, so that there is no agreement to tell of."
            continue
        resampled = _bounds(found["alpha"], "interval", "by resampling pairs")
        figures = (
            ("Pearson’s r between the ratings and the mean of their pair", found["inter"], "pearson", ""),
            ("Pearson’s r between the ratings and the mean of the others", found["leave_one_out"], "pearson", ""),
            ("Krippendorff’s α for intervals", found["alpha"], "interval", resampled),
            ("ICC(1,1)", found["icc"], "icc1", ""),
            ("ICC(1,k)", found["icc"], "icc1k", ""),
        )
        ratings, pairs = counted(found["ratings"], "rating"), counted(found["items"], "pair")
        yield f"Agreement in {place_in_words(place, own.protocol)} (n = {ratings} of {pairs}): {_each(figures)}."
        if found.get("average_rater") is not None:
            r = _printed(found["average_rater"]) + _bounds(found, "average_rater", "by Student’s t over the people")
            yield f"A person follows the mean of the others with r = {r} on average."


def _each(figures: Sequence[tuple[str, Tree, str, str]]) -> str:
    """What is defined with its value; then what is not, once for each reason."""
    parts = [f"{label} {_printed(tree[key])}{more}" for label, tree, key, more in figures if tree[key] is not None]
    undefined: dict[str, list[str]] = {}
    for label, tree, key, _ in figures:
        if tree[key] is None:
            undefined.setdefault(tree.get(f"{key}_reason", "no reason noted"), []).append(label)
    if undefined:
        parts.append("not defined: " + ", ".join(f"{listed(labels)} ({why})" for why, labels in undefined.items()))
    return "; ".join(parts)


def _bounds(holder: Tree, name: str, how: str) -> str:
    """The interval of a figure in brackets; nothing where there is none."""
    interval = _interval(holder, name, how)
    return f" ({interval})" if interval else ""


def _interval(holder: Tree, name: str, how: str) -> str:
    low, high = (holder.get(f"{name}_{end}") for end in ("low", "high"))
    return "" if low is None or high is None else f"95 % interval {_printed(low)} to {_printed(high)}, {how}"


def _again(own: Collection) -> Iterator[str]:
    for late, earlier in own.results.get("intra", {}).items():
        for early, found in earlier.items():
            if not found["ratings"]:
                continue
            people, ratings = counted(found["annotators"], "person", "people"), counted(found["ratings"], "rating")
            yield (
                f"{people} rated in {late} what they had rated in {early} (n = {ratings}): "
                f"Pearson’s r {_told(found['both'], 'pearson')}"
                f"{_bounds(found['both'], 'pearson', 'by Fisher’s z')}."
            )


def _of_choices(own: Collection) -> Iterator[str]:
    for by in HALVES:
        halves = own.results.get("split_half", {}).get(by)
        if halves is None:
            continue
        yield _of_halves(halves, f"Split-half reliability by {HALVES[by]}")
    if found := own.results.get("choice_agreement"):
        best, worst = found["alpha"]["best"], found["alpha"]["worst"]
        choices, tuples = counted(found["judgments"], "choice"), counted(found["tuples"], "tuple")
        yield (
            f"Krippendorff’s nominal α of the item chosen (n = {choices} of {tuples}): "
            f"{_told(best, 'item')} for best and {_told(worst, 'item')} for worst."
        )


def _of_halves(halves: Tree, name: str) -> str:
    if halves["splits"] is None:
        return f"{name} is not defined ({halves['splits_reason']})."
    spread, splits, bounds = halves["spearman"], counted(halves["splits"], "random split"), ""
    if spread["low"] is not None:
        bounds = f" (95 % of the splits from {_printed(spread['low'])} to {_printed(spread['high'])})"
    return f"{name} (n = {splits}): mean Spearman’s ρ {_told(spread, 'mean')}{bounds}."


def _of_context(own: Collection) -> Iterator[str]:
    for name, found in own.results.get("context_shift", {}).items():
        gains = found["gains"]
        if gains["mean"] is None:
            continue
        part = found["rejected"]["student"]["0.05"]
        number = filter(None, (counted(gains["number"], "pair"), _interval(gains, "mean", "by Student’s t")))
        yield (
            f"Context changed the mean of a pair in {name} by {_printed(gains['mean'])} on average (n = "
            f"{', '.join(number)})"
            + (f"; {share(part)} of the pairs differ at the 5 % level (Student’s t-test)." if part is not None else ".")
        )


def _told(holder: Tree, name: str) -> str:
    """A figure, or why there is none."""
    value = holder[name]
    return (
        _printed(value) if value is not None else f"is not defined ({holder.get(f'{name}_reason', 'no reason noted')})"
    )


def _printed(value: float) -> str:
    return f"{value:.3f}".replace("-", MINUS)
