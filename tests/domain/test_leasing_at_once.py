"""The pool of an open round with many people at the same moment, on a real database."""

from functools import partial

import numpy as np
import pytest

from annotation.domain.errors import WrongScreen
from annotation.domain.participation.flow import Finished, Idle, Screen
from annotation.domain.participation.leasing import next_place, take_next
from annotation.domain.participation.lifecycle import exclude, leave
from annotation.models import Judgment, Participation, Tuple
from tests.domain.best_worst import (
    accounts_balance,
    answers_by_tuple,
    at_work,
    best_worst_project,
    choose_first,
    lent_to,
)
from tests.factories import NOON, at_once, reread

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def work(participation: Participation, *, leaves_after: int | None = None) -> int:
    answered = 0
    while isinstance(next_place(reread(participation), NOON), Screen):
        if answered == leaves_after:
            leave(participation_id=participation.pk, reason="enough", now=NOON)
        else:
            choose_first(participation)
            answered += 1
    return answered


def test_twelve_people_at_once_give_every_tuple_exactly_its_answers():
    project = best_worst_project(12, places=12)
    people = at_work(project, *"abcdefghijkl")

    done = at_once(*[partial(work, one) for one in people])

    assert sum(done) == 24 * 4
    assert set(answers_by_tuple(project).values()) == {4} and len(answers_by_tuple(project)) == 24
    assert accounts_balance(project)


def test_people_who_leave_in_the_middle_lose_nothing():
    project = best_worst_project(12, places=12)
    people = at_work(project, *"abcdefghijkl")
    leaving = [partial(work, one, leaves_after=number) for number, one in enumerate(people[:6])]

    done = at_once(*leaving, *[partial(work, one) for one in people[6:]])

    assert sum(done) == 24 * 4
    assert set(answers_by_tuple(project).values()) == {4}
    assert accounts_balance(project)


def test_one_person_asking_eight_times_at_once_gets_one_tuple():
    project = best_worst_project(20)
    [ann] = at_work(project, "ann")

    places = at_once(*[partial(take_next, participation_id=ann.pk, now=NOON)] * 8)

    assert len({place.assignment.pk for place in places}) == 1
    assert Tuple.objects.filter(given=1).count() == 1


def test_the_last_tuple_wanted_by_eight_goes_to_one():
    project = best_worst_project(8, factor="1.25", people="1", places=9)  # ten tuples
    first, *people = at_work(project, *"abcdefghi")
    for _ in range(9):
        choose_first(first)

    places = at_once(*[partial(take_next, participation_id=one.pk, now=NOON) for one in people])

    assert sorted(type(place).__name__ for place in places) == ["Idle"] * 7 + ["Screen"]
    assert accounts_balance(project)


def test_what_lies_about_goes_to_one_of_those_who_ask():
    project = best_worst_project(8, factor="1.25", people="1", places=9)
    first, *people = at_work(project, *"abcdefghi")
    lying = lent_to(first)
    for _ in range(9):
        choose_first(people[0])
    later = lying.lent_until

    places = at_once(*[partial(take_next, participation_id=one.pk, now=later) for one in people])

    lent = [place.assignment for place in places if isinstance(place, Screen)]
    assert [one.tuple for one in lent] == [lying.tuple]
    assert all(isinstance(place, Screen | Idle | Finished) for place in places)
    assert accounts_balance(project)


def test_answering_what_is_passed_on_in_the_same_moment_leaves_one_answer():
    for _ in range(3):
        project = best_worst_project(8, factor="0.375", people="1", places=2)
        ann, bob = at_work(project, "ann", "bob")
        lying = lent_to(ann)
        for _ in range(2):
            choose_first(bob)
        later = lying.lent_until

        answered, place = at_once(
            partial(choose_first, ann, lying, now=later), partial(take_next, participation_id=bob.pk, now=later)
        )

        assert isinstance(answered, Judgment) != isinstance(place, Screen)
        assert isinstance(answered, Judgment | WrongScreen)
        assert accounts_balance(project)
        remove(project)


def remove(project):
    Judgment.objects.filter(assignment__participation__project=project).delete()
    project.participations.all().delete()
    project.tuples.all().delete()
    project.delete()


def test_exclusions_while_others_work_leave_no_tuple_short():
    project = best_worst_project(12, places=10)
    people = at_work(project, *"abcdefghij")
    answers = np.random.default_rng(1).integers(1, 8, size=4).tolist()

    def be_excluded(participation: Participation, after: int) -> None:
        for _ in range(after):
            # The others may have emptied the pool before this person asks again.
            if isinstance(next_place(reread(participation), NOON), Screen):
                choose_first(participation)
        exclude(participation_id=participation.pk, reason="chance", actor=None, now=NOON)

    excluded = [partial(be_excluded, one, after) for one, after in zip(people[:4], answers, strict=True)]
    at_once(*excluded, *[partial(work, one) for one in people[4:]])
    for one in people[4:]:
        work(one)

    assert set(answers_by_tuple(project).values()) == {4}
    assert accounts_balance(project)
