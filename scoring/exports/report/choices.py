"""Tables of best-worst projects."""

from collections.abc import Iterator

import numpy as np

from scoring.exports.report.halves import halved_as_whole, partly_undefined, split_half_table
from scoring.exports.report.tables import Line, Table, Tree, across, distribution, down, whole
from scoring.figures.wording import counted, share

HALVES = {"tuple": "By tuple", "judgment": "By judgment", "annotator": "By annotator"}
MODELS = {
    "bradley_terry": "Bradley–Terry",
    "best_worst": "Best-worst",
    "best_worst_annotators": "Best-worst with annotators",
}
MOST_DISPUTED = 5
PLACES = ("mean", "min", "q05", "q25", "median", "q75", "q95", "max")
SLOTS = "The position on the screen may be drawn for each annotator; the slot in the tuple is the same for all. "
ERRORS = (
    "On the scale from 0 to 1; on the one from −1 to 1, standard errors are twice as large. A confidence interval is "
    "the score ± t standard errors, with Student’s t for n − 1 degrees of freedom, where n is the number of judgments, "
    "or annotators, of the item. Items with n below 5 have no standard error."
)
EARLIER_ERRORS = (
    "On the scale from 0 to 1; on the one from −1 to 1, standard errors are twice as large. They are not confidence "
    "intervals: in simulated "
    "collections with 8 choices per item, the score ± 1.96 standard errors covers the true score of 90% to 91% of the "
    "items; the interval of the score in the release covers that of 96%."
)
"""Of runs up to version 3 of the results."""
CERTIFICATE = [
    whole("Tuples", "tuples"),
    whole("Items", "items"),
    whole("Items per tuple", "size"),
    whole("Groups", "groups"),
    whole("Tuples per item, minimum", "appearances_min"),
    whole("Tuples per item, maximum", "appearances_max"),
    whole("Duplicate tuples", "tuples_twice"),
    whole("Tuples with a duplicate item", "items_twice"),
    whole("Repeated co-occurrences of two items", "repeats"),
    whole("Repeated co-occurrences, minimum possible", "repeats_at_least"),
    whole("Co-occurrences across groups", "pairs_across_groups"),
    whole("Appearances of an item in one position, minimum", "position_min"),
    whole("Appearances of an item in one position, maximum", "position_max"),
    whole("Connected components", "components"),
    Line("Random seed", "seed"),
    Line("SHA-256", "sha256"),
]


def scores(results: Tree) -> Iterator[Table]:
    found = results.get("choice_scores")
    if found is None:
        return
    shown = sum(score is not None for score in found["score"])
    lines = [whole("Items with a score", "number"), *distribution()]
    without = len(found["item"]) - shown
    note = f"{counted(without, 'item')} without a counted choice: no score." if without else ""
    yield across("Best-worst scores by counting, from 0 to 1", {"All items": _unit(found["scores"])}, lines, note)
    columns = {HALVES[by]: _mean_error(own) for by, own in results.get("choice_errors", {}).items()}
    lines = [whole("Resamples", "replicates"), whole("Items", "items"), Line("Mean standard error", "mean")]
    lines.append(Line("Maximum standard error", "max"))
    yield across(
        "Standard errors of the scores (resampling)",
        columns,
        lines,
        EARLIER_ERRORS if results.get("shape", 1) < 4 else ERRORS,
    )


def _unit(spread: Tree) -> Tree:
    """Return the distribution of scores from −1 to 1 as one of scores from 0 to 1."""
    places = {name: (spread[name] + 1) / 2 for name in PLACES if spread.get(name) is not None}
    return {**spread, **places} | ({} if spread.get("sd") is None else {"sd": spread["sd"] / 2})


def _mean_error(own: Tree) -> Tree:
    reason = own.get("error_reason", "")
    errors = [error for error in own["error"] or [] if error is not None]
    if not errors:
        return {**own, "items": 0, "mean": None, "mean_reason": reason, "max": None, "max_reason": reason}
    return {
        "replicates": own["replicates"],
        "items": len(errors),
        "mean": float(np.mean(errors)) / 2,
        "max": max(errors) / 2,
    }


