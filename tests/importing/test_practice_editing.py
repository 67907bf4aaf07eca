"""Single tasks of a practice set, changed on pages: until an answer, and afterwards what nobody has answered."""

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.practice.editing import add_task, change_task, move_up, remove_task
from annotation.models import AuditEntry, PracticeTask
from tests.api.worlds import member
from tests.factories import NOON, make_project, make_user
from tests.practice_sets import add_tasks, answer_task, dialogue_project, pairs_project, practising_person
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db

TEXTS = [[f"One {number}.", f"Two {number}."] for number in range(1, 5)]
ROW = {"part": "practice", "texts": TEXTS, "best": 2, "worst": 4, "why": "Because.", "language": ""}


@pytest.fixture
def act():
    return {"actor": make_user("author"), "now": NOON}


def logged() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def order(project, part: str = "practice") -> list[str]:
    return [task.texts[0][0] for task in project.practice_tasks.filter(part=part)]


def test_a_task_is_added_at_the_end_of_its_part_and_logged(act):
    project = pairs_project()
    add_tasks(project, practice=2, check=1)

    task = add_task(project=project, row=ROW, **act)

    assert (task.position, task.texts, task.best, task.worst) == (3, TEXTS, 2, 4)
    (entry,) = AuditEntry.objects.all()
    assert (entry.action, entry.details) == ("practice task added", {"part": "practice"})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"texts": TEXTS[:3]}, "has 3 items, but this project compares 4"),
        ({"best": 4}, "must be different"),
        ({"best": 5}, "no item 5"),
        ({"texts": [*TEXTS[:3], TEXTS[0]]}, "same as texts"),
    ],
)
def test_a_task_is_checked_as_one_of_a_file(changes, said, act):
    with pytest.raises(Refusal, match=said):
        add_task(project=pairs_project(), row=ROW | changes, **act)
    assert (PracticeTask.objects.count(), logged()) == (0, [])


def test_projects_without_choices_have_no_tasks(act):
    with pytest.raises(Refusal, match="best-worst"):
        add_task(project=make_project(), row=ROW, **act)


def test_a_task_is_changed_moved_and_removed(act):
    project = pairs_project()
    add_tasks(project, practice=3)
    first, second, third = project.practice_tasks.all()

    assert change_task(task=second, row=ROW, **act) == ["texts", "best", "worst", "why"]
    assert change_task(task=second, row=ROW, **act) == []
    move_up(task=third, **act)
    assert order(project) == ["practice 1, item 1, one.", "practice 3, item 1, one.", "One 1."]
    move_up(task=first, **act)
    remove_task(task=first, **act)
    assert order(project) == ["practice 3, item 1, one.", "One 1."]
    assert logged() == ["practice task changed", "practice task moved", "practice task removed"]


def test_after_an_answer_only_explanations_and_examples_change(act):
    person = practising_person(practice=2, examples=1)
    answer_task(person)
    project = person.project
    example, task, _other = project.practice_tasks.order_by("part", "position")

    same = {"texts": task.texts, "best": task.best, "worst": task.worst}
    assert change_task(task=task, row=ROW | same | {"why": "Better."}, **act) == ["why"]
    for refused in (
        lambda: change_task(task=task, row=ROW, **act),
        lambda: remove_task(task=task, **act),
        lambda: add_task(project=project, row=ROW | {"part": "check"}, **act),
    ):
        with pytest.raises(Refusal, match="already answered"):
            refused()
    add_task(project=project, row=ROW | {"part": "example"}, **act)
    remove_task(task=example, **act)
    assert order(project, "example") == ["One 1."]


def sent(**changes: object) -> dict[str, object]:
    texts = {
        f"text{number}{'b' * place}": text for number, item in enumerate(TEXTS, 1) for place, text in enumerate(item)
    }
    return texts | {"part": "example", "best": 2, "worst": 4, "why": "", "language": ""} | changes


def test_pages_add_edit_move_and_remove():
    project = pairs_project()
    add_tasks(project, practice=2)
    client, home = client_of(member(project, "manager")), "/projects/project/practice/"

    client.post(f"{home}tasks/", sent())
    added = project.practice_tasks.get(part="example")
    client.post(f"{home}tasks/{added.pk}/", sent(why="**Now**", best=1))
    added.refresh_from_db()
    assert (added.texts, added.best, added.why) == (TEXTS, 1, "**Now**")

    refused = client.post(f"{home}tasks/{added.pk}/", sent(worst=2))
    assert refused.status_code == 422 and "different items" in refused.text

    last = project.practice_tasks.get(part="practice", position=2)
    client.post(f"{home}tasks/{last.pk}/up/")
    assert order(project)[0] == "practice 2, item 1, one."
    asked = client.get(f"{home}tasks/{last.pk}/remove/")
    assert "This cannot be undone" in asked.text and project.practice_tasks.count() == 3
    client.post(f"{home}tasks/{last.pk}/remove/")
    assert project.practice_tasks.count() == 2


def test_a_dialogue_is_written_line_by_line():
    project = dialogue_project()
    add_tasks(project, practice=1)
    task, client = project.practice_tasks.get(), client_of(member(project, "manager"))
    address = f"/projects/project/practice/tasks/{task.pk}/"
    assert "Ann: Shall we go?" in client.get(address).text
    texts = {f"text{number}": f"Answer {number}." for number in range(1, len(task.texts) + 1)}

    client.post(address, texts | {"turns": "Ann: At 10:30?\n\nYes.", "best": 1, "worst": 2})

    task.refresh_from_db()
    assert task.turns == [{"speaker": "Ann", "text": "At 10:30?"}, {"speaker": "", "text": "Yes."}]


def test_after_an_answer_the_page_offers_only_the_explanation():
    person = practising_person(practice=1)
    answer_task(person)
    client, task = client_of(member(person.project, "manager")), PracticeTask.objects.get()
    address = f"/projects/project/practice/tasks/{task.pk}/"

    assert "Only the explanation can be changed" in client.get(address).text
    client.post(address, sent(why="Better."))

    before = task.texts
    task.refresh_from_db()
    assert (task.texts, task.why) == (before, "Better.")
