"""`python -m scoring`, as a process of its own: what it prints, where it complains, how it ends."""

import csv
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.scoring.golden import figures

pytestmark = pytest.mark.once
ROOT = Path(__file__).resolve().parents[2]
CHOICES = """tuple,annotator,item1,item2,item3,best,worst
t1,ann,a,b,c,a,c
t1,ben,c,b,a,a,b
t2,ann,b,c,d,b,d
t2,ben,d,c,b,c,d
"""
RATINGS = """item,annotator,value
p1,ann,1
p1,ben,2
p2,ann,4
p2,ben,6
p3,ann,3
p3,ben,
"""


def run(*arguments: object, text: str | bytes = "") -> subprocess.CompletedProcess:
    data = text if isinstance(text, bytes) else text.encode()
    command = [sys.executable, "-m", "scoring", *map(str, arguments)]
    return subprocess.run(command, input=data, capture_output=True, cwd=ROOT, timeout=120)


def rows(text: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(text.decode())))


def result(*arguments: object, text: str = "") -> dict:
    done = run(*arguments, text=text)
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout)


def test_help_loads_neither_django_nor_numpy():
    code = (
        "import sys, runpy; sys.argv = ['scoring', '--help']\ntry: runpy.run_module('scoring', run_name='__main__')\n"
    )
    code += "finally: print([name for name in ('django', 'numpy', 'scipy') if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=60)
    assert (done.returncode, done.stderr.strip()) == (0, b"[]")
    assert all(name in done.stdout for name in (b"tuples", b"scores", b"reliability", b"agreement", b"compare"))


def test_scores_by_counting():
    done = run("scores", "-", text=CHOICES)
    assert rows(done.stdout) == [
        ["item", "score", "best", "worst", "appearances"],
        ["a", "1.0", "2", "0", "2"],
        ["b", "0.0", "1", "1", "4"],
        ["c", "0.0", "1", "1", "4"],
        ["d", "-1.0", "0", "2", "2"],
    ]


def test_scores_on_the_unit_scale_round_half_to_even():
    # best 1, worst 0 of 8 appearances: .125, and (.125 + 1) / 2 = .5625: halves at two and at three decimals
    text = "item1,item2,best,worst\n" + "x,y,x,y\n" + "x,y,y,x\nx,y,x,y\n" * 3 + "x,z,z,z\n"
    signed = run("scores", "-", "--decimals", 2, "--keep-invalid", text=text)
    unit = run("scores", "-", "--decimals", 3, "--scale", "unit", "--keep-invalid", text=text)
    assert rows(signed.stdout)[1] == ["x", "0.12", "4", "3", "8"]
    assert rows(unit.stdout)[1] == ["x", "0.562", "4", "3", "8"]


def test_released_names_of_columns_are_read_as_the_same():
    text = '\ufeffItem1,Item2,BestItem,WorstItem\r\n"a, b",c,c,"a, b"\r\n\r\n'
    assert rows(run("scores", "-", text=text).stdout)[1:] == [
        ["a, b", "-1.0", "0", "1", "1"],
        ["c", "1.0", "1", "0", "1"],
    ]


def test_tuples_of_a_file(tmp_path):
    items = "item,domain\n" + "".join(f"i{number},d{number % 2}\n" for number in range(40))
    proof = tmp_path / "certificate.json"
    done = run("tuples", "-", "--size", 4, "--seed", 3, "--certificate", proof, text=items)
    again = run("tuples", "-", "--size", 4, "--seed", 3, text=items)
    header, *tuples = rows(done.stdout)
    shown = [item for line in tuples for item in line[1:]]
    assert header == ["tuple", "item1", "item2", "item3", "item4"]
    assert (len(tuples), set(map(shown.count, shown)), len(set(shown))) == (80, {8}, 40)
    assert json.loads(proof.read_text())["repeats"] == 0
    assert again.stdout == done.stdout


def test_tuples_of_groups_are_all_of_them():
    items = "item,dialogue\n" + "".join(f"{group}{number},{group}\n" for group in "xy" for number in range(5))
    header, *tuples = rows(run("tuples", "-", "--size", 3, "--group", "dialogue", text=items).stdout)
    assert header == ["tuple", "item1", "item2", "item3", "group"]
    assert len({frozenset(line[1:4]) for line in tuples}) == 20
    assert all({item[0] for item in line[1:4]} == {line[4]} for line in tuples)


def test_reliability_by_tuple_judgment_and_annotator():
    for by in ("tuple", "judgment", "annotator"):
        found = result("reliability", "-", "--splits", 200, "--seed", 1, "--by", by, text=CHOICES)
        assert (found["by"], found["splits"], found["items"], found["judgments"]) == (by, 200, 4, 4)
        assert {"mean", "sd", "low", "high"} <= set(found["spearman"]) and {"mean", "sd"} <= set(found["pearson"])
        assert -1 <= found["spearman"]["low"] <= found["spearman"]["mean"] <= found["spearman"]["high"] <= 1


def test_reliability_that_is_not_defined_is_null_with_its_reason():
    found = result("reliability", "-", text="item1,item2,best,worst\na,b,a,b\n")
    assert found["spearman"]["mean"] is None
    assert found["spearman"]["mean_reason"]


