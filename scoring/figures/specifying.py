"""Plots as specifications of Vega-Lite: all visual style is in this module and in `layers`.

One hue and greys, whose lightness differs enough for print in black and white; text at 7 to 9 points in Liberation
Sans, which comes with vl-convert and is as wide as Arial; labels next to the lines; no frame, a faint grid.
"""

import json
from collections.abc import Sequence
from math import ceil

from scoring.figures.figure import Figure
from scoring.figures.layers import COLOURS, TEXT, Specification, layer_of, rows_of
from scoring.figures.lettering import BOLDER, printable, text_width, wrapped
from scoring.figures.plot import Axis, Panel, Plot, Tone

INK, GRID = "#222222", "#ececec"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
HEAD = 11.5
MARGIN, RIGHT = 3, 14
MINIMUM_EXTENT, MAXIMUM_EXTENT = 30, 135
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
STYLE: Specification = {
    "font": FONT,
    "aria": False,
    "background": "white",
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": TEXT,
        "labelColor": INK,
        "titleFontSize": TEXT + 0.5,
        "titleColor": INK,
        "titleFontWeight": "normal",
        "gridColor": GRID,
        "domainColor": COLOURS["quiet"],
        "tickColor": COLOURS["quiet"],
        "tickSize": 3,
    },
}


def specify(figure: Figure, width: int) -> Specification:
    """Return the Vega-Lite specification of a figure `width` pixels wide, with its data; wide ones are a bit higher."""
    extent = _extent(figure.plot)
    inner = width - extent - RIGHT - 2 * MARGIN
    stretch = 1.0 if width < 400 else 1.25
    all_panels = figure.plot.panels
    panels = [
        _panel(panel, inner, extent, stretch, titled=before is None or before.y != panel.y, labelled=after is None)
        for panel, before, after in zip(all_panels, (None, *all_panels), (*all_panels[1:], None), strict=False)
    ]
    if figure.plot.key:
        panels.insert(0, _key(figure.plot.key, inner, extent))
    return {
        "$schema": SCHEMA,
        "config": STYLE,
        "title": _title(figure, width),
        "padding": {"left": MARGIN, "right": MARGIN, "top": MARGIN, "bottom": MARGIN},
        "spacing": 8,
        "vconcat": panels,
    }


def _title(figure: Figure, width: int) -> Specification:
    room = width - 2 * MARGIN
    return {
        "text": wrapped(printable(figure.title), room, HEAD * BOLDER),
        "subtitle": wrapped(printable(figure.plot.subtitle), room, TEXT),
        "anchor": "start",
        "frame": "bounds",
        "fontSize": HEAD,
        "color": INK,
        "subtitleFontSize": TEXT,
        "subtitleColor": COLOURS["quiet"],
        "subtitlePadding": 3,
        "offset": 8,
    }


def _extent(plot: Plot) -> int:
    """Return the room for the labels of the vertical axes, the same in all panels, so that these are aligned."""
    axes = [panel.y for panel in plot.panels]
    labels = [name for axis in axes for name in axis.names] + [f"{axis.high:,.0f}" for axis in axes]
    return ceil(min(MAXIMUM_EXTENT, max(MINIMUM_EXTENT, 10 + max(text_width(text, TEXT) for text in labels))))


def _panel(panel: Panel, width: float, extent: float, stretch: float, *, titled: bool, labelled: bool) -> Specification:
    height = panel.height * stretch
    x = _position("x", panel.x, _horizontal(panel.x, width, labelled=labelled))
    y = _position("y", panel.y, _vertical(panel.y, extent, height))
    return {
        "width": width,
        "height": height,
        "title": _heading(panel, extent + width, titled=titled),
        "layer": [_strut(width, extent), *(layer_of(mark, x, y) for mark in panel.marks)],
    }


def _heading(panel: Panel, room: float, *, titled: bool) -> Specification:
    """Return the heading, and the title of the vertical axis, horizontal above it so that it is easy to read.

    Panels with the same axis show its title once.
    """
    heading: Specification = {
        "text": wrapped(printable(panel.heading or panel.y.title), room, (TEXT + 0.5) * BOLDER),
        "anchor": "start",
        "frame": "bounds",
        "fontSize": TEXT + 0.5,
        "fontWeight": "bold" if panel.heading else "normal",
        "color": INK,
        "subtitleFontSize": TEXT + 0.5,
        "subtitleColor": INK,
        "subtitlePadding": 2,
        "offset": 5,
    }
    return heading | {"subtitle": panel.y.title} if panel.heading and titled else heading


def _strut(width: float, extent: float) -> Specification:
    """Return an invisible line as wide as the figure: all figures of one width are equally wide, to the pixel."""
    ends = {"x": {"value": -extent}, "x2": {"value": width + RIGHT}, "y": {"value": 0}}
    return {"data": rows_of(y=[0.0]), "mark": {"type": "rule", "opacity": 0}, "encoding": ends}


def _position(field: str, axis: Axis, drawn: Specification) -> Specification:
    scale = {"domain": [axis.low, axis.high], "nice": False, "zero": False}
    return {"field": field, "type": "quantitative", "scale": scale, "axis": drawn}


def _horizontal(axis: Axis, width: float, *, labelled: bool) -> Specification:
    return {
        "title": axis.title if labelled else None,
        "labels": labelled,
        "ticks": labelled,
        "grid": False,
        "tickCount": _tick_count(axis, max(4, int(width / 50))),
        "zindex": 1,
        "titlePadding": 5,
        "labelFlush": False,
        **_ticks(axis),
    }


def _vertical(axis: Axis, extent: float, height: float) -> Specification:
    return {
        "title": None,
        "domain": False,
        "ticks": False,
        "grid": not axis.names,
        "tickCount": _tick_count(axis, max(2, int(height / 28))),
        "minExtent": extent,
        "maxExtent": extent,
        "labelLimit": extent - 4,
        "labelPadding": 4,
        **_ticks(axis),
    }


def _tick_count(axis: Axis, fitting: int) -> int:
    """Return how many ticks are drawn at the most: Vega leaves out every second one until no more are left."""
    return fitting if axis.small is None else max(fitting, len(axis.ticks or ()))


def _ticks(axis: Axis) -> Specification:
    ticks: Specification = {} if axis.ticks is None else {"values": list(axis.ticks)}
    if axis.form:
        ticks["format"] = axis.form
    if axis.names:
        ticks["labelExpr"] = f"{json.dumps([printable(name) for name in axis.names])}[datum.value]"
    if axis.small is not None:
        ticks |= {"labelOverlap": False, "labelFontSize": axis.small}
    return ticks


def _key(entries: Sequence[tuple[Tone, str]], width: float, extent: float) -> Specification:
    """Return squares and their meaning, in a row above the panels."""
    layers: list[Specification] = []
    place = float(-extent)
    for tone, text in entries:
        square = {"x": {"value": place}, "x2": {"value": place + 8}, "y": {"value": 1}, "y2": {"value": 9}}
        layers.append({"mark": {"type": "rect", "color": COLOURS[tone]}, "encoding": square})
        written = {"type": "text", "text": printable(text), "align": "left", "color": INK, "fontSize": TEXT}
        layers.append({"mark": written, "encoding": {"x": {"value": place + 11}, "y": {"value": 5.5}}})
        place += 11 + text_width(text, TEXT) + 8
    return {"data": rows_of(x=[0.0]), "width": width, "height": 10, "layer": layers}
