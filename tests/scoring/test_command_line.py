"""`python -m scoring`: what it prints, where it complains, how it ends."""

import csv
import json
import os
import pty
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from subprocess import CompletedProcess
from time import sleep
from unittest.mock import patch

import numpy as np
import pytest
from scipy import stats

from scoring.__main__ import main
from scoring.files import progress
from tests.scoring.golden import figures

ROOT = Path(__file__).resolve().parents[2]
HEAVY = "django", "numpy", "scipy", "tqdm"
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


def run(*arguments: object, text: str | bytes = "") -> CompletedProcess:
    """In this process, with streams of bytes as a shell would give them."""
    data = text if isinstance(text, bytes) else text.encode()
    given, written, told = TextIOWrapper(BytesIO(data)), TextIOWrapper(BytesIO()), TextIOWrapper(BytesIO(), "utf-8")
    with patch("sys.stdin", given), redirect_stdout(written), redirect_stderr(told):
        try:
            code = main([*map(str, arguments)])
        except SystemExit as end:
            code = end.code
    told.flush()
    return CompletedProcess(arguments, code, written.buffer.getvalue(), told.buffer.getvalue())


def apart(*arguments: object, **streams: object) -> CompletedProcess:
    """As a process of its own."""
    command = [sys.executable, "-m", "scoring", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, timeout=120, stderr=subprocess.PIPE, **streams)


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
    code += f"finally: print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=60)
    assert (done.returncode, done.stderr.strip()) == (0, b"[]")
    commands = (b"tuples", b"scores", b"reliability", b"agreement", b"raters", b"compare")
    assert all(name in done.stdout for name in commands)


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
        assert {"full_length", "mean"} <= found["spearman"].keys() & found["pearson"].keys()
        assert {"mean", "sd", "low", "high"} <= set(found["spearman"]) and {"mean", "sd"} <= set(found["pearson"])
        assert -1 <= found["spearman"]["low"] <= found["spearman"]["mean"] <= found["spearman"]["high"] <= 1


def test_reliability_that_is_not_defined_is_null_with_its_reason():
    found = result("reliability", "-", text="item1,item2,best,worst\na,b,a,b\n")
    assert found["spearman"]["mean"] is None
    assert found["spearman"]["mean_reason"]


