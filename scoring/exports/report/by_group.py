"""Tables of reliability and agreement by kind of item, such as domain, turns of the dialogue (GiCCS) or language."""

from collections.abc import Iterator
from itertools import chain

from scoring.exports.report.ratings import by_place
from scoring.exports.report.tables import Line, Table, Tree, around, down, tested, whole
from scoring.figures.wording import share

TITLES = {
    "domain": "domain",
    "turns": "number of turns",
    "domain_turns": "domain and number of turns",
    "source_turns": "source and number of turns",
    "language": "language",
    "source": "source",
    "heuristic": "heuristic that built the pair",
}
CHOICES = [
    whole("Items", "items"),
    whole("Tuples", "tuples"),
    whole("Tuples judged only once", "tuples_judged_once"),
    whole("Choices", "judgments"),
    Line("Split-half Spearman’s ρ, mean", ("spearman", "mean")),
    Line("α, best item", ("alpha", "best", "item")),
    Line("α, worst item", ("alpha", "worst", "item")),
    Line("α, position of best", ("alpha", "best", "position")),
    Line("α, position of worst", ("alpha", "worst", "position")),
    Line("Strong agreement, best", ("strong", "best")),
    Line("Strong agreement, worst", ("strong", "worst")),
]
RATINGS = [
    whole("Pairs", "items"),
    whole("Annotators", "annotators"),
    whole("Ratings", "ratings"),
    whole("Pairs rated at least twice", "items_compared"),
    *tested("r, leave-one-out", ("leave_one_out", "pearson")),
    around("α, interval", ("alpha", "interval")),
    Line("ICC(1,1)", ("icc", "icc1")),
]
DIVERSITY = [
    whole("Texts", "texts"),
    whole("Tokens", "tokens"),
    Line("Root type-token ratio", "root_type_token_ratio", 2),
    Line("MTLD", "mtld", 1),
]
BY_RESAMPLING = "95% confidence intervals in brackets by resampling pairs; p-values are two-sided."


def reliability(results: Tree) -> Iterator[Table]:
    """Yield a table for each attribute of the items: of choices, and of ratings in each round and context."""
    found = results.get("by_group", {})
    agreement, halves = found.get("choice_agreement", {}), found.get("split_half", {})
    for name in _attributes(agreement):
        rows = {
            label: {**halved, **own}
            for (label, own), halved in zip(_rows(agreement, name).items(), halves[name] or [{}], strict=True)
        }
        yield down(f"Inter-annotator agreement of the choices by {TITLES[name]}", rows, CHOICES, _of_choices(results))
    for place, own in by_place(found.get("agreement", {})).items():
        for name in _attributes(own):
            yield down(
                f"{place}: inter-annotator agreement of the ratings by {TITLES[name]}",
                _rows(own, name),
                RATINGS,
                BY_RESAMPLING,
            )


def diversity(results: Tree) -> Iterator[Table]:
    found = results.get("texts", {}).get("diversity", {}).get("by_group", {})
    for name in _attributes(found):
        if name != "domain":  # the table of all texts has the domains
            yield down(f"Lexical diversity by {TITLES[name]}", _rows(found, name), DIVERSITY)


def _attributes(found: Tree) -> list[str]:
    return [name for name in TITLES if name in found]


def _rows(found: Tree, name: str) -> dict[str, Tree]:
    """Return the groups by their label; where there are none, one row that says why."""
    if found[name] is None:
        lines = chain(CHOICES, RATINGS, DIVERSITY)
        steps = {line.path if isinstance(line.path, str) else line.path[0] for line in lines}
        reasons = {f"{step}_reason": found[f"{name}_reason"] for step in steps}
        return {"All": {**dict.fromkeys(steps), **reasons}}
    return {", ".join(_printed(own, key) for key in name.split("_")): own for own in found[name]}


def _printed(own: Tree, attribute: str) -> str:
    return f"{own[attribute]} turns" if attribute == "turns" else str(own[attribute])


def _of_choices(results: Tree) -> str:
    strong = results["choice_agreement"]["strong"]["share"]
    return (
        "Only choices among items of the same group. For split-half reliability, the choices of each tuple are split "
        "into two halves. α: Krippendorff’s nominal α of the item chosen and of its position on the screen. Strong "
        f"agreement: the share of tuples judged at least twice in which at least {share(strong)} chose the same item."
    )
