"""The content of a plot: panels, one below the other, with marks between two axes; only data, so it loads quickly."""

from dataclasses import dataclass
from typing import Literal

Tone = Literal["strong", "deep", "middle", "pale", "faint", "ghost", "quiet"]
"""strong to faint: shades of the one hue; ghost: light grey behind; quiet: grey of lines and notes."""
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Axis:
    """An axis: its title with its unit, its range, its format in d3, ticks only at some values, and names for these.

    small: letters in which all names are shown, however close; None leaves out names that would overlap.
    """

    title: str
    low: float
    high: float
    form: str = ""
    ticks: Numbers | None = None
    names: tuple[str, ...] = ()
    small: float | None = None


@dataclass(frozen=True)
class Bars:
    """Upright bars from zero, between left and right."""

    left: Numbers
    right: Numbers
    heights: Numbers
    tone: Tone = "strong"


@dataclass(frozen=True)
class Line:
    """A line through points, broken by NaN. If it is stepped, it keeps its height up to the next point."""

    x: Numbers
    y: Numbers
    tone: Tone = "strong"
    stepped: bool = False
    dotted: bool = False
    points: bool = False


@dataclass(frozen=True)
class Band:
    """The area between two lines."""

    x: Numbers
    low: Numbers
    high: Numbers
    tone: Tone = "middle"


@dataclass(frozen=True)
class Spans:
    """Horizontal bars between two values of x."""

    left: Numbers
    right: Numbers
    y: Numbers


@dataclass(frozen=True)
class Points:
    """White points with a dark rim."""

    x: Numbers
    y: Numbers


@dataclass(frozen=True)
class Rule:
    """A dashed line across the panel, at a value of x."""

    x: float
    tone: Tone = "quiet"


@dataclass(frozen=True)
class Label:
    """Text at a place of the panel, moved by pixels."""

    text: str
    x: float
    y: float
    align: Literal["left", "center", "right"] = "left"
    right: float = 0.0
    down: float = 0.0
    tone: Tone = "quiet"


@dataclass(frozen=True)
class Tiles:
    """Cells of a table, 1 wide and 1 high, by their centres, with a text in each. tone: None leaves them white."""

    x: Numbers
    y: Numbers
    texts: tuple[str, ...]
    tone: Tone | None
    size: float


Mark = Bars | Line | Band | Spans | Points | Rule | Label | Tiles


@dataclass(frozen=True)
class Panel:
    """height: pixels in a figure of one column. heading: in bold above the title of the vertical axis."""

    height: float
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    heading: str = ""


@dataclass(frozen=True)
class Plot:
    """subtitle: the number of observations and the main figure. key: the meaning of the tones. Panels share their x."""

    subtitle: str
    panels: tuple[Panel, ...]
    key: tuple[tuple[Tone, str], ...] = ()
