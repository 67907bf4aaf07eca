"""The pool of an open round of ratings with many people at the same moment, on a real database."""

from functools import partial

import numpy as np
import pytest

from annotation.domain.errors import WrongScreen
from annotation.domain.judgment.extra_judgments import ask_for_more, withdraw_items
from annotation.domain.participation.flow import Finished, Idle, Screen
from annotation.domain.participation.leasing import next_place, take_next
from annotation.domain.participation.lifecycle import exclude, leave
from annotation.models import Judgment, Participation, PooledItem
from tests.domain.best_worst import at_work
from tests.domain.rating_pool import accounts_balance, open_project, rate_all, rate_lent, ratings_by_item
from tests.factories import NOON, at_once, reread

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
BY = {"reason": "Chance.", "actor": None, "now": NOON}


def rate_some(participation: Participation, number: int) -> None:
    """Rates up to that many pairs; the others may have emptied the pool before."""
    for _ in range(number):
        if isinstance(next_place(reread(participation), NOON), Screen):
            rate_lent(participation)


def leave_after(participation: Participation, number: int) -> None:
    rate_some(participation, number)
    if not isinstance(next_place(reread(participation), NOON), Finished):
        leave(participation_id=participation.pk, reason="enough", now=NOON)


def be_excluded_after(participation: Participation, number: int) -> None:
    rate_some(participation, number)
    exclude(participation_id=participation.pk, **BY)


def newcomers(project, prefix: str) -> None:
    """People who come until no place is free any more."""
    number = 0
    while project.participations.filter(annotator=None, state="invited").exists():
        [place] = at_work(project, f"{prefix}{number}")
        rate_all(place)
        number += 1


def test_twelve_people_at_once_give_every_pair_exactly_its_ratings():
    project = open_project(30, raters__people="4", items_a_person="10")
    people = at_work(project, *"abcdefghijkl")

    done = at_once(*[partial(rate_all, one) for one in people])
    for one in people:
        rate_all(one)  # whoever found everything with others looks again
    newcomers(project, "late")

    assert max(done) <= 10
    assert len(ratings_by_item(project)) == 30 and set(ratings_by_item(project).values()) == {4}
    assert accounts_balance(project)


def test_people_who_leave_or_are_excluded_meanwhile_leave_no_pair_short_and_none_with_too_many():
    project = open_project(16, raters__people="3", items_a_person="0", places=10)
    people = at_work(project, *"abcdefghij")
    numbers = np.random.default_rng(1).integers(1, 8, size=6).tolist()
    acts = [leave_after] * 3 + [be_excluded_after] * 3
    ending = [partial(act, one, number) for act, one, number in zip(acts, people[:6], numbers, strict=True)]

    at_once(*ending, *[partial(rate_all, one) for one in people[6:]])
    for one in people[6:]:
        rate_all(one)
    newcomers(project, "late")

    assert len(ratings_by_item(project)) == 16 and set(ratings_by_item(project).values()) == {3}
    assert accounts_balance(project)


def test_one_person_asking_eight_times_at_once_gets_one_pair():
    project = open_project(10)
    [ann] = at_work(project, "ann")

    places = at_once(*[partial(take_next, participation_id=ann.pk, now=NOON)] * 8)

    assert len({place.assignment.pk for place in places}) == 1
    assert PooledItem.objects.filter(given=1).count() == 1


def test_the_last_rating_wanted_by_eight_goes_to_one():
    project = open_project(9, raters__people="1", items_a_person="0", places=9)
    first, *people = at_work(project, *"abcdefghi")
    rate_some(first, 8)

    places = at_once(*[partial(take_next, participation_id=one.pk, now=NOON) for one in people])

    assert sorted(type(place).__name__ for place in places) == ["Idle"] * 7 + ["Screen"]
    assert accounts_balance(project)


def test_rating_what_is_passed_on_in_the_same_moment_leaves_one_rating():
    for number in range(5):
        project = open_project(3, key=f"project{number}", raters__people="1", items_a_person="0", places=2)
        ann, bob = at_work(project, "ann", "bob")
        lying = next_place(reread(ann), NOON).assignment
        rate_some(bob, 2)
        later = lying.lent_until

        rated, place = at_once(
            partial(rate_lent, ann, lying, later), partial(take_next, participation_id=bob.pk, now=later)
        )

        assert isinstance(rated, Judgment | WrongScreen)
        assert isinstance(rated, Judgment) != isinstance(place, Screen)
        assert isinstance(place, Screen | Idle | Finished)
        assert accounts_balance(project)


def test_pairs_withdrawn_and_asked_for_again_while_people_rate():
    project = open_project(12, raters__people="3", items_a_person="0", places=8)
    people = at_work(project, *"abcdefgh")

    at_once(
        *[partial(rate_all, one) for one in people],
        partial(withdraw_items, project=project, keys=["p1", "p2"], **BY),
        partial(ask_for_more, project=project, round_key="main", keys=["p3"], further=2, **BY),
    )
    for one in people:
        rate_all(one)
    newcomers(project, "late")

    counts = ratings_by_item(project)
    assert {key: counts["raters", key] for key in ("p1", "p2", "p3", "p4")} == {"p1": 0, "p2": 0, "p3": 5, "p4": 3}
    assert len(counts) == 10 and accounts_balance(project)
