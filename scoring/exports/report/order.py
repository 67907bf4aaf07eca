"""Tables of the effects of position and order."""

from collections.abc import Iterator

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, across, p_value, whole

EFFECTS = {
    "drift": "Drift: change in rating per screen",
    "assimilation": "Assimilation: change in rating per point on the previous item",
    "time": "Time: change in log seconds per screen",
}


def effects(results: Tree) -> Iterator[Table]:
    """Yield tables of the effects on ratings, and of the positions of best and worst."""
    found = results.get("order_effects", {})
    lines = [
        Line("Effect", "estimate", 4),
        Line("Standard error", "error", 4),
        p_value("p (df)", "p"),
        whole("Ratings", "ratings"),
        whole("Annotators", "people"),
    ]
    note = "Regressions with fixed effects of items and annotators; standard errors clustered by annotator."
    for place, own in by_place(found.get("ratings", {})).items():
        yield across(f"{place}: order effects", {label: own[name] for name, label in EFFECTS.items()}, lines, note)
    for round_, own in found.get("choices", {}).items():
        yield _positions(round_, own)


def _positions(round_: str, own: Tree) -> Table:
    columns = {name.capitalize(): {**tree, **_shares(tree)} for name, tree in own.items()}
    positions = range(1, len(own["best"]["counts"]) + 1)
    lines = [whole("Choices", "choices"), *(Line(f"Position {place}, share", f"share{place}") for place in positions)]
    lines += [Line("Chi-squared", "chi_squared", 2), p_value("p (df)", "p")]
    return across(
        f"{round_}: choices by position on the screen", columns, lines, "Chi-squared test against equal shares."
    )


def _shares(tree: Tree) -> dict[str, float]:
    return {f"share{place}": count / tree["choices"] for place, count in enumerate(tree["counts"], start=1)}
