"""Tables of models of raters: what weighing people changes against excluding them."""

from collections.abc import Iterator

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, across, down, whole

SCORES = {
    "everyone": "mean, everyone",
    "screened": "mean, after exclusions",
    "weighed": "weighed, after exclusions",
    "weighed_everyone": "weighed, everyone",
}
EFFECTS = {"screen": "Change in rating per screen", "context": "Change in rating with context"}
VARIANCES = [
    Line("Variance of items", "item_variance"),
    Line("Variance of annotators", "rater_variance"),
    Line("Residual variance", "residual_variance"),
]
WEIGHTS = (
    "Weight: stretch² / noise², with a mean of 1. Shift and noise (a standard deviation) are in points of the scale. "
    "A stretch of 0 means answers that do not depend on the pair; a negative one, a reversed scale."
)
LOWEST = "Annotators with the lowest weight"


def weighing(results: Tree) -> Iterator[Table]:
    """Yield the tables of all models of raters that the run computed."""
    found = results.get("rater_models", {})
    yield from _effects(found.get("effects", {}))
    for place, own in by_place(found.get("ratings", {})).items():
        yield from _of_ratings(place, own)
    if "choices" in found:
        yield from _of_choices(found["choices"])


def _effects(found: Tree) -> Iterator[Table]:
    if not found:
        return
    lines = [*VARIANCES, whole("Ratings", "ratings")]
    for name, label in EFFECTS.items():
        lines += [Line(label, (name, "estimate"), 4), Line("Standard error", (name, "error"), 4)]
    note = "Linear mixed model with random levels of items and annotators, by restricted maximum likelihood."
    yield across("Items, annotators, context and order in one model", found, lines, note)


def _of_ratings(place: str, own: Tree) -> Iterator[Table]:
    if own["screening"] is None:
        yield _undefined(f"{place}: weighed scores", own, "screening")
        return
    yield _compared(place, own["screening"], changes=True)
    changed = own["screening"]["changed"]
    rows = {
        item: {name: changed[name][at] for name in SCORES} | {f"{name}_reason": "no such score" for name in SCORES}
        for at, item in enumerate(changed["item"])
    }
    if rows:
        lines = [Line(label, name) for name, label in SCORES.items()]
        yield down(f"{place}: the items that weighing changes most", rows, lines)
    lines = [Line("Weight", "weight"), Line("Shift", "shift"), Line("Stretch", "stretch"), Line("Noise", "noise")]
    lowest = {person["annotator"]: person for person in own["screening"]["lowest"]}
    yield down(f"{place}: {LOWEST.lower()}", lowest, [*lines, Line("Excluded", "excluded")], WEIGHTS)


def _of_choices(own: Tree) -> Iterator[Table]:
    if own["screening"] is None:
        yield _undefined("Choices: weighed utilities", own, "screening")
        return
    yield _compared("Choices", own["screening"], changes=False)
    lowest = {person["annotator"]: person for person in own["screening"]["lowest"]}
    note = "Reliability: 1 in the mean; 0 is chance, a negative one reverses the scale."
    yield down(
        "Choices: annotators with the lowest reliability",
        lowest,
        [Line("Reliability", "reliability"), Line("Excluded", "excluded")],
        note,
    )


def _compared(place: str, screening: Tree, *, changes: bool) -> Table:
    lines = [whole("Items", "items"), Line("Pearson’s r", "pearson"), Line("Spearman’s ρ", "spearman")]
    if changes:
        lines += [Line("Mean change", "mean_change"), Line("Largest change", "largest_change")]
    rows = {f"{SCORES[pair['one']]} and {SCORES[pair['other']]}": pair for pair in screening["compared"]}
    excluded = screening["excluded"]
    people = "1 annotator is excluded." if excluded == 1 else f"{excluded} annotators are excluded."
    if not excluded:
        people = "Nobody is excluded, so scores of everyone and after exclusions are the same."
    return down(f"{place}: excluding annotators and weighing them", rows, lines, people)


def _undefined(title: str, own: Tree, name: str) -> Table:
    return down(title, {"Weighed scores": own}, [Line("Figures", name)])
