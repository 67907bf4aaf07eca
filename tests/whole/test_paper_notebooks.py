"""The notebooks of the five papers print the figures of a release next to the published ones."""

from pathlib import Path

import nbformat
import pytest

from scoring.files.released import Comparison, ratings_of
from tests.releases.making import write_release
from tests.releases.worlds import WORLDS

NOTEBOOKS = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
PAPERS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def run(name, capsys):
    """Execute the code cells of a notebook one after the other, and return what they print."""
    space = {}
    for cell in nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, f"{name}.ipynb", "exec"), space)
    return capsys.readouterr().out


def figures(printed):
    """Return the numbers of each line of the tables: computed, the other one, the difference."""
    rows = [line.split() for line in printed.splitlines() if "  " in line]
    found = {}
    for words in rows:
        numbers = [word.replace(",", "") for word in words[-3:]]
        found.setdefault(" ".join(words[:-3]), numbers)
    return found


@pytest.fixture(scope="module")
def releases(keep, tmp_path_factory):
    """The data files of a release of every paper."""
    folders = {}
    with keep():
        for name in PAPERS:
            folders[name] = tmp_path_factory.mktemp(name)
            write_release(project=WORLDS[name](), folder=folders[name])
        yield folders


@pytest.fixture
def printed(releases, monkeypatch, capsys):
    def of(name, published=""):
        monkeypatch.setenv("SEMBLANCE_RELEASE", str(releases[name]))
        monkeypatch.setenv("SEMBLANCE_PUBLISHED", str(published))
        return run(name, capsys)

    return of


def test_there_is_a_notebook_for_each_paper():
    assert PAPERS == ["czech_news", "dscs", "giccs", "semrel", "stss131"]


@pytest.mark.parametrize("name", PAPERS)
def test_what_a_notebook_stores_is_valid(name):
    nbformat.validate(nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4))


def test_stss131(printed):
    found = figures(printed("stss131"))
    assert found["pair p3, mean"][2] == "0"
    assert found["pairs that count"] == ["4", "64", "-60"]
    assert found["STASIS - LSA, z"] == ["-0.6768", "-0.677", "0.0002"]


def test_dscs(printed):
    found = figures(printed("dscs"))
    assert found["pair p1"][2] == "0"
    assert found["answers per pair"] == ["5", "15", "-10"]


def test_giccs(printed):
    found = figures(printed("giccs"))
    assert found["tuples"] == ["30", "600", "-570"]
    assert found["tuples per dialogue"] == ["10", "10", "0"]
    assert -1 <= float(found["alpha, best, item as label"][0]) <= 1


def test_semrel(printed):
    text = printed("semrel")
    assert figures(text)["pair p1"][2] == "0"
    assert figures(text)["split-half reliability (Spearman)"][1] == "0.84"
    assert "No published judgments were given." in text


def test_czech_news(printed):
    found = figures(printed("czech_news"))
    assert found["inter, free, Pearson"][1] == "0.861"
    assert found["train-RAW.tsv, size"][1] == "116956"
    assert found["significantly different pairs (%)"][1] == "7.5"


@pytest.mark.slow
def test_published_files(outside_data, printed):
    folder = Path(outside_data)
    stss131 = figures(printed("stss131", folder / "stss131.csv"))
    assert stss131["pairs in the published table"] == ["64", "64", "0"]
    dscs = figures(printed("dscs", folder / "dscs.csv"))
    assert dscs["different sentences in the published table"] == ["52", "52", "0"]
    assert dscs["text standard below 10 (%)"] == ["25", "25", "0"]
    ruddit = figures(printed("semrel", folder / "ruddit"))
    assert ruddit["scores that agree to three decimals"] == ["6000", "6000", "0"]


def test_figures_that_are_undefined_or_have_no_other():
    table = Comparison("released")
    table.add("a", float("nan"), 1.0)
    table.add("long name", 1234.56789)
    assert str(table).splitlines() == [
        "figure       computed    released  difference",
        "a           undefined           1   undefined",
        "long name  1,234.5679                        ",
    ]
    assert str(Comparison()).startswith("figure")


def test_ratings_of_one_round_and_context(tmp_path):
    columns = "item,annotator,value,round,context,block,role,counted\n"
    lines = ["p1,a,2,R3,free,main,,1", "p1,b,3,R3,free,main,,1", "p1,c,4,R3,free,main,,0", "p2,a,5,R3,free,intra,,1"]
    lines += [
        "p1,a,1,R2,free,main,,1",
        "p1,a,6,R3,dependent,main,,1",
        "p3,a,1,R3,free,main,S,1",
        "p3,a,,R3,free,main,,1",
    ]
    (tmp_path / "judgments.csv").write_text(columns + "\n".join(lines))
    found = ratings_of(tmp_path, round_key="R3", context="free")
    assert (found.names, found.items.tolist(), found.values.tolist()) == (["p1"], [0, 0], [2.0, 3.0])
    assert found.annotators == ["a", "b"]
    assert [values.tolist() for values in found.by_item] == [[2.0, 3.0]]
    assert ratings_of(tmp_path).names == ["p1"]
