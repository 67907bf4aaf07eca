"""Scores of best-worst choices as utilities of models of choice, in addition to the scores by counting."""

import numpy as np

from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.correlation import spearman
from scoring.stats.information import CentredVariances
from scoring.stats.models import (
    RIDGE,
    Utilities,
    best_worst_errors,
    bradley_terry_errors,
    fit_best_worst,
    fit_bradley_terry,
)
from scoring.stats.pairs import implied_pairs
from scoring.stats.reasons import why_no_correlation
from scoring.stats.reliabilities import fit_best_worst_annotators
from scoring.stats.utility_posterior import fit_posterior
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import UNSIGNED, Result, column, told

NEVER_COMPARED = "the item was never compared with another"
NOT_SOLVED = "the comparisons are too unbalanced to solve the equations for the standard errors"
FEW = "fewer than two items"
ONE_PERSON = "all judgments are by one annotator, so there is no other annotator to compare with"
NO_ANNOTATOR = "the annotator has no counted choices"


def has_valid_choices(snapshot: Snapshot) -> bool:
    """Return whether there is a choice with a likelihood: no item twice, and the best is not the worst."""
    return bool(snapshot.choices.counted.any() and snapshot.counted_choices.valid.any())


def bradley_terry(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Fit the pairs implied by best-worst choices (SemRel2024 3.2); errors are by leaving each judgment out."""
    choices = _valid(snapshot)
    fitted = fit_bradley_terry(implied_pairs(choices))
    return _fitted(snapshot, choices, fitted) | _with_errors(bradley_terry_errors(choices, fitted, generator))


def best_worst(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Fit the best-worst model: Plackett-Luce for the best of a tuple, and for the worst of the rest.

    If tuples were chosen adaptively, the variance of the prior is estimated from all items: then the utilities of
    extreme items are no more biased than those of a fixed design (`benchmarks.adaptive`).
    """
    choices = _valid(snapshot)
    adaptive = snapshot.facts.adaptive
    ridge = fit_posterior(choices).precision if adaptive else RIDGE
    fitted = fit_best_worst(choices, ridge=ridge)
    errors = best_worst_errors(choices, fitted, generator, ridge=ridge)
    prior = {"prior_variance": 1 / ridge} if adaptive else {}
    return _fitted(snapshot, choices, fitted) | prior | _with_errors(errors)


def best_worst_annotators(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Fit the best-worst model with annotators of different reliability, 1 in the mean; 0 answers at random."""
    choices = _valid(snapshot)
    if snapshot.unsigned:
        return _undefined(snapshot, UNSIGNED)
    if len(np.unique(choices.annotators)) < 2:  # type: ignore[arg-type]
        return _undefined(snapshot, ONE_PERSON)
    try:
        fitted = fit_best_worst_annotators(choices)
    except ValueError as refusal:  # people who contradict each other
        return _undefined(snapshot, str(refusal))
    reliabilities = np.full(len(snapshot.raters.pseudonyms), np.nan)
    reliabilities[: len(fitted.reliabilities)] = fitted.reliabilities
    return _fitted(snapshot, choices, fitted.utilities) | {
        "annotator": list(snapshot.raters.pseudonyms),
        **column("reliability", reliabilities, NO_ANNOTATOR),
    }


def _valid(snapshot: Snapshot) -> Choices:
    return snapshot.counted_choices.keep(snapshot.counted_choices.valid)


def _undefined(snapshot: Snapshot, reason: str) -> Result:
    return {"utility": None, "utility_reason": reason, "left_out": _left_out(snapshot)}


def _left_out(snapshot: Snapshot) -> int:
    """Return how many judgments have no likelihood, as they show an item twice or their best is their worst."""
    return int((~snapshot.counted_choices.valid).sum())


def _fitted(snapshot: Snapshot, choices: Choices, fitted: Utilities) -> Result:
    counting = best_worst_scores(count_choices(choices))
    return {
        "item": list(snapshot.items.keys),
        **column("utility", fitted.values, NEVER_COMPARED),
        "log_likelihood": fitted.log_likelihood,
        "converged": fitted.converged,
        "left_out": _left_out(snapshot),
        **told(
            {"spearman_with_counting": spearman(fitted.values, counting)},
            why_no_correlation(fitted.values, counting, FEW, "all scores are equal"),
        ),
    }


def _with_errors(variances: CentredVariances) -> Result:
    """Return the utilities with errors; relative_error: the maximum of an estimated variance, 0 if all are exact."""
    reason = NEVER_COMPARED if variances.solved else f"{NEVER_COMPARED}, or {NOT_SOLVED}"
    errors = column("error", variances.errors, reason)
    return errors | told({"relative_error": variances.relative_error}, NOT_SOLVED)
