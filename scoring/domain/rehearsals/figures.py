"""The figures of a run that show whether a protocol will work."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

BARS = 10
Results = Mapping[str, Any]


def rehearsal_figures(results: Results) -> dict[str, Any]:
    """Return reliability and the spread of scores, from the results of a run.

    Returns: `figures`, objects with name, value and what they are of; `spreads`, distributions as labelled counts.
    """
    return {"figures": list(_figures(results)), "spreads": list(_spreads(results))}


def _figures(results: Results) -> Iterator[dict[str, Any]]:
    split = results.get("split_half", {}).get("judgment")
    if split:
        yield from _of_halves("", split["spearman"])
    for alpha in ("best", "worst"):
        agreement = results.get("choice_agreement")
        if agreement:
            yield {"name": f"alpha-{alpha}", "of": "", "value": agreement["alpha"][alpha]["item"]}
    for round_key, contexts in results.get("split_half_ratings", {}).items():
        for context, halves in contexts.items():
            yield from _of_halves(f"{round_key}, {context}", halves["spearman"])
    for round_key, contexts in results.get("agreement", {}).items():
        for context, agreement in contexts.items():
            of = f"{round_key}, {context}"
            yield {"name": "icc", "of": of, "value": agreement["icc"]["icc1k"]}
            yield {"name": "pearson", "of": of, "value": agreement["inter"]["pearson"]}


def _of_halves(of: str, spread: Results) -> Iterator[dict[str, Any]]:
    yield {"name": "split-half", "of": of, **_range(spread)}
    yield {"name": "full-length", "of": of, "value": spread["full_length"]}


def _range(figure: Results) -> dict[str, Any]:
    return {"value": figure["mean"], "low": figure["low"], "high": figure["high"]}


def _spreads(results: Results) -> Iterator[dict[str, Any]]:
    choices = results.get("choice_scores")
    if choices:
        yield _spread("", choices["unit"])
    for round_key, contexts in results.get("scores", {}).items():
        for context, scores in contexts.items():
            if any(mean is not None for mean in scores["mean"]):
                yield _spread(f"{round_key}, {context}", scores["mean"])


def _spread(of: str, values: Sequence[float | None]) -> dict[str, Any]:
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    counts, edges = np.histogram(known, bins=BARS)
    bars = [[f"{low:.2f} – {high:.2f}", int(count)] for low, high, count in zip(edges, edges[1:], counts, strict=False)]
    return {"name": of, "bars": bars, "most": int(counts.max(initial=0))}
