import csv
from decimal import Decimal

import pytest

from scoring.exports.files import harmless, write_csv, write_tsv


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@sum", "'@sum"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        ("", ""),
        (-1, -1),
        (Decimal("-0.5"), Decimal("-0.5")),
    ],
)
def test_harmless(value, written):
    assert harmless(value) == written


def test_csv_comes_back_whole(tmp_path):
    rows = [["1", 'He said "no", twice\nand left', "=cmd()"], ["2", "سلام", "\u2028"]]
    written = write_csv(tmp_path / "file.csv", ["a", "b", "c"], iter(rows))
    with (tmp_path / "file.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["a", "b", "c"], [*rows[0][:2], "'=cmd()"], rows[1]]
    assert written == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file.csv"]


def test_tsv_has_one_line_a_row(tmp_path):
    rows = [("=1+1", 'a "b"\tc\r\nd', Decimal("2.5000")), ("", " é ", 3)]
    assert write_tsv(tmp_path / "file.tsv", rows) == 2
    assert (tmp_path / "file.tsv").read_bytes().decode() == '=1+1\ta "b" c d\t2.5000\n\té\t3\n'
    assert [path.name for path in tmp_path.iterdir()] == ["file.tsv"]


def test_file_that_fails_leaves_the_older_one(tmp_path):
    path = tmp_path / "file.tsv"
    write_tsv(path, [("old",)])
    with pytest.raises(ZeroDivisionError):
        write_tsv(path, ((1 / number,) for number in (1, 0)))
    assert path.read_text() == "old\n"
