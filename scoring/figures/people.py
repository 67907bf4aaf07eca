"""Figures of people: the agreement of every two, and everybody's answers to every item."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scoring.figures.figure import Figure, FigureError, Width
from scoring.figures.plot import Axis, Panel, Plot, Tiles, Tone
from scoring.figures.wording import counted, number

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
TONES: tuple[Tone, ...] = ("faint", "pale", "middle", "deep", "strong")
STEPS = (0.2, 0.4, 0.6, 0.8)
"""Agreement below the first is drawn in the faintest shade, from the last in the strongest."""
MINIMUM_HEIGHT, LETTERS = 11.0, 7.5
COLUMN_CELLS = 8
"""With more columns, a figure is as wide as a page, or its numbers could not be read."""


@dataclass(frozen=True)
class _Grid:
    """A table to be drawn. classes: the place in TONES of each cell, -1 for white; texts: in the cells."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    classes: Integers
    texts: Sequence[Sequence[str]]


def plot_pairwise(
    groups: Sequence[Sequence[str]], overlap: Integers, agreement: Floats, *, measure: str, noun: str
) -> Figure:
    """Plot the agreement of every two people, or groups of people, with the number of items or tuples in common
    in each cell.

    Parameters: groups, the pseudonyms of each row; overlap and agreement, shape (groups, groups), NaN for undefined;
        measure, what agreement is, such as “Pearson's r”; noun, what they have in common.

    Raises:
        FigureError: no two people have a defined agreement.
    """
    if np.isnan(agreement).all():
        raise FigureError("No two annotators have a defined agreement, so there is nothing to plot.")
    single = all(len(group) == 1 for group in groups)
    labels = [f"{place} {group[0]}" if single else _group(place, group) for place, group in enumerate(groups, start=1)]
    shown = ~(np.eye(len(groups), dtype=bool) & (overlap == 0))
    texts = [
        [str(n) if there else "" for n, there in zip(*row, strict=True)]
        for row in zip(overlap.tolist(), shown, strict=True)
    ]
    classes = np.where(np.isnan(agreement), -1, np.searchsorted(STEPS, agreement, side="right"))
    grid = _Grid(tuple(labels), tuple(map(str, range(1, len(groups) + 1))), classes, texts)
    axes = ("annotator", "annotator") if single else ("group of annotators", "group of annotators")
    people = counted(sum(map(len, groups)), "annotator")
    return Figure(
        name="pairwise-agreement",
        title="Agreement of every two annotators",
        description=_describe_pairwise(groups, overlap, agreement, measure, noun),
        columns=("annotators", "other annotators", f"{noun}s in common", "agreement"),
        rows=tuple(
            (" ".join(groups[row]), " ".join(groups[column]), int(overlap[row, column]), float(agreement[row, column]))
            for row in range(len(groups))
            for column in range(row + 1)
            if row != column or overlap[row, column]
        ),
        plot=_plot(
            f"{people}; shade: {measure}; numbers: {noun}s in common; white: not defined", grid, axes, _key(STEPS)
        ),
        width=_width(grid),
    )


def plot_answers(
    items: Sequence[str], people: Sequence[str], values: Floats, *, minimum: float, maximum: float
) -> Figure:
    """Plot the mean of everybody's answers to every item, as shades of five equal parts of the scale.

    Parameters: values, shape (items, people), NaN for items that a person did not answer.

    Raises:
        FigureError: there are no answers.
    """
    if np.isnan(values).all():
        raise FigureError("There are no answers, so there is nothing to plot.")
    steps = tuple(np.linspace(minimum, maximum, len(TONES) + 1)[1:-1].tolist())
    classes = np.where(np.isnan(values), -1, np.searchsorted(steps, values, side="right"))
    texts = [["" if np.isnan(value) else number(value, 1) for value in row] for row in values.tolist()]
    grid = _Grid(tuple(items), tuple(map(str, range(1, len(people) + 1))), classes, texts)
    made = int((~np.isnan(values)).sum())
    return Figure(
        name="item-annotator-matrix",
        title="Answers by item and annotator",
        description=(
            f"Table of {counted(len(items), 'item')} by {counted(len(people), 'annotator')}: "
            f"{counted(made, 'cell')} with answers and {counted(values.size - made, 'empty cell')}. "
            "A row is an item, from the lowest mean to the highest; a column is an annotator, in the order of the "
            "agreement of every two annotators. "
            f"Shades show five equal parts of the scale from {number(minimum)} to {number(maximum)}."
        ),
        columns=("item", *people),
        rows=tuple((item, *row) for item, row in zip(items, values.tolist(), strict=True)),
        plot=_plot(
            f"{counted(made, 'cell')} with answers; items by mean, annotators as in the figure of their agreement",
            grid,
            ("item", "annotator"),
            _key(steps),
        ),
        width=_width(grid),
    )


def _plot(subtitle: str, grid: _Grid, axes: tuple[str, str], key: tuple[tuple[Tone, str], ...]) -> Plot:
    """Return the plot of a table, its first row at the top."""
    height, width = len(grid.rows), len(grid.columns)
    letters = LETTERS if width <= COLUMN_CELLS * 2 else LETTERS - 1.5
    x = Axis(axes[1], -0.5, width - 0.5, ticks=_places(width), names=grid.columns, small=letters)
    y = Axis(axes[0], height - 0.5, -0.5, ticks=_places(height), names=grid.rows, small=LETTERS)
    marks = tuple(
        Tiles(
            tuple(columns.astype(float).tolist()),
            tuple(rows.astype(float).tolist()),
            tuple(grid.texts[row][column] for row, column in zip(rows.tolist(), columns.tolist(), strict=True)),
            tone,
            letters,
        )
        for place, tone in ((-1, None), *enumerate(TONES))
        for rows, columns in [np.nonzero(grid.classes == place)]
        if len(rows)
    )
    return Plot(subtitle, (Panel(height * max(MINIMUM_HEIGHT, 120 / height), x, y, marks),), key)


def _places(number_: int) -> tuple[float, ...]:
    return tuple(float(place) for place in range(number_))


def _key(steps: Sequence[float]) -> tuple[tuple[Tone, str], ...]:
    between = [f"{number(low)} to {number(high)}" for low, high in pairwise(steps)]
    texts = [f"below {number(steps[0])}", *between, f"from {number(steps[-1])}"]
    return tuple(zip(TONES, texts, strict=True))


def _width(grid: _Grid) -> Width:
    return "column" if len(grid.columns) <= COLUMN_CELLS else "page"


def _group(place: int, group: Sequence[str]) -> str:
    return f"{place} ({len(group)})"


def _describe_pairwise(
    groups: Sequence[Sequence[str]], overlap: Integers, agreement: Floats, measure: str, noun: str
) -> str:
    low, middle, high = (number(float(np.nanquantile(agreement, part))) for part in (0, 0.5, 1))
    people, single = sum(map(len, groups)), all(len(group) == 1 for group in groups)
    what = "every two annotators" if single else f"every two of {len(groups)} groups of annotators"
    common = overlap[np.tril_indices(len(groups), -1)] if single else overlap[np.tril_indices(len(groups))]
    sentences = [
        f"Heat map of the agreement ({measure}) of {what}, {people:,} in all, with the number of {noun}s in common.",
        "They are ordered so that neighbours agree with the same others.",
        f"Agreement ranges from {low} to {high}, with median {middle}; from {int(common.min()):,} to "
        f"{counted(int(common.max()), noun)} are in common.",
    ]
    if not single:
        sentences.append(
            "With more than 30 annotators, neighbours are joined into groups: a cell is the mean over their pairs."
        )
    return " ".join(sentences)
