"""Rendering figures as SVG and PNG by vl-convert: no browser, no network. The same figure has the same bytes."""

from importlib import import_module
from xml.sax.saxutils import escape, quoteattr

from scoring.figures.figure import Figure, Width
from scoring.figures.lettering import printable
from scoring.figures.specifying import specify

PIXELS: dict[Width, int] = {"column": 318, "page": 658}
"""8.4 cm, a column of two, and 17.4 cm, at 96 pixels to the inch."""
PRINT = 3.125
"""The scale at which a PNG has 300 pixels to the inch."""


def draw_svg(figure: Figure, *, width: Width | None = None) -> str:
    """Return a figure as SVG, one image with title and description for those who cannot see it."""
    specification = specify(figure, PIXELS[width or figure.width])
    drawn: str = import_module("vl_convert").vegalite_to_svg(specification, allowed_base_urls=[])
    name = quoteattr(f"{figure.name}-title {figure.name}-description")
    head = (
        f"<title id={quoteattr(figure.name + '-title')}>{escape(printable(figure.title))}</title>"
        f"<desc id={quoteattr(figure.name + '-description')}>{escape(printable(figure.description))}</desc>"
    )
    opening, _, rest = drawn.partition(">")
    return f'{opening} role="img" aria-labelledby={name}>{head}{rest}\n'


def draw_png(figure: Figure, *, width: Width | None = None, scale: float = PRINT) -> bytes:
    """Return a figure as PNG, its size in pixels `scale` times that of its SVG."""
    return rasterise(draw_svg(figure, width=width), scale=scale)


def rasterise(svg: str, *, scale: float = PRINT) -> bytes:
    """Return as PNG an SVG that `draw_svg` made."""
    drawn: bytes = import_module("vl_convert").svg_to_png(svg, scale=scale)
    return drawn
