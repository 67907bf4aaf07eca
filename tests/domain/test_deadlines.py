"""Places that are made after their round was given a day to finish by."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.judgment.extra_judgments import ask_for_more
from annotation.domain.participation.deadlines import deadline_of_new, move_deadline, move_round_deadline
from annotation.domain.participation.lifecycle import exclude, leave
from annotation.domain.planning.rounds import plan_round
from annotation.models import Participation, Project, RoundDeadline
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import NOON, add_pairs, make_project, rating_round, reread, seat_outsider

DAY = timedelta(days=1)
FAR = timezone.now() + 1000 * DAY  # planning and joining look at the clock themselves


def by(project: Project, due_at, *, closes: bool = False, now=NOON) -> None:
    given = {"round_key": "main", "reason": "The end.", "actor": None, "now": now}
    move_round_deadline(project=project, due_at=due_at, closes=closes, **given)


def day_of(place: Participation) -> tuple[object, bool]:
    place = reread(place)
    return place.due_at, place.due_closes


def newest(project: Project) -> Participation:
    return project.participations.order_by("-seat").first()


def test_places_planned_later_have_the_day_of_the_round(db):
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=1)
    by(project, FAR, closes=True)

    plan_round(project=project, round_key="main", people=3)

    assert {day_of(place) for place in project.participations.all()} == {(FAR, True)}


def test_places_for_further_judgments_have_the_day_of_the_round(user):
    project = rating_round(user).project
    by(project, NOON + DAY)

    given = {"keys": ["p1"], "further": 1, "reason": "Few.", "actor": None, "now": NOON}
    (place,) = ask_for_more(project=project, round_key="main", **given)

    assert day_of(place) == (NOON + DAY, False)


def test_a_place_of_an_open_round_has_the_day_of_the_round(db):
    project = best_worst_project(places=1, main__people="1")
    (place,) = at_work(project, "one")
    by(project, NOON + DAY, closes=True)

    leave(participation_id=place.pk, reason="", now=NOON)

    assert newest(project) != place
    assert day_of(newest(project)) == (NOON + DAY, True)


def test_whoever_takes_over_has_the_day_of_who_went_if_it_is_to_come_and_else_of_the_round(user):
    place = rating_round(user)
    by(place.project, NOON + 5 * DAY, closes=True)
    given = {"participation_id": place.pk, "closes": False, "reason": "Ill.", "actor": user, "now": NOON}
    move_deadline(due_at=NOON + DAY, **given)

    exclude(participation_id=place.pk, reason="Late.", actor=user, now=NOON + 2 * DAY)
    late = reread(place).refill
    annotator = place.project.annotators.create(external_id="b", pseudonym="b")
    Participation.objects.filter(pk=late.pk).update(annotator=annotator, due_at=NOON + 3 * DAY)
    exclude(participation_id=late.pk, reason="Careless.", actor=user, now=NOON + 2 * DAY)

    assert day_of(late)[1] is True
    assert day_of(reread(late).refill) == (NOON + 3 * DAY, True)
    assert RoundDeadline.objects.get().due_at == NOON + 5 * DAY


@pytest.mark.parametrize(("closes", "day"), [(False, (None, False)), (True, (NOON + DAY, True))])
def test_a_day_that_has_gone_counts_only_if_it_closed_the_round(user, closes, day):
    place = rating_round(user)
    by(place.project, NOON + DAY, closes=closes)

    exclude(participation_id=place.pk, reason="Careless.", actor=user, now=NOON + 2 * DAY)

    assert day_of(reread(place).refill) == day


def test_a_day_that_is_taken_away_is_given_to_nobody(user):
    project = rating_round(user).project
    by(project, NOON + DAY)
    by(project, None)

    assert deadline_of_new(project, "main", NOON) == {}


def test_nobody_joins_a_round_whose_time_is_over_until_it_is_moved(user):
    project = rating_round(user).project
    by(project, NOON + DAY, closes=True)  # long ago

    with pytest.raises(Refusal, match="This round has ended"):
        seat_outsider(project, "main", "late")
    by(project, FAR, closes=True)

    assert day_of(seat_outsider(project, "main", "late")) == (FAR, True)


def test_no_place_is_made_in_an_open_round_whose_time_is_over(db):
    project = best_worst_project(places=1, main__people="1")
    (place,) = at_work(project, "one")
    choose_first(place)
    by(project, NOON + DAY, closes=True)

    exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON + 2 * DAY)

    assert project.participations.count() == 1
    with pytest.raises(Refusal, match="All places"):
        seat_outsider(project, "main", "late")
