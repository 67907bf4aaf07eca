"""The marks of a panel as layers of Vega-Lite: bars, lines, bands, spans, points, rules, labels and tiles."""

from collections.abc import Sequence
from functools import singledispatch
from math import isnan
from typing import Any

from scoring.figures.lettering import printable
from scoring.figures.plot import Band, Bars, Label, Line, Mark, Points, Rule, Spans, Tiles, Tone

Specification = dict[str, Any]
"""A part of a Vega-Lite specification, as JSON's types."""
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
X2, Y2 = {"field": "x2"}, {"field": "y2"}


def rows_of(**columns: Sequence[float]) -> Specification:
    """Return columns as inline rows; NaN as null, which breaks a line."""
    names = list(columns)
    values = [
        {name: None if isnan(value) else value for name, value in zip(names, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
    return {"values": values}


@singledispatch
def layer_of(mark: Mark, x: Specification, y: Specification) -> Specification:
    """Return a mark as a layer on the two axes of its panel.

    Raises:
        TypeError: the argument is no mark.
    """
    raise TypeError(f"{type(mark).__name__} is not a mark.")


@layer_of.register
def _bars(mark: Bars, x: Specification, y: Specification) -> Specification:
    data = rows_of(x=mark.left, x2=mark.right, y=mark.heights, y2=[0.0] * len(mark.left))
    style = {"fill": COLOURS[mark.tone], "stroke": "white", "strokeWidth": 0.5}
    return _layer("rect", style, data, x=x, x2=X2, y=y, y2=Y2)


@layer_of.register
def _line(mark: Line, x: Specification, y: Specification) -> Specification:
    colour = COLOURS[mark.tone]
    style = {
        "color": colour,
        "strokeWidth": 1 if mark.dotted else 1.5,
        "strokeDash": [1, 3] if mark.dotted else [],
        "interpolate": "step-after" if mark.stepped else "linear",
        "point": {"size": 9, "color": colour, "opacity": 1} if mark.points else False,
    }
    return _layer("line", style, rows_of(x=mark.x, y=mark.y), x=x, y=y)


@layer_of.register
def _band(mark: Band, x: Specification, y: Specification) -> Specification:
    style = {"color": COLOURS[mark.tone], "line": False, "orient": "vertical"}
    return _layer("area", style, rows_of(x=mark.x, y=mark.low, y2=mark.high), x=x, y=y, y2=Y2)


@layer_of.register
def _spans(mark: Spans, x: Specification, y: Specification) -> Specification:
    style = {"color": COLOURS["strong"], "strokeWidth": 3}
    return _layer("rule", style, rows_of(x=mark.left, x2=mark.right, y=mark.y), x=x, x2=X2, y=y)


@layer_of.register
def _points(mark: Points, x: Specification, y: Specification) -> Specification:
    rim = {"stroke": COLOURS["strong"], "strokeWidth": 1.2}
    style = {"size": 22, "filled": True, "fill": "white", "opacity": 1} | rim
    return _layer("point", style, rows_of(x=mark.x, y=mark.y), x=x, y=y)


@layer_of.register
def _rule(mark: Rule, x: Specification, y: Specification) -> Specification:
    return _layer("rule", {"color": COLOURS[mark.tone], "strokeDash": [3, 2]}, rows_of(x=[mark.x]), x=x)


@layer_of.register
def _label(mark: Label, x: Specification, y: Specification) -> Specification:
    place = {"align": mark.align, "dx": mark.right, "dy": mark.down}
    style = {"text": printable(mark.text), "color": COLOURS[mark.tone], "fontSize": TEXT} | place
    return _layer("text", style, rows_of(x=[mark.x], y=[mark.y]), x=x, y=y)


@layer_of.register
def _tiles(mark: Tiles, x: Specification, y: Specification) -> Specification:
    corners = {"x": [at - 0.5 for at in mark.x], "x2": [at + 0.5 for at in mark.x]}
    corners |= {"y": [at - 0.5 for at in mark.y], "y2": [at + 0.5 for at in mark.y]}
    square = {"fill": "white" if mark.tone is None else COLOURS[mark.tone], "stroke": "white", "strokeWidth": 0.5}
    rows = [{"x": at, "y": up, "text": text} for at, up, text in zip(mark.x, mark.y, mark.texts, strict=True)]
    letters = {"fontSize": mark.size, "color": "white" if mark.tone in ("strong", "deep") else "#222222"}
    text = {"field": "text", "type": "nominal"}
    squares = _layer("rect", square, rows_of(**corners), x=x, x2=X2, y=y, y2=Y2)
    return {"layer": [squares, _layer("text", letters, {"values": rows}, x=x, y=y, text=text)]}


def _layer(kind: str, style: Specification, data: Specification, **encoding: Specification) -> Specification:
    return {"data": data, "mark": {"type": kind, **style}, "encoding": encoding}
