"""Tables of the judged material."""

from collections.abc import Iterator

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, down, tested, whole
from scoring.figures.violins import MEASURES

COUNTS = {
    "items": "Items",
    "calibration_items": "Calibration items",
    "withdrawn_items": "Withdrawn items",
    "people": "Annotators",
    "people_counted": "Annotators with a counted judgment",
    "tuples": "Tuples",
    "pairs_selected": "Selected pairs",
    "ratings": "Ratings",
    "ratings_counted": "Counted ratings",
    "choices": "Choices",
    "choices_counted": "Counted choices",
    "choices_invalid": "Choices with a duplicate item, or the same item as best and worst",
}
IF_ANY = ("choices_invalid", "withdrawn_items", "pairs_selected")


def overview(results: Tree) -> Iterator[Table]:
    found = results.get("overview")
    if found is None:
        return
    rows = {
        label: {"number": found[name], "number_reason": found.get(f"{name}_reason", "")}
        for name, label in _of_this_project(found).items()
    }
    yield down("Overview", rows, [whole("Number", "number")])


def _of_this_project(found: Tree) -> dict[str, str]:
    """Return the rows that apply: choices with tuples, ratings without; those of `IF_ANY` if there are some."""
    without = ("ratings",) if found["tuples"] and not found["ratings"] else ("choices", "tuples")
    without += tuple(name for name in IF_ANY if not found.get(name))
    return {name: label for name, label in COUNTS.items() if not name.startswith(without)}


def texts(results: Tree) -> Iterator[Table]:
    found = results.get("texts")
    if found is None:
        return
    overlap = found["overlap"]["spearman"] if "overlap" in found else {}
    rows = {"Choices": overlap["choices"]} if "choices" in overlap else by_place(overlap)
    if rows:
        lines = [whole("Items", "items"), *tested("Spearman’s ρ", "spearman")]
        note = "95% confidence intervals in brackets; p-values are two-sided, by Student’s t."
        yield down("Lexical overlap (Dice) and the scores", rows, lines, note)
    readability = found["readability"]
    lines = [Line("Mean", "mean", 1), Line("Standard deviation", "sd", 1), Line("Median", "median", 1)]
    if readability["indices"]:
        yield down("Readability (school grade)", *_readability(readability, lines))
    else:
        rows = {"All": {"mean": None, "mean_reason": readability["indices_reason"]}}
        yield down("Readability (school grade)", rows, lines[:1])
    rows = {"All": found["diversity"]["all"], **found["diversity"]["domains"]}
    lines = [
        whole("Texts", "texts"),
        whole("Tokens", "tokens"),
        Line("Root type-token ratio", "root_type_token_ratio", 2),
    ]
    yield down("Lexical diversity", rows, [*lines, Line("MTLD", "mtld", 1)])


def _readability(found: Tree, lines: list[Line]) -> tuple[dict[str, Tree], list[Line], str]:
    """Return rows, lines and note of the readability; runs of earlier versions do not count texts below a grade."""
    rows: dict[str, Tree] = {label: found["indices"][name] for name, label in MEASURES.items()}
    note = f"{found['texts']:,} distinct English texts."
    if "grade" in found:
        below = {label: {"below": found["below_grade"][name]} for name, label in MEASURES.items()}
        shares = {label: {"share": found["share_below_grade"][name]} for name, label in MEASURES.items()}
        rows = {label: {**own, **below[label], **shares[label]} for label, own in rows.items()}
        grade = f"grade {found['grade']}"
        lines = [*lines, whole(f"Texts below {grade}", "below"), Line(f"Share below {grade}", "share")]
    return rows, lines, note
