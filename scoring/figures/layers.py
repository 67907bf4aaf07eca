"""The marks of a panel as layers of Vega-Lite: bars, lines, bands, spans, points, rules, labels and tiles."""

from collections.abc import Sequence
from functools import singledispatch
from math import isnan
from typing import Any

import altair as alt

from scoring.figures.lettering import printable
from scoring.figures.plot import Band, Bars, Label, Line, Mark, Points, Rule, Spans, Tiles, Tone

Chart = Any  # Altair's methods that make one chart of another do not declare its kind
COLOURS: dict[Tone, str] = {
    "strong": "#1f4e79",
    "deep": "#4c78a3",
    "middle": "#7ba3c7",
    "pale": "#cddceb",
    "faint": "#eef2f6",
    "ghost": "#dedede",
    "quiet": "#6b6b6b",
}
TEXT = 9.5


def rows_of(**columns: Sequence[float]) -> dict[str, Any]:
    """Return columns as inline rows; NaN as null, which breaks a line."""
    names = list(columns)
    values = [
        {name: None if isnan(value) else value for name, value in zip(names, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
    return {"values": values}


@singledispatch
def layer_of(mark: Mark, x: alt.X, y: alt.Y) -> Chart:
    """Return a mark as a layer on the two axes of its panel.

    Raises:
        TypeError: the argument is no mark.
    """
    raise TypeError(f"{type(mark).__name__} is not a mark.")


@layer_of.register
def _bars(mark: Bars, x: alt.X, y: alt.Y) -> Chart:
    data = rows_of(x=mark.left, x2=mark.right, y=mark.heights, y2=[0.0] * len(mark.left))
    chart = alt.Chart(data).mark_rect(fill=COLOURS[mark.tone], stroke="white", strokeWidth=0.5)
    return chart.encode(x=x, x2="x2:Q", y=y, y2="y2:Q")


@layer_of.register
def _line(mark: Line, x: alt.X, y: alt.Y) -> Chart:
    chart = alt.Chart(rows_of(x=mark.x, y=mark.y)).mark_line(
        color=COLOURS[mark.tone],
        strokeWidth=1 if mark.dotted else 1.5,
        strokeDash=[1, 3] if mark.dotted else [],
        interpolate="step-after" if mark.stepped else "linear",
        point={"size": 9, "color": COLOURS[mark.tone], "opacity": 1} if mark.points else False,
    )
    return chart.encode(x=x, y=y)


@layer_of.register
def _band(mark: Band, x: alt.X, y: alt.Y) -> Chart:
    chart = alt.Chart(rows_of(x=mark.x, y=mark.low, y2=mark.high)).mark_area(
        color=COLOURS[mark.tone], line=False, orient="vertical"
    )
    return chart.encode(x=x, y=y, y2="y2:Q")


@layer_of.register
def _spans(mark: Spans, x: alt.X, y: alt.Y) -> Chart:
    chart = alt.Chart(rows_of(x=mark.left, x2=mark.right, y=mark.y))
    return chart.mark_rule(color=COLOURS["strong"], strokeWidth=3).encode(x=x, x2="x2:Q", y=y)


@layer_of.register
def _points(mark: Points, x: alt.X, y: alt.Y) -> Chart:
    chart = alt.Chart(rows_of(x=mark.x, y=mark.y))
    return chart.mark_point(
        size=22, filled=True, fill="white", stroke=COLOURS["strong"], strokeWidth=1.2, opacity=1
    ).encode(x=x, y=y)


@layer_of.register
def _rule(mark: Rule, x: alt.X, y: alt.Y) -> Chart:
    return alt.Chart(rows_of(x=[mark.x])).mark_rule(color=COLOURS[mark.tone], strokeDash=[3, 2]).encode(x=x)


@layer_of.register
def _label(mark: Label, x: alt.X, y: alt.Y) -> Chart:
    chart = alt.Chart(rows_of(x=[mark.x], y=[mark.y])).mark_text(
        text=printable(mark.text),
        align=mark.align,
        dx=mark.right,
        dy=mark.down,
        color=COLOURS[mark.tone],
        fontSize=TEXT,
    )
    return chart.encode(x=x, y=y)


@layer_of.register
def _tiles(mark: Tiles, x: alt.X, y: alt.Y) -> Chart:
    corners = {"x": [at - 0.5 for at in mark.x], "x2": [at + 0.5 for at in mark.x]}
    corners |= {"y": [at - 0.5 for at in mark.y], "y2": [at + 0.5 for at in mark.y]}
    squares = alt.Chart(rows_of(**corners)).mark_rect(
        fill="white" if mark.tone is None else COLOURS[mark.tone], stroke="white", strokeWidth=0.5
    )
    rows = [{"x": at, "y": up, "text": text} for at, up, text in zip(mark.x, mark.y, mark.texts, strict=True)]
    texts = alt.Chart({"values": rows}).mark_text(
        fontSize=mark.size, color="white" if mark.tone in ("strong", "deep") else "#222222"
    )
    return squares.encode(x=x, x2="x2:Q", y=y, y2="y2:Q") + texts.encode(x=x, y=y, text="text:N")