def test_reliability_needs_annotators_to_halve_them():
    done = run("reliability", "-", "--by", "annotator", text="item1,item2,best,worst\na,b,a,b\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"who judged" in done.stderr


def test_agreement_of_ratings():
    found = result("agreement", "-", text=RATINGS)
    values = np.array([1.0, 2, 4, 6, 3])
    means = np.array([1.5, 1.5, 5, 5, 3])
    assert (found["kind"], found["items"], found["annotators"], found["ratings"]) == ("ratings", 3, 2, 5)
    assert found["inter"]["pearson"] == pytest.approx(stats.pearsonr(values, means).statistic)
    assert found["inter"]["mse"] == pytest.approx(np.mean((values - means) ** 2))
    assert found["leave_one_out"]["rmse"] == pytest.approx(np.sqrt((1 + 1 + 4 + 4) / 4))
    assert set(found["alpha"]) == {"nominal", "ordinal", "interval", "ratio"}
    assert set(found["icc"]) == {"icc1", "icc1k"}
    assert (found["mse_bound"], found["mse_bound_reason"]) == (None, "no item has more than three ratings")


def test_agreement_of_choices():
    found = result("agreement", "-", "--strong", 1, text=CHOICES)
    assert (found["kind"], found["items"], found["tuples"], found["judgments"]) == ("choices", 4, 2, 4)
    assert found["strong"] == {"share": 1.0, "best": 0.5, "worst": 0.5}
    assert set(found["alpha"]["best"]) == {"item", "position"} == set(found["alpha"]["worst"])


@pytest.mark.parametrize("case", figures("comparisons")["cases"])
def test_compare_gives_the_figures_of_stss131(case):
    found = result("compare", case["r1"], case["r2"], case["r12"], case["n"])
    assert found["meng"]["z"] == pytest.approx(case["z"], abs=5e-4)
    assert found["meng"]["p_two_sided"] == pytest.approx(case["p_two_sided"], abs=5e-5)
    assert set(found) == {"meng", "steiger", "dunn_clark"}


def test_compare_of_a_perfect_correlation_is_null():
    found = result("compare", 1, 0.5, 0.5, 30)
    assert found["meng"]["z"] is None
    assert "standard error" in found["meng"]["z_reason"]


@pytest.mark.parametrize(
    ("arguments", "text", "complaint"),
    [
        (["scores"], "", "standard input: the file is empty."),
        (["scores"], "item1,item2,best,worst\n", "standard input: there are no judgments."),
        (["scores"], "item1,item2,best\na,b,a\n", "line 1: the column “worst” is missing."),
        (["scores"], "best,worst\na,b\n", "line 1: the columns “item1”, “item2”, … are missing."),
        (["scores"], "item1,item2,best,worst\na,b,x,b\n", "line 2: best is “x”, which is none of the items"),
        (["scores"], "item1,item2,best,worst\na,b,a,\n", "line 2: worst is empty."),
        (["scores"], "item1,item2,best,worst\na,b,a,a\n", "line 2: best and worst are both “a”"),
        (["scores"], "item1,item2,item3,best,worst\na,b,a,a,b\n", "line 2: an item stands twice in this row"),
        (["scores"], "item1,item2,best,worst\na,,a,a\n", "line 2: a judgment needs at least two items."),
        (["scores"], "item1,item2,best,worst\na,b\n", "line 2: 2 values for 4 columns."),
        (["scores"], 'item1,item2,best,worst\n"a,b\n', "line 2: this is not CSV"),
        (["scores"], "item1,item2,best,worst\n\u00e9,b,\u00e9,b\n".encode("latin-1"), "line 2: byte 1 is not UTF-8."),
        (["scores"], b"item1\0", "line 1: this is not a text file."),
        (["agreement"], "item,annotator,value\np,ann,nan\n", "line 2: “nan” is not a number"),
        (["agreement"], "item,annotator,value\np,ann,1\np,ann,2\n", "line 3: ann has rated “p” before, on line 2."),
        (["agreement"], "item,annotator,value\n,ann,1\n", "line 2: item and annotator must not be empty."),
        (["agreement"], "item,annotator,value\np,ann,\n", "standard input: there are no ratings."),
        (["agreement"], "item,value\np,1\n", "line 1: the column “annotator” is missing."),
        (["tuples"], "item\na\na\n", "line 3: the item “a” stands there twice."),
        (["tuples"], "item,x\n,1\n", "line 2: the item is empty."),
        (["tuples"], "item\n", "standard input: there are no items."),
        (["tuples"], "item\na\nb\n", "A tuple of 4 items needs at least 4 items; there are 2."),
        (["tuples", "--size", "3", "--factor", "9"], "item\na\nb\nc\nd\n", "only 4 different tuples of 3 exist."),
        (["tuples", "--group", "domain"], "item\na\n", "line 1: the column “domain” is missing."),
    ],
)
def test_bad_input_is_told_with_its_place(arguments, text, complaint):
    command, *options = arguments
    done = run(command, "-", *options, text=text)
    assert (done.returncode, done.stdout) == (2, b"")
    assert complaint in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", 2, 0, 0, 30],
        ["compare", 0, 0, 0, 3],
        ["scores", "-", "--decimals", -1],
        ["agreement", "-", "--strong", 0],
        ["scores", "nowhere.csv"],
        ["tuples", "-", "--factor", "x"],
        ["nothing"],
    ],
)
def test_impossible_request_ends_with_two(arguments):
    done = run(*arguments, text="item\na\nb\nc\nd\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr


def test_every_fault_of_a_file_is_told_up_to_twenty():
    text = "item1,item2,best,worst\n" + "a,b,a,a\n" * 30
    assert len(run("scores", "-", text=text).stderr.splitlines()) == 20


def test_reader_that_has_seen_enough_ends_it_quietly():
    many = "item1,item2,best,worst\n" + "".join(f"a{number},b,a{number},b\n" for number in range(20_000))
    command = [sys.executable, "-m", "scoring", "scores", "-"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        done.stdin.write(many.encode())
        done.stdin.close()
        done.stdout.readline()
        done.stdout.close()
        assert done.stderr.read() == b""
        assert done.wait(60) == 0
