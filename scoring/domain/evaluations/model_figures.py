"""Figures of a model on the scores of a release (STSS-131, appendices A and B; GiCCS, multiple-choice STS)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from annotation.domain.errors import Refusal
from scoring.domain.evaluations.baselines import Scores
from scoring.domain.evaluations.multiple_choice import multiple_choice
from scoring.domain.evaluations.typical_rater import against_typical_rater
from scoring.models import Evaluation
from scoring.stats import comparing
from scoring.stats.correlation import pearson, spearman
from scoring.stats.evaluation import compare_models, evaluate
from scoring.stats.means import MeanComparison
from scoring.stats.rank_intervals import spearman_interval
from scoring.stats.reasons import why_no_bounds
from scoring.stats.significance import significance
from scoring.summaries.by_group import domains_of_items, turns_of_items
from scoring.summaries.intervals import FEW_PAIRS, LEAST, bounds, why_no_rank_interval, why_no_test
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import told

NAMED = 20  # items that a result lists
MOST_PARTS = 50  # languages or domains with separate figures
TESTED = [one.name for one in fields(comparing.Comparison)]
NO_Z = "z is not defined for the correlations of the two models with the scores and with each other"
NO_RATERS = (
    "fewer than two annotators have a defined correlation with the others, or the judgments are choices, not ratings"
)
SAME_RATERS = "all annotators have the same correlation with the others (always the case for two annotators)"
NO_PART = "fewer than four items in one of the sets, no variance, or a correlation of 1 or -1"


@dataclass(frozen=True)
class Gold:
    """One set of scores of a release, by item, with the ceiling of an average person and each rater's correlation.

    place: the round and context of mean ratings; empty for choices. typical: the typical rater, as a run has it.
    """

    name: str
    scores: Scores
    ceiling: dict[str, Any]
    raters: tuple[float, ...]
    place: tuple[str, ...] = ()
    typical: Mapping[str, Any] = field(default_factory=dict)


def golds_of(results: Mapping[str, Any]) -> list[Gold]:
    """Return the sets of scores of a run: of choices, or of the last round that rated, by context."""
    if "choice_scores" in results:
        found = results["choice_scores"]
        return [Gold("choices", _by_item(found["item"], found["score"]), _no_ceiling(), ())]
    for round_, contexts in sorted(results.get("scores", {}).items(), reverse=True):
        golds = [
            _gold(results, round_, context, table)
            for context, table in sorted(contexts.items(), reverse=True)  # free before dependent
            if table["item"]
        ]
        if golds:
            return golds
    return []


def _gold(results: Mapping[str, Any], round_: str, context: str, table: Mapping[str, Any]) -> Gold:
    scores, place = _by_item(table["item"], table["mean"]), (round_, context)
    raters = results.get("raters", {}).get(round_, {}).get(context, {})
    each = tuple(r for r in raters.get("pearson", ()) if r is not None)  # runs of earlier versions have none
    return Gold(f"{round_}.{context}", scores, _ceiling(results, *place), each, place, raters.get("typical", {}))


def _by_item(items: list[str], values: list[float | None]) -> Scores:
    return {item: value for item, value in zip(items, values, strict=True) if value is not None}


def _no_ceiling() -> dict[str, Any]:
    reason = "the judgments are choices, not ratings; see the split-half reliability of the scoring run"
    return {"average_rater": None, "average_rater_reason": reason, "mse_bound": None, "mse_bound_reason": reason} | {
        "mse_oracle": None,
        "mse_oracle_reason": reason,
    }


def _ceiling(results: Mapping[str, Any], round_: str, context: str) -> dict[str, Any]:
    """Return the run's figures of an average rater against the others and of the squared error (Czech News 6)."""
    found = results.get("agreement", {}).get(round_, {}).get(context, {})
    return {
        name: value for name, value in found.items() if name.startswith(("average_rater", "mse_bound", "mse_oracle"))
    }


def figures_of(gold: Gold, snapshot: Snapshot, predictions: Scores, others: Mapping[str, Scores]) -> dict[str, Any]:
    """Return all figures of a model on one set of scores. Raise Refusal if fewer than four predictions have a score, or
    there is no variance."""
    items = [item for item in gold.scores if item in predictions]
    missing = [item for item in gold.scores if item not in predictions]
    found = _correlations(_column(predictions, items), _column(gold.scores, items))
    return {
        **found,
        "items": len(gold.scores),
        "missing": {"number": len(missing), "items": missing[:NAMED]},
        "ceiling": gold.ceiling,
        "against_raters": _against_raters(gold, found["whole"]["pearson"]["r"]),
        "typical_rater": against_typical_rater(gold.place, gold.typical, snapshot, predictions),
        "apart": _apart(gold, snapshot, predictions, items),
        "multiple_choice": multiple_choice(gold.scores, snapshot, predictions),
        "compared": {model: _compared(gold, predictions, other) for model, other in sorted(others.items())},
    }


def _column(values: Mapping[str, float], items: list[str]) -> np.ndarray:
    return np.array([values[item] for item in items], dtype=np.float64)


