"""Plots as Vega-Lite, made with Altair: all that is a matter of looks stands here.

One hue and greys, whose lightness differs enough for print in black and white; text at 7 to 9 points in Liberation
Sans, which vl-convert brings along and which is as wide as Arial; labels beside the lines; no frame, a faint grid.
"""

import json
from collections.abc import Sequence
from functools import singledispatch
from math import ceil, isnan
from typing import Any

import altair as alt

from scoring.figures.figure import Figure
from scoring.figures.lettering import BOLDER, printable, text_width, wrapped
from scoring.figures.plot import Axis, Band, Bars, Label, Line, Mark, Panel, Plot, Points, Rule, Spans, Tone

Chart = Any  # the methods of Altair that make one chart of another do not say of which kind it is
COLOURS: dict[Tone, str] = {
    "strong": "#1f4e79",
    "middle": "#7ba3c7",
    "pale": "#cddceb",
    "ghost": "#dedede",
    "quiet": "#6b6b6b",
}
INK, GRID = "#222222", "#ececec"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
TEXT, HEAD = 9.5, 11.5
MARGIN, RIGHT = 3, 14
LEAST_EXTENT, MOST_EXTENT = 30, 135


def specify(figure: Figure, width: int) -> dict[str, Any]:
    """The Vega-Lite specification of a figure so many pixels wide, its data inside; wider ones are a bit higher."""
    extent = _extent(figure.plot)
    inner = width - extent - RIGHT - 2 * MARGIN
    stretch = 1.0 if width < 400 else 1.25
    own = figure.plot.panels
    panels = [
        _panel(panel, inner, extent, stretch, titled=before is None or before.y != panel.y, labelled=after is None)
        for panel, before, after in zip(own, (None, *own), (*own[1:], None), strict=False)
    ]
    if figure.plot.key:
        panels.insert(0, _key(figure.plot.key, inner, extent))
    chart = alt.vconcat(*panels, spacing=8).properties(
        title=_title(figure, width), padding={"left": MARGIN, "right": MARGIN, "top": MARGIN, "bottom": MARGIN}
    )
    specification: dict[str, Any] = _styled(chart).to_dict()
    return specification


def _styled(chart: Chart) -> Chart:
    return (
        chart.configure(font=FONT, aria=False, background="white")
        .configure_view(stroke=None)
        .configure_axis(
            labelFontSize=TEXT,
            labelColor=INK,
            titleFontSize=TEXT + 0.5,
            titleColor=INK,
            titleFontWeight="normal",
            gridColor=GRID,
            domainColor=COLOURS["quiet"],
            tickColor=COLOURS["quiet"],
            tickSize=3,
        )
    )


def _title(figure: Figure, width: int) -> alt.Title:
    room = width - 2 * MARGIN
    return alt.Title(
        text=wrapped(printable(figure.title), room, HEAD * BOLDER),
        subtitle=wrapped(printable(figure.plot.subtitle), room, TEXT),
        anchor="start",
        frame="bounds",
        fontSize=HEAD,
        color=INK,
        subtitleFontSize=TEXT,
        subtitleColor=COLOURS["quiet"],
        subtitlePadding=3,
        offset=8,
    )


def _extent(plot: Plot) -> int:
    """Room for what stands beside the vertical axes, the same in all panels, so that they stand below each other."""
    axes = [panel.y for panel in plot.panels]
    beside = [name for axis in axes for name in axis.names] + [f"{axis.high:,.0f}" for axis in axes]
    return ceil(min(MOST_EXTENT, max(LEAST_EXTENT, 10 + max(text_width(text, TEXT) for text in beside))))


def _panel(panel: Panel, width: float, extent: float, stretch: float, *, titled: bool, labelled: bool) -> Chart:
    height = panel.height * stretch
    x = alt.X("x:Q", scale=_scale(panel.x), axis=_horizontal(panel.x, width, labelled=labelled))
    y = alt.Y("y:Q", scale=_scale(panel.y), axis=_vertical(panel.y, extent, height))
    layers = [_layer(mark, x, y) for mark in panel.marks]
    return alt.layer(_strut(width, extent), *layers).properties(
        width=width, height=height, title=_heading(panel, extent + width, titled=titled)
    )


def _heading(panel: Panel, room: float, *, titled: bool) -> alt.Title:
    """The heading, and the title of the vertical axis, which stands level above it, where it is read at once.

    Panels with the same axis show its title once.
    """
    return alt.Title(
        text=wrapped(printable(panel.heading or panel.y.title), room, (TEXT + 0.5) * BOLDER),
        anchor="start",
        frame="bounds",
        fontSize=TEXT + 0.5,
        fontWeight="bold" if panel.heading else "normal",
        color=INK,
        subtitle=panel.y.title if panel.heading and titled else alt.Undefined,
        subtitleFontSize=TEXT + 0.5,
        subtitleColor=INK,
        subtitlePadding=2,
        offset=5,
    )


def _strut(width: float, extent: float) -> Chart:
    """An unseen line as wide as the figure: all figures of one width are equally wide, to the pixel."""
    return (
        alt.Chart(_rows(y=[0.0]))
        .mark_rule(opacity=0)
        .encode(x=alt.value(-extent), x2=alt.value(width + RIGHT), y=alt.value(0))
    )


