"""Scores of best-worst choices, their errors, and the agreement of annotators."""

from dataclasses import replace
from typing import Literal

import numpy as np

from scoring.stats.alpha import choices_alpha, slots_alpha
from scoring.stats.bws import (
    FEWEST_UNITS,
    best_worst_scores,
    bootstrap_errors,
    count_choices,
    exact_scores,
    score_intervals,
)
from scoring.stats.choices import Choices
from scoring.stats.design_effect import design_effect
from scoring.stats.disagreement import item_disagreement, strong_agreement, tuple_disagreement
from scoring.stats.ratings import rounded
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import Floats, Integers
from scoring.summaries.undefined import UNSIGNED, Result, column, distribution, told

SIGNED_DECIMALS = 3  # those of the released scores of Ruddit
UNIT_DECIMALS = 2  # SemRel2024, table 1
NEVER_SHOWN = "no counted choice includes this item"
FEW_UNITS = "the item is in the choices of fewer than {fewest} {by}, so the coverage of an error would not be known"
UNITS = {"judgment": "judgments", "annotator": "annotators"}
NO_ERROR = "the error is not defined"
NO_ALPHA = "no tuple was judged twice, or every choice is the same"
NO_STRONG = "no tuple was judged twice"
NEVER_TWICE = "the item is in no tuple that was judged twice"
MOST_NAMED = 20


def has_choices(snapshot: Snapshot) -> bool:
    return bool(snapshot.choices.counted.any())


