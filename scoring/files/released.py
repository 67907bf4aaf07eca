"""The files of a release as arrays, and figures next to published ones: for the notebooks in docs/notebooks/."""

import csv
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Row = dict[str, str]


def rows_of(path: Path) -> list[Row]:
    """Return the rows of a CSV file by their columns. Raise OSError if it cannot be read."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@dataclass(frozen=True)
class Ratings:
    """Ratings that count, a row each. items: indexes into `names`; values: NaN for none; shape (ratings,) each."""

    names: list[str]
    items: NDArray[np.int64]
    values: NDArray[np.float64]
    annotators: list[str]

    @property
    def by_item(self) -> list[NDArray[np.float64]]:
        """Return the values of each item, in the order of `names`."""
        return [self.values[self.items == number] for number in range(len(self.names))]


def ratings_of(
    folder: Path, *, round_key: str | None = None, context: str | None = None, block: str = "main"
) -> Ratings:
    """Return the counted ratings of a release.

    Parameters: round_key, context: None for all; block: main, calibration or intra.
    """
    wanted = {"counted": "1", "block": block} | {
        name: value for name, value in (("round", round_key), ("context", context)) if value is not None
    }
    found = [
        row
        for row in rows_of(folder / "judgments.csv")
        if row["value"] and not row.get("role") and all(row[name] == value for name, value in wanted.items())
    ]
    names = list(dict.fromkeys(row["item"] for row in found))
    index = {name: number for number, name in enumerate(names)}
    items = np.array([index[row["item"]] for row in found], np.int64)
    values = np.array([float(row["value"]) for row in found], np.float64)
    return Ratings(names, items, values, [row["annotator"] for row in found])


@dataclass
class Comparison:
    """Figures next to others, such as published ones. rows: name, computed, other; None where there is no other.

    against: what the others are.
    """

    against: str = "published"
    rows: list[tuple[str, float, float | None]] = field(default_factory=list)

    def add(self, name: str, computed: float, other: float | None = None) -> None:
        """Add a figure; NaN is shown as undefined."""
        self.rows.append((name, float(computed), other))

    def __str__(self) -> str:
        width = max((len(name) for name, _, _ in self.rows), default=0)
        head = f"{'figure':<{width}}  {'computed':>10}  {self.against:>10}  {'difference':>10}"
        return "\n".join([head, *(self._line(width, *row) for row in self.rows)])

    @staticmethod
    def _line(width: int, name: str, computed: float, other: float | None) -> str:
        difference = None if other is None else computed - other
        numbers = "  ".join(f"{_shown(number):>10}" for number in (computed, other, difference))
        return f"{name:<{width}}  {numbers}"


def _shown(number: float | None) -> str:
    """Return a number with up to four decimals."""
    if number is None:
        return ""
    if isnan(number):
        return "undefined"
    return f"{round(number, 4) + 0.0:,.4f}".rstrip("0").rstrip(".")  # 0.0 is added for the sign of a rounded zero
