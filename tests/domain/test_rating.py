"""Ratings into the database: guarded, once, append-only."""

from datetime import timedelta
from uuid import uuid4

import pytest

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.judgment.answers import LONGEST_MS, Answer, Timing
from annotation.domain.judgment.saving import rate
from annotation.domain.participation.flow import CLOSED, EXCLUDED, LEFT, Finished, Rest, where_now
from annotation.domain.participation.lifecycle import begin_session, exclude, leave, show
from annotation.models import Judgment, Participation, Project
from annotation.protocols.storing import to_json
from tests.factories import (
    NOON,
    answer_session,
    answer_to,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    reread,
    selection_round,
    validation_round,
)
from tests.presets import SEMREL

pytestmark = pytest.mark.postgres

LATER = NOON + timedelta(minutes=1)
ALREADY = "You have already answered this, and your earlier answer is kept. This is your current screen."
NOT_PRESENT = "That was not your current screen, so nothing was changed. This is your current screen."
NOT_YOURS = "That screen is not yours, so nothing was changed."


def give(participation: Participation, answer: Answer, value: str = "2", now=NOON) -> Judgment:
    return rate(participation_id=participation.pk, answer=answer, value=value, now=now)


def stored(participation: Participation) -> list[tuple]:
    """Position, value and whether superseded, in the order in which they came in."""
    rows = Judgment.objects.filter(assignment__participation=participation).order_by("pk")
    return [
        (position, value, superseded is not None)
        for position, value, superseded in rows.values_list("assignment__position", "value", "superseded_at")
    ]


def refused(participation: Participation, answer: Answer, value: str = "2", now=NOON) -> str:
    """What the refusal says; nothing must have changed."""
    before = stored(participation), Participation.objects.values().get(pk=participation.pk)
    with pytest.raises(Refusal) as refusal:
        give(participation, answer, value, now)
    assert (stored(participation), Participation.objects.values().get(pk=participation.pk)) == before
    return str(refusal.value)


