"""The pool of an open round: lent, answered, passed on, given back; never too many answers, never too few."""

from collections import Counter
from datetime import timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.judgment.saving import rate
from annotation.domain.participation.flow import Ended, Finished, Idle, Next, Screen, where_now
from annotation.domain.participation.leasing import next_place, stop, take_next
from annotation.domain.participation.lifecycle import exclude, leave, show
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.models import Assignment, Judgment, Participation, State, Tuple
from tests.domain.best_worst import (
    accounts_balance,
    answers_by_tuple,
    at_work,
    best_worst_project,
    choose_first,
    lent_to,
)
from tests.factories import NOON, answer_to, reread, seat_outsider

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
LATER = NOON + timedelta(hours=1)


def work_off(participation: Participation, now=NOON) -> int:
    """Answers until nothing more comes. Returns how many."""
    answered = 0
    while isinstance(next_place(reread(participation), now), Screen):
        choose_first(participation, now=now)
        answered += 1
    return answered


def test_where_now_only_looks(django_assert_num_queries):
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    ann = reread(ann)

    with django_assert_num_queries(1):
        assert where_now(ann, NOON) == Next()
    assert not Assignment.objects.exists()


def test_a_tuple_is_lent_and_stays_until_it_is_answered():
    project = best_worst_project()
    [ann] = at_work(project, "ann")

    first = lent_to(ann)

    assert lent_to(ann) == first
    assert (first.position, first.session, first.shown_at) == (1, 1, NOON)
    assert first.lent_until == NOON + timedelta(minutes=30)
    assert Tuple.objects.get(given=1) == first.tuple


def test_the_order_is_a_permutation_of_the_places_and_differs_between_people():
    project = best_worst_project(places=12)
    people = at_work(project, *"abcdefghijkl")
    orders = {take_next(participation_id=one.pk, now=NOON).assignment.order for one in people}

    assert {"".join(sorted(order)) for order in orders} == {"1234"}
    assert len(orders) > 5


def test_whoever_asks_again_as_if_for_the_first_time_gets_the_same_tuples_in_the_same_order():
    """All chance comes from the project's seed."""
    people = at_work(best_worst_project(), *"abc")
    given = []
    for _ in range(2):
        before = transaction.savepoint()
        lent = [lent_to(one) for one in people]
        given.append([(assignment.tuple_id, assignment.order) for assignment in lent])
        transaction.savepoint_rollback(before)

    assert given[0] == given[1]


def test_the_tuple_with_the_fewest_answers_comes_first():
    project = best_worst_project(60)
    for one in at_work(project, *"abc"):
        for _ in range(30):
            choose_first(one)

    # 120 tuples and 90 answers: nobody was given what somebody else had answered.
    assert Counter(answers_by_tuple(project).values()) == {1: 90}


def test_nobody_gets_a_tuple_twice_and_everybody_answers_all():
    project = best_worst_project(places=4, factor="1")
    people = at_work(project, *"abcd")

    assert [work_off(one) for one in people] == [12] * 4
    assert set(answers_by_tuple(project).values()) == {4}
    assert accounts_balance(project)
    assert {reread(one).state for one in people} == {State.FINISHED}


def test_neighbours_share_no_item_where_there_is_a_choice():
    project = best_worst_project(60)
    [ann] = at_work(project, "ann")
    members = {one.pk: set(one.places.values_list("item", flat=True)) for one in Tuple.objects.all()}

    for _ in range(40):
        choose_first(ann)

    shown = [members[pk] for pk in ann.assignments.order_by("position").values_list("tuple", flat=True)]
    assert all(one.isdisjoint(other) for one, other in pairwise(shown))


def test_who_has_answered_their_share_is_done():
    project = best_worst_project(tuples_a_person="5")
    [ann] = at_work(project, "ann")

    assert work_off(ann) == 5
    assert where_now(reread(ann), NOON) == Finished(NOON)


