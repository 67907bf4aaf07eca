"""Tables of split-half reliability."""

from collections.abc import Iterator, Mapping

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, across, whole
from scoring.figures.wording import counted

COEFFICIENTS = {"spearman": "Spearman’s ρ", "pearson": "Pearson’s r"}
FULL_LENGTH = "Spearman–Brown corrected"
OF_RATINGS = (
    "The ratings of each pair are split at random into two halves, and the pair means of one half are correlated with "
    "those of the other. Pairs rated only once are excluded."
)


def split_half_table(title: str, columns: Mapping[str, Tree], *lines: Line, note: str = "") -> Table:
    """Return the table of split-half reliabilities; lines: further ones before the correlations."""
    rows = [whole("Splits", "splits"), *lines]
    for key, name in COEFFICIENTS.items():
        rows += [Line(f"{name}, mean", (key, "mean")), Line("Standard deviation", (key, "sd"))]
        rows += [Line("95% of splits, from", (key, "low")), Line("95% of splits, to", (key, "high"))]
        rows.append(Line(f"{FULL_LENGTH}, {name}", (key, "full_length")))
    return across(title, columns, rows, " ".join([*filter(None, [note]), *partly_undefined(columns)]))


def partly_undefined(columns: Mapping[str, Tree]) -> Iterator[str]:
    """Yield why some splits have no correlation, where others have one; else the reason is below the table."""
    for name, own in columns.items():
        if own["spearman"]["mean"] is not None and (reason := own["spearman"].get("reason")):
            yield f"{name}: {reason.rstrip('.')}."


def halved_as_whole(results: Tree) -> Iterator[str]:
    """Yield how many tuples cannot be split because they have a single choice; earlier runs did not count them."""
    found = results.get("choice_agreement", {})
    if once := found.get("tuples_judged_once"):
        number = "all" if once == found["tuples"] > 1 else f"{once:,} of"
        verb = "was" if once == 1 else "were"
        yield (
            f"In splits by tuple, {number} {counted(found['tuples'], 'tuple')} {verb} judged only once; the only "
            "choice for such a tuple is assigned to one half at random."
        )


def of_ratings(results: Tree) -> Iterator[Table]:
    """Yield the table of ratings by round and context."""
    if places := by_place(results.get("split_half_ratings", {})):
        lines = [whole("Ratings", "ratings")]
        yield split_half_table("Split-half reliability of the ratings", places, *lines, note=OF_RATINGS)