def test_rate_stores_value_key_and_times(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    show(screen, NOON)
    key = uuid4()

    give(participation, Answer(screen.pk, key, Timing(800, 3500, 3000, 2)), "2.5", LATER)

    row = Judgment.objects.values().get()
    assert row == {
        "id": row["id"],
        "assignment_id": screen.pk,
        "key": key,
        "value": 2.5,
        "best_id": None,
        "worst_id": None,
        "hard_to_say": False,
        "inversion": "",
        "invalid": False,
        "set_aside": False,
        "superseded_at": None,
        "saved_at": LATER,
        "touched_ms": 800,
        "answered_ms": 3500,
        "active_ms": 3000,
        "adjustments": 2,
    }
    screen.refresh_from_db()
    assert (screen.shown_at, screen.answered_at) == (NOON, LATER)
    assert present_screen(participation).position == 2


@pytest.mark.parametrize("value", [-1, LONGEST_MS + 1, 10**30, None])
def test_timing_that_cannot_be_is_unknown(value):
    believed = Timing.believable(touched_ms=value, answered_ms=LONGEST_MS, active_ms=value, adjustments=0)
    assert believed == Timing(None, LONGEST_MS, None, 0)


def test_rate_when_the_clock_was_put_back_keeps_the_order_of_times(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    show(screen, LATER)

    give(participation, answer_to(screen), now=NOON)

    screen.refresh_from_db()
    assert (screen.shown_at, screen.answered_at) == (LATER, LATER)


def test_the_same_key_is_the_same_answer(user):
    participation = rating_round(user)
    answer = answer_to(present_screen(participation))

    first = give(participation, answer, "2")
    again = give(participation, answer, "3", LATER)

    assert again == first
    assert stored(participation) == [(1, 2.0, False)]


def test_a_second_tab_does_not_overwrite(user):
    participation = rating_round(user)
    one, other = (answer_to(present_screen(participation)) for _ in range(2))
    give(participation, one)

    assert refused(participation, other, "3") == ALREADY


def test_a_screen_that_is_not_reached_yet_is_refused(user):
    participation = rating_round(user)
    third = participation.assignments.get(position=3)

    assert refused(participation, answer_to(third)) == NOT_PRESENT
    assert refused(participation, answer_to(third, again=True)) == NOT_PRESENT


@pytest.mark.parametrize("assignment_id", [0, -1, 10**9, 10**30])
def test_an_unknown_screen_is_refused(user, assignment_id):
    participation = rating_round(user)

    assert refused(participation, Answer(assignment_id, uuid4())) == NOT_YOURS


def test_a_screen_of_another_person_is_refused(user):
    theirs = rating_round(make_user("other"), key="other")
    answer = answer_to(present_screen(theirs))

    assert refused(rating_round(user), answer) == NOT_YOURS
    assert stored(theirs) == []


def test_an_answer_of_another_person_is_not_handed_out_by_its_key(user):
    theirs = rating_round(make_user("other"), key="other")
    answer = answer_to(present_screen(theirs))
    give(theirs, answer)

    assert refused(rating_round(user), answer) == NOT_YOURS


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("", "Choose a rating first."),
        ("  ", "Choose a rating first."),
        ("4.1", "4.1 is outside the scale from 0 to 4."),
        ("-0.1", "-0.1 is outside the scale from 0 to 4."),
        ("2.05", "2.05 is between two points of the scale, which has steps of 0.1."),
        ("nan", "nan is outside the scale from 0 to 4."),
        ("sNaN", "sNaN is outside the scale from 0 to 4."),
        ("inf", "inf is outside the scale from 0 to 4."),
        ("1e999999", "1e999999 is outside the scale from 0 to 4."),
        ("9" * 5000, f"{'9' * 5000} is outside the scale from 0 to 4."),
        ("two", "“two” is not a number."),
        ("2,5", "“2,5” is not a number."),
    ],
)
def test_a_value_off_the_scale_is_refused_with_the_reason(user, value, reason):
    participation = rating_round(user)
    screen = present_screen(participation)

    assert refused(participation, answer_to(screen), value) == reason
    assert present_screen(participation) == screen


@pytest.mark.parametrize(("value", "number"), [("0", 0.0), ("4.0", 4.0), (" 2.50 ", 2.5), ("0.3", 0.3)])
def test_a_value_on_the_scale_is_stored_exactly(user, value, number):
    participation = rating_round(user)

    rate_next(participation, value)

    assert stored(participation) == [(1, number, False)]


