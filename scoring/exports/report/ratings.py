"""Tables of rated projects."""

from collections.abc import Iterator, Mapping

from annotation.protocols.spec import Protocol
from scoring.exports.report.shifts import rejected_pairs
from scoring.exports.report.tables import Line, Table, Tree, across, around, distribution, down, tested, whole
from scoring.figures.wording import counted

AGREEMENT = [
    whole("Pairs", "items"),
    whole("People", "annotators"),
    whole("Ratings", "ratings"),
    whole("Pairs rated at least twice", "items_compared"),
    whole("Their ratings", "ratings_compared"),
    around("Pearson’s r, ratings and the mean of their pair", ("inter", "pearson")),
    around("Spearman’s ρ, the same", ("inter", "spearman")),
    Line("Root mean squared error, the same", ("inter", "rmse")),
    Line("Mean squared error, the same", ("inter", "mse")),
    *tested("Pearson’s r, leave-one-out", ("leave_one_out", "pearson")),
    *tested("Spearman’s ρ, leave-one-out", ("leave_one_out", "spearman")),
    Line("Root mean squared error, leave-one-out", ("leave_one_out", "rmse")),
    Line("Mean squared error, leave-one-out", ("leave_one_out", "mse")),
    Line("Krippendorff’s α, nominal", ("alpha", "nominal")),
    Line("Krippendorff’s α, ordinal", ("alpha", "ordinal")),
    around("Krippendorff’s α, interval", ("alpha", "interval")),
    Line("Krippendorff’s α, ratio", ("alpha", "ratio")),
    Line("ICC(1,1), of all ratings", ("icc", "icc1")),
    Line("ICC(1,k), of all ratings", ("icc", "icc1k")),
    Line("Squared error of a model with all true means, s²/n", "mse_oracle"),
    Line("The same × (n − 1)/(n − 3), the “bound” of Czech News 6", "mse_bound"),
    around("Average rater", "average_rater"),
]
BRACKETS = (
    "In brackets 95 % intervals: of r and ρ by resampling pairs (Fisher’s z), of α by resampling pairs, of the average "
    "rater {by}. p is two-sided, of Fisher’s z over the pairs; the correlations with the mean of the pair have none, "
    "as a rating is part of that mean. Where one in ten people is careless, the interval of the average rater holds "
    "the true figure in 75 % of simulated collections by 12 people and 91 % by 24, as a sample may have no careless "
    "person."
)
BY_PEOPLE = {1: "by Student’s t over the people", 2: "by Fisher’s z over the people"}
"""How the intervals of averages over people were computed, by the version of the results; since then by a jackknife."""
NO_LIMIT = (
    "s²/n is the mean over pairs of the variance of a pair’s mean: what a model that knows the true means is expected "
    "to reach. The figure with the factor (8/6 where n = 9) is larger, so that it is no lower limit of a model’s error."
)
EARLIER_BRACKETS = (
    "In brackets 95 % intervals: of α by resampling pairs, of the average rater by Student’s t over the people, of the "
    "others by Fisher’s z, as if ratings were independent. Ratings of pairs that were rated once are included."
)
"""Of runs of version 1 of the results."""
BY_FISHER = (
    "In brackets 95 % intervals by Fisher’s z, and two-sided p by Student’s t, as if the ratings were independent of "
    "each other."
)
"""Of runs up to version 2 of the results."""
BY_RESAMPLING = "In brackets 95 % intervals by resampling people and pairs (Fisher’s z); two-sided p of the same z."
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
    "Two-sided t-tests of the two means of each pair; where the ratings of neither context vary and the means differ, "
    "p is 0. Student: of independent samples with equal variances, as in Czech News 5.1; p ≤ 0.05 without correction "
    "selects test-sig where that file is published. Welch: of variances that may differ. Paired: of the "
    "differences of people who rated the pair in both contexts. Corrected: Benjamini and Hochberg’s correction for the "
    "number of pairs tested."
)

INTERVALS = "In brackets 95 % intervals. p is two-sided, by Student’s t."
RANDOM_SUBSETS = (
    "In brackets 95 % intervals. “Random” is the mean over random subsets of the size that the filter leaves, "
    "and where 95 % of them lie. p is two-sided, by Student’s t."
)


def by_people(results: Tree) -> str:
    """Return how the intervals of averages over people were computed."""
    return BY_PEOPLE.get(results.get("shape", 0), "by a jackknife over the people")


def scores(results: Tree) -> Iterator[Table]:
    if places := by_place(results.get("scores", {})):
        lines = [whole("Pairs", ("means", "number")), *distribution("means")]
        yield across("Mean ratings of the pairs", places, lines, "Main block, without calibration pairs.")


def agreement(results: Tree) -> Iterator[Table]:
    if places := by_place(results.get("agreement", {})):
        resampled = all("items_compared" in found for found in places.values())
        brackets = BRACKETS.format(by=by_people(results)) if resampled else EARLIER_BRACKETS
        yield across("Agreement of the raters", places, AGREEMENT, f"{brackets} {NO_LIMIT}")
    brackets = BY_FISHER if results.get("shape") in (1, 2) else BY_RESAMPLING
    for late, earlier in results.get("intra", {}).items():
        for early, found in earlier.items():
            columns = {label: found[name] for name, label in BOTH.items()}
            people = counted(found["annotators"], "person", "people")
            note = f"{counted(found['ratings'], 'rating')} by {people}, each given twice. {brackets}"
            lines = [whole("Ratings", "ratings"), *ERRORS]
            title = f"{late} against {early}" if late != early else "the pairs repeated at the end of a session"
            yield across(f"The same people again: {title}", columns, lines, note)


def context(results: Tree) -> Iterator[Table]:
    rounds = results.get("context_shift", {})
    if not rounds:
        return
    lines = [whole("Pairs", ("gains", "number")), *distribution("gains")]
    yield across(
        "Gain: mean with context less mean without", rounds, lines, "In brackets the 95 % interval, by Student’s t."
    )
    means = {name: found["means"] for name, found in rounds.items() if "means" in found}
    if means:
        note = "In brackets 95 % intervals by Fisher’s z over the pairs; two-sided p by Student’s t."
        yield across("Means without context and with it", means, ERRORS, note)
    for name, found in rounds.items():
        rejected = rejected_pairs(found)
        tests = {TESTS[test]: rejected[test] for test in TESTS if test in rejected}
        levels = [Line(f"at {level}", level) for level in ("0.01", "0.05", "0.10")]
        lines = [whole("Pairs with a p-value", "tested"), *levels]
        note = f"{WHICH_TEST} The share is of all pairs; those without a p-value count as not different."
        yield down(f"{name}: share of pairs whose two means differ", tests, lines, note)


def selections(results: Tree) -> Iterator[Table]:
    if found := results.get("filters"):
        columns = {"All": found["all"], "Not validated": found["unvalidated"]}
        columns |= {f"Role {role}": own for role, own in found["roles"].items()}
        lines = [whole("Pairs", "raw"), whole("within 2 (N2)", "N2"), whole("within 1 (N1)", "N1")]
        lines.append(Line("Value expected", "expected", 1))
        yield across("Selected pairs, and those near the value expected of their role", columns, lines)
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
        lines += tested("Without and with", "free_dependent")
        lines += tested(f"Without and with, given {given}", "partial")
        columns = {_filter_name(key): own for key, own in found.items()}
        yield across(f"{name}: Pearson’s correlations", columns, lines, note)


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