def test_all_that_is_left_is_with_others():
    project = best_worst_project(people="1", places=2)
    ann, bob = at_work(project, "ann", "bob")
    lent_to(bob)

    assert work_off(ann) == 23
    assert next_place(reread(ann), NOON) == Idle()
    assert stop(participation_id=ann.pk, now=NOON).state == State.FINISHED
    assert work_off(bob) == 1
    assert set(answers_by_tuple(project).values()) == {1}


def test_what_lies_about_is_passed_on_when_nothing_else_is_left():
    project = best_worst_project(people="1", places=2)
    ann, bob = at_work(project, "ann", "bob")
    lying = lent_to(bob)
    work_off(ann)

    assert lent_to(ann, LATER).tuple == lying.tuple
    assert accounts_balance(project)
    choose_first(ann, now=LATER)
    with pytest.raises(WrongScreen, match="went to someone else"):
        choose_first(bob, lying, now=LATER)
    assert next_place(reread(bob), LATER) == Finished(LATER)
    assert set(answers_by_tuple(project).values()) == {1}


def test_who_looks_at_a_tuple_again_keeps_it():
    project = best_worst_project(people="1", places=2)
    ann, bob = at_work(project, "ann", "bob")
    lying = lent_to(bob)
    work_off(ann)
    show(Assignment.objects.get(pk=lying.pk), NOON + timedelta(minutes=29))

    assert next_place(reread(ann), NOON + timedelta(minutes=31)) == Idle()
    assert next_place(reread(ann), NOON + timedelta(minutes=60)) != Idle()


def test_a_late_answer_is_taken_if_it_is_still_wanted():
    project = best_worst_project(people="1", places=3)
    ann, bob = at_work(project, "ann", "bob")
    lying = lent_to(bob)
    work_off(ann)
    lent_to(ann, LATER)  # bob's
    leave(participation_id=ann.pk, reason="", now=LATER)

    assert choose_first(bob, lying, now=LATER).assignment == lying
    assert set(answers_by_tuple(project).values()) == {1}
    assert accounts_balance(project)


def test_what_one_lost_may_come_back():
    project = best_worst_project(people="1", places=3)
    ann, bob = at_work(project, "ann", "bob")
    lying = lent_to(bob)
    work_off(ann)
    lent_to(ann, LATER)
    leave(participation_id=ann.pk, reason="", now=LATER)

    assert lent_to(bob, LATER) == lying
    assert work_off(bob, LATER) == 1
    assert accounts_balance(project)


def test_who_leaves_gives_back_what_is_open_and_what_they_answered_counts():
    project = best_worst_project(places=5, factor="1")
    ann, *others = at_work(project, *"abcde")
    for _ in range(3):
        choose_first(ann)
    lent_to(ann)
    leave(participation_id=ann.pk, reason="tired", now=NOON)

    assert sum(answers_by_tuple(project).values()) == Tuple.objects.filter(given=1).count() == 3
    for one in others:
        work_off(one)
    assert set(answers_by_tuple(project).values()) == {4}
    assert accounts_balance(project)


def test_the_answers_of_an_excluded_person_are_given_by_others():
    project = best_worst_project(places=5, factor="1")
    ann, *others = at_work(project, *"abcde")
    for one in (ann, *others[:3]):
        work_off(one)
    exclude(participation_id=ann.pk, reason="always the first", actor=None, now=NOON)

    assert set(answers_by_tuple(project).values()) == {3}
    assert work_off(others[3]) == 12
    assert set(answers_by_tuple(project).values()) == {4}
    assert accounts_balance(project)


def test_a_place_is_made_when_answers_are_missing_and_nobody_is_there():
    project = best_worst_project(places=4, factor="1")
    ann, *others = at_work(project, *"abcd")
    for one in others:
        work_off(one)
    leave(participation_id=ann.pk, reason="", now=NOON)

    [free] = Participation.objects.filter(project=project, annotator=None)
    [eve] = at_work(project, "eve")
    assert eve.pk == free.pk
    assert work_off(eve) == 12
    assert set(answers_by_tuple(project).values()) == {4}


