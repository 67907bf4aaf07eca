"""Items that are edited, deleted, brought back or replaced, and imports that are undone."""

import pytest
from django.core.files.base import ContentFile

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import run
from annotation.domain.judgment.extra_judgments import withdraw_items
from annotation.domain.judgment.item_changes import Cost, cost_of_replacing, reinstate_items, replace_item
from annotation.domain.material.editing import change_item, delete_items, may_be_undone, undo_import
from annotation.domain.material.jobs import request_import
from annotation.domain.planning.rounds import plan_round
from annotation.models import AuditEntry, Item, ItemImport, PooledItem, Project
from annotation.queries.counting import counted
from annotation.queries.judgments import judgments_of
from tests.domain.rating_pool import open_project
from tests.factories import (
    NOON,
    add_pairs,
    join,
    make_project,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    reread,
)

pytestmark = pytest.mark.postgres
ACT = {"actor": None, "now": NOON}
WHY = {"reason": "A broken text.", **ACT}
INCIDENT = '{"id": "i", "title": "T", "summary": ["A."], "reports": [{"id": "r", "sentences": ["B.", "C.", "D."]}]}'


def imported(project: Project, text: str = "id,sentence1,sentence2\na,One.,Two.\nb,Three.,Four.\n") -> ItemImport:
    name = "pairs.jsonl" if text.startswith("{") else "pairs.csv"
    job = request_import(project=project, file=ContentFile(text.encode(), name), actor=make_user("importer"))
    run("import", job.pk, NOON)
    job.refresh_from_db()
    assert job.state == "done", job.problem
    return job


def keys(project: Project) -> list[str]:
    return list(project.items.order_by("position", "pk").values_list("key", flat=True))


# undoing an import


def test_an_import_is_undone_as_a_whole_and_nothing_else_with_it(db):
    project = make_project("semrel")
    add_pairs(project, 1)
    job = imported(project)

    assert undo_import(item_import=job, **ACT) == 2

    job.refresh_from_db()
    assert (keys(project), job.undone_at) == (["p1"], NOON)
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.details) == ("import undone", {"import": job.pk, "file": "pairs.csv", "items": 2})
    with pytest.raises(Refusal, match="All items of this import have"):
        undo_import(item_import=job, **ACT)


def test_an_import_of_incidents_is_undone_with_its_sentences(db):
    project = make_project("czech_news")
    job = imported(project, INCIDENT)

    assert (may_be_undone(job), undo_import(item_import=job, **ACT)) == (True, 1)

    assert project.incidents.count() == 0


def test_an_import_that_is_planned_stays(db):
    project = make_project("stss131")
    job = imported(project)
    plan_round(project=project, round_key="main", people=2)
    Project.objects.update(launched_at=NOON)
    job.refresh_from_db()

    assert not may_be_undone(job)
    with pytest.raises(Refusal, match="already part of a plan"):
        undo_import(item_import=job, **ACT)
    assert keys(project) == ["a", "b"]


def test_before_the_launch_the_plans_go_with_the_import(db):
    project = make_project("stss131")
    job = imported(project)
    plan_round(project=project, round_key="main", people=2)

    assert (may_be_undone(job), undo_import(item_import=job, **ACT)) == (True, 2)

    assert (keys(project), project.plans.count(), project.participations.count()) == ([], 0, 0)


# in a draft


def test_an_item_of_a_draft_is_edited_by_the_rules_of_files(db):
    project = make_project("semrel")
    Project.objects.update(draft=True)
    item = add_pairs(project, 1)[0]

    changed = change_item(item=item, values={"sentence1": " Better. ", "sentence2": item.sentence2}, **ACT)

    item.refresh_from_db()
    assert (changed, item.sentence1) == (["sentence1"], "Better.")
    for wrong, said in (({"sentence1": " "}, "sentence1: The value is missing"), ({"language": "??"}, "language")):
        with pytest.raises(Refusal, match=said):
            change_item(item=item, values={"sentence1": "A.", "sentence2": "B."} | wrong, **ACT)


