"""Single texts: what comes in, what is refused, and what is found in them."""

import pytest

from annotation.domain.material import FileRefused, import_cleaned, import_items, import_judgments
from annotation.domain.material.findings import find_in_file
from annotation.models import Item
from tests.factories import NOON, make_project
from tests.importing.files import json_lines, problems_of, write

pytestmark = pytest.mark.django_db
GOOD = {"id": "joy", "text": "delightful"}


@pytest.fixture
def project():
    return make_project("best_worst")


def texts_of(project):
    return list(project.items.values_list("key", "sentence1", "sentence2", "language"))


@pytest.mark.parametrize(
    "text",
    [
        "id,text,language\njoy,delightful,\nsad,تعيس,ar\n",
        "\ufeffText;ID;Language\ndelightful;joy;\nتعيس;sad;ar\n",
        "id\ttext\tlanguage\njoy\tdelightful\t\nsad\tتعيس\tar",
        json_lines(GOOD, {"id": "sad", "text": "تعيس", "language": "ar"}),
    ],
    ids=["csv", "semicolon", "tsv", "json"],
)
def test_texts_in_every_form(project, tmp_path, text):
    assert import_items(project=project, path=write(tmp_path, text)) == 2
    assert texts_of(project) == [("joy", "delightful", "", ""), ("sad", "تعيس", "", "ar")]
    assert [item.texts for item in project.items.all()] == [["delightful"], ["تعيس"]]


def test_columns_of_pairs_are_further_columns(project, tmp_path):
    text = "id,text,source,gold,calibration,sentence1\n1,One,a book,joy,yes,x\n"
    import_items(project=project, path=write(tmp_path, text))
    item = Item.objects.get()
    assert (item.source, item.gold, item.calibration_order) == ("a book", None, None)
    assert item.extra == {"gold": "joy", "calibration": "yes", "sentence1": "x"}


def test_every_fault_is_told(project, tmp_path):
    rows = [GOOD, {"id": "joy", "text": " "}, {"id": "", "text": "x"}, GOOD | {"id": 4, "language": "?"}]
    assert problems_of(project, write(tmp_path, json_lines(*rows))) == [
        "line 2, text: The value is missing.",
        "line 2, id: The ID “joy” is already used on line 1. Change one of them.",
        "line 3, id: The value is missing.",
        "line 4, language: “?” is not a language tag. Use a tag such as en, cs or ar-EG.",
    ]


def test_a_file_of_pairs_is_no_file_of_texts(project, tmp_path):
    path = write(tmp_path, "id,sentence1,sentence2\n1,One,Two\n")
    assert problems_of(project, path) == ["line 1, text: This column is missing."]


FOUND = "id,text\n1,soft\u200bly\n2,hard\n3,hard\n4,Hard!\n5,see www.example.org/x\n"


def test_texts_are_checked(project, tmp_path):
    found = find_in_file(project, write(tmp_path, FOUND))
    assert (found["rows"], found["texts"]) == (5, 5)
    assert {one["kind"]: one["count"] for one in found["kinds"]} == {
        "invisible": 1, "url": 1, "repeated": 1, "nearly repeated": 1
    }  # fmt: skip
    assert [one["name"] for one in found["balance"]] == ["words per text"]


def test_texts_are_cleaned(project, tmp_path):
    kinds = ["invisible", "repeated", "nearly repeated"]
    cleaned = import_cleaned(project=project, path=write(tmp_path, FOUND), kinds=kinds)
    assert (cleaned.imported, cleaned.changed, cleaned.left_out) == (3, 1, 2)
    assert [text for _, text, _, _ in texts_of(project)] == ["softly", "hard", "see www.example.org/x"]


# judgments of texts that are not there yet

CHOICES = "item1,item2,item3,item4,best,worst\njoy,rain,grief,stone,joy,grief\njoy,rain,gold,rust,gold,rust\n"


def brought(project, path):
    return import_judgments(project=project, path=path, round_key=None, now=NOON)


def test_judgments_bring_the_texts_that_they_name(project, tmp_path):
    done = brought(project, write(tmp_path, CHOICES))
    assert (done.judgments, done.items) == (2, 6)
    assert texts_of(project) == [(key, key, "", "") for key in ("joy", "rain", "grief", "stone", "gold", "rust")]


def test_where_there_are_texts_an_unknown_one_is_refused(project, tmp_path):
    import_items(project=project, path=write(tmp_path, "id,text\njoy,Joy\nrain,Rain\ngrief,Grief\nstone,Stone\n"))
    with pytest.raises(FileRefused) as refused:
        brought(project, write(tmp_path, CHOICES))
    assert [str(one) for one in refused.value.problems] == [
        "line 3, item3: The project does not have these items: “gold”, “rust” (2 in all; lines affected: 1).",
    ]


def test_refused_judgments_leave_no_texts(project, tmp_path):
    with pytest.raises(FileRefused):
        brought(project, write(tmp_path, CHOICES + "joy,joy,grief,stone,joy,grief\n"))
    assert not project.items.exists()
