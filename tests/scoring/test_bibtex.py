"""Entries of BibTeX, read and typeset by a real implementation of it."""

import pytest
from pybtex import format_from_string
from pybtex.database import parse_string

from scoring.exports.bibtex import address, entry, escaped, names

NEXT = "@misc{next, title = {The next entry}}"
TITLES = {
    'He said "no" & left': None,
    "100 % of #1: a_b, $5": "100 % of #1: a_b, \\$5",
    "日本語のデータ 한국어": None,
    "بيانات عربية": None,
    "ñ Ångström ß æ": None,
    "Mixed Case DNA": None,
    "a\\b": None,
    "{left": "\\textbraceleft left",
    "}{": "\\textbraceright \\textbraceleft ",
    "@misc{x,": "@misc\\textbraceleft x,",
    "a^b <c> |d|": "a\\textasciicircum b \\textless c\\textgreater  \\textbar d\\textbar ",
}
"""Titles, and how they are typeset as plain text if that is not as they are; TeX knows the commands that are left."""
AUTHORS = [
    *('Ann "Q" Example', "Čapek, Karel", "Li, Wei, Jr", "de la Cruz, Juan", "李 明", "أحمد علي", "Müller & Söhne"),
    *(
        "Smith and Sons",
        "Uni, Faculty, City, Land",
        "O{Brien",
        "}",
        "x\\",
        "100 % Team",
        "Smith,",
        ", John",
        ",",
        "and",
    ),
    *("others", "Others", "a~b"),
]


def typeset(text):
    return format_from_string(text, "plain", output_backend="plaintext").removeprefix("[1] ").strip()


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_typeset_as_it_is(title):
    text = entry("data-1", {"title": f"{{{escaped(title)}}}", "year": "2026"})

    assert list(parse_string(f"{text}\n{NEXT}", "bibtex").entries) == ["data-1", "next"]
    assert typeset(text) == f"{TITLES[title] or title}. 2026."


@pytest.mark.parametrize("author", AUTHORS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_author_is_one_person(author, place):
    people = ["Ann First", "Bob Last"]
    people.insert(place, author)
    text = entry("data-1", {"author": names(people), "title": "{T}", "year": "2026"})

    parsed = parse_string(f"{text}\n{NEXT}", "bibtex").entries
    assert list(parsed) == ["data-1", "next"]
    assert len(parsed["data-1"].persons["author"]) == 3


def test_names_with_a_meaning_of_their_own_are_in_braces():
    assert names(["Ann", "others", "Smith,", ","]) == "Ann and {others} and {Smith,} and {,}"


def test_an_address_is_one_field():
    text = entry("data-1", {"title": "{T}", "url": address("https://example.org/a_{b}?c=%20&d=\\#e")})

    assert parse_string(text, "bibtex").entries["data-1"].fields["url"] == "https://example.org/a_%7Bb%7D?c=%20&d=%5C#e"
