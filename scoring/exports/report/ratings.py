"""Tables of rated projects."""

from collections.abc import Iterator, Mapping

from annotation.protocols.spec import Protocol
from scoring.exports.report.shifts import rejected_pairs
from scoring.exports.report.tables import Line, Table, Tree, across, around, distribution, down, tested, whole
from scoring.figures.wording import counted

AGREEMENT = [
    whole("Pairs", "items"),
    whole("Annotators", "annotators"),
    whole("Ratings", "ratings"),
    whole("Pairs rated at least twice", "items_compared"),
    whole("Ratings of these pairs", "ratings_compared"),
    around("Pearson’s r, rating and pair mean", ("inter", "pearson")),
    around("Spearman’s ρ, rating and pair mean", ("inter", "spearman")),
    Line("Root mean squared error, rating and pair mean", ("inter", "rmse")),
    Line("Mean squared error, rating and pair mean", ("inter", "mse")),
    *tested("Pearson’s r, leave-one-out", ("leave_one_out", "pearson")),
    *tested("Spearman’s ρ, leave-one-out", ("leave_one_out", "spearman")),
    Line("Root mean squared error, leave-one-out", ("leave_one_out", "rmse")),
    Line("Mean squared error, leave-one-out", ("leave_one_out", "mse")),
    Line("Krippendorff’s α, nominal", ("alpha", "nominal")),
    Line("Krippendorff’s α, ordinal", ("alpha", "ordinal")),
    around("Krippendorff’s α, interval", ("alpha", "interval")),
    Line("Krippendorff’s α, ratio", ("alpha", "ratio")),
    Line("ICC(1,1), all ratings", ("icc", "icc1")),
    Line("ICC(1,k), all ratings", ("icc", "icc1k")),
    Line("Expected squared error of a model that predicts the true means, s²/n", "mse_oracle"),
    Line("s²/n × (n − 1)/(n − 3), the “bound” in Czech News, Section 6", "mse_bound"),
    around("Average rater", "average_rater"),
]
BRACKETS = (
    "95% confidence intervals in brackets: for r and ρ by resampling pairs (Fisher’s z), for α by resampling pairs, "
    "for the average rater {by}. p-values are two-sided, from Fisher’s z over pairs; the correlations with the pair "
    "mean have none, because each rating is part of that mean.{limits}"
)
SAME_PEOPLE = " All these intervals are for the same annotators and other pairs; other annotators may agree less."
CARELESS = (
    " If one in ten annotators is careless, the interval of "
    "the average rater covers the true value in 75% of simulated collections with 12 annotators and in 91% with 24, "
    "because a sample may contain no careless annotator."
)
"""Of runs up to version 3 of the results."""
BY_PEOPLE = {
    1: "by Student’s t over annotators",
    2: "by Fisher’s z over annotators",
    3: "by a jackknife over annotators",
}
"""How the intervals of averages over people were computed, by the version of the results; since then over pairs."""
NO_LIMIT = (
    "s²/n is the average, over pairs, of the variance of the pair mean: the mean squared error expected of a model "
    "that predicts the true means. The value with the factor (8/6 for n = 9) is larger, so it is not a lower bound on "
    "a model’s error."
)
EARLIER_BRACKETS = (
    "95% confidence intervals in brackets: for α by resampling pairs, for the average rater by Student’s t over "
    "annotators, for the others by Fisher’s z, treating ratings as independent. Ratings of pairs that were rated only "
    "once are included."
)
"""Of runs of version 1 of the results."""
BY_FISHER = (
    "95% confidence intervals in brackets by Fisher’s z and two-sided p-values by Student’s t; both treat the ratings "
    "as independent."
)
"""Of runs up to version 2 of the results."""
BY_RESAMPLING = (
    "95% confidence intervals in brackets by resampling annotators and pairs (Fisher’s z); two-sided p-values from the "
    "same z."
)
BOTH = {"both": "Both contexts", "free": "Without context", "dependent": "With context"}
ERRORS = [
    *tested("Pearson’s r", "pearson"),
    *tested("Spearman’s ρ", "spearman"),
    Line("Root mean squared error", "rmse"),
    Line("Mean squared error", "mse"),
]

TESTS = {
    "student": "Student",
    "student_bh": "Student, corrected",
    "welch": "Welch",
    "paired": "Paired",
    "paired_bh": "Paired, corrected",
}
WHICH_TEST = (
    "Two-sided t-tests of the two means of each pair; if the ratings vary in neither context and the means differ, p "
    "is 0. Student: independent samples with equal variances, as in Czech News, Section 5.1; p ≤ 0.05 without "
    "correction selects test-sig where that file is published. Welch: variances may differ. Paired: differences "
    "within annotators who rated the pair in both contexts. Corrected: Benjamini–Hochberg correction for the number "
    "of pairs tested."
)

INTERVALS = "95% confidence intervals in brackets. p-values are two-sided, by Student’s t."
RANDOM_SUBSETS = (
    "95% confidence intervals in brackets. “Random” is the mean over random subsets of the same size as the filtered "
    "set, with the range that contains 95% of them in brackets. p-values are two-sided, by Student’s t."
)