def _scale(axis: Axis) -> alt.Scale:
    return alt.Scale(domain=[axis.low, axis.high], nice=False, zero=False)


def _horizontal(axis: Axis, width: float, *, labelled: bool) -> alt.Axis:
    return alt.Axis(
        title=axis.title if labelled else None,
        labels=labelled,
        ticks=labelled,
        grid=False,
        tickCount=max(4, int(width / 50)),
        zindex=1,
        titlePadding=5,
        labelFlush=False,
        **_ticks(axis),
    )


def _vertical(axis: Axis, extent: float, height: float) -> alt.Axis:
    return alt.Axis(
        title=None,
        domain=False,
        ticks=False,
        grid=not axis.names,
        tickCount=max(2, int(height / 28)),
        minExtent=extent,
        maxExtent=extent,
        labelLimit=extent - 4,
        labelPadding=4,
        **_ticks(axis),
    )


def _ticks(axis: Axis) -> dict[str, Any]:
    ticks: dict[str, Any] = {} if axis.ticks is None else {"values": list(axis.ticks)}
    if axis.form:
        ticks["format"] = axis.form
    if axis.names:
        ticks["labelExpr"] = f"{json.dumps([printable(name) for name in axis.names])}[datum.value]"
    return ticks


def _rows(**columns: Sequence[float]) -> dict[str, Any]:
    """Columns as inline rows; NaN as null, which breaks a line."""
    names = list(columns)
    values = [
        {name: None if isnan(value) else value for name, value in zip(names, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
    return {"values": values}


@singledispatch
def _layer(mark: Mark, x: alt.X, y: alt.Y) -> Chart:
    raise TypeError(f"{type(mark).__name__} is no mark.")


@_layer.register
def _bars(mark: Bars, x: alt.X, y: alt.Y) -> Chart:
    data = _rows(x=mark.left, x2=mark.right, y=mark.heights, y2=[0.0] * len(mark.left))
    drawn = alt.Chart(data).mark_rect(fill=COLOURS[mark.tone], stroke="white", strokeWidth=0.5)
    return drawn.encode(x=x, x2="x2:Q", y=y, y2="y2:Q")


@_layer.register
def _line(mark: Line, x: alt.X, y: alt.Y) -> Chart:
    drawn = alt.Chart(_rows(x=mark.x, y=mark.y)).mark_line(
        color=COLOURS[mark.tone],
        strokeWidth=1 if mark.dotted else 1.5,
        strokeDash=[1, 3] if mark.dotted else [],
        interpolate="step-after" if mark.stepped else "linear",
        point={"size": 9, "color": COLOURS[mark.tone], "opacity": 1} if mark.points else False,
    )
    return drawn.encode(x=x, y=y)


@_layer.register
def _band(mark: Band, x: alt.X, y: alt.Y) -> Chart:
    drawn = alt.Chart(_rows(x=mark.x, y=mark.low, y2=mark.high)).mark_area(
        color=COLOURS[mark.tone], line=False, orient="vertical"
    )
    return drawn.encode(x=x, y=y, y2="y2:Q")


@_layer.register
def _spans(mark: Spans, x: alt.X, y: alt.Y) -> Chart:
    drawn = alt.Chart(_rows(x=mark.left, x2=mark.right, y=mark.y))
    return drawn.mark_rule(color=COLOURS["strong"], strokeWidth=3).encode(x=x, x2="x2:Q", y=y)


@_layer.register
def _points(mark: Points, x: alt.X, y: alt.Y) -> Chart:
    drawn = alt.Chart(_rows(x=mark.x, y=mark.y))
    return drawn.mark_point(
        size=22, filled=True, fill="white", stroke=COLOURS["strong"], strokeWidth=1.2, opacity=1
    ).encode(x=x, y=y)


@_layer.register
def _rule(mark: Rule, x: alt.X, y: alt.Y) -> Chart:
    return alt.Chart(_rows(x=[mark.x])).mark_rule(color=COLOURS[mark.tone], strokeDash=[3, 2]).encode(x=x)


@_layer.register
def _label(mark: Label, x: alt.X, y: alt.Y) -> Chart:
    drawn = alt.Chart(_rows(x=[mark.x], y=[mark.y])).mark_text(
        text=printable(mark.text),
        align=mark.align,
        dx=mark.right,
        dy=mark.down,
        color=COLOURS[mark.tone],
        fontSize=TEXT,
    )
    return drawn.encode(x=x, y=y)


def _key(entries: Sequence[tuple[Tone, str]], width: float, extent: float) -> Chart:
    """Squares and what they mean, in a row above the panels."""
    layers, place = [], float(-extent)
    nothing = _rows(x=[0.0])
    for tone, text in entries:
        square = alt.Chart(nothing).mark_rect(color=COLOURS[tone])
        layers.append(square.encode(x=alt.value(place), x2=alt.value(place + 8), y=alt.value(1), y2=alt.value(9)))
        written = alt.Chart(nothing).mark_text(text=printable(text), align="left", color=INK, fontSize=TEXT)
        layers.append(written.encode(x=alt.value(place + 11), y=alt.value(5.5)))
        place += 11 + text_width(text, TEXT) + 8
    return alt.layer(*layers).properties(width=width, height=10)
