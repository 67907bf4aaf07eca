"""What is told of a model on the scores of a release (STSS-131, appendices A and B; GiCCS, multiple-choice STS)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from annotation.domain.errors import Refusal
from scoring.domain.baselines import Scores
from scoring.models import Evaluation
from scoring.stats.comparing import (
    Comparison,
    confidence_interval,
    independent,
    mean_against,
    spearman_interval,
)
from scoring.stats.correlation import pearson, spearman
from scoring.stats.evaluation import compare_models, evaluate, multiple_choice_accuracy
from scoring.stats.means import MeanComparison
from scoring.summaries.intervals import LEAST, bounds
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import NONE
from scoring.summaries.undefined import told

NAMED = 20  # items that a result lists
MOST_PARTS = 50  # languages or domains that are told apart
TESTED = [one.name for one in fields(Comparison)]
NO_INTERVAL = "a correlation of 1 or -1 has no interval"
NO_Z = "the two models' correlations with the scores, or with each other, leave no z defined"
NO_CHOICE = "no group has all its predictions and scores"
NO_RATERS = "the correlations of fewer than two raters with the others are defined, or people chose and did not rate"
SAME_RATERS = "all raters have the same correlation with the others"
NO_PART = "fewer than four items here or elsewhere, or no variance, or a correlation of 1 or -1"


@dataclass(frozen=True)
class Gold:
    """One set of scores of a release, by item; what an average person reaches there, and each of the raters."""

    name: str
    scores: Scores
    ceiling: dict[str, Any]
    raters: tuple[float, ...]


def golds_of(results: Mapping[str, Any]) -> list[Gold]:
    """The sets of scores of a run: those of choices, or those of the last round that rated, context by context."""
    if "choice_scores" in results:
        found = results["choice_scores"]
        return [Gold("choices", _by_item(found["item"], found["score"]), _no_ceiling(), ())]
    for round_, contexts in reversed(list(_rounds(results))):
        golds = [
            Gold(
                f"{round_}.{context}",
                _by_item(table["item"], table["mean"]),
                _ceiling(results, round_, context),
                _raters(results, round_, context),
            )
            for context, table in sorted(contexts.items(), reverse=True)  # free before dependent
            if table["item"]
        ]
        if golds:
            return golds
    return []


def _rounds(results: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(results.get("scores", {}).items())


def _by_item(items: list[str], values: list[float | None]) -> Scores:
    return {item: value for item, value in zip(items, values, strict=True) if value is not None}


def _no_ceiling() -> dict[str, Any]:
    reason = "people chose and did not rate; see the split-half reliability of the run"
    return {"average_rater": None, "average_rater_reason": reason, "mse_bound": None, "mse_bound_reason": reason}


def _ceiling(results: Mapping[str, Any], round_: str, context: str) -> dict[str, Any]:
    """What the run says of people: an average rater against the others, and the least squared error (Czech News 6)."""
    found = results.get("agreement", {}).get(round_, {}).get(context, {})
    return {name: value for name, value in found.items() if name.startswith(("average_rater", "mse_bound"))}


def _raters(results: Mapping[str, Any], round_: str, context: str) -> tuple[float, ...]:
    """Each rater's correlation with the others, where it is defined; runs of earlier versions have none."""
    found = results.get("raters", {}).get(round_, {}).get(context, {})
    return tuple(r for r in found.get("pearson", ()) if r is not None)


def figures_of(gold: Gold, snapshot: Snapshot, predictions: Scores, others: Mapping[str, Scores]) -> dict[str, Any]:
    """All that is told of a model on one set of scores.

    Raises:
        Refusal: fewer than four predictions of items with a score, or no variance.
    """
    items = [item for item in gold.scores if item in predictions]
    missing = [item for item in gold.scores if item not in predictions]
    found = _correlations(_column(predictions, items), _column(gold.scores, items))
    return {
        **found,
        "items": len(gold.scores),
        "missing": {"number": len(missing), "items": missing[:NAMED]},
        "ceiling": gold.ceiling,
        "against_raters": _against_raters(gold, found["whole"]["pearson"]["r"]),
        "apart": _apart(gold, snapshot, predictions, items),
        "multiple_choice": _multiple_choice(gold, snapshot, predictions),
        "compared": {model: _compared(gold, predictions, other) for model, other in sorted(others.items())},
    }


def _column(values: Mapping[str, float], items: list[str]) -> np.ndarray:
    return np.array([values[item] for item in items], dtype=np.float64)


