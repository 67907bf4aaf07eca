"""Tables of the items that people disagree about."""

from collections.abc import Iterator

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, across, down, p_value, printed, whole

NUMBERS = [
    whole("Items judged", "items"),
    whole("Items with at least five judgments", "tested"),
    whole("Contested items", "contested"),
    Line("Share contested", "share"),
]
OF_RATINGS = [
    whole("Contested by their spread", "by_spread"),
    whole("Contested by more than one mode", "by_modes"),
    Line("Share of dip tests with p ≤ 0.05, not adjusted", ("modes", "p_at_most_05")),
]
ENTROPY = [
    Line("Entropy, median", ("entropy", "median")),
    Line("Entropy, 95th percentile", ("entropy", "q95")),
]
RATED = [
    whole("Ratings", "judgments"),
    Line("Mean", "mean", 2),
    Line("Standard deviation", "sd", 2),
    Line("Entropy", "entropy", 2),
    p_value("p, more than one mode", "p"),
    p_value("p, adjusted", "p_adjusted"),
]
CHOSEN = [
    whole("Screens", "judgments"),
    whole("Best", "best"),
    whole("Neither", "middle"),
    whole("Worst", "worst"),
    Line("Entropy", "entropy", 2),
]
RULE_OF_CHOICES = (
    "Contested: best and worst, each at least as often as by chance. Entropy of best, neither and worst: 0 if all "
    "agree, 1 if they are equally frequent; it also depends on the items that an item was shown with."
)
MOST = "At most ten items; all contested items are in contested.csv of the release."


def contested(results: Tree) -> Iterator[Table]:
    """Yield how many items are contested, and the most contested ones; runs of earlier versions have no such tables."""
    found = results.get("contested", {})
    if places := by_place(found.get("ratings", {})):
        note = _rule_of_ratings(next(iter(places.values()))["even_sd"])
        yield across("Contested items by ratings", places, [*NUMBERS, *OF_RATINGS, *ENTROPY], note)
        for place, own in places.items():
            if own["most"]:
                yield down(f"{place}: items with the widest ratings", _by_item(own), RATED, MOST)
    if own := found.get("choices"):
        yield across("Contested items by choices", {"All items": own}, [*NUMBERS, *ENTROPY], RULE_OF_CHOICES)
        if own["most"]:
            yield down("Items chosen both as best and as worst", _by_item(own), CHOSEN, MOST)


def _rule_of_ratings(even: float) -> str:
    return (
        f"Contested: a standard deviation of at least {printed(even)}, that of ratings spread evenly over the scale, "
        "or more than one mode by Hartigan’s dip test at a false discovery rate of 5% (Benjamini–Hochberg). An item "
        "can be contested by both rules. Entropy: 0 if all agree, 1 if all levels are equally frequent. If all items "
        "had one mode, at most about 5% of dip tests would have p ≤ 0.05."
    )


def _by_item(own: Tree) -> dict[str, Tree]:
    return {one["item"]: one for one in own["most"]}
