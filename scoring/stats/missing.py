"""Rows without missing values, and rows grouped by a label."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def complete(*columns: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return columns of shape (rows,), without the rows in which any of them has a missing value (NaN)."""
    present = np.ones(len(columns[0]), np.bool_)
    for column in columns:
        if column.dtype.kind == "f":
            present &= ~np.isnan(column)
    return columns if present.all() else tuple(column[present] for column in columns)


def rows_of_each(labels: Integers) -> dict[int, Integers]:
    """Return the rows of each label, in their order, by ascending label; linear in the rows but for one sort."""
    order = np.argsort(labels, kind="stable")
    unique, starts = np.unique(labels[order], return_index=True)
    return dict(zip(unique.tolist(), np.split(order, starts[1:]), strict=True)) if len(unique) else {}
