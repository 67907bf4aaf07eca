"""Tables of models that answered as annotators: a section of its own, as no score is made of their answers."""

from collections.abc import Iterator

from scoring.exports.report.tables import Line, Table, Tree, across, down, p_value, tested, whole

APART = "Answers of models are in no score and in no other statistic."
OVERVIEW = [
    Line("Model", "model"),
    Line("Round", "round"),
    whole("Screens", "screens"),
    whole("Valid answers", "answers"),
    whole("Invalid answers", "invalid"),
    whole("Screens without a valid answer", "given_up"),
    Line("Cost", "cost", 4),
]
ALTERNATIVE = [
    whole("Alternative annotator test: annotators compared", ("alternative", "people")),
    Line("ε", ("alternative", "epsilon"), 2),
    Line("Winning rate ω", ("alternative", "winning_rate")),
    Line("Average advantage probability ρ", ("alternative", "advantage")),
    Line("Passed (ω ≥ 0.5)", ("alternative", "passed")),
]
BIAS = [
    *tested("Difference from annotators and length (r)", ("bias", "length", "r")),
    *tested("Difference from annotators and overlap (r)", ("bias", "overlap", "r")),
]
OF_RATINGS = [
    whole("Items also rated by annotators", "items"),
    *tested("Pearson’s r with the annotators’ mean", ("agreement", "pearson")),
    *tested("Spearman’s ρ with the annotators’ mean", ("agreement", "spearman")),
    Line("Root mean squared error", ("agreement", "rmse")),
    Line("Mean Pearson’s r of annotators with the others", ("raters", "people_mean")),
    whole("Annotators with a smaller r than the model", ("raters", "below_model")),
    Line("Krippendorff’s α, annotators only", ("raters", "alpha_people")),
    Line("Krippendorff’s α, with the model", ("raters", "alpha_with_model")),
    *ALTERNATIVE,
    Line("Mean difference from annotators", ("bias", "mean", "estimate")),
    p_value("p (df)", ("bias", "mean", "p")),
    *BIAS,
    Line("Second text first: mean difference", ("bias", "position", "estimate")),
    p_value("p (df)", ("bias", "position", "p")),
    whole("Repeats", ("stability", "repeats")),
    Line("Same answer in all repeats (share)", ("stability", "same")),
    Line("Mean range over repeats", ("stability", "range")),
    Line("Pearson’s r between repeats", ("stability", "pearson")),
]
OF_CHOICES = [
    whole("Tuples", "tuples"),
    whole("Items with a score", "items"),
    *tested("Pearson’s r with the annotators’ scores", ("scores", "pearson")),
    *tested("Spearman’s ρ with the annotators’ scores", ("scores", "spearman")),
    *ALTERNATIVE,
    *BIAS,
    Line("Best by position on the screen, chi-squared", ("bias", "positions", "best", "chi_squared"), 2),
    p_value("p (df)", ("bias", "positions", "best", "p")),
    Line("Worst by position on the screen, chi-squared", ("bias", "positions", "worst", "chi_squared"), 2),
    p_value("p (df)", ("bias", "positions", "worst", "p")),
    whole("Repeats", ("stability", "repeats")),
    Line("Same best in all repeats (share of tuples)", ("stability", "same_best")),
    Line("Same worst in all repeats (share of tuples)", ("stability", "same_worst")),
]


def machines(results: Tree) -> Iterator[Table]:
    """Yield the table of all models, and the comparison of those of each round and context with its annotators."""
    found = results.get("machines")
    if not found:
        return
    yield down("Models that answered as annotators", {arm["name"]: arm for arm in found["arms"]}, OVERVIEW, APART)
    note = (
        f"{APART} Alternative annotator test (Calderon et al. 2025): each annotator is left out in turn; false "
        "discoveries are controlled by Benjamini and Yekutieli’s procedure. Comparisons with annotators use the first "
        "repeat. 95% confidence intervals in brackets by Fisher’s z."
    )
    for place, arms in _by_place(found["arms"]).items():
        choices = all("tuples" in own for own in arms.values())
        title = f"{place}: models compared with annotators"
        yield across(title, arms, OF_CHOICES if choices else OF_RATINGS, note)


def _by_place(arms: list[Tree]) -> dict[str, dict[str, Tree]]:
    """Return the figures of the models, by round and context and by name."""
    places: dict[str, dict[str, Tree]] = {}
    for arm in arms:
        if "choices" in arm:
            places.setdefault(arm["round"], {})[arm["name"]] = arm["choices"]
        for context, own in arm.get("ratings", {}).items():
            places.setdefault(f"{arm['round']}, context-{context}", {})[arm["name"]] = own
    return places
