import pytest

from annotation.domain.material import FileRefused, import_items
from annotation.models import Incident, Sentence
from tests.factories import add_incidents, make_project
from tests.importing.files import json_lines, problems_of, write

pytestmark = pytest.mark.django_db

HEADER = "incident,document,kind,position,sentence"
GOOD = {
    "id": "fire",
    "title": "Fire in Brno",
    "language": "en",
    "summary": ["A mill burnt.", "Nobody was hurt."],
    "reports": [
        {"id": "r1", "title": "First", "sentences": ["Smoke over Brno.", "Firemen came."]},
        {"sentences": ["It is out."]},
    ],
    "region": "South",
}


@pytest.fixture
def project():
    return make_project("czech_news")


def contents():
    """What is stored: kind, key and title of every document with its sentences in order."""
    documents = {}
    for one in Sentence.objects.select_related("document").order_by("document__position", "position"):
        key = (one.document.kind, one.document.key, one.document.title)
        documents.setdefault(key, []).append(one.text)
    return documents


def test_incident_of_json_lines(project, tmp_path):
    assert import_items(project=project, path=write(tmp_path, json_lines(GOOD))) == 1
    incident = Incident.objects.get()
    assert (incident.key, incident.title, incident.language, incident.extra) == (
        "fire",
        "Fire in Brno",
        "en",
        {"region": "South"},
    )
    assert contents() == {
        ("summary", "summary", ""): ["A mill burnt.", "Nobody was hurt."],
        ("report", "r1", "First"): ["Smoke over Brno.", "Firemen came."],
        ("report", "2", ""): ["It is out."],
    }


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_incident_of_csv_in_any_order(project, tmp_path, delimiter):
    rows = [
        f"{HEADER},language,region",
        "fire,r2,report,1,It is out.,,",
        "fire,r1,Report,7,Firemen came.,,South",
        "flood,s,summary,1,Rain.,cs,",
        "fire,s,SUMMARY,1,A mill burnt.,en,North",
        "fire,r1,report,3,Smoke over Brno.,,",
        *(f"flood,r1,report,{place},Rain {place}.,," for place in range(3)),
    ]
    path = write(tmp_path, "\n".join(rows).replace(",", delimiter))
    assert import_items(project=project, path=path) == 2
    assert list(Incident.objects.values_list("key", "language", "extra")) == [
        ("fire", "en", {"region": "South"}),
        ("flood", "cs", {}),
    ]
    Incident.objects.get(key="flood").delete()
    assert contents() == {
        ("summary", "s", ""): ["A mill burnt."],
        ("report", "r2", ""): ["It is out."],
        ("report", "r1", ""): ["Smoke over Brno.", "Firemen came."],
    }


def csv_of(*changed):
    """A whole incident with some rows put in front."""
    rows = ["fire,s,summary,1,A mill burnt.", *(f"fire,r,report,{place},Smoke {place}." for place in range(3))]
    return "\n".join([HEADER, *changed, *rows])


NO_SUMMARY = "has no summary sentences. Add at least one."
NO_NUMBER = "is not a whole number of up to nine digits."
NO_TEXT = "The text contains a character that can't be stored (NUL or an incomplete character). Remove it."
NO_LIST = "This must be a list."
TOO_FEW = "have too few sentences to choose from. They need at least 3 in all."


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (HEADER[:-9], ["line 1, sentence: This column is missing."]),
        (csv_of("fire,x,letter,1,Dear"), ["line 2, kind: “letter” is not a valid kind. Use summary or report."]),
        (
            csv_of("fire,x,,1,Dear"),
            ["line 2, kind: The value is missing.", "line 2, kind: “” is not a valid kind. Use summary or report."],
        ),
        (csv_of("fire,r,report,one,Smoke"), [f"line 2, position: “one” {NO_NUMBER}"]),
        (csv_of("fire,r,report,-1,Smoke"), [f"line 2, position: “-1” {NO_NUMBER}"]),
        (csv_of(f"fire,r,report,{'9' * 5000},Smoke"), [f"line 2, position: “{'9' * 40}” {NO_NUMBER}"]),
        (csv_of("fire,r,report,,Smoke"), ["line 2, position: The value is missing."]),
        (csv_of("fire,r,report,2,Smoke"), [(
"line 6, position: The document “r” already has a sentence "
"at position 2. Number its sentences 1, 2, 3 and so on."
)]),
        (csv_of("fire,r,report,9,"), ["line 2, sentence: The value is missing."]),
        (csv_of("fire,,report,1,Smoke"), ["line 2, document: The value is missing."]),
        (csv_of(f"fire,{'x' * 201},report,1,S"), [(
"line 2, document: The text is too long: "
"201 characters, and the maximum is 200."
)]),
        (csv_of("fire,s2,summary,1,Again."), [(
"line 2, summary: The incident “fire” has "
"more than one summary. Keep only one."
)]),
        (csv_of("flood,s,summary,1,Rain."), [f"line 2, reports: The reports of the incident “flood” {TOO_FEW}"]),
        (
            csv_of(*(f"flood,r,report,{place},Rain." for place in range(3))),
            [f"line 2, summary: The incident “flood” {NO_SUMMARY}"],
        ),
    ],
)  # fmt: skip
def test_csv_incidents_refused(project, tmp_path, text, problems):
    assert problems_of(project, write(tmp_path, text)) == problems


