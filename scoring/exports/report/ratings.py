"""Tables of rated projects."""

from collections.abc import Iterator, Mapping

from annotation.protocols.spec import Protocol
from scoring.exports.report.tables import Line, Table, Tree, across, around, distribution, down, whole

AGREEMENT = [
    whole("Pairs", "items"),
    whole("People", "annotators"),
    whole("Ratings", "ratings"),
    around("Pearson’s r, ratings and the mean of their pair", ("inter", "pearson")),
    around("Spearman’s ρ, the same", ("inter", "spearman")),
    Line("Root mean squared error, the same", ("inter", "rmse")),
    Line("Mean squared error, the same", ("inter", "mse")),
    around("Pearson’s r, leave-one-out", ("leave_one_out", "pearson")),
    around("Spearman’s ρ, leave-one-out", ("leave_one_out", "spearman")),
    Line("Root mean squared error, leave-one-out", ("leave_one_out", "rmse")),
    Line("Mean squared error, leave-one-out", ("leave_one_out", "mse")),
    Line("Krippendorff’s α, nominal", ("alpha", "nominal")),
    Line("Krippendorff’s α, ordinal", ("alpha", "ordinal")),
    around("Krippendorff’s α, interval", ("alpha", "interval")),
    Line("Krippendorff’s α, ratio", ("alpha", "ratio")),
    Line("ICC(1,1)", ("icc", "icc1")),
    Line("ICC(1,k)", ("icc", "icc1k")),
    Line("Least mean squared error of a model", "mse_bound"),
    around("Average rater", "average_rater"),
]
BRACKETS = (
    "In brackets 95 % intervals: of α by resampling pairs, of the average rater by Student’s t over the people, of the "
    "others by Fisher’s z, as if ratings were independent."
)
ERRORS = [
    around("Pearson’s r", "pearson"),
    around("Spearman’s ρ", "spearman"),
    Line("Root mean squared error", "rmse"),
    Line("Mean squared error", "mse"),
]

TESTS = {"student": "Student", "welch": "Welch", "paired": "Paired"}
BY_STUDENT = "In brackets the 95 % interval, by Student’s t."


def scores(results: Tree) -> Iterator[Table]:
    if places := by_place(results.get("scores", {})):
        lines = [whole("Pairs", ("means", "number")), *distribution("means")]
        yield across("Mean ratings of the pairs", places, lines, "Main block, without calibration pairs.")


def agreement(results: Tree) -> Iterator[Table]:
    if places := by_place(results.get("agreement", {})):
        yield across("Agreement of the raters", places, AGREEMENT, BRACKETS)
    for late, earlier in results.get("intra", {}).items():
        for early, found in earlier.items():
            columns = {name: found[name] for name in ("both", "free", "dependent")}
            note = f"{found['ratings']:,} ratings of {found['annotators']:,} people, given twice."
            lines = [whole("Ratings", "ratings"), *ERRORS]
            yield across(f"The same people again: {late} against {early}", columns, lines, note)


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
        yield across("Means without context and with it", means, ERRORS, "In brackets 95 % intervals.")
    for name, found in rounds.items():
        tests = {TESTS[test]: found["rejected"][test] for test in TESTS}
        levels = [Line(f"at {level}", level) for level in ("0.01", "0.05", "0.10")]
        yield down(f"{name}: share of pairs whose two means differ", tests, levels, "Two-sided t-tests.")


def selections(results: Tree) -> Iterator[Table]:
    if found := results.get("filters"):
        columns = {"All": found["all"], "Not validated": found["unvalidated"]}
        columns |= {f"Role {role}": own for role, own in found["roles"].items()}
        lines = [whole("Pairs", "raw"), whole("within 2 (N2)", "N2"), whole("within 1 (N1)", "N1")]
        lines.append(Line("Value expected", "expected", 1))
        yield across("Selected pairs, and those near the value expected of their role", columns, lines)
    for name, found in results.get("correlations", {}).items():
        lines = [whole("Pairs", "pairs"), around("Selection and without context", "r1_free")]
        lines += [around("Selection and with context", "r1_dependent"), around("Without and with", "free_dependent")]
        lines.append(around("Without and with, given the selection", "partial"))
        columns = {_filter_name(key): own for key, own in found.items()}
        note = (
            "In brackets 95 % intervals. “Random” is the mean over random subsets of the size that the filter leaves, "
            "and where 95 % of them lie."
        )
        yield across(f"{name}: Pearson’s correlations", columns, lines, note)


def _filter_name(key: str) -> str:
    name, random = key.removesuffix("_rand"), key.endswith("_rand")
    return f"{name} random" if random else "All" if name == "unfiltered" else name


def by_place(rounds: Mapping[str, Mapping[str, Tree]]) -> dict[str, Tree]:
    """Trees by round and context; the context is told where there are two."""
    return {
        f"{name}, {'without' if context == 'free' else 'with'} context" if len(contexts) > 1 else name: own
        for name, contexts in rounds.items()
        for context, own in contexts.items()
    }


def place_in_words(place: str, protocol: Protocol) -> str:
    """A place of `by_place` in a sentence; of a single round nothing is told but the context."""
    if len(protocol.rounds) > 1:
        return place
    return place.partition(", ")[2] or "the main block"