def by_people(results: Tree) -> str:
    """Return how the intervals of averages over people were computed."""
    return BY_PEOPLE.get(results.get("shape", 0), "by a jackknife over pairs")


def scores(results: Tree) -> Iterator[Table]:
    if places := by_place(results.get("scores", {})):
        lines = [whole("Pairs", ("means", "number")), *distribution("means")]
        yield across("Mean ratings of pairs", places, lines, "Main block, without calibration pairs.")


def agreement(results: Tree) -> Iterator[Table]:
    if places := by_place(results.get("agreement", {})):
        resampled = all("items_compared" in found for found in places.values())
        limits = CARELESS if results.get("shape") in BY_PEOPLE else SAME_PEOPLE
        brackets = BRACKETS.format(by=by_people(results), limits=limits) if resampled else EARLIER_BRACKETS
        yield across("Inter-annotator agreement of the ratings", places, AGREEMENT, f"{brackets} {NO_LIMIT}")
    brackets = BY_FISHER if results.get("shape") in (1, 2) else BY_RESAMPLING
    for late, earlier in results.get("intra", {}).items():
        for early, found in earlier.items():
            columns = {label: found[name] for name, label in BOTH.items()}
            people = counted(found["annotators"], "annotator")
            note = f"{counted(found['ratings'], 'rating')} by {people}, each given twice. {brackets}"
            lines = [whole("Ratings", "ratings"), *ERRORS]
            title = f"{late} and {early}" if late != early else "pairs repeated at the end of a session"
            yield across(f"Intra-annotator agreement: {title}", columns, lines, note)


def context(results: Tree) -> Iterator[Table]:
    rounds = results.get("context_shift", {})
    if not rounds:
        return
    lines = [whole("Pairs", ("gains", "number")), *distribution("gains")]
    note = "95% confidence interval in brackets, by Student’s t."
    yield across("Gain: mean with context minus mean without", rounds, lines, note)
    means = {name: found["means"] for name, found in rounds.items() if "means" in found}
    if means:
        note = "95% confidence intervals in brackets by Fisher’s z over pairs; two-sided p-values by Student’s t."
        yield across("Mean ratings without and with context", means, ERRORS, note)
    for name, found in rounds.items():
        rejected = rejected_pairs(found)
        tests = {TESTS[test]: rejected[test] for test in TESTS if test in rejected}
        levels = [Line(f"At level {level}", level) for level in ("0.01", "0.05", "0.10")]
        lines = [whole("Pairs with a p-value", "tested"), *levels]
        note = f"{WHICH_TEST} Shares are of all pairs; pairs without a p-value count as not different."
        yield down(f"{name}: share of pairs whose means differ between contexts", tests, lines, note)


def selections(results: Tree) -> Iterator[Table]:
    if found := results.get("filters"):
        columns = {"All": found["all"], "Not validated": found["unvalidated"]}
        columns |= {f"Role {role}": own for role, own in found["roles"].items()}
        lines = [whole("Pairs", "raw"), whole("Within 2 of the expected value (N2)", "N2")]
        lines += [whole("Within 1 of the expected value (N1)", "N1"), Line("Expected value", "expected", 1)]
        yield across("Selected pairs, and those close to the value expected for their role", columns, lines)
        yield from _correlations(results, "Selection", "the selection", RANDOM_SUBSETS)


def earlier_values(results: Tree) -> Iterator[Table]:
    """Yield the correlations with the earlier values of the pairs, in a project that selects nothing."""
    if "filters" not in results:
        yield from _correlations(results, "Earlier value", "the earlier value", INTERVALS)


def _correlations(results: Tree, reference: str, given: str, note: str) -> Iterator[Table]:
    """Parameters: reference and given, the values from before, as a line of a table begins and as it ends."""
    for name, found in results.get("correlations", {}).items():
        lines = [whole("Pairs", "pairs"), *tested(f"{reference} and without context", "r1_free")]
        lines += tested(f"{reference} and with context", "r1_dependent")
        lines += tested("Without and with context", "free_dependent")
        lines += tested(f"Without and with context, controlling for {given}", "partial")
        columns = {_filter_name(key): own for key, own in found.items()}
        yield across(f"{name}: Pearson correlations", columns, lines, note)


def _filter_name(key: str) -> str:
    name, random = key.removesuffix("_rand"), key.endswith("_rand")
    return f"{name} random" if random else "All" if name == "unfiltered" else name


def by_place(rounds: Mapping[str, Mapping[str, Tree]]) -> dict[str, Tree]:
    """Return trees by round and context; the context is named if there are two."""
    return {
        f"{name}, {'without' if context == 'free' else 'with'} context" if len(contexts) > 1 else name: own
        for name, contexts in rounds.items()
        for context, own in contexts.items()
    }


def place_in_words(place: str, protocol: Protocol) -> str:
    """Return a place of `by_place` in a sentence; for a single round only the context is named."""
    if len(protocol.rounds) > 1:
        return place.replace(", ", " ")
    context = place.partition(", ")[2]
    return f"the session {context}" if context else "the main block"


def in_round(name: str, protocol: Protocol) -> str:
    """Return “ in NAME” for a sentence; nothing for a single round."""
    return f" in {name}" if len(protocol.rounds) > 1 else ""
