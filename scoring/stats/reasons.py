"""Why a figure is not defined for the data at hand: the reason that applies, not every reason that there could be."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.stats.jackknife import ROUNDING
from scoring.stats.missing import complete

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Case = tuple[Any, str]
"""Whether a reason applies, and the reason."""
NO_ITEM_TWICE = "no item has two ratings"
ALL_RATINGS_SAME = "all ratings are the same"


def first_reason(*cases: Case) -> str:
    """Return the first reason that applies; the last one if no other does."""
    return next((reason for applies, reason in cases if applies), cases[-1][1])


def reasons_of_some(*cases: Case) -> str:
    """Return the reasons that apply to figures of a column, each to some of them."""
    return " or ".join(reason for applies, reason in cases if applies)


def why_no_correlation(x: Floats, y: Floats, few: str, same: str = "all values are the same") -> str:
    """Return why two columns have no correlation. few: with fewer than two rows; same: without variance in one."""
    return first_reason((len(complete(x, y)[0]) < 2, few), (True, same))


def why_no_bounds(r: float, *cases: Case, otherwise: str = "the correlation is 1 or -1") -> str:
    """Return why a correlation has no interval or test; cases: of too few values."""
    return first_reason((np.isnan(r), "the correlation is not defined"), *cases, (True, otherwise))


def why_no_agreement(compared: tuple[Integers, Floats, Floats], means: str) -> str:
    """Return why ratings and means have no correlation. Parameters: means, what `compared` has in its third column."""
    _, values, _ = compared
    return first_reason(
        (not len(values), NO_ITEM_TWICE), (not _varies(values), ALL_RATINGS_SAME), (True, f"all {means} are the same")
    )


def why_no_alpha(units: Integers, values: Floats) -> str:
    """Return why some alpha of ratings is not defined."""
    units, values = complete(units, values)
    paired = (np.bincount(units) > 1)[units] if len(units) else np.zeros(0, np.bool_)
    return first_reason(
        (not paired.any(), NO_ITEM_TWICE),
        (not _varies(values[paired]), ALL_RATINGS_SAME),
        (True, "a ratio scale has no negative values"),
    )


def why_no_icc(units: Integers, values: Floats) -> str:
    """Return why the intraclass correlation of ratings is not defined."""
    units, values = complete(units, values)
    items = len(np.unique(units))
    return first_reason(
        (items < 2, "fewer than two items"),
        (len(units) <= items, NO_ITEM_TWICE),
        (not _varies(values), ALL_RATINGS_SAME),
        (True, "all item means are the same"),
    )


def is_certain(r: float) -> bool:
    """Return whether a correlation is 1 or -1."""
    return bool(abs(r) >= 1 - ROUNDING)


def _varies(values: Floats) -> bool:
    return len(values) > 0 and bool(np.ptp(values) > 0)
