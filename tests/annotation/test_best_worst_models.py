"""What the database refuses of best-worst rounds."""

from datetime import timedelta

import pytest

from annotation.models import Group, Item, Judgment, PracticeAnswer, PracticeTask, RoundPlan, Tuple, TuplePlace
from tests.annotation.test_models import changed, copy_of, refuses
from tests.domain.best_worst import at_work, best_worst_project, choose_first, lent_to
from tests.factories import NOON

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_tuples_are_guarded():
    project = best_worst_project()
    one = Tuple.objects.first()
    place = one.places.first()
    elsewhere = Item.objects.create(project=project, key="x", position=99)

    refuses("one_tuple_a_position", copy_of(one))
    refuses("no_more_answers_than_planned", changed(one, given=one.planned + 1))
    refuses("an_item_once_a_tuple", copy_of(place, position=9))
    refuses("one_item_a_place", copy_of(place, item=elsewhere))


def test_screens_of_tuples_are_guarded():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    screen = lent_to(ann)

    refuses("a_tuple_once_a_session", copy_of(screen, position=9))
    refuses("a_tuple_has_an_order", changed(screen, order=""))
    refuses("an_item_a_sentence_or_a_tuple", changed(screen, item=Item.objects.first()))
    refuses("only_unanswered_screens_lapse", changed(screen, answered_at=NOON + timedelta(1), lapsed_at=NOON))


def test_choices_are_guarded():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    choice = choose_first(ann)

    for values in ({"worst_id": None}, {"best_id": None}, {"worst_id": choice.best_id}, {"value": 1.0}):
        refuses("a_choice_has_best_and_worst", changed(Judgment.objects.get(), **values))


def test_groups_and_practice_are_guarded():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    group = Group.objects.create(project=project, key="d1", position=1)
    task = PracticeTask.objects.create(project=project, part="check", position=1, texts=[], best=1, worst=2)
    answer = PracticeAnswer.objects.create(participation=ann, task=task, best=1, worst=2, right=True, answered_at=NOON)

    refuses("one_group_a_key", copy_of(group))
    refuses("one_task_a_position", copy_of(task))
    refuses("one_answer_an_attempt", copy_of(answer))
    refuses("practised_best_is_not_worst", changed(answer, worst=1))


def test_rows_are_called_by_what_people_know():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    group = Group.objects.create(project=project, key="d1", position=1)
    task = PracticeTask.objects.create(project=project, part="check", position=2, texts=[], best=1, worst=2)
    answer = PracticeAnswer(participation=ann, task=task, attempt=2)

    assert [str(row) for row in (group, task, answer, Tuple.objects.first(), TuplePlace.objects.first())] == [
        "d1",
        "check 2",
        "check 2, attempt 2",
        "tuple 1",
        f"{TuplePlace.objects.first().item.key} in tuple 1",
    ]
    assert str(RoundPlan.objects.get()) == "project main"