def without(name):
    return {key: value for key, value in GOOD.items() if key != name}


def reports(*changed):
    return GOOD | {"reports": [*GOOD["reports"], *changed]}


@pytest.mark.parametrize(
    ("row", "problems"),
    [
        (without("id"), ["id: The value is missing."]),
        (GOOD | {"id": "x" * 201}, ["id: The text is too long: 201 characters, and the maximum is 200."]),
        (GOOD | {"title": ["Fire"]}, ["title: The value must be text."]),
        (GOOD | {"language": "x" * 40}, [(
f"language: “{'x' * 40}” is not a language "
"tag. Use a tag such as en, cs or ar-EG."
)]),
        (GOOD | {"region": "\0"}, ["region: One of these columns has a value that can't be stored. Remove it."]),
        (without("summary"), [f"summary: {NO_LIST}", f"summary: The incident “fire” {NO_SUMMARY}"]),
        (GOOD | {"summary": "Fire"}, [f"summary: {NO_LIST}", f"summary: The incident “fire” {NO_SUMMARY}"]),
        (GOOD | {"summary": []}, [f"summary: The incident “fire” {NO_SUMMARY}"]),
        (GOOD | {"summary": ["A mill burnt.", ""]}, ["summary: The value is missing."]),
        (GOOD | {"summary": [["A mill burnt."]]}, ["summary: The value must be text."]),
        (without("reports"), ["reports: This must be a list.", (
"reports: The reports of the "
f"incident “fire” {TOO_FEW}"
)]),
        (GOOD | {"reports": GOOD["reports"][:1]}, [f"reports: The reports of the incident “fire” {TOO_FEW}"]),
        (reports("Smoke"), ["reports[3]: A report must be a JSON object with “id”, “title” and “sentences”."]),
        (reports({"id": "r3"}), ["reports[3].sentences: This must be a list."]),
        (reports({"sentences": ["Smoke\0"]}), [f"reports[3].sentences: {NO_TEXT}"]),
        (reports({"id": "x" * 201, "sentences": ["Smoke"]}), [(
"id: The text is too long: 201 "
"characters, and the maximum is 200."
)]),
    ],
)  # fmt: skip
def test_json_incidents_refused(project, tmp_path, row, problems):
    found = problems_of(project, write(tmp_path, json_lines(GOOD | {"id": "other"}, row)))
    assert found == [f"line 2, {problem}" for problem in problems]


def test_incident_that_is_there_already(project, tmp_path):
    add_incidents(project, 1)
    path = write(tmp_path, json_lines(GOOD, GOOD, GOOD | {"id": "i1"}))
    with pytest.raises(FileRefused) as refused:
        import_items(project=project, path=path)
    assert [str(problem) for problem in refused.value.problems] == [
        "line 2, id: The ID “fire” is already used on line 1. Change one of them.",
        "line 3, id: The project already has the ID “i1”. Change it or remove it from the file.",
    ]
    assert list(project.incidents.values_list("key", flat=True)) == ["i1"]


def test_fault_after_hundreds_of_good_incidents_keeps_none(project, tmp_path):
    rows = [GOOD | {"id": str(number)} for number in range(201)]
    assert problems_of(project, write(tmp_path, json_lines(*rows, GOOD | {"summary": [""]}, *rows[:200])))[0] == (
        "line 202, summary: The value is missing."
    )


def test_incidents_of_more_than_one_batch(project, tmp_path):
    rows = [GOOD | {"id": str(number)} for number in range(201)]
    assert import_items(project=project, path=write(tmp_path, json_lines(*rows))) == 201
    assert Sentence.objects.count() == 5 * 201


def test_more_problems_than_anybody_would_read(project, tmp_path):
    assert len(problems_of(project, write(tmp_path, json_lines(*[{"id": "x"}] * 600)))) == 1000
