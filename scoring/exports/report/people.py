"""Tables of annotator behaviour: pauses, and each annotator compared with the others."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from scoring.exports.report.ratings import by_people, by_place
from scoring.exports.report.tables import Line, Table, Tree, across, around, distribution, down, p_value, whole

REPORTS = {
    "bias": "Bias",
    "rmse": "Root mean squared error",
    "correlation": "Correlation with the others",
    "scale_used": "Share of the scale used",
    "longest_run": "Longest run of the same value",
    "median_seconds": "Median thinking time (seconds)",
}
CHOICE_REPORTS = {
    "agreement": "Agreement with the others, above chance",
    "best_same": "Share of the others who chose the same best",
    "worst_same": "Share of the others who chose the same worst",
    "best_position_share": "Best: share of the most frequent position",
    "worst_position_share": "Worst: share of the most frequent position",
    "contradictions": "Share contradicting known labels",
    "median_seconds": "Median thinking time (seconds)",
}
TESTS = {"student": "Student’s t", "welch": "Welch’s t"}
WITH_ALL = "Annotators whose ratings are not counted are included; each is compared with those whose ratings are."


def raters(results: Tree) -> Iterator[Table]:
    """Yield tables of how closely raters follow the others, by pool, and pools compared (STSS-131, appendix B)."""
    for place, found in by_place(results.get("raters", {})).items():
        if not found["pools"]:
            continue
        columns = {own["pool"] or "All raters": own for own in found["pools"]}
        lines = [whole("Annotators", "number"), *distribution()]
        note = f"Pearson’s r; 95% confidence interval of the mean in brackets, {by_people(results)}."
        yield across(f"{place}: each rater and the mean of the others", columns, lines, note)
        yield from _typical(place, found)
        for own in found["compared"]:
            tests = {label: own[name] for name, label in TESTS.items()}
            lines = [Line("t", "t"), Line("Degrees of freedom", "degrees", 1), p_value("p, two-sided", "p_two_sided")]
            yield down(f"{place}: the raters of {own['one']} compared with those of {own['other']}", tests, lines)


def pairwise(results: Tree) -> Iterator[Table]:
    """Yield the distribution of the agreement of every two annotators; runs of earlier versions have none."""
    found = [
        (f"{place}: every two annotators", "Pearson’s r", own)
        for place, own in by_place(results.get("pairwise", {})).items()
    ]
    if choices := results.get("choice_pairwise"):
        found.append(("Choices: every two annotators", "Share of the same choices, above chance", choices))
    for title, measure, own in found:
        if own["groups"]:  # nobody answered, or too many people did
            columns = {measure: own["pairs"]}
            yield across(title, columns, [whole("Pairs of annotators", "number"), *distribution()], _not_drawn(own))


def _not_drawn(found: Tree) -> str:
    """Return what the figures of a large collection leave out, and why."""
    parts = []
    if any(len(group) > 1 for group in found["groups"]):
        parts.append(f"The heat map shows {len(found['groups'])} groups of annotators who agree with the same others.")
    if found["matrix"] is None:
        parts.append(f"The table of items and annotators is not drawn: {found['matrix_reason']}.")
    return " ".join(parts)


def _typical(place: str, found: Tree) -> Iterator[Table]:
    """Yield the table of the typical rater; runs of earlier versions have none."""
    if "typical" in found:
        lines = [whole("Annotators", "raters"), around("Mean", "mean"), Line("Best", "best"), Line("Worst", "worst")]
        lines += [
            Line("Typical rater (closest to the mean)", "closest"),
            Line("Annotator closest to the mean", "closest_annotator"),
        ]
        note = "Pearson’s r of each annotator with the mean of the others. Models are compared with the typical rater."
        yield across(f"{place}: the typical rater", {"r": found["typical"]}, lines, note)


def behaviour(results: Tree) -> Iterator[Table]:
    waits = results.get("curves", {}).get("waiting", {})
    if waits:
        hours = [whole("Annotators", "people"), *distribution(decimals=1)]
        yield across("Hours between the two sessions", {name: _hours(own) for name, own in waits.items()}, hours)
    lines = [whole("Annotators", "number"), Line("Minimum", "min"), Line("Median", "median"), Line("Maximum", "max")]
    for name, reports in results.get("people", {}).items():
        rows = {label: _spread(reports, key) for key, label in REPORTS.items()}
        yield down(f"{name}: each rater compared with the others", rows, lines, WITH_ALL)
    for name, reports in results.get("choice_people", {}).items():
        rows = {label: _spread(reports, key) for key, label in CHOICE_REPORTS.items()}
        yield down(
            f"{name}: each annotator compared with the others", rows, lines, WITH_ALL.replace("ratings", "choices")
        )
    if found := results.get("screening"):
        yield _screening(found)


def _hours(own: Tree) -> Tree:
    return {"people": own["people"], **_summary(own["hours"], own.get("share_reason", "no annotator returned"))}


def _spread(reports: list[Tree], key: str) -> Tree:
    values = [report[key] for report in reports if report[key] is not None and report.get("ratings", 1)]
    reasons = [report[f"{key}_reason"] for report in reports if report[key] is None]
    return {"number": len(values), **_summary(values, reasons[0] if reasons else "no annotators took part")}


def _summary(values: list[float], reason: str) -> dict[str, Any]:
    """Return the distribution of values, none missing; each figure has a reason if there are no values."""
    names = ("min", "q25", "median", "q75", "max")
    if not values:
        return dict.fromkeys(("mean", "sd", *names)) | {f"{name}_reason": reason for name in ("mean", "sd", *names)}
    found: dict[str, Any] = dict(zip(names, np.quantile(values, (0, 0.25, 0.5, 0.75, 1)).tolist(), strict=True))
    found["mean"] = float(np.mean(values))
    found["sd"] = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return found | {"sd_reason": "the standard deviation of a single value is not defined"}


def _screening(found: Tree) -> Table:
    pools: dict[str, list[Tree]] = {}
    for person in found["people"]:
        pools.setdefault(f"{person['round']} {person['pool']}".strip(), []).append(person)
    rows = {
        name: {
            "people": len(people),
            "limit": people[0]["limit"],
            "limit_reason": "this pool is not screened for contradictions",
            "above": sum(person["too_many"] for person in people),
            **_spread(people, "share"),
        }
        for name, people in pools.items()
    }
    lines = [whole("Annotators", "people"), Line("Median share", "median"), Line("Maximum share", "max")]
    lines += [Line("Limit", "limit", 2), whole("Above the limit", "above")]
    return down("Answers that contradict known labels", rows, lines)
