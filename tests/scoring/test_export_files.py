import csv

from scoring.exports.files import one_line, write_csv, write_plain_csv

TEXTS = ["=1+1", '-2 "degrees",\ncold', "@you\rthere", "one\r\ntwo", "", "’tis"]


def read_again(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_texts_for_programs_come_back_as_they_went(tmp_path):
    assert write_plain_csv(tmp_path / "plain.csv", ["text"], [[text] for text in TEXTS]) == 6
    assert read_again(tmp_path / "plain.csv") == [["text"], *([text] for text in TEXTS)]


def test_texts_for_spreadsheets_are_harmless(tmp_path):
    write_csv(tmp_path / "sheet.csv", ["=text", "number"], [[text, -1] for text in TEXTS])
    assert [row[0] for row in read_again(tmp_path / "sheet.csv")[1:]] == [
        "'=1+1",
        '\'-2 "degrees",\ncold',
        "'@you\rthere",
        "one\r\ntwo",
        "",
        "’tis",
    ]
    assert (tmp_path / "sheet.csv").read_bytes().startswith(b"'=text,number\n'=1+1,-1\n")


def test_one_line_has_no_line_breaks():
    assert one_line("a\nb\r\nc\u2028d") == "a b c d"
