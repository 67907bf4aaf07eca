"""Tables that would hold a worker, or fill its memory, are refused where they are read."""

import time

import pytest

from annotation.corpora import tables
from annotation.domain.material.rows import Problems, read_rows
from scoring.files.reading import FileFault, open_table
from tests.importing.files import write


def problems_in(path):
    problems = Problems()
    rows = list(read_rows(path, required=[], problems=problems))
    return len(rows), [str(problem) for problem in problems.found]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_header_of_thirty_thousand_columns_is_refused_at_once(tmp_path, separator):
    path = write(tmp_path, separator.join(f"c{number}" for number in range(30_000)) + "\n1,2\n")
    began = time.process_time()

    assert problems_in(path) == (0, ["line 1: The file has too many columns: 30000. The maximum is 2000."])
    assert time.process_time() - began < 2  # 26 s where each name was looked for among all
    with (
        pytest.raises(
            FileFault,
            match="line 1: The file has too many columns: 30000",
        ),
        open_table(str(path)),
    ):
        pass


def test_a_row_and_an_object_of_too_many_values_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_COLUMNS", 3)

    assert problems_in(write(tmp_path, "a,b\n1,2\n1,2,3,4\n")) == (
        1,
        ["line 3: The file has too many columns: 4. The maximum is 3."],
    )
    assert problems_in(write(tmp_path, '{"a":1,"b":2,"c":3,"d":4}\n')) == (
        0,
        ["line 1: The file has too many columns: 4. The maximum is 3."],
    )


@pytest.mark.parametrize("row", ["1," + "x" * 100, '1,"' + "x\n" * 50 + '"'])
def test_a_row_is_not_read_to_an_end_that_is_far_away(tmp_path, monkeypatch, row):
    monkeypatch.setattr(tables, "LONGEST_ROW", 60)

    assert problems_in(write(tmp_path, f"a,b\n1,2\n{row}\n")) == (
        1,
        ["line 3: A row has more than 60 characters. Check for missing quotation marks."],
    )


def test_the_values_of_a_file_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_CELLS", 10)

    assert problems_in(write(tmp_path, "a,b\n" + "1,2\n" * 10)) == (
        4,
        ["line 6: The file has more than 10 values. Split it and import the parts."],
    )
