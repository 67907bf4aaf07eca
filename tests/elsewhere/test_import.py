from datetime import UTC, datetime

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, ImportPolicy
from annotation.domain.material.elsewhere import OWN, import_export, opened_export
from annotation.models import Annotator, Item, Judgment
from tests.elsewhere.test_readers import WIDE
from tests.elsewhere.written import FILES, PAIRS, RATED
from tests.factories import make_project

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

LATER = datetime(2100, 1, 1, tzinfo=UTC)  # after the exports were written, whatever the clock of the machine says
TO_FIVE = {"maximum": "5", "label.lowest": "Unrelated", "label.highest": "Same"}
OTHERS = {f"label.{value}": "" for value in range(1, 5)}


@pytest.fixture
def project():
    return make_project("rating", **TO_FIVE, **OTHERS)


def bring_in(project, path, format_="", **handling):
    with opened_export(path, path.name, format_) as (format_, table, export):
        policy = ImportPolicy(**handling)
        done = import_export(project=project, path=table, export=export, round_key=None, now=LATER, handling=policy)
    return format_, done.judgments, done.annotators, done.items


def stored():
    """Return the values of each item, in ascending order."""
    rows = Judgment.objects.values_list("assignment__item__key", "value")
    found = {}
    for key, value in sorted(rows):
        found.setdefault(key, []).append(value)
    return found


def add(project, *pairs):
    rows = (Item(project=project, key=key, sentence1=first, sentence2=second) for key, first, second in pairs)
    for position, item in enumerate(rows, start=1):
        item.position = position
        item.save()


def test_an_export_brings_its_items_and_pseudonyms(project):
    assert bring_in(project, FILES / "doccano_jsonl.zip") == ("doccano", 12, 3, 4)
    assert stored() == {key: sorted(values) for key, values in RATED.items()}
    assert {item.key: (item.sentence1, item.sentence2) for item in project.items.all()} == PAIRS
    names = list(Annotator.objects.values_list("external_id", flat=True))
    assert all(name.startswith("person-") and len(name) == 19 for name in names)


def test_the_same_person_has_the_same_pseudonym_in_every_file_of_a_project(project):
    bring_in(project, FILES / "doccano_csv.zip")
    before = set(Annotator.objects.values_list("external_id", flat=True))
    with pytest.raises(FileRefused):
        bring_in(project, FILES / "doccano_jsonl.zip", again=True)
    assert set(Annotator.objects.values_list("external_id", flat=True)) == before
    other = make_project("rating", key="other", **TO_FIVE, **OTHERS)
    bring_in(other, FILES / "doccano_csv.zip")
    assert not before & set(other.annotators.values_list("external_id", flat=True))


def test_the_same_export_is_refused(project):
    bring_in(project, FILES / "doccano_csv.zip")
    with pytest.raises(Refusal, match="already been imported"):
        bring_in(project, FILES / "doccano_csv.zip")


def test_items_are_found_by_their_texts(project):
    add(project, *((f"other-{key}", *texts) for key, texts in PAIRS.items()))
    assert bring_in(project, FILES / "label_studio_ratings-min.json") == ("label_studio", 12, 3, 0)
    assert stored() == {f"other-{key}": sorted(values) for key, values in RATED.items()}


def test_an_item_with_other_texts_is_not_the_same(project):
    add(project, ("p1", "Something", "else"))
    with pytest.raises(Refusal, match="The texts of the item “p1” differ"):
        bring_in(project, FILES / "doccano_csv.zip")


def test_unknown_items_are_named_with_the_place_in_the_export(project):
    add(project, *((key, *texts) for key, texts in PAIRS.items() if key != "p4"))
    with pytest.raises(FileRefused) as refused:
        bring_in(project, FILES / "label_studio_ratings.json")
    assert [str(problem) for problem in refused.value.problems] == [
        "line 4, item: The project does not have these items: “p4” (1 in all; lines affected: 3)."
    ]
    assert not Judgment.objects.exists()


def test_an_export_without_texts_needs_the_items(project):
    with pytest.raises(FileRefused) as refused:
        bring_in(project, FILES / "potato_slider.csv")
    assert "The project does not have these items" in str(refused.value.problems[0])


def test_tuples_of_an_export():
    project = make_project("best_worst")
    assert bring_in(project, FILES / "potato_best_worst.zip") == ("potato", 15, 3, 6)
    texts = dict(project.items.values_list("key", "sentence1"))
    assert (texts["t1"], texts["t6"]) == ("lovely", "awful")
    first = Judgment.objects.order_by("pk")[0]
    assert (first.best.key, first.worst.key) == ("t1", "t4")


def test_comparisons_of_two_texts():
    project = make_project("best_worst", tuple_size="2")
    assert bring_in(project, FILES / "label_studio_pairwise.json") == ("label_studio", 18, 3, 4)
    assert project.tuples.count() == 6


def test_a_max_diff_table_names_its_texts(tmp_path):
    project = make_project("best_worst", tuple_size="3")
    path = tmp_path / "survey.csv"
    path.write_text(WIDE)
    assert bring_in(project, path) == ("max_diff", 2, 1, 4)


def test_an_own_table_is_imported_as_it_is(project, tmp_path):
    add(project, *((key, *texts) for key, texts in PAIRS.items()))
    path = tmp_path / "judgments.csv"
    path.write_text("item,annotator,value\np1,ann,3\n")
    assert bring_in(project, path) == (OWN, 1, 1, 0)
    assert Annotator.objects.get().external_id == "ann"


def test_judgments_of_the_other_kind_are_refused(project):
    with pytest.raises(Refusal, match="The export has best-worst choices, but this project collects ratings"):
        bring_in(project, FILES / "potato_best_worst.zip")
    with pytest.raises(Refusal, match="The export has ratings, but this project compares tuples"):
        bring_in(make_project("best_worst", key="tuples"), FILES / "potato_slider.csv")


def test_a_wrong_format_is_refused(project):
    with pytest.raises(Refusal, match="is missing"):
        bring_in(project, FILES / "doccano_csv.zip", "litescale")
