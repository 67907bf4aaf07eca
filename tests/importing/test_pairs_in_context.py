"""Files of pairs for a project that rates them in context: contexts are required, earlier values checked."""

import pytest

from annotation.domain.material import import_items
from annotation.models import Item
from tests.factories import make_project
from tests.importing.files import json_lines, problems_of, write

pytestmark = pytest.mark.django_db

HEADER = "id,sentence1,sentence2,context1,context2"
CONTEXTS = "Before. <sent>One</sent>,<sent>Two</sent> After."
NO_CONTEXT = "The context is missing. In this project pairs are rated in context, so every pair needs both contexts."
NO_VALUE = "The earlier value is missing. Add it, or remove the column if the pairs have no earlier values."
OFF_SCALE = "is not a number from 0 to 6."


@pytest.fixture
def project():
    return make_project("two_contexts")


def test_contexts_and_earlier_values_are_kept(project, tmp_path):
    rows = f"1,One,Two,{CONTEXTS},3\n2,One,Two,{CONTEXTS},2.25\n"

    assert import_items(project=project, path=write(tmp_path, f"{HEADER},earlier_value\n{rows}")) == 2

    items = Item.objects.order_by("position")
    assert [item.earlier_value for item in items] == [3, 2.25]
    assert (items[0].context1, items[0].context2) == ("Before. <sent>One</sent>", "<sent>Two</sent> After.")


def test_earlier_values_are_optional(project, tmp_path):
    import_items(project=project, path=write(tmp_path, f"{HEADER}\n1,One,Two,{CONTEXTS}\n"))

    assert Item.objects.get().earlier_value is None


def test_json_lines_and_tabs_are_read_alike(project, tmp_path):
    row = {"id": 1, "sentence1": "One", "sentence2": "Two", "earlier_value": 4}
    row |= {"context1": "<sent>One</sent> .", "context2": "<sent>Two</sent> ."}
    tabs = f"{HEADER},earlier_value\n2,One,Two,{CONTEXTS},5\n".replace(",", "\t")

    import_items(project=project, path=write(tmp_path, json_lines(row), "pairs.jsonl"))
    import_items(project=project, path=write(tmp_path, tabs, "pairs.tsv"))

    assert [item.earlier_value for item in Item.objects.order_by("position")] == [4, 5]


@pytest.mark.parametrize(
    ("rows", "line", "column", "reason"),
    [
        ("1,One,Two,,<sent>Two</sent>,3", 2, "context1", NO_CONTEXT),
        ("1,One,Two,<sent>One</sent>, ,3", 2, "context2", NO_CONTEXT),
        (f"1,One,Two,{CONTEXTS},", 2, "earlier_value", NO_VALUE),
        (f"1,One,Two,{CONTEXTS},3\n2,One,Two,{CONTEXTS}, ", 3, "earlier_value", NO_VALUE),
        (f"1,One,Two,{CONTEXTS},7", 2, "earlier_value", OFF_SCALE),
        (f"1,One,Two,{CONTEXTS},-0.1", 2, "earlier_value", OFF_SCALE),
        (f"1,One,Two,{CONTEXTS},nan", 2, "earlier_value", OFF_SCALE),
        (f"1,One,Two,{CONTEXTS},inf", 2, "earlier_value", OFF_SCALE),
        (f"1,One,Two,{CONTEXTS},high", 2, "earlier_value", OFF_SCALE),
    ],
)
def test_rows_that_lack_something_are_refused(project, tmp_path, rows, line, column, reason):
    [problem] = problems_of(project, write(tmp_path, f"{HEADER},earlier_value\n{rows}\n"))

    assert problem.startswith(f"line {line}, {column}: ")
    assert problem.endswith(reason)


def test_a_file_without_contexts_is_refused(project, tmp_path):
    problems = problems_of(project, write(tmp_path, "id,sentence1,sentence2\n1,One,Two\n"))

    assert "context1" in str(problems) and "context2" in str(problems)


def test_other_projects_keep_the_column_as_it_came(tmp_path):
    project = make_project("rating")

    import_items(project=project, path=write(tmp_path, "id,sentence1,sentence2,earlier_value\n1,One,Two,high\n"))

    assert Item.objects.get().extra == {"earlier_value": "high"}
    assert Item.objects.get().earlier_value is None