def choice_scores(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return (#best - #worst) / #appearances of every item, and on the unit scale (SemRel2024 3.2); rounded from the
    exact fractions, halves to the even neighbour."""
    choices = _signed(snapshot)
    counts, effect = count_choices(choices), design_effect(choices)
    scores = {
        "score": (exact_scores(counts), SIGNED_DECIMALS),
        "unit": (exact_scores(counts, unit=True), UNIT_DECIMALS),
    }
    result: Result = {"item": list(snapshot.items.keys)}
    for name, (exact, decimals) in scores.items():
        whole = [None if score is None else float(score) for score in exact]
        printed = [None if score is None else float(rounded(score, decimals)) for score in exact]
        result |= column(name, whole, NEVER_SHOWN) | column(f"{name}_rounded", printed, NEVER_SHOWN)
    bounds = zip(("interval_low", "interval_high"), score_intervals(counts, effect), strict=True)
    for name, bound in bounds:
        result |= column(name, bound, NEVER_SHOWN)
    return result | {
        "best": counts.best.tolist(),
        "worst": counts.worst.tolist(),
        "appearances": counts.appearances.tolist(),
        "design_effect": effect,
        "decimals": {"score": SIGNED_DECIMALS, "unit": UNIT_DECIMALS},
        "scores": distribution(best_worst_scores(counts), "no item was shown"),
    }


def _signed(snapshot: Snapshot) -> Choices:
    """Return the counted choices, without annotators if some of them are unknown."""
    choices = snapshot.counted_choices
    return replace(choices, annotators=None) if snapshot.unsigned else choices


def errors_by_judgment(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return standard errors of the signed scores by resampling judgments; half of them on the unit scale."""
    return _errors(snapshot, parameters, generator, "judgment")


def errors_by_annotator(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return standard errors by resampling people with all their judgments; for a single person there is none."""
    return _errors(snapshot, parameters, generator, "annotator")


def _errors(
    snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator, by: Literal["judgment", "annotator"]
) -> Result:
    choices, items = _signed(snapshot), list(snapshot.items.keys)
    if by == "annotator" and (reason := _why_not_by_person(snapshot)):
        return {"by": by, "item": items, "replicates": None, **_undefined(reason)}
    found = bootstrap_errors(choices, generator, replicates=parameters.replicates, by=by)
    errors = column("error", found.errors, FEW_UNITS.format(fewest=FEWEST_UNITS, by=UNITS[by]))
    degrees = np.where(np.isnan(found.errors), np.nan, found.degrees)
    further = column("degrees", degrees, NO_ERROR)
    return {"by": by, "item": items, "replicates": parameters.replicates, **errors, **further}


def _why_not_by_person(snapshot: Snapshot) -> str:
    if snapshot.unsigned:
        return UNSIGNED
    return "all judgments are by one annotator" if _people(snapshot) < 2 else ""


def _people(snapshot: Snapshot) -> int:
    return len(np.unique(snapshot.choices.annotators[snapshot.choices.counted]))


def _undefined(reason: str) -> Result:
    return {"replicates_reason": reason, "error": None, "error_reason": reason}


def choice_agreement(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return nominal alpha of best and worst by item, by position shown and by slot of the tuple, and strong agreement
    (GiCCS)."""
    people = told({"annotators": None if snapshot.unsigned else _people(snapshot)}, UNSIGNED)
    return agreement_of(snapshot, snapshot.counted_choices) | _of_each_tuple(snapshot) | people


def agreement_of(snapshot: Snapshot, choices: Choices) -> Result:
    """Return the agreement of some choices, at least one."""
    share = snapshot.facts.strong_share
    alpha, strong = choices_alpha(choices), strong_agreement(choices, share)
    best_slot, worst_slot = slots_alpha(choices, snapshot.tuples)
    return {
        "tuples": strong.tuples,
        "tuples_judged_once": strong.single,
        "judgments": choices.judgments,
        "alpha": {
            "best": told(alpha.best, NO_ALPHA) | told({"slot": best_slot}, NO_ALPHA),
            "worst": told(alpha.worst, NO_ALPHA) | told({"slot": worst_slot}, NO_ALPHA),
        },
        "strong": {"share": share, **told({"best": strong.best, "worst": strong.worst}, NO_STRONG)},
    }


def _of_each_tuple(snapshot: Snapshot) -> Result:
    """Return the fewest and the most judgments of a tuple, and people who judged it (SemRel2024, table 3)."""
    own = snapshot.choices
    tuples, people = own.tuples[own.counted], own.annotators[own.counted]
    signed = np.unique(np.column_stack([tuples, people]), axis=0)[:, 0]
    nobody = {"min": None, "max": None}
    return {
        "judgments_per_tuple": _range(tuples),
        "annotators_per_tuple": told(nobody, UNSIGNED) if snapshot.unsigned else _range(signed),
    }


def _range(tuples: Integers) -> Result:
    """Return how often the least and the most frequent of the numbers occur."""
    often = np.unique(tuples, return_counts=True)[1]
    return {"min": int(often.min()), "max": int(often.max())}


def disagreement(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the entropy of the choices of each tuple, in bits, and the most disputed items (SemRel2024 3.2).

    A tuple judged once has none. The entropy of an item is the mean over its tuples; the most disputed items are those
    with the greatest sum for best and worst.
    """
    choices = snapshot.counted_choices
    tuples = tuple_disagreement(choices)
    items = [item_disagreement(choices, entropies) for entropies in (tuples.best, tuples.worst)]
    keys = snapshot.items.keys
    rows = snapshot.choices
    return {
        "tuples": {
            "best": distribution(tuples.best, NO_STRONG),
            "worst": distribution(tuples.worst, NO_STRONG),
        },
        "item": list(keys),
        **column("best", items[0], NEVER_TWICE),
        **column("worst", items[1], NEVER_TWICE),
        "most_disputed": [keys[item] for item in _most(items[0] + items[1])],
        "hard_to_say": int((rows.hard_to_say & rows.counted).sum()),
    }


def _most(entropies: Floats) -> list[int]:
    """Return the items with the greatest entropy above 0, the greatest first, in a tie the first item."""
    order = np.argsort(-np.nan_to_num(entropies), kind="stable")[:MOST_NAMED]
    return [item for item in order.tolist() if entropies[item] > 0]
