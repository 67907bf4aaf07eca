"""Tables of what was judged."""

from collections.abc import Iterator

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, around, down, whole

INDICES = {
    "flesch_kincaid": "Flesch–Kincaid",
    "coleman_liau": "Coleman–Liau",
    "automated_readability": "Automated readability",
    "linsear_write": "Linsear Write",
    "gunning_fog": "Gunning fog",
    "text_standard": "Text standard",
}
COUNTS = {
    "items": "Items",
    "calibration_items": "of these for calibration",
    "people": "People",
    "people_counted": "of these with a judgment that counts",
    "tuples": "Tuples",
    "ratings": "Ratings",
    "ratings_counted": "of these counted",
    "choices": "Choices",
    "choices_counted": "of these counted",
    "choices_invalid": "of these with an item twice, or the same as best and worst",
}


def overview(results: Tree) -> Iterator[Table]:
    found = results.get("overview")
    if found is None:
        return
    rows = {
        label: {"number": found[name], "number_reason": found.get(f"{name}_reason", "")}
        for name, label in _of_this_project(found).items()
    }
    yield down("How much there is", rows, [whole("Number", "number")])


def _of_this_project(found: Tree) -> dict[str, str]:
    """Choices where there are tuples, ratings where there are none; invalid choices where some were brought in."""
    without = ("ratings",) if found["tuples"] and not found["ratings"] else ("choices", "tuples")
    if not found.get("choices_invalid"):
        without = (*without, "choices_invalid")
    return {name: label for name, label in COUNTS.items() if not name.startswith(without)}


def texts(results: Tree) -> Iterator[Table]:
    found = results.get("texts")
    if found is None:
        return
    overlap = found["overlap"]["spearman"]
    rows = {"Choices": overlap["choices"]} if "choices" in overlap else by_place(overlap)
    if rows:
        lines = [whole("Items", "items"), around("Spearman’s ρ", "spearman")]
        yield down("Lexical overlap (Dice) and the scores", rows, lines, "In brackets 95 % intervals.")
    readability = found["readability"]
    lines = [Line("Mean", "mean", 1), Line("Standard deviation", "sd", 1), Line("Median", "median", 1)]
    if readability["indices"]:
        rows = {label: readability["indices"][name] for name, label in INDICES.items()}
        yield down("Readability: years of school", rows, lines, f"{readability['texts']:,} distinct English texts.")
    else:
        rows = {"All": {"mean": None, "mean_reason": readability["indices_reason"]}}
        yield down("Readability: years of school", rows, lines[:1])
    rows = {"All": found["diversity"]["all"], **found["diversity"]["domains"]}
    lines = [
        whole("Texts", "texts"),
        whole("Tokens", "tokens"),
        Line("Root type-token ratio", "root_type_token_ratio", 2),
    ]
    yield down("Lexical diversity", rows, [*lines, Line("MTLD", "mtld", 1)])
