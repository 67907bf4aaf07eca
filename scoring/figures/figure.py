"""Figures: an image to be drawn, the data behind it, and a description in words."""

import csv
from dataclasses import dataclass
from io import StringIO
from math import isnan
from typing import Literal

from annotation.corpora.spreadsheets import harmless
from scoring.figures.plot import Plot

Cell = str | int | float | None
Width = Literal["column", "page"]


class FigureError(ValueError):
    """Data of which no figure can be made; the message is a full sentence that says why."""


@dataclass(frozen=True)
class Figure:
    """name: of files. title: what is shown. description: two to five sentences for those who cannot see it.

    columns, rows: the data drawn, as a table; None is a figure that is not defined. plot: what `drawing` draws.
    width: that it is drawn in, unless another one is chosen.
    """

    name: str
    title: str
    description: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    plot: Plot
    width: Width = "column"


def write_csv(figure: Figure) -> str:
    """Return the data of a figure as CSV, lines ended by a line feed; an undefined value is an empty cell.

    Texts that a spreadsheet would run get an apostrophe before them.
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(figure.columns)
    writer.writerows([[_written(cell) for cell in row] for row in figure.rows])
    return text.getvalue()


def _written(cell: Cell) -> object:
    return None if isinstance(cell, float) and isnan(cell) else harmless(cell)