def _correlations(predicted: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    """Return the correlations with three decimals as STSS-131 asks, and unrounded under "whole"."""
    try:
        found = evaluate(predicted, scores)
    except ValueError as error:
        raise Refusal(str(error)) from error
    r, rho = pearson(predicted, scores), spearman(predicted, scores)
    rows, fewest = len(scores), comparing.FEWEST_PAIRS
    no_interval, no_rank_interval = (
        why_no_bounds(r, (rows < fewest, FEW_PAIRS.format(fewest))),
        why_no_rank_interval(rho, rows),
    )
    no_test, no_rank_test = why_no_test(r, rows), why_no_test(rho, rows)
    whole = {
        "pearson": {
            "r": r,
            "interval": told(comparing.confidence_interval(r, rows), no_interval),
            "test": told(significance(r, rows), no_test),
        },
        "spearman": {
            "r": rho,
            "interval": told(spearman_interval(predicted, scores), no_rank_interval),
            "test": told(significance(rho, rows), no_rank_test),
        },
    }
    return {
        "pairs": found.pairs,
        "pearson": found.pearson,
        "pearson_interval": told(found.pearson_interval, no_interval),
        "pearson_test": told(found.pearson_test, no_test),
        "spearman": found.spearman,
        "spearman_interval": told(found.spearman_interval, no_rank_interval),
        "spearman_test": told(found.spearman_test, no_rank_test),
        "whole": whole,
        "mse": found.mse,
    }


def _against_raters(gold: Gold, r: float) -> dict[str, Any]:
    """Return the one-sample t-test of the raters' correlations with the others against the model's; above 0, people
    lead."""
    names = [field.name for field in fields(MeanComparison)]
    enough = len(gold.raters) > 1
    found = asdict(comparing.compare_mean(gold.raters, r)) if enough else dict.fromkeys(names, math.nan)
    return {"raters": len(gold.raters)} | told(found, SAME_RATERS if enough else NO_RATERS)


def _apart(gold: Gold, snapshot: Snapshot, predictions: Scores, items: list[str]) -> dict[str, dict[str, Any]]:
    """Return r by language, domain and number of turns, if there are several, and its difference from r elsewhere."""
    known = set(items)
    turns = [str(number or "") for number in turns_of_items(snapshot)]
    found: dict[str, dict[str, Any]] = {}
    for kind, labels in (
        ("language", snapshot.items.language),
        ("domain", domains_of_items(snapshot)),
        ("turns", turns),
    ):
        parts: dict[str, list[str]] = {}
        for item, label in zip(snapshot.items.keys, labels, strict=True):
            if item in known:
                parts.setdefault(label, []).append(item)
        if 1 < len(parts) <= MOST_PARTS:
            found[kind] = {label: _part(gold, predictions, parts[label], items) for label in sorted(parts)}
    return found


def _part(gold: Gold, predictions: Scores, items: list[str], every: list[str]) -> dict[str, Any]:
    members = set(items)
    rest = [item for item in every if item not in members]
    r, other = (pearson(_column(predictions, side), _column(gold.scores, side)) for side in (items, rest))
    defined = min(len(items), len(rest)) >= LEAST and not math.isnan(r + other)
    z = dict.fromkeys(TESTED, math.nan)
    if defined:
        z = asdict(comparing.compare_independent(r, len(items), other, len(rest)))
    part = {"items": len(items), **told({"pearson": r}, NO_PART), **bounds("pearson", r, len(items))}
    return part | told(z, NO_PART)


def compared_with_others(evaluation: Evaluation, others: Iterable[Evaluation], name: str) -> dict[str, dict[str, Any]]:
    """Return Meng's z on one set of scores against other models of the release: {label: figures}."""
    return {other.label: _between(evaluation, other, name) for other in others if other.pk != evaluation.pk}


def _between(evaluation: Evaluation, other: Evaluation, name: str) -> dict[str, Any]:
    """Return the comparison stored with the later model; compute it if both came at the same moment."""
    earlier, later = sorted((evaluation, other), key=lambda evaluation: evaluation.pk)
    known = later.results["scores"][name]["compared"].get(earlier.label)
    if known is None:
        gold = next(gold for gold in golds_of(evaluation.release.run.results) if gold.name == name)
        return _compared(gold, evaluation.predictions, other.predictions)
    return known if evaluation is later else _turned(known)


def _turned(found: dict[str, Any]) -> dict[str, Any]:
    """Return the same comparison seen from the other model."""
    z = found["z"] if found["z"] is None else -found["z"]
    return found | {"z": z, "p_left": found["p_right"], "p_right": found["p_left"]}


def _compared(gold: Gold, first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, Any]:
    """Compare two models on the items that both predicted; above 0 where the first follows the scores better."""
    items = [item for item in gold.scores if item in first and item in second]
    try:
        found = asdict(compare_models(*(_column(values, items) for values in (first, second, gold.scores))))
        reason = NO_Z
    except ValueError as error:
        found, reason = dict.fromkeys(TESTED, math.nan), str(error)
    return {"pairs": len(items), **told(found, reason)}
