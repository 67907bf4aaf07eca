"""Figures as JSON holds them: null if one is not defined, with the reason under `NAME_reason`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Result = dict[str, Any]
UNSIGNED = "some choices have no known annotator"
"""The reason for figures by person if some people are unknown."""


def told(values: Any, reason: str | Mapping[str, str]) -> Result:
    """Return figures by name, from a mapping or a dataclass, with one reason for all or one for each name."""
    figures = asdict(values) if is_dataclass(values) and not isinstance(values, type) else dict(values)
    result: Result = {}
    for name, value in figures.items():
        result[name] = number(value) if isinstance(value, float) else value
        if result[name] is None:
            result[f"{name}_reason"] = reason if isinstance(reason, str) else reason[name]
    return result


def column(name: str, values: NDArray[Any] | Sequence[float | None], reason: str) -> Result:
    """Return a column of figures, null for each that is not defined, with one reason for all of these."""
    entries = values.tolist() if isinstance(values, np.ndarray) else values
    numbers = [number(value) for value in entries]
    return {name: numbers} | ({f"{name}_reason": reason} if None in numbers else {})


def number(value: float | None) -> float | int | None:
    """Return a number that JSON has, None for others; minus zero, which not every database keeps, is zero."""
    if value is None or not math.isfinite(value):
        return None
    return value + 0


def distribution(values: NDArray[np.float64], reason: str) -> Result:
    """Return number, mean, standard deviation (n - 1) and quantiles of the values that are defined."""
    values = values[~np.isnan(values)]
    found = dict.fromkeys((name for name, _ in QUANTILES), float("nan"))
    if len(values):
        found = {name: float(np.quantile(values, part)) for name, part in QUANTILES}
    mean = float(values.mean()) if len(values) else float("nan")
    sd = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    single = "the standard deviation of a single value is not defined"
    reasons = dict.fromkeys(("mean", *found), reason) | {"sd": single if len(values) else reason}
    return {"number": len(values), **told({"mean": mean, "sd": sd, **found}, reasons)}


QUANTILES = (("min", 0.0), ("q05", 0.05), ("q25", 0.25), ("median", 0.5), ("q75", 0.75), ("q95", 0.95), ("max", 1.0))