def reliability(results: Tree) -> Iterator[Table]:
    halves = results.get("split_half", {})
    if halves:
        columns = {HALVES[by]: halves[by] for by in HALVES if by in halves}
        yield split_half_table("Split-half reliability", columns, note=" ".join(halved_as_whole(results)))
    if found := results.get("choice_agreement"):
        columns = {side.capitalize(): _side(found, side) for side in ("best", "worst")}
        lines = [
            Line("Krippendorff’s α, item chosen", "item"),
            Line("Krippendorff’s α, position on the screen", "position"),
        ]
        lines.append(Line("Krippendorff’s α, slot in the tuple", "slot"))
        lines.append(Line(f"Share of tuples with at least {share(found['strong']['share'])} agreement", "strong"))
        people = found["annotators"]
        by = f" by {counted(people, 'annotator')}" if people is not None else f" ({found['annotators_reason']})"
        note = SLOTS + f"{found['tuples']:,} tuples, {found['judgments']:,} choices{by}."
        if once := found["tuples_judged_once"]:
            how = "counted as agreement" if results.get("shape") == 1 else "excluded"
            note += f" {counted(once, 'tuple')} judged only once {'is' if once == 1 else 'are'} {how}."
        yield across("Inter-annotator agreement of the choices", columns, lines, note)
        yield from _per_tuple(found)


def _per_tuple(found: Tree) -> Iterator[Table]:
    """Yield how many people judged a tuple (SemRel2024, table 3); runs of earlier versions did not count it."""
    names = {"annotators_per_tuple": "Annotators", "judgments_per_tuple": "Judgments"}
    if rows := {label: found[name] for name, label in names.items() if name in found}:
        lines = [whole("Minimum", "min"), whole("Maximum", "max")]
        yield down("Annotators and counted judgments per tuple", rows, lines, "Over the tuples that were judged.")


def parts(results: Tree) -> Iterator[Table]:
    """Yield the split-half reliability of the parts of a release (SemRel2024, table 3)."""
    found = results.get("split_half_of_parts")
    if found is None:
        return
    rows = {name.capitalize(): own for name, own in found["parts"].items()}
    lines = [whole("Items", "items"), whole("Splits", "splits")]
    lines += [Line("Spearman’s ρ, mean", ("spearman", "mean")), Line("Standard deviation", ("spearman", "sd"))]
    lines += [Line("Pearson’s r, mean", ("pearson", "mean"))]
    notes = [f"Release {found['release']}."] if "release" in found else []
    notes += ["All parts use the same halves, split by tuple; each part is evaluated on its own items."]
    notes += partly_undefined(rows)
    yield down("Split-half reliability of each part of the split", rows, lines, " ".join(notes))


def _side(found: Tree, side: str) -> Tree:
    strong = found["strong"]
    return {**found["alpha"][side], "strong": strong[side], "strong_reason": strong.get(f"{side}_reason", "")}


def models(results: Tree) -> Iterator[Table]:
    found = results.get("models", {})
    if found:
        columns = {MODELS[name]: _model(found[name]) for name in MODELS if name in found}
        lines = [Line("Log-likelihood", "log_likelihood", 1), Line("Converged", "converged")]
        lines += [whole("Choices without a likelihood", "left_out")]
        lines += [Line("Spearman’s ρ with scores by counting", "spearman_with_counting")]
        yield across("Choice models", columns, lines)


def _model(own: Tree) -> Tree:
    if own["utility"] is not None:
        return own
    names = ("log_likelihood", "converged", "spearman_with_counting")
    undefined = dict.fromkeys(names) | {f"{name}_reason": own["utility_reason"] for name in names}
    return {**own, **undefined}


def disagreement(results: Tree) -> Iterator[Table]:
    if found := results.get("disagreement"):
        columns = {side.capitalize(): found["tuples"][side] for side in ("best", "worst")}
        earlier = results.get("shape", 1) < 3  # then a tuple judged once had an entropy of 0
        tuples = "Tuples, including those judged once" if earlier else "Tuples judged at least twice"
        lines = [whole(tuples, "number"), *distribution()]
        disputed = ", ".join(found["most_disputed"][:MOST_DISPUTED]) or "none"
        hard = counted(found["hard_to_say"], "choice")
        verb = "was" if found["hard_to_say"] == 1 else "were"
        note = f"Items in the tuples with the highest entropy: {disputed}. {hard} {verb} marked as hard to say."
        yield across("Disagreement per tuple: entropy of the choices in bits", columns, lines, note)


def design(results: Tree) -> Iterator[Table]:
    if "design" in results:
        certificate = results["design"]["certificate"]
        reason = results["design"].get("certificate_reason", "")
        tree = certificate or {"tuples": None, "tuples_reason": reason}
        tree = {name: str(value) if name == "seed" and value is not None else value for name, value in tree.items()}
        together = (
            "All items of a group can be ranked together" if tree.get("groups") else "All items can be ranked together"
        )
        lines = [line for line in CERTIFICATE if not isinstance(line.path, str) or tree.get(line.path) is not None]
        lines.insert(-2 if tree.get("seed") is not None else -1, Line(together, "connected"))
        yield across("Properties of the tuple design", {"Value": tree}, lines if certificate else CERTIFICATE[:1])