def test_agreement_of_ratings():
    found = result("agreement", "-", text=RATINGS)
    values, means = np.array([1.0, 2, 4, 6]), np.array([1.5, 1.5, 5, 5])  # the third item was rated once
    assert (found["kind"], found["items"], found["annotators"], found["ratings"]) == ("ratings", 3, 2, 5)
    assert found["inter"]["pearson"] == pytest.approx(stats.pearsonr(values, means).statistic)
    assert found["inter"]["mse"] == pytest.approx(np.mean((values - means) ** 2))
    assert found["leave_one_out"]["rmse"] == pytest.approx(np.sqrt((1 + 1 + 4 + 4) / 4))
    assert set(found["alpha"]) == {"nominal", "ordinal", "interval", "ratio"}
    assert set(found["icc"]) == {"icc1", "icc1k"}
    assert (found["mse_bound"], found["mse_bound_reason"]) == (None, "no item has more than three ratings")
    assert found["mse_oracle"] == pytest.approx((0.5 / 2 + 2 / 2) / 2)  # s²/n of the two items rated twice


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
        (["reliability"], "item1,item2,best,worst\n", "standard input: there are no judgments."),
        (["scores"], "item1,item2,best\na,b,a\n", "line 1: the column “worst” is missing."),
        (["scores"], "best,worst\na,b\n", "line 1: the columns “item1”, “item2”, … are missing."),
        (["scores"], "item1,item2,best,worst\na,b,x,b\n", "line 2: best is “x”, which is not an item in this row"),
        (["scores"], "item1,item2,best,worst\na,b,a,\n", "line 2: worst is empty."),
        (["scores"], "item1,item2,best,worst\na,b,a,a\n", "line 2: best and worst are both “a”"),
        (["scores"], "item1,item2,item3,best,worst\na,b,a,a,b\n", "line 2: an item occurs twice in this row"),
        (["scores"], "item1,item2,best,worst\na,,a,a\n", "line 2: a judgment needs at least two items."),
        (["scores"], "item1,item2,best,worst\na,b\n", "line 2: 2 values for 4 columns."),
        (["scores"], 'item1,item2,best,worst\n"a,b\n', "line 2: not valid CSV"),
        (
            ["scores"],
            "item1,item2,best,worst\n\u00e9,b,\u00e9,b\n".encode("latin-1"),
            "line 2: byte 1 is not valid UTF-8",
        ),
        (["scores"], "item1,best\n".encode("utf-16")[:-1], "line 1: not valid UTF-16; save the file as UTF-8."),
        (["scores"], "item1,best\n".encode("utf-16-le"), "line 1: not a UTF-8 text file"),
        (
            ["scores"],
            "item1,item2,best,worst\nä\udc80,b,b,b\n".encode(errors="surrogateescape"),
            "line 2: byte 3 is not",
        ),
        (
            ["scores"],
            'item1,item2,best,worst\n"a" b,b,b,b\n',
            "line 2: not valid CSV (a quotation mark within quoted",
        ),
        (
            ["scores"],
            'item1,item2,best,worst\na,b,a,b\n"a,b,a,b\n',
            "line 3: not valid CSV (a quotation mark is not closed",
        ),
        (
            ["scores"],
            "item1,item2,best,worst\n" + 10_000_001 * "a",
            "line 2: not valid CSV (a value has more than 10,000,000 characters",
        ),
        (["scores"], "item1,item2,best,best,worst\n", "line 1: the column “best” occurs twice."),
        (["scores"], "item1,item01,best,worst\n", "line 1: an item column occurs twice."),
        (["reliability"], "item1,item2,best,worst\na,b,a,a\n", "line 2: best and worst are both “a”"),
        (["agreement"], "item1,item2,best,worst\na,b,a,a\n", "line 2: best and worst are both “a”"),
        (
            ["reliability", "--by", "annotator"],
            "item1,item2,best,worst\n",
            "line 1: the column “annotator” is missing.",
        ),
        (
            ["reliability", "--by", "annotator"],
            "item1,item2,best,worst,annotator\na,b,a,b,\n",
            "line 2: the annotator is empty.",
        ),
        (
            ["reliability", "--by", "annotator"],
            "item1,item2,best,worst,annotator\na,b,a,b,ann\na,b,a,b,unknown 1\n",
            "line 3: “unknown 1” is reserved for unknown annotators.",
        ),
        (["agreement"], "item,annotator,value\np,ann,NA\n", "line 2: “NA” is not a valid rating"),
        (["agreement"], "item,annotator,value\np,ann,inf\n", "line 2: “inf” is not a valid rating"),
        (["agreement"], "item,annotator,value\np,ann,1_0\n", "line 2: “1_0” is not a valid rating"),
        (["agreement"], "item,annotator,value\np,ann,1e200\n", "line 2: “1e200” is not a valid rating"),
        (["agreement"], "item;annotator;value\np;ann;1,5\n", "line 2: “1,5” is not a valid rating"),
        (["agreement"], "item,annotator,value\np,ann,nan\n", "line 2: “nan” is not a valid rating"),
        (["agreement"], "item,annotator,value\np,ann,1\np,ann,2\n", "line 3: ann has already rated “p” (line 2)."),
        (["agreement"], "item,annotator,value\n,ann,1\n", "line 2: item and annotator must not be empty."),
        (["agreement"], "item,annotator,value\np,ann,\n", "standard input: there are no ratings."),
        (["agreement"], "item,value\np,1\n", "line 1: the column “annotator” is missing."),
        (["tuples"], "item\na\na\n", "line 3: the item “a” occurs twice."),
        (["tuples"], "item,x\n,1\n", "line 2: the item is empty."),
        (["tuples"], "item\n", "standard input: there are no items."),
        (["tuples"], "item\na\nb\n", "standard input: Tuples of 4 items need at least 4 items, but there are 2."),
        (["tuples", "--group", "domain"], "item,domain\na,\n", "line 2: the domain of “a” is empty."),
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
        ["scores", ROOT],
        ["scores", "-", "--decimals", 16],
        ["reliability", "-", "--splits", 0],
        ["reliability", "-", "--seed", -1],
        ["agreement", "-", "--strong", "nan"],
        ["agreement", "-", "--strong", 1.1],
        ["tuples", "-", "--size", 1],
        ["tuples", "-", "--size", "many"],
        ["tuples", "-", "--factor", "x"],
        ["tuples", "-", "--factor", "1/0"],
        ["tuples", "-", "--factor", "nan"],
        ["tuples", "-", "--factor", 0],
        ["tuples", "-", "--factor", "1e999999999"],
        ["tuples", "-", "--size", 2, "--factor", 1, "--certificate", ROOT],
        ["compare", "nan", 0, 0, 30],
        ["compare", 0, 0, 0, "9" * 400],
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