def _correlations(predicted: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    """Three decimals as STSS-131 asks, and whole (of the predictions as they are)."""
    try:
        found = evaluate(predicted, scores)
    except ValueError as error:
        raise Refusal(str(error)) from error
    r, rho = pearson(predicted, scores), spearman(predicted, scores)
    whole = {
        "pearson": {"r": r, "interval": told(confidence_interval(r, len(scores)), NO_INTERVAL)},
        "spearman": {"r": rho, "interval": told(spearman_interval(rho, len(scores)), NO_INTERVAL)},
    }
    return {
        "pairs": found.pairs,
        "pearson": found.pearson,
        "pearson_interval": told(found.pearson_interval, NO_INTERVAL),
        "spearman": found.spearman,
        "spearman_interval": told(found.spearman_interval, NO_INTERVAL),
        "whole": whole,
        "mse": found.mse,
    }


def _against_raters(gold: Gold, r: float) -> dict[str, Any]:
    """Whether the raters' correlations with each other, in the mean, differ from the model's with the scores: the
    one-sample t-test; above 0 where people are ahead."""
    names = [one.name for one in fields(MeanComparison)]
    enough = len(gold.raters) > 1
    found = asdict(mean_against(gold.raters, r)) if enough else dict.fromkeys(names, math.nan)
    return {"raters": len(gold.raters)} | told(found, SAME_RATERS if enough else NO_RATERS)


def _apart(gold: Gold, snapshot: Snapshot, predictions: Scores, items: list[str]) -> dict[str, dict[str, Any]]:
    """By language and by domain, where there are several: r there, and whether it differs from r on all other items."""
    known, domains = set(items), (*snapshot.groups.domains, "")  # -1 is the last
    found: dict[str, dict[str, Any]] = {}
    for kind, labels in (
        ("language", snapshot.items.language),
        ("domain", [domains[group] for group in snapshot.items.groups.tolist()]),
    ):
        own: dict[str, list[str]] = {}
        for item, label in zip(snapshot.items.keys, labels, strict=True):
            if item in known:
                own.setdefault(label, []).append(item)
        if 1 < len(own) <= MOST_PARTS:
            found[kind] = {label: _part(gold, predictions, own[label], items) for label in sorted(own)}
    return found


def _part(gold: Gold, predictions: Scores, own: list[str], every: list[str]) -> dict[str, Any]:
    here = set(own)
    rest = [item for item in every if item not in here]
    r, other = (pearson(_column(predictions, side), _column(gold.scores, side)) for side in (own, rest))
    defined = min(len(own), len(rest)) >= LEAST and not math.isnan(r + other)
    z = asdict(independent(r, len(own), other, len(rest))) if defined else dict.fromkeys(TESTED, math.nan)
    return {"items": len(own), **told({"pearson": r}, NO_PART), **bounds("pearson", r, len(own)), **told(z, NO_PART)}


def _multiple_choice(gold: Gold, snapshot: Snapshot, predictions: Scores) -> dict[str, Any] | None:
    """Of every group of which all is known: whether the highest prediction has the highest score; None: no groups."""
    if not snapshot.facts.grouped:
        return None
    groups: dict[int, list[str]] = {}
    for item, group in zip(snapshot.items.keys, snapshot.items.groups.tolist(), strict=True):
        if group != NONE:
            groups.setdefault(group, []).append(item)
    known = [own for own in groups.values() if all(item in predictions and item in gold.scores for item in own)]
    items = [item for own in known for item in own]
    places = np.array([place for place, own in enumerate(known) for _ in own], dtype=np.int64)
    accuracy = math.nan
    if known:
        accuracy = multiple_choice_accuracy(_column(predictions, items), _column(gold.scores, items), places)
    chance = float(np.mean([1 / len(own) for own in known])) if known else math.nan
    return {"groups": len(known), "left_out": len(groups) - len(known)} | told(
        {"accuracy": accuracy, "by_chance": chance}, NO_CHOICE
    )


def compared_with_others(evaluation: Evaluation, others: Iterable[Evaluation], name: str) -> dict[str, dict[str, Any]]:
    """Meng's z, on one set of scores, against other models of the release: {model: figures}."""
    return {other.model: _between(evaluation, other, name) for other in others if other.pk != evaluation.pk}


def _between(one: Evaluation, other: Evaluation, name: str) -> dict[str, Any]:
    """As it was stored with the later one; where neither knew of the other, both came at the same moment."""
    earlier, later = sorted((one, other), key=lambda evaluation: evaluation.pk)
    known = later.results["scores"][name]["compared"].get(earlier.model)
    if known is None:
        gold = next(gold for gold in golds_of(one.release.run.results) if gold.name == name)
        return _compared(gold, one.predictions, other.predictions)
    return known if one is later else _turned(known)


def _turned(found: dict[str, Any]) -> dict[str, Any]:
    """The same comparison seen from the other model."""
    z = found["z"] if found["z"] is None else -found["z"]
    return found | {"z": z, "p_left": found["p_right"], "p_right": found["p_left"]}


def _compared(gold: Gold, one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, Any]:
    """On the items that both predicted; above 0 where the first follows the scores better."""
    items = [item for item in gold.scores if item in one and item in other]
    try:
        found = asdict(compare_models(*(_column(values, items) for values in (one, other, gold.scores))))
        reason = NO_Z
    except ValueError as error:
        found, reason = dict.fromkeys(TESTED, math.nan), str(error)
    return {"pairs": len(items), **told(found, reason)}
