"""Best-worst utilities that weigh annotators by their reliability, with errors by resampling annotators."""

import numpy as np

from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.raters.best_worst import annotator_errors
from scoring.stats.reliabilities import AnnotatorUtilities, fit_best_worst_annotators
from scoring.summaries.parameters import Parameters
from scoring.summaries.screened import MOST_NAMED, compared
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import UNSIGNED, Result, column, told
from scoring.summaries.utilities import NEVER_COMPARED, NOT_SOLVED, ONE_PERSON

NAMES = ("utility", "error", "screening")


def choices(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return utilities with errors, and what weighing annotators changes against excluding them."""
    counted = _valid(snapshot.counted_choices)
    result: Result = {"item": list(snapshot.items.keys), "judgments": counted.judgments}
    everyone = _valid(snapshot.every_choice.keep(snapshot.choices.counted | snapshot.choices_of_excluded))
    reason = UNSIGNED if snapshot.unsigned else ONE_PERSON if _people(counted) < 2 else ""
    try:
        if reason:
            raise ValueError(reason)
        fitted = fit_best_worst_annotators(counted)
        same = everyone.judgments == counted.judgments
        whole = fitted if same else fit_best_worst_annotators(everyone)
    except ValueError as refusal:  # also people who contradict each other
        return result | told(dict.fromkeys(NAMES), str(refusal)) | {"converged": False}
    errors = annotator_errors(counted, fitted, generator)
    result |= column("utility", fitted.utilities.values, NEVER_COMPARED)
    result |= column("error", errors, f"{NEVER_COMPARED}, or {NOT_SOLVED}")
    return result | {
        "converged": fitted.utilities.converged,
        "screening": _screening(snapshot, counted, everyone, fitted, whole),
    }


def _valid(choices: Choices) -> Choices:
    return choices.keep(choices.valid)


def _people(choices: Choices) -> int:
    return len(np.unique(choices.annotators))  # type: ignore[arg-type]


def _screening(
    snapshot: Snapshot, counted: Choices, everyone: Choices, fitted: AnnotatorUtilities, whole: AnnotatorUtilities
) -> Result:
    scores = {
        "everyone": best_worst_scores(count_choices(everyone)),
        "screened": best_worst_scores(count_choices(counted)),
        "weighed": fitted.utilities.values,
        "weighed_everyone": whole.utilities.values,
    }
    reliabilities = whole.reliabilities
    kept = set(np.unique(counted.annotators).tolist())  # type: ignore[arg-type]
    order = np.argsort(reliabilities, kind="stable")[: int((~np.isnan(reliabilities)).sum())].tolist()
    return {
        "excluded": _people(everyone) - len(kept),
        "compared": [_without_changes(pair) for pair in compared(scores)],
        "lowest": [
            {
                "annotator": snapshot.raters.pseudonyms[rater],
                "reliability": float(reliabilities[rater]),
                "excluded": rater not in kept,
            }
            for rater in order[:MOST_NAMED]
        ],
    }


def _without_changes(pair: Result) -> Result:
    """Return the correlations alone: scores by counting and utilities have different units."""
    return {name: value for name, value in pair.items() if not name.startswith(("mean_change", "largest_change"))}