def test_rows_that_are_not_valid_can_be_counted_everywhere():
    text = "item1,item2,item3,best,worst\n" + "a,b,c,a,c\n" * 4 + "a,b,b,a,b\nb,a,b,b,b\n" * 2
    found = [result(command, "-", "--keep-invalid", text=text) for command in ("reliability", "agreement")]
    assert [one["judgments"] for one in found] == [8, 8]
    assert [found[1]["tuples"], found[1]["strong"]["best"]] == [2, 0.5]


@pytest.mark.parametrize("delimiter", ["\t", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_line_ends_and_columns_in_any_order(delimiter, end):
    lines = ["Worst,note, ITEM2 ,Best,Item 1", "c,x, b b ,b b,c", "", "b b,y,b b,c,c"]
    text = end.join(line.replace(",", delimiter) for line in lines)
    assert rows(run("scores", "-", text=text).stdout)[1:] == [
        ["c", "0.0", "1", "1", "2"],
        ["b b", "0.0", "1", "1", "2"],
    ]


def test_unicode_text_of_spreadsheets_is_read():
    text = CHOICES.replace(",", "\t")
    assert run("scores", "-", text=text.encode("utf-16")).stdout == run("scores", "-", text=CHOICES).stdout


def test_header_again_is_no_row_but_an_item_may_be_called_item():
    again = "item1,item2,best,worst\na,b,a,b\n"
    assert rows(run("scores", "-", text=again + again).stdout)[1] == ["a", "1.0", "2", "0", "2"]
    done = run("tuples", "-", "--size", 2, "--factor", 1, text="item\na\nitem\nb\n")
    assert {name for line in rows(done.stdout)[1:] for name in line[1:]} == {"a", "item", "b"}


def test_names_are_texts_and_may_be_long_or_in_lines():
    names = ["1", "1.0", "01", "سلام, “a”", "two\nlines", 200_000 * "w"]
    written = StringIO()
    csv.writer(written).writerows([[f"item{place}" for place in range(1, 7)] + ["best", "worst"], [*names, *names[:2]]])
    assert [row[0] for row in rows(run("scores", "-", text=written.getvalue()).stdout)[1:]] == names


def test_many_decimals_are_written_out():
    text = "item1,item2,best,worst\na,b,a,b\na,b,b,a\n"
    assert rows(run("scores", "-", "--decimals", 8, text=text).stdout)[1][1] == "0.00000000"


def test_equal_means_of_decimal_ratings_tie():
    ratings = ("0.1", "0.2", "0.3"), ("0.3", "0.2", "0.1"), ("0.7", "0.1", "0.1")
    lines = [f"p{item},a{rater},{value}" for item, row in enumerate(ratings) for rater, value in enumerate(row)]
    found = result("agreement", "-", text="item,annotator,value\n" + "\n".join(lines))
    expected = stats.spearmanr([1, 2, 3, 3, 2, 1, 7, 1, 1], [6, 6, 6, 6, 6, 6, 9, 9, 9]).statistic
    assert found["inter"]["spearman"] == pytest.approx(expected, abs=1e-12)


def test_constant_decimal_ratings_have_no_correlation():
    lines = [f"p{item},a{rater},0.1" for item in range(5) for rater in range(3 + item % 2)]
    found = result("agreement", "-", text="item,annotator,value\n" + "\n".join(lines))
    assert (found["inter"]["pearson"], found["inter"]["rmse"]) == (None, 0)
    assert (found["icc"]["icc1"], found["alpha"]["interval"], found["mse_bound"]) == (None, None, 0)
    assert found["icc"]["icc1_reason"] and found["inter"]["pearson_reason"]


def test_ratings_may_have_columns_of_other_names():
    assert result("agreement", "-", text="best,item,annotator,value\nx,p,a,1\ny,p,b,2\n")["kind"] == "ratings"


def test_one_judgment_of_each_tuple_agrees_with_nobody():
    found = result("agreement", "-", text="item1,item2,best,worst\na,b,a,b\n")
    assert (found["strong"]["best"], found["strong"]["best_reason"]) == (None, "no tuple was judged twice")


def test_correlations_that_cannot_stand_together_are_null():
    assert {test["z"] for test in result("compare", 0.9, -0.9, 0.9, 50).values()} == {None}


def test_negative_correlations_may_have_an_exponent():
    assert result("compare", "-3e-1", "-.5", 0.2, 50) == result("compare", -0.3, -0.5, 0.2, 50)


def test_scores_are_utf_8_wherever_they_go():
    text = "item1,item2,best,worst\nя,b,я,b\n".encode()
    done = apart("scores", "-", input=text, stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert (done.returncode, done.stdout.decode().splitlines()[1]) == (0, "я,1.0,1,0,1")


def test_streams_that_are_closed_or_full():
    shell = (
        f"{sys.executable} -m scoring compare .5 .4 .3 50 >&-; echo $? >&2; {sys.executable} -m scoring scores - <&-"
    )
    done = subprocess.run(["bash", "-c", shell], cwd=ROOT, capture_output=True, timeout=60)
    told = ["standard output is closed.", "2", "standard input is closed."]
    assert (done.returncode, done.stderr.decode().splitlines()) == (2, told)
    with open("/dev/full", "wb") as full:
        done = apart("compare", 0.5, 0.4, 0.3, 50, stdout=full)
    assert (done.returncode, done.stderr) == (2, b"standard output: No space left on device.\n")


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (BrokenPipeError(), 0, ""),
        (OSError(28, "No space left on device"), 2, "standard output: No space left on device.\n"),
    ],
)
def test_output_that_nobody_takes(tmp_path, capsys, error, code, told):
    with open(tmp_path / "out", "w", encoding="utf-8") as file, redirect_stdout(file):
        with patch("scoring.files.compare.run", side_effect=error):
            assert main(["compare", ".5", ".4", ".3", "50"]) == code
        print("is dropped")
    assert ((tmp_path / "out").read_text(), capsys.readouterr().err) == ("", told)


def test_streams_that_are_not_there(capsys):
    with patch("sys.stdin", None):
        assert main(["scores", "-"]) == 2
    with patch("sys.stdout", None):
        assert main(["scores", "-"]) == 2
    assert capsys.readouterr().err == "standard input is closed.\nstandard output is closed.\n"


def test_file_by_its_path(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text(CHOICES)
    assert run("scores", path).stdout == run("scores", "-", text=CHOICES).stdout
    path.write_text(CHOICES.replace("t1,ann,a", "t1,ann,x"))
    assert run("scores", path).stderr.decode().startswith(f"{path}, line 2: best is “a”")


def test_interruption_ends_without_a_word():
    with patch("scoring.files.compare.run", side_effect=KeyboardInterrupt):
        assert run("compare", 0.5, 0.4, 0.3, 50).returncode == 130


def on_terminal(work) -> str:
    """What some work writes on standard error, when that is a terminal."""
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w", encoding="utf-8") as terminal, redirect_stderr(terminal):
        work()
    told = b""
    while True:
        try:
            told += os.read(leader, 65536)
        except OSError:  # the other end is closed and everything is read
            os.close(leader)
            return told.decode()


def count_slowly():
    for _ in progress.counted(iter(range(3)), "reading", " rows"):
        sleep(0.15)


def measure_slowly():
    with progress.measured(3, "halving", " splits") as done:
        for _ in range(3):
            sleep(0.15)
            done(1)


def wait_slowly():
    with progress.timed("designing"):
        sleep(0.6)


@pytest.mark.parametrize(
    ("work", "shown"),
    [(count_slowly, "reading: 1 rows ["), (measure_slowly, "| 1/3"), (wait_slowly, "designing: 00:0")],
)
def test_progress_is_shown_on_a_terminal_after_a_while(work, shown, capsys):
    assert on_terminal(work) == ""
    with patch.dict(progress._bar.keywords, delay=0.1):
        assert shown in on_terminal(work)
        work()
    assert capsys.readouterr().err == ""


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


def test_raters_are_weighed_by_item_and_annotator():
    golden = ROOT / "tests" / "scoring" / "golden" / "raters"
    found = result("raters", golden / "answers.csv")

    assert (found["kind"], found["ratings"], found["groups"], found["converged"]) == ("ratings", 360, 1, True)
    assert [one["name"] for one in found["items"]][:2] == ["i00", "i01"]
    assert {"mean", "mixed", "weighed", "weighed_error", "ordinal", "dawid_skene", "mace"} <= found["items"][0].keys()
    weights = {one["name"]: one["weight"] for one in found["annotators"]}
    assert min(weights, key=weights.get) == "r7"  # who answered at random most often


def test_raters_of_choices_have_utilities_and_reliabilities():
    found = result("raters", "-", text=CHOICES)
    assert [one["name"] for one in found["items"]] == ["a", "b", "c", "d"]
    assert [one["name"] for one in found["annotators"]] == ["ann", "ben"]
    assert sum(one["reliability"] for one in found["annotators"]) == pytest.approx(2)


def test_raters_who_cannot_be_compared_are_refused():
    done = run("raters", "-", text=RATINGS)
    expected = (
        b"standard input: no model of raters can be fitted, because fewer than 3 annotators share items with others."
    )
    assert (done.returncode, done.stderr.strip()) == (2, expected)
