"""Tables of best-worst projects."""

from collections.abc import Iterator

import numpy as np

from scoring.exports.report.tables import Line, Table, Tree, across, distribution, whole
from scoring.figures.wording import share

HALVES = {"tuple": "By tuple", "judgment": "By judgment", "annotator": "By annotator"}
MODELS = {
    "bradley_terry": "Bradley–Terry",
    "best_worst": "Best-worst",
    "best_worst_annotators": "Best-worst with annotators",
}
CERTIFICATE = [
    whole("Tuples", "tuples"),
    whole("Items", "items"),
    whole("Items in a tuple", "size"),
    whole("Groups", "groups"),
    whole("Tuples of an item, least", "appearances_min"),
    whole("Tuples of an item, most", "appearances_max"),
    whole("Tuples that stand twice", "tuples_twice"),
    whole("Tuples with an item twice", "items_twice"),
    whole("Times that two items meet again", "repeats"),
    whole("The least that is possible", "repeats_at_least"),
    whole("Pairs across groups", "pairs_across_groups"),
    whole("Times of an item in one position, least", "position_min"),
    whole("Times of an item in one position, most", "position_max"),
    whole("Parts that share no tuple", "components"),
    Line("All can be ranked together", "connected"),
    Line("Seed", "seed"),
    Line("SHA-256", "sha256"),
]


def scores(results: Tree) -> Iterator[Table]:
    found = results.get("choice_scores")
    if found is None:
        return
    shown = sum(score is not None for score in found["score"])
    lines = [whole("Items shown", "number"), *distribution()]
    note = (
        f"{len(found['item']) - shown:,} items were never shown and have no score."
        if shown < len(found["item"])
        else ""
    )
    yield across("Scores by counting, from −1 to 1", {"All items": found["scores"]}, lines, note)
    columns = {HALVES[by]: _mean_error(own) for by, own in results.get("choice_errors", {}).items()}
    lines = [whole("Resamples", "replicates"), whole("Items", "items"), Line("Mean error", "mean")]
    lines.append(Line("Greatest error", "max"))
    yield across("Standard errors of the scores, by resampling", columns, lines, "Half of them on the unit scale.")


def _mean_error(own: Tree) -> Tree:
    reason = own.get("error_reason", "")
    errors = [error for error in own["error"] or [] if error is not None]
    if not errors:
        return {**own, "items": 0, "mean": None, "mean_reason": reason, "max": None, "max_reason": reason}
    return {"replicates": own["replicates"], "items": len(errors), "mean": float(np.mean(errors)), "max": max(errors)}


def reliability(results: Tree) -> Iterator[Table]:
    halves = results.get("split_half", {})
    if halves:
        lines = [whole("Splits", "splits")]
        for key, name in (("spearman", "Spearman’s ρ"), ("pearson", "Pearson’s r")):
            lines += [Line(f"{name}, mean", (key, "mean")), Line("Standard deviation", (key, "sd"))]
            lines += [Line("95 % of the splits, from", (key, "low")), Line("to", (key, "high"))]
        columns = {HALVES[by]: halves[by] for by in HALVES if by in halves}
        notes = [
            f"{HALVES[by]}: {own[key]['reason']}"
            for by, own in halves.items()
            for key in ("spearman",)
            if own[key].get("reason")
        ]
        yield across("Split-half reliability", columns, lines, " ".join(notes))
    if found := results.get("choice_agreement"):
        columns = {side.capitalize(): _side(found, side) for side in ("best", "worst")}
        lines = [Line("Krippendorff’s α, item chosen", "item"), Line("Krippendorff’s α, position chosen", "position")]
        lines.append(Line(f"Tuples where {share(found['strong']['share'])} agree", "strong"))
        people = found["annotators"]
        by = f" of {people:,} people" if people is not None else f" ({found['annotators_reason']})"
        note = f"{found['tuples']:,} tuples, {found['judgments']:,} choices{by}; "
        yield across(
            "Agreement of the choices", columns, lines, note + f"{found['tuples_judged_once']:,} tuples judged once."
        )


def _side(found: Tree, side: str) -> Tree:
    strong = found["strong"]
    return {**found["alpha"][side], "strong": strong[side], "strong_reason": strong.get(f"{side}_reason", "")}


def models(results: Tree) -> Iterator[Table]:
    found = results.get("models", {})
    if found:
        columns = {MODELS[name]: _model(found[name]) for name in MODELS if name in found}
        lines = [Line("Log-likelihood", "log_likelihood", 1), Line("Converged", "converged")]
        lines += [whole("Choices without a likelihood", "left_out")]
        lines += [Line("Spearman’s ρ with counting", "spearman_with_counting")]
        yield across("Models of choice", columns, lines)


def _model(own: Tree) -> Tree:
    if own["utility"] is not None:
        return own
    names = ("log_likelihood", "converged", "spearman_with_counting")
    undefined = dict.fromkeys(names) | {f"{name}_reason": own["utility_reason"] for name in names}
    return {**own, **undefined}


def disagreement(results: Tree) -> Iterator[Table]:
    if found := results.get("disagreement"):
        columns = {side.capitalize(): found["tuples"][side] for side in ("best", "worst")}
        lines = [whole("Tuples", "number"), *distribution()]
        disputed = ", ".join(found["most_disputed"]) or "none"
        note = f"Most disputed: {disputed}. {found['hard_to_say']:,} choices were marked as hard to say."
        yield across("Disagreement about a tuple: entropy of the choices in bits", columns, lines, note)


def design(results: Tree) -> Iterator[Table]:
    if "design" in results:
        certificate = results["design"]["certificate"]
        reason = results["design"].get("certificate_reason", "")
        tree = certificate or {"tuples": None, "tuples_reason": reason}
        tree = {name: str(value) if name == "seed" and value is not None else value for name, value in tree.items()}
        lines = [line for line in CERTIFICATE if not isinstance(line.path, str) or tree.get(line.path) is not None]
        yield across("The design, counted from its tuples", {"Value": tree}, lines if certificate else CERTIFICATE[:1])