def test_going_back_stores_a_new_answer_and_keeps_the_older(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    first = rate_next(participation, "1")

    give(participation, answer_to(screen, again=True), "2", LATER)
    third = give(participation, answer_to(screen, again=True), "3", LATER)

    first.refresh_from_db()
    screen.refresh_from_db()
    assert stored(participation) == [(1, 1.0, True), (1, 2.0, True), (1, 3.0, False)]
    assert (first.superseded_at, third.superseded_at, screen.answered_at) == (LATER, None, NOON)
    assert present_screen(participation).position == 2


def test_a_replayed_answer_that_was_superseded_changes_nothing(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    answer = answer_to(screen)
    first = give(participation, answer, "1")
    give(participation, answer_to(screen, again=True), "2")

    assert give(participation, answer, "1") == first
    assert stored(participation) == [(1, 1.0, True), (1, 2.0, False)]


def test_going_back_reaches_one_screen_only(user):
    participation = rating_round(user)
    for _ in range(2):
        rate_next(participation)
    first = participation.assignments.get(position=1)

    assert refused(participation, answer_to(first, again=True)) == ALREADY


def test_going_back_does_not_leave_the_block(user):
    participation = validation_round(user)
    calibration = present_screen(participation)
    rate_next(participation)

    assert refused(participation, answer_to(calibration, again=True)) == ALREADY


def test_going_back_does_not_leave_the_session(user):
    participation = answer_session(validation_round(user, "R2", calibration=0, main=2, intra=0))
    begin_session(participation_id=participation.pk, now=NOON)
    last = participation.assignments.get(session=1, position=2)

    assert refused(participation, answer_to(last, again=True)) == ALREADY


def test_the_last_answer_of_a_session_begins_the_pause(user):
    participation = validation_round(user, main=1)
    Participation.objects.update(rest_shortened=True, reminded_at=NOON)

    participation = answer_session(participation)

    assert where_now(participation, NOON) == Rest(NOON + timedelta(hours=72), enforced=True, over=False)
    assert (participation.state, participation.rest_shortened, participation.reminded_at) == ("resting", False, None)


@pytest.mark.parametrize(
    ("round_key", "hours", "reason"),
    [
        ("R3", 0, "The pause is not over yet, so your answer was not saved."),
        ("R3", 72, "This session is over, so your answer was not saved. Start the next session first."),
        ("R2", 0, "This session is over, so your answer was not saved. Start the next session first."),
    ],
)
def test_an_answer_during_the_pause_is_refused(user, round_key, hours, reason):
    participation = answer_session(validation_round(user, round_key))
    next_screen = participation.assignments.get(session=2, position=1)

    assert refused(participation, answer_to(next_screen), now=NOON + timedelta(hours=hours)) == reason


def test_the_very_last_answer_finishes_the_round(user):
    participation = rating_round(user, 2)
    rate_next(participation)

    rate_next(participation, now=LATER)

    participation = reread(participation)
    assert (participation.state, participation.finished_at) == ("finished", LATER)
    assert where_now(participation, LATER) == Finished(LATER)


def test_an_answer_after_the_end_changes_nothing(user):
    participation = rating_round(user, 2)
    answers = []
    for _ in range(2):
        answers.append(answer_to(present_screen(participation)))
        give(participation, answers[-1])

    replayed = give(participation, answers[-1], "4", LATER)

    assert replayed.value == 2.0
    assert refused(participation, answer_to(replayed.assignment)) == ALREADY
    assert refused(participation, answer_to(replayed.assignment, again=True)) == ALREADY


def end_by_leaving(participation):
    leave(participation_id=participation.pk, reason="", now=NOON)


def end_by_exclusion(participation):
    exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)


def end_by_closing(participation):
    Project.objects.update(closed_at=NOON)


ENDS = [(end_by_leaving, LEFT), (end_by_exclusion, EXCLUDED), (end_by_closing, CLOSED)]


@pytest.mark.parametrize(("end", "reason"), ENDS)
def test_no_answer_is_taken_after_the_end(user, end, reason):
    participation = rating_round(user)
    screen = present_screen(participation)
    end(participation)

    assert refused(participation, answer_to(screen)) == reason


@pytest.mark.parametrize(("end", "reason"), ENDS)
def test_an_answer_stored_before_the_end_is_still_acknowledged(user, end, reason):
    participation = rating_round(user)
    answer = answer_to(present_screen(participation))
    judgment = give(participation, answer)
    end(participation)

    assert give(participation, answer) == judgment


def test_a_rating_is_no_answer_to_a_selection(user):
    participation = selection_round(user)
    screen = present_screen(participation)

    with pytest.raises(WrongScreen, match=r"^This screen needs a selection, not a rating.$"):
        give(participation, answer_to(screen))


def test_a_protocol_without_scale_takes_no_rating(user):
    participation = rating_round(user)
    stored_protocol = to_json(participation.project.protocol) | {"scale": None}
    stored_protocol["rounds"][0]["design"] = to_json(SEMREL.rounds[0].design)
    Project.objects.update(protocol_json=stored_protocol)

    assert refused(participation, answer_to(present_screen(participation))) == "This project does not collect ratings."
