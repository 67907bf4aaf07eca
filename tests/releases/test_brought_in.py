"""Choices of which nobody knows who made them, some of them invalid: what a run, its report and a release tell."""

import csv

import pytest

from annotation.domain.material import ImportPolicy, Invalid, import_judgments
from scoring.domain.releases.report import collection_of
from scoring.exports.report.methods import methods
from scoring.exports.report.sections import sections
from tests.factories import NOON, add_pairs, make_project
from tests.importing.files import write
from tests.releases.making import contents, released, run_of

pytestmark = pytest.mark.django_db
UNSIGNED = "some choices have no known annotator"
HEADER = "item1,item2,item3,best,worst"
ROWS = [
    *("p1,p2,p3,p1,p3", "p2,p1,p3,p1,p3", "p3,p1,p2,p2,p3"),
    *("p2,p3,p4,p2,p4", "p4,p2,p3,p2,p3", "p2,p3,p4,p3,p4"),
    *("p1,p3,p4,p1,p4", "p1,p3,p4,p1,p3"),
]
INVALID = ["p1,p2,p1,p1,p2", "p1,p2,p4,p4,p4"]


def brought_in(rows, key="project", header=HEADER, path=None, folder=None):
    project = make_project("semrel", key, tuple_size="3")
    add_pairs(project, 5)
    path = path or write(folder, "\n".join([header, *rows]) + "\n", f"{key}.csv")
    handling = ImportPolicy(invalid=Invalid.KEEP)
    return project, import_judgments(project=project, path=path, round_key=None, now=NOON, handling=handling)


def signed(rows):
    return [f"{row},person {place % 3}" for place, row in enumerate(rows)]


@pytest.fixture
def unsigned(tmp_path):
    return brought_in([*ROWS, *INVALID], folder=tmp_path)[0]


def paragraphs(run):
    return {paragraph.title: paragraph.text for paragraph in methods(collection_of(run))}


def tables(run):
    return {table.title: table for section in sections(run.results, []) for table in section.tables}


def cells(table):
    return {row.label: [(cell.text, cell.reason) for cell in row.cells] for row in table.rows}


def test_the_report_tells_no_figure_by_person(unsigned):
    run = run_of(unsigned)

    told, found = paragraphs(run), tables(run)

    assert told["Annotators"] == "Choices without annotator identifiers were imported."
    assert "the analysis includes 10 choices, 1 to 3 (median 2) for each of 5 tuples" in told["Protocol"]
    assert "some of the annotators are not identified" in told["Protocol"]
    assert told["Judgments"].startswith(
        "The data comprise 10 best-worst choices, of which all are included in the analysis."
    )
    assert (f"Split-half reliability, splitting the annotators into two halves, is not defined ({UNSIGNED}).") in told[
        "Reliability"
    ]
    counts = cells(found["Overview"])
    assert counts["Annotators"] == [("n/a", UNSIGNED)]
    halves = cells(found["Split-half reliability"])
    assert [cell[1] for cell in halves["Splits"]] == ["", "", UNSIGNED]
    assert halves["Spearman’s ρ, mean"][2] == ("n/a", UNSIGNED)
    assert cells(found["Choice models"])["Converged"] == [("yes", ""), ("yes", ""), ("n/a", UNSIGNED)]
    assert f"10 choices ({UNSIGNED}). " in found["Inter-annotator agreement of the choices"].note
    people = cells(found["main: each annotator compared with the others"])
    assert people["Agreement with the others, above chance"][1:] == [("n/a", UNSIGNED)] * 3


def test_the_report_tells_what_became_of_invalid_choices(unsigned):
    run = run_of(unsigned)

    told, found = paragraphs(run), tables(run)

    assert (
        "Of the choices included in the analysis, 2 are invalid: an item appears twice in the tuple, or the same item "
        "was chosen as best and worst. Scores, their standard errors, split-half reliability and agreement include "
        "these choices unchanged; choice models leave them out."
    ) in told["Judgments"]
    own = cells(found["Overview"])["Choices with a duplicate item, or the same item as best and worst"]
    assert own == [("2", "")]
    assert cells(found["Choice models"])["Choices without a likelihood"] == [("2", "")] * 3
    assert run.results["choice_scores"]["appearances"] == [8, 8, 8, 6, 0]


def test_the_data_card_tells_both(unsigned):
    card = contents(released(unsigned))["README.md"].decode()

    assert "| main | 0 and others not identified | 10 | 10 | none |" in card
    assert "10 choices were imported without annotator identifiers." in card
    assert "Of the counted choices, 2 are invalid: an item appears twice" in card
    halves = card.partition("### Split-half reliability\n")[2].partition("\n###")[0]
    assert "| Figure | By tuple | By judgment | By annotator |" in halves
    assert f"(a) Not defined: {UNSIGNED}" in halves
    assert f" choices ({UNSIGNED})." in card


def test_of_valid_choices_of_known_people_nothing_of_it_is_told(tmp_path):
    project, _ = brought_in(signed(ROWS), header=f"{HEADER},annotator", folder=tmp_path)

    run = run_of(project)
    card = contents(released(project, run=run))["README.md"].decode()

    assert "unknown" not in card and "invalid" not in card
    told = paragraphs(run)
    assert told["Annotators"] == "The imported judgments were made by 3 annotators."
    assert told["Judgments"].startswith("The data comprise 8 best-worst choices") and "invalid" not in told["Judgments"]
    assert ("Choices with a duplicate item, or the same item as best and worst") not in cells(tables(run)["Overview"])
    assert run.results["split_half"]["annotator"]["splits"] == 10


def test_some_people_may_be_known(tmp_path):
    rows = [*signed(ROWS), *(f"{row},unknown 1" for row in INVALID)]
    project, done = brought_in(rows, header=f"{HEADER},annotator", folder=tmp_path)

    run = run_of(project)

    assert done.met.unsigned == 2
    assert paragraphs(run)["Annotators"] == (
        "Choices without annotator identifiers were imported. The imported judgments were made by 3 annotators."
    )
    card = contents(released(project, run=run))["README.md"].decode()
    assert "| main | 3 and others not identified | 10 | 10 | none |" in card
    reports = run.results["choice_people"]["main"]
    assert {own["annotator"]: own["choices"] for own in reports if own["choices"] is None} == {"unknown 1": None}
    assert sum(own["choices"] or 0 for own in reports) == 8


def test_a_release_of_them_comes_in_again_as_it_was(unsigned, tmp_path):
    files = contents(released(unsigned))
    rows = list(csv.DictReader(files["judgments.csv"].decode().splitlines()))
    assert {row["annotator"] for row in rows} == {"unknown 1", "unknown 2", "unknown 3"}

    again, done = brought_in([], key="again", path=write(tmp_path, files["judgments.csv"], "judgments.csv"))

    assert (done.judgments, done.met.unsigned, done.met.invalid) == (10, 10, 2)
    results, expected = run_of(again).results, unsigned.runs.get().results
    for name in ("overview", "choice_scores", "choice_agreement", "disagreement", "choice_people", "split_half"):
        assert results[name] == expected[name]