def test_a_place_is_made_for_who_comes_when_others_have_gone_without_a_word():
    project = best_worst_project(places=4, factor="1")
    ann, *others = at_work(project, *"abcd")
    lent_to(ann, timezone.now())
    for one in others:
        work_off(one)

    with pytest.raises(Refusal, match="All places of this round are taken"):
        seat_outsider(project, "main", "eve")
    Assignment.objects.filter(answered_at=None).update(lent_until=NOON - timedelta(days=1))
    eve = seat_outsider(project, "main", "eve")
    assert eve.seat == 5


def test_no_place_is_made_when_all_is_answered():
    project = best_worst_project(places=4, factor="1")
    for one in at_work(project, *"abcd"):
        work_off(one)

    with pytest.raises(Refusal, match="All places"):
        take_seat(project=project, round_key="main", annotator=annotator_for(project, external_id="eve"))


def test_stopping_gives_the_open_tuple_back():
    project = best_worst_project()
    ann, bob = at_work(project, "ann", "bob")
    choose_first(ann)
    lent_to(ann)

    assert stop(participation_id=ann.pk, now=NOON).state == State.FINISHED
    assert accounts_balance(project)
    with pytest.raises(WrongScreen, match="finish this round early"):
        stop(participation_id=ann.pk, now=NOON)
    with pytest.raises(WrongScreen, match="finish this round early"):
        stop(participation_id=bob.pk, now=NOON)


def test_stopping_is_not_for_who_was_asked_for_a_number():
    project = best_worst_project(tuples_a_person="5")
    [ann] = at_work(project, "ann")
    choose_first(ann)
    lent_to(ann)

    with pytest.raises(WrongScreen, match="you can leave it"):
        stop(participation_id=ann.pk, now=NOON)


def test_choices_are_checked():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    screen = lent_to(ann)
    items = list(screen.tuple.places.values_list("item", flat=True))
    other = project.items.exclude(pk__in=items).values_list("pk", flat=True)[0]

    for best, worst, problem in (
        (None, items[0], "Choose the most related first"),
        (other, items[0], "Choose the most related first"),
        (items[0], None, "Also choose the least related"),
        (items[0], other, "Also choose the least related"),
        (items[0], items[0], "must be different"),
    ):
        with pytest.raises(Refusal, match=problem):
            choose_first(ann, screen, best=best, worst=worst)
    assert not Judgment.objects.exists()
    assert lent_to(ann) == screen


def test_a_choice_is_stored_once_and_given_again():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    key = uuid4()
    stored = choose_first(ann, answer={"key": key})
    first = stored.assignment
    lent_to(ann)

    assert choose_first(ann, first, answer={"key": key}) == stored
    items = [stored.worst_id, stored.best_id]
    again = choose_first(ann, first, best=items[0], worst=items[1], answer={"again": True})
    assert (again.best_id, again.worst_id) == tuple(items)
    stored.refresh_from_db()
    assert stored.superseded_at == NOON
    assert set(answers_by_tuple(project).values()) == {1}


@pytest.mark.parametrize(("allowed", "kept"), [("true", True), ("false", False)])
def test_hard_to_say_is_kept_where_it_is_offered(allowed, kept):
    project = best_worst_project(hard_to_say=allowed)
    [ann] = at_work(project, "ann")

    assert choose_first(ann, hard_to_say=True).hard_to_say is kept


def test_an_ended_person_takes_nothing():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    screen = lent_to(ann)
    exclude(participation_id=ann.pk, reason="fast", actor=None, now=NOON)

    assert isinstance(take_next(participation_id=ann.pk, now=NOON), Ended)
    with pytest.raises(WrongScreen, match="has ended"):
        choose_first(ann, screen)
    assert accounts_balance(project)


def test_a_choice_is_no_rating():
    project = best_worst_project()
    [ann] = at_work(project, "ann")
    with pytest.raises(WrongScreen, match="not a rating"):
        rate(participation_id=ann.pk, answer=answer_to(lent_to(ann)), value="1", now=NOON)
