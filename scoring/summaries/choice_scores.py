"""Scores of best-worst choices, their errors, and how far the annotators agree."""

from typing import Literal

import numpy as np

from scoring.stats.alpha import choices_alpha
from scoring.stats.bws import best_worst_scores, bootstrap_errors, count_choices, exact_scores
from scoring.stats.disagreement import item_disagreement, strong_agreement, tuple_disagreement
from scoring.stats.ratings import rounded
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import Floats
from scoring.summaries.undefined import UNSIGNED, Result, column, distribution, told

SIGNED_DECIMALS = 3  # those of the released scores of Ruddit
UNIT_DECIMALS = 2  # SemRel2024, table 1
NEVER_SHOWN = "the item was never shown"
FEW_REPLICATES = "the item was shown in fewer than two replicates"
NO_ALPHA = "no tuple was judged twice, or every choice is the same"
NO_STRONG = "no tuple was judged twice"
NO_JUDGMENT = "the tuple was never judged"
MOST_NAMED = 20


def has_choices(snapshot: Snapshot) -> bool:
    return bool(snapshot.choices.counted.any())


def choice_scores(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """(#best - #worst) / #appearances of every item, and on the unit scale (SemRel2024 3.2); rounded from the exact
    fractions, halves to the even neighbour."""
    counts = count_choices(snapshot.counted_choices)
    scores = {
        "score": (exact_scores(counts), SIGNED_DECIMALS),
        "unit": (exact_scores(counts, unit=True), UNIT_DECIMALS),
    }
    result: Result = {"item": list(snapshot.items.keys)}
    for name, (exact, decimals) in scores.items():
        whole = [None if score is None else float(score) for score in exact]
        printed = [None if score is None else float(rounded(score, decimals)) for score in exact]
        result |= column(name, whole, NEVER_SHOWN) | column(f"{name}_rounded", printed, NEVER_SHOWN)
    return result | {
        "best": counts.best.tolist(),
        "worst": counts.worst.tolist(),
        "appearances": counts.appearances.tolist(),
        "decimals": {"score": SIGNED_DECIMALS, "unit": UNIT_DECIMALS},
        "scores": distribution(best_worst_scores(counts), "no item was shown"),
    }


def errors_by_judgment(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Standard errors of the signed scores by resampling judgments; half of them on the unit scale."""
    return _errors(snapshot, parameters, generator, "judgment")


def errors_by_annotator(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """The same by resampling people with all their judgments; of one person alone there is no error."""
    return _errors(snapshot, parameters, generator, "annotator")


def _errors(
    snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator, by: Literal["judgment", "annotator"]
) -> Result:
    choices, items = snapshot.counted_choices, list(snapshot.items.keys)
    if by == "annotator" and (reason := _why_not_by_person(snapshot)):
        return {"by": by, "item": items, "replicates": None, **_undefined(reason)}
    found = bootstrap_errors(choices, generator, replicates=parameters.replicates, by=by)
    errors = column("error", found.errors, FEW_REPLICATES)
    return {"by": by, "item": items, "replicates": parameters.replicates, **errors}


def _why_not_by_person(snapshot: Snapshot) -> str:
    if snapshot.unsigned:
        return UNSIGNED
    return "all judgments are of one person" if _people(snapshot) < 2 else ""


def _people(snapshot: Snapshot) -> int:
    return len(np.unique(snapshot.choices.annotators[snapshot.choices.counted]))


def _undefined(reason: str) -> Result:
    return {"replicates_reason": reason, "error": None, "error_reason": reason}


def choice_agreement(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Nominal alpha of best and worst by item and by position shown, and strong agreement (GiCCS)."""
    choices, share = snapshot.counted_choices, snapshot.facts.strong_share
    alpha, strong = choices_alpha(choices), strong_agreement(choices, share)
    shares = {"best": strong.best, "worst": strong.worst}
    if strong.single == strong.tuples:
        shares = dict.fromkeys(shares, float("nan"))
    return {
        "tuples": strong.tuples,
        "tuples_judged_once": strong.single,
        "judgments": choices.judgments,
        **told({"annotators": None if snapshot.unsigned else _people(snapshot)}, UNSIGNED),
        "alpha": {"best": told(alpha.best, NO_ALPHA), "worst": told(alpha.worst, NO_ALPHA)},
        "strong": {"share": share, **told(shares, NO_STRONG)},
    }


def disagreement(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Entropy of the choices of a tuple, in bits, and the items that keep coming up in disputed ones (SemRel2024 3.2).

    Of each item the mean entropy of its tuples; named are the items where best and worst together have the most.
    """
    choices = snapshot.counted_choices
    tuples = tuple_disagreement(choices)
    items = [item_disagreement(choices, entropies) for entropies in (tuples.best, tuples.worst)]
    keys = snapshot.items.keys
    rows = snapshot.choices
    return {
        "tuples": {
            "best": distribution(tuples.best, NO_JUDGMENT),
            "worst": distribution(tuples.worst, NO_JUDGMENT),
        },
        "item": list(keys),
        **column("best", items[0], NEVER_SHOWN),
        **column("worst", items[1], NEVER_SHOWN),
        "most_disputed": [keys[item] for item in _most(items[0] + items[1])],
        "hard_to_say": int((rows.hard_to_say & rows.counted).sum()),
    }


def _most(entropies: Floats) -> list[int]:
    """The items with the greatest entropy above 0, the greatest first, of equal ones the first."""
    order = np.argsort(-np.nan_to_num(entropies), kind="stable")[:MOST_NAMED]
    return [item for item in order.tolist() if entropies[item] > 0]
