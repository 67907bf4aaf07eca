"""The table of OWASP ASVS 5.0.0 in docs/security.md: complete, and every test that it names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# How many requirements of levels 1 and 2 each section has, from its first number on.
SECTIONS = {
    **{"1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1},
    **{"3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4},
    **{"5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4},
    **{"7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1},
    **{"9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3},
    **{"11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1, "12.1": 3, "12.2": 2, "12.3": 4},
    **{"13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7},
    **{"16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4, "17.3": 2},
}
REQUIREMENTS = [f"{section}.{number}" for section, most in SECTIONS.items() for number in range(1, most + 1)]
ROW = re.compile(r"^\| ([\d., -]+) \| (Met|Not met|n/a) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+(?:\.py)?)(?:::(\w+))?`")
ALONE = re.compile(r"`(test_\w+)`")  # a test without its file
TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
TABLE = TEXT.split("## OWASP ASVS")[1].split("\n### ")[0]


def numbers(cell: str) -> list[str]:
    """The requirements of a cell such as “1.2.6-1.2.8” or “7.2.1, 7.2.2”."""
    found = []
    for part in cell.split(", "):
        first, _, last = part.partition("-")
        begin = REQUIREMENTS.index(first)
        found += REQUIREMENTS[begin : REQUIREMENTS.index(last or first) + 1]
    return found


def test_every_requirement_of_levels_1_and_2_is_there_once():
    listed = [number for cells, _status, _why in ROW.findall(TABLE) for number in numbers(cells)]

    assert len(REQUIREMENTS) == 253
    assert sorted(listed, key=REQUIREMENTS.index) == REQUIREMENTS


def test_the_counts_are_those_of_the_table():
    counts = dict.fromkeys(("Met", "Not met", "n/a"), 0)
    for cells, status, _why in ROW.findall(TABLE):
        counts[status] += len(numbers(cells))

    assert f"{counts['Met']} met, {counts['n/a']} not applicable, {counts['Not met']} not met" in TABLE


@pytest.mark.parametrize(("path", "test"), sorted(set(NAMED.findall(TEXT))))
def test_what_the_table_names_exists(path, test):
    assert (ROOT / path).exists()
    assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


def test_every_test_is_named_with_its_file():
    assert ALONE.findall(TEXT) == []
