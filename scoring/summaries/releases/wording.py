"""A comparison of two releases as tables of text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scoring.summaries.releases.reading import Place
from scoring.summaries.undefined import Result

UNDEFINED = "n/a"
MOST_PEOPLE = 20
SCORES = (
    ("Pearson’s r", "pearson", "pearson"),
    ("Spearman’s ρ", "spearman", "spearman"),
    ("ICC(2,1), absolute agreement", "icc_absolute", ""),
    ("ICC(3,1), consistency", "icc_consistency", ""),
    ("Mean difference (second − first)", "shift", "shift"),
    ("p of the mean difference", "shift_p", ""),
    ("Root mean squared difference", "difference", ""),
    ("The same, expected from sampling alone", "by_sampling", ""),
)
ITEMS = (
    ("Shared items", "shared"),
    ("Shared by ID", "by_id"),
    ("Shared by text", "by_text"),
    ("Judged in both", "judged_in_both"),
    ("Same ID, other texts", "other_texts"),
    ("Only in the first", "only_first"),
    ("Only in the second", "only_second"),
)
AGAIN = {
    "pearson": "Pearson’s r",
    "shift": "Mean difference",
    "rmse": "Root mean squared difference",
    "same_best": "Same best",
    "same_worst": "Same worst",
}


@dataclass(frozen=True)
class Block:
    """A table: its title, and its rows with the names of the columns first."""

    title: str
    rows: list[list[str]]


def blocks_of(found: Result) -> Iterator[Block]:
    """Yield the tables of a comparison."""
    sides = [found["first"], found["second"]]
    yield Block("Compared", [["", "First", "Second"], *_about(sides)])
    numbers = [[label, f"{found['items'][name]:,}"] for label, name in ITEMS]
    yield Block(
        "Items and judgments", [["", "Number"], *numbers, ["Judgments in both", f"{found['same_judgments']:,}"]]
    )
    yield Block("Scores", [["", "Value", "Interval (95%)"], *_scores(found["scores"])])
    moved = found["moved"]
    share = f"{moved['moved']:,} of {moved['tested']:,} tested moved at a false discovery rate of 5%"
    title = f"Items that moved most ({share})"
    yield Block(title, [["Item", "First", "Second", "Difference", "p, adjusted"], *map(_moved, moved["most"])])
    yield from _again(found)
    if found["protocol"]:
        rows = [[one["setting"], one["first"], one["second"]] for one in found["protocol"]]
        yield Block("Settings that differ", [["Setting", "First", "Second"], *rows])
    if found["not_merged_because"]:
        yield Block("Cannot be merged", [["Reason"], *([reason] for reason in found["not_merged_because"])])


def _about(sides: list[Result]) -> Iterator[list[str]]:
    for label, name in (("Release", "name"), ("Project", "project")):
        yield [label, *(str(side[name]) for side in sides)]
    yield ["Judgments as of (UTC)", *(str(side["as_of"])[:16].replace("T", " ") for side in sides)]
    yield ["Round and context", *(str(Place(side["round"], side["context"])) or "all choices" for side in sides)]
    yield ["Items", *(f"{side['items']:,}" for side in sides)]


def _scores(scores: Result) -> Iterator[list[str]]:
    for label, name, interval in SCORES:
        yield [label, printed(scores[name]), _interval(scores, interval) if interval else ""]
    yield ["Limits of agreement", _interval(scores, "limits"), ""]


def _moved(one: Result) -> list[str]:
    name = one["item"] if one["item"] == one["item_second"] else f"{one['item']} = {one['item_second']}"
    return [name, *(printed(one[key]) for key in ("first", "second", "difference", "p_adjusted"))]


def _again(found: Result) -> Iterator[Block]:
    again = found["again"]
    if not again["annotators"]:
        return
    title = f"The same annotators again ({again['annotators']:,} annotators, {again['answers']:,} answers)"
    names = ("pearson", "shift", "rmse") if found["kind"] == "ratings" else ("same_best", "same_worst")
    header = ["Annotator", "Answers", *(AGAIN[name] for name in names), "Days apart"]
    rows = [
        [own["annotator"], f"{own['answers']:,}", *(printed(own[name]) for name in names), printed(own["days"], 1)]
        for own in again["people"][:MOST_PEOPLE]
    ]
    if found["kind"] == "ratings":
        whole = [printed(again[name]) for name in names]
        rows.insert(
            0, [f"All (interval of r, 95%: {_interval(again, 'pearson')})", f"{again['answers']:,}", *whole, ""]
        )
    yield Block(title, [header, *rows])


def _interval(holder: Result, name: str) -> str:
    low, high = holder[f"{name}_low"], holder[f"{name}_high"]
    return UNDEFINED if low is None else f"{printed(low)} to {printed(high)}"


def printed(value: Any, decimals: int = 3) -> str:
    """Return a number as tables print it."""
    if value is None:
        return UNDEFINED
    return value if isinstance(value, str) else f"{value:,.{decimals}f}".replace("-", "−")
