import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.cleaning import (
    CHANGED,
    DROPPED,
    ENGLISH_EXPLETIVES,
    REPORTED,
    CleanRow,
    Finding,
    Kind,
    Report,
    Summary,
    clean_rows,
    expletive_share,
    find_in_rows,
    report,
)
from annotation.corpora.errors import CorpusError

TEXTS = st.sampled_from(
    ["a b", "A b", "a  b", "b", "é", "e\u0301", "a\ufffd b", "", " ", "damn", "@x", "a\u200b b", "a@b.co"]
)
ROWS = st.lists(st.lists(TEXTS, min_size=1, max_size=3), max_size=10)


def test_kinds_are_changed_dropped_or_told():
    assert set(Kind) == CHANGED | DROPPED | REPORTED
    assert len(CHANGED) + len(DROPPED) + len(REPORTED) == len(Kind)


@settings(deadline=None)
@given(rows=ROWS, kinds=st.frozensets(st.sampled_from(Kind)))
def test_cleaning_rows_twice_changes_no_more_than_once(rows, kinds):
    once = clean_rows(rows, kinds, expletives=["damn"])
    texts = [row.texts for row in once]
    again = clean_rows(texts, kinds, expletives=["damn"])
    assert [row.texts for row in again] == texts
    left = {finding.kind for finding in find_in_rows(texts, expletives=["damn"])}
    assert not left & kinds - REPORTED


@settings(deadline=None)
@given(rows=ROWS)
def test_rows_stay_without_consent(rows):
    assert clean_rows(rows, ()) == [CleanRow(row, tuple(texts)) for row, texts in enumerate(rows)]


@settings(deadline=None)
@given(rows=ROWS)
def test_of_repeated_rows_one_stays(rows):
    kept = clean_rows(rows, {Kind.REPEATED})
    assert not [one for one in find_in_rows([row.texts for row in kept]) if one.kind is Kind.REPEATED]
    assert {frozenset(" ".join(texts).split()) for texts in rows} == {
        frozenset(" ".join(row.texts).split()) for row in kept
    } or any("\u0301" in text for texts in rows for text in texts)


def test_repeated_pairs_in_either_order():
    rows = [["Café", "Tee"], ["Tee", "Cafe\u0301 "], ["tee!", "café"], ["Tee", "Saft"], ["Saft", "Saft"]]
    assert find_in_rows(rows) == [
        Finding(Kind.REPEATED, 1, "Tee / Cafe\u0301 ", twin=0),
        Finding(Kind.NEARLY_REPEATED, 2, "tee! / café", twin=0),
        Finding(Kind.REPEATED_TEXT, 3, "Tee", text=0, twin=0),
        Finding(Kind.SAME_SIDES, 4, "Saft"),
        Finding(Kind.REPEATED_TEXT, 4, "Saft", text=0, twin=3),
        Finding(Kind.REPEATED_TEXT, 4, "Saft", text=1, twin=3),
    ]
    assert [row.row for row in clean_rows(rows, DROPPED)] == [0, 3]


def test_repeated_dialogues_only_in_order():
    assert find_in_rows([["x", "y", "z"], ["z", "y", "x"]])[0].kind is Kind.REPEATED_TEXT
    assert find_in_rows([["x"], ["x"]]) == [Finding(Kind.REPEATED, 1, "x", twin=0)]


def test_texts_without_words_are_not_nearly_repeated():
    assert find_in_rows([["!"], ["?"]]) == []


def test_row_that_goes_for_itself_takes_no_other_with_it():
    rows = [["a\ufffd b"], ["a b"]]
    assert [row.texts for row in clean_rows(rows, DROPPED)] == [("a b",)]


def test_text_of_nothing_but_an_address_is_empty_once_it_is_gone():
    assert clean_rows([["a@b.co", "b"]], {Kind.EMAIL}) == [CleanRow(0, ("", "b"))]
    assert clean_rows([["a@b.co", "b"]], {Kind.EMAIL, Kind.EMPTY}) == []
    assert find_in_rows([[" "]]) == [Finding(Kind.EMPTY, 0, " ", text=0)]


def test_findings_tell_row_text_and_place():
    assert find_in_rows([["fine", "hi @bob"]]) == [Finding(Kind.MENTION, 0, "@bob", "@<username>", 1, 3)]


def test_expletives_are_words_of_the_list_in_any_script():
    rows = [["Damn, yes", "a dam"], ["ein Donner Wetter", "x"], ["ملعون!", "y"]]
    assert find_in_rows(rows, expletives=["damn", "donner-wetter", "ملعون", ""]) == [
        Finding(Kind.EXPLETIVE, 0, "damn", text=0),
        Finding(Kind.EXPLETIVE, 1, "donner wetter", text=0),
        Finding(Kind.EXPLETIVE, 2, "ملعون", text=0),
    ]


def test_expletive_share():
    assert expletive_share(["oh SHIT!", "oh dear", "shitake", "well"], ENGLISH_EXPLETIVES) == 0.25
    assert expletive_share(["damn"], ()) == 0
    with pytest.raises(CorpusError, match="The share of texts with expletives"):
        expletive_share([], ENGLISH_EXPLETIVES)


def test_report_counts_by_kind():
    findings = find_in_rows([["@a @b", "x"], ["@c", "y"], ["x", "@a @b"], ["z", "w"]])
    mentions = [one for one in findings if one.kind is Kind.MENTION]
    repeated = [one for one in findings if one.kind is Kind.REPEATED]
    assert report(findings, rows=4, examples=2) == Report(
        rows=4,
        rows_found=3,
        summaries=(
            Summary(Kind.MENTION, 5, 3, tuple(mentions[:2])),
            Summary(Kind.REPEATED, 1, 1, tuple(repeated)),
        ),
    )
