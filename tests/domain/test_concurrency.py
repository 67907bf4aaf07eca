"""Many people, and one person many times, at the same moment, on a real database."""

from collections import Counter
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.judgment.answers import Answer
from annotation.domain.judgment.saving import rate, select
from annotation.domain.judgment.selected_pairs import Pick
from annotation.domain.participation.lifecycle import begin_session, consent, exclude, leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.overview import RoundFull, annotator_for, take_seat
from annotation.models import Annotator, Item, Judgment, Participation, SelectedPair, State
from tests.factories import (
    NOON,
    add_pairs,
    answer_session,
    answer_to,
    at_once,
    make_project,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    report_sentences,
    reread,
    seat_outsider,
    selection_round,
    validation_round,
)

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_one_answer_posted_eight_times_at_once_is_stored_once():
    participation = rating_round(make_user())
    answer = answer_to(present_screen(participation))

    stored = at_once(*[partial(rate, participation_id=participation.pk, answer=answer, value="2", now=NOON)] * 8)

    assert stored == [Judgment.objects.get()] * 8
    assert present_screen(participation).position == 2


def test_eight_values_for_one_screen_at_once_leave_one():
    participation = rating_round(make_user())
    screen = present_screen(participation)

    outcomes = at_once(
        *[
            partial(rate, participation_id=participation.pk, answer=answer_to(screen), value=f"0.{value}", now=NOON)
            for value in range(1, 9)
        ]
    )

    assert Counter(map(type, outcomes)) == {Judgment: 1, WrongScreen: 7}
    assert [Judgment.objects.get()] == [one for one in outcomes if isinstance(one, Judgment)]


def test_eight_changes_of_one_answer_at_once_leave_one_current():
    participation = rating_round(make_user())
    screen = present_screen(participation)
    rate_next(participation)

    stored = at_once(
        *[
            partial(
                rate,
                participation_id=participation.pk,
                answer=Answer(screen.pk, uuid4(), again=True),
                value=f"0.{value}",
                now=NOON,
            )
            for value in range(1, 9)
        ]
    )

    assert {type(one) for one in stored} == {Judgment}
    assert Judgment.objects.count() == 9
    assert Judgment.objects.filter(superseded_at=None).get() in stored


def test_one_selection_posted_four_times_at_once_is_stored_once():
    participation = selection_round(make_user())
    screen = present_screen(participation)
    picks = dict(zip("ABC", map(Pick, report_sentences(screen), "630"), strict=False))

    stored = at_once(
        *[partial(select, participation_id=participation.pk, answer=answer_to(screen), picks=picks, now=NOON)] * 4
    )

    assert stored == [Judgment.objects.get()] * 4
    assert (SelectedPair.objects.count(), Item.objects.count()) == (3, 3)


def test_twenty_people_take_ten_seats():
    project = make_project()
    add_pairs(project, 1)
    plan_round(project=project, round_key="main", people=10)

    outcomes = at_once(*[partial(seat_outsider, project, "main", f"W{number}") for number in range(20)])

    assert Counter(map(type, outcomes)) == {Participation: 10, RoundFull: 10}
    assert len({place.pk for place in outcomes if isinstance(place, Participation)}) == 10
    assert Participation.objects.filter(annotator=None).count() == 0


def test_one_person_clicking_the_link_eight_times_gets_one_seat():
    project = make_project()
    add_pairs(project, 1)
    plan_round(project=project, round_key="main", people=10)
    user = make_user()

    def join() -> Participation:
        return take_seat(project=project, round_key="main", annotator=annotator_for(project, user=user))

    places = at_once(*[join] * 8)

    assert len({place.pk for place in places}) == Annotator.objects.count() == 1
    assert Participation.objects.filter(annotator__isnull=False).count() == 1


def test_consent_in_four_tabs_at_once_is_given_once():
    participation = rating_round(make_user())
    Participation.objects.update(consented_at=None, state="invited")

    at_once(
        *[
            partial(consent, participation_id=participation.pk, now=NOON + timedelta(seconds=second))
            for second in range(4)
        ]
    )

    participation = reread(participation)
    assert participation.state == "active"
    assert NOON <= participation.consented_at <= NOON + timedelta(seconds=3)


def test_the_next_session_begins_once():
    participation = answer_session(validation_round(make_user()))
    end = participation.rest_until

    outcomes = at_once(*[partial(begin_session, participation_id=participation.pk, now=end)] * 4)

    assert Counter(map(type, outcomes)) == {Participation: 1, WrongScreen: 3}


def test_leaving_and_exclusion_at_once_give_one_refill():
    participation = rating_round(make_user())

    outcomes = at_once(
        *[partial(leave, participation_id=participation.pk, reason="", now=NOON)] * 3,
        *[partial(exclude, participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)] * 3,
    )

    left, excluded = Counter(map(type, outcomes[:3])), Counter(map(type, outcomes[3:]))
    assert excluded == {Participation: 1, Refusal: 2}
    assert left[Participation] <= 1  # who has left can be excluded, who is excluded can no longer leave
    assert reread(participation).state == State.EXCLUDED
    assert Participation.objects.filter(replaces=participation).count() == 1


def test_a_plan_asked_for_four_times_at_once_is_made_once():
    project = make_project()
    add_pairs(project, 2)

    outcomes = at_once(*[partial(plan_round, project=project, round_key="main", people=3)] * 4)

    assert Counter(map(type, outcomes)) == {dict: 1, Refusal: 3}
    assert Participation.objects.count() == 3
