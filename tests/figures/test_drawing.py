import csv
import hashlib
import json
import struct
import subprocess
import sys
from dataclasses import replace
from functools import cache
from io import StringIO
from math import isnan
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scoring.figures.drawing import PIXELS, draw_png, draw_svg
from scoring.figures.figure import Figure, write_csv
from scoring.figures.plot import Axis, Panel, Plot
from scoring.figures.scores import plot_scores
from scoring.figures.specifying import specify
from scoring.figures.violins import plot_violins
from tests.figures.examples import draw_examples

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = draw_examples()
each = pytest.mark.parametrize("figure", EXAMPLES, ids=lambda figure: figure.name)
HASHES = """
import hashlib
from scoring.figures.drawing import draw_png, draw_svg
from tests.figures.examples import draw_examples
for figure in draw_examples()[::5]:
    print(hashlib.sha256(draw_svg(figure).encode() + draw_png(figure)).hexdigest())
"""
LOADED = """
import sys
import tests.figures.examples
import scoring.figures.drawing
print([name for name in ("vl_convert", "django") if name in sys.modules])
"""


def run(program: str, *before: str) -> str:
    done = subprocess.run(
        [*before, sys.executable, "-W", "ignore", "-c", program],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return done.stdout


@cache
def drawn(name: str) -> str:
    return draw_svg(next(figure for figure in EXAMPLES if figure.name == name))


def empty_figure() -> Figure:
    panel = Panel(10, Axis("", 0, 1), Axis("", 0, 1), ())
    return Figure("empty", "Title", "Description", ("a", "b"), ((1, None), (float("nan"), "x, y")), Plot("", (panel,)))


@each
def test_svg_is_one_image_with_title_and_description(figure):
    root = ElementTree.fromstring(drawn(figure.name))
    title, description = root[0], root[1]

    assert (root.tag, root.get("role"), root.get("width")) == (
        f"{SVG}svg",
        "img",
        str(PIXELS[figure.width]),
    )
    assert (title.tag, title.text, description.tag, description.text) == (
        f"{SVG}title",
        figure.title,
        f"{SVG}desc",
        figure.description,
    )
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]


@pytest.mark.parametrize("figure", EXAMPLES[::4], ids=lambda figure: figure.name)
def test_png_has_the_size_of_the_svg_times_the_scale(figure):
    root = ElementTree.fromstring(draw_svg(figure, width="page"))
    png = draw_png(figure, width="page", scale=2)

    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (2 * 658, 2 * int(root.get("height")))


def test_png_in_print_has_300_pixels_to_the_inch():
    assert struct.unpack(">I", draw_png(EXAMPLES[0])[16:20]) == (993,)


@each
def test_csv_holds_the_rows(figure):
    header, *rows = csv.reader(StringIO(write_csv(figure)))

    assert tuple(header) == figure.columns
    assert rows == [["" if empty(cell) else str(cell) for cell in row] for row in figure.rows]
    assert rows


def empty(cell) -> bool:
    return cell is None or (isinstance(cell, float) and isnan(cell))


def test_csv_of_undefined_figures_has_empty_cells():
    assert write_csv(empty_figure()) == 'a,b\n1,\n,"x, y"\n'
    assert write_csv(replace(empty_figure(), rows=(("=1+1", -1.0),))) == "a,b\n'=1+1,-1.0\n"  # no formula


@each
def test_description_is_two_to_five_sentences_or_a_few_more_for_what_is_missing(figure):
    assert 2 <= figure.description.count(". ") + 1 <= 6
    assert figure.description.endswith(".")


def test_specification_is_json_without_anything_to_fetch():
    specification = json.dumps([specify(figure, PIXELS[figure.width]) for figure in EXAMPLES], allow_nan=False)

    assert '"url"' not in specification


def test_same_figure_is_the_same_bytes_in_another_process_without_a_network():
    here = [hashlib.sha256(draw_svg(figure).encode() + draw_png(figure)).hexdigest() for figure in EXAMPLES[::5]]
    alone = ("unshare", "--map-root-user", "--net")
    may_leave = subprocess.run([*alone, "true"], capture_output=True).returncode == 0

    assert run(HASHES, *(alone if may_leave else ())).split() == here


def test_making_figures_does_not_load_the_renderer():
    assert run(LOADED) == "[]\n"


def test_text_is_drawn_in_the_font_that_comes_along():
    assert 'font-family="Liberation Sans' in drawn("score-distribution")


def test_unknown_mark_is_an_error():
    figure = empty_figure()
    odd = Panel(10, Axis("", 0, 1), Axis("", 0, 1), ("circle",))

    with pytest.raises(TypeError, match="str is not a mark"):
        specify(Figure(figure.name, "", "", (), (), Plot("", (odd,))), 300)


def test_figure_without_marks_is_drawn():
    assert draw_svg(empty_figure()).startswith("<svg")


def test_names_and_titles_with_signs_that_xml_forbids_are_drawn_without_them():
    names = ["a\x00b", "a\x0bb", "\ud800", "\ufffe", "", "l'\u2028\"\\", "</svg>", "\u202eעברית"]
    groups = {name: [0.1, 0.2, 0.3, 0.4, 0.5] for name in names}
    figure = plot_violins(groups, minimum=0, maximum=1, title="\x00 <b>&\n")

    svg = draw_svg(figure)

    assert ElementTree.fromstring(svg.encode())[0].text == "\N{REPLACEMENT CHARACTER} <b>&\n"
    assert "a\N{REPLACEMENT CHARACTER}b" in svg
    assert draw_png(figure, scale=1).startswith(b"\x89PNG")


def test_long_names_do_not_widen_a_figure():
    figure = plot_scores([1, 2], {"W" * 99: [1], "of many words " * 9: [2]}, minimum=0, maximum=2, step=1)

    assert ElementTree.fromstring(draw_svg(figure)).get("width") == "318"


def test_figure_without_a_title_is_drawn():
    assert draw_svg(plot_violins({"": [0.5]}, minimum=0, maximum=1, title="")).startswith("<svg")