def test_only_an_item_in_no_plan_is_edited_or_deleted_after_the_launch(user):
    project = rating_round(user).project
    free = Item.objects.create(project=project, key="free", position=9, sentence1="A.", sentence2="B.")
    planned = project.items.get(key="p1")

    change_item(item=free, values={"sentence1": "C.", "sentence2": "B."}, **ACT)
    with pytest.raises(Refusal, match="already part of a plan"):
        change_item(item=planned, values={"sentence1": "C.", "sentence2": "B."}, **ACT)
    with pytest.raises(Refusal, match="already part of a plan"):
        delete_items(project=project, keys=["free", "p1"], **ACT)

    assert (delete_items(project=project, keys=["free"], **ACT), project.items.count()) == (1, 4)


# withdrawn and brought back


def test_an_item_comes_back_to_those_who_have_not_passed_it(user):
    place = rating_round(user)
    project = place.project
    first = rate_next(place).assignment.item.key
    second = present_screen(place).item.key
    withdraw_items(project=project, keys=[first, second], **WHY)
    assert (counted(judgments_of(project)).count(), present_screen(place).item.key == second) == (0, False)

    screens = reinstate_items(project=project, keys=[first, second], **WHY)

    assert screens == 3  # the second of this person, both of the free place
    assert (counted(judgments_of(project)).count(), present_screen(place).item.key) == (1, second)
    assert AuditEntry.objects.latest("pk").action == "items reinstated"
    with pytest.raises(Refusal, match="not withdrawn"):
        reinstate_items(project=project, keys=[first], **WHY)


def test_whoever_has_finished_is_not_called_back(db):
    project = make_project("stss131")
    add_pairs(project, 3)
    plan_round(project=project, round_key="main", people=1)
    withdraw_items(project=project, keys=["p1"], **WHY)
    user = make_user("ann")
    place = join(project, "main", user)
    rate_next(place)
    rate_next(place)
    assert reread(place).state == "finished"

    assert reinstate_items(project=project, keys=["p1"], **WHY) == 0
    assert reread(place).state == "finished"


def test_an_item_of_a_common_pool_wants_its_answers_again(db):
    project = open_project()
    key = project.items.first().key
    planned = list(PooledItem.objects.filter(item__key=key).values_list("planned", flat=True))
    withdraw_items(project=project, keys=[key], **WHY)

    reinstate_items(project=project, keys=[key], **WHY)

    assert list(PooledItem.objects.filter(item__key=key).values_list("planned", flat=True)) == planned
    assert planned and min(planned) > 0


# replaced


def test_a_replaced_item_is_judged_under_its_new_text_by_those_to_come(user):
    place = rating_round(user)
    judged = rate_next(place).assignment.item
    values = {"sentence1": "Mended.", "sentence2": judged.sentence2}
    assert cost_of_replacing(judged) == Cost(judgments=1, screens=1)

    new = replace_item(item=judged, values=values, again=True, **WHY)

    assert (new.key, new.sentence1, new.position) == (f"{judged.key}-2", "Mended.", judged.position)
    screens = new.assignments.values_list("participation__seat", "answered_at")
    assert sorted(screens) == [(2, None), (3, None)]  # the place that had it before, and one for the lost judgment
    judged.refresh_from_db()
    assert (judged.withdrawn_at, counted(judgments_of(place.project)).count()) == (NOON, 0)
    assert AuditEntry.objects.latest("pk").details == {"items": [judged.key], "to": new.key}


def test_a_text_that_somebody_reads_now_is_not_exchanged_under_their_eyes(user):
    place = rating_round(user)
    here = present_screen(place)
    here.shown_at = NOON
    here.save()

    new = replace_item(item=here.item, values={"sentence1": "Mended.", "sentence2": "B."}, again=False, **WHY)

    here.refresh_from_db()
    assert (here.item.key, here.lapsed_at, new.assignments.count()) == (here.item.key, NOON, 1)


def test_an_item_of_a_pool_is_replaced_there(db):
    project = open_project()
    item = project.items.first()
    wanted = sorted(item.pooled.values_list("pool", "planned"))

    new = replace_item(item=item, values={"sentence1": "Mended.", "sentence2": "B."}, again=True, **WHY)

    assert sorted(new.pooled.values_list("pool", "planned")) == wanted
    assert set(item.pooled.values_list("planned", flat=True)) == {0}
