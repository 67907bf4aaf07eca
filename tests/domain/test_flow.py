"""where_now and its companions: every branch, by stored times only."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from annotation.domain.errors import TooEarly, WrongScreen
from annotation.domain.participation.flow import (
    CLOSED,
    EXCLUDED,
    LEFT,
    Consent,
    Ended,
    Finished,
    Rest,
    Screen,
    guard_begin,
    may_answer,
    previous_screen,
    where_now,
)
from annotation.models import Assignment, Participation, Project
from annotation.protocols.terms import BlockKind
from tests.factories import (
    NOON,
    answer_session,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    reread,
    select_next,
    selection_round,
    validation_round,
)

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


def changed(participation: Participation, **values: object) -> Participation:
    Participation.objects.filter(pk=participation.pk).update(**values)
    return reread(participation)


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"state": "finished", "finished_at": NOON}, Finished(NOON)),
        ({"state": "excluded", "reason": "Careless."}, Ended(EXCLUDED)),
        ({"state": "left", "reason": "Ill."}, Ended(LEFT)),
        ({"consented_at": None}, Consent()),
        ({"state": "resting", "rest_until": NOON + SECOND}, Rest(NOON + SECOND, enforced=True, over=False)),
        ({"state": "resting", "rest_until": NOON}, Rest(NOON, enforced=True, over=True)),
        ({"state": "resting", "rest_until": NOON - HOUR}, Rest(NOON - HOUR, enforced=True, over=True)),
    ],
)
def test_where_now_follows_from_the_stored_row(user, django_assert_num_queries, values, place):
    participation = changed(validation_round(user), **values)

    with django_assert_num_queries(0):
        here = where_now(participation, NOON)

    assert here == place


def test_where_now_takes_one_query_for_a_screen(user, django_assert_num_queries):
    participation = reread(validation_round(user))

    with django_assert_num_queries(1):
        here = where_now(participation, NOON)
        texts = (here.assignment.item.key, here.assignment.sentence)

    first, second = participation.assignments.filter(session=1, position__lte=2).order_by("position")
    assert (here, texts) == (Screen(first, second), ("p1", None))


def test_where_now_without_anything_to_answer_says_so(user):
    participation = rating_round(user)
    participation.assignments.all().delete()

    assert where_now(participation, NOON) == Ended("There is nothing to answer in this round yet.")


@pytest.mark.parametrize(
    ("state", "closed_at", "place"),
    [
        ({}, NOON, Ended(CLOSED)),
        ({}, NOON + SECOND, Screen),
        ({"consented_at": None}, NOON, Ended(CLOSED)),
        ({"state": "resting", "rest_until": NOON}, NOON, Ended(CLOSED)),
        ({"state": "finished", "finished_at": NOON}, NOON - HOUR, Finished(NOON)),
        ({"state": "left", "reason": "Ill."}, NOON - HOUR, Ended(LEFT)),
    ],
)
def test_where_now_in_a_project_that_closes(user, state, closed_at, place):
    participation = validation_round(user)
    Project.objects.update(closed_at=closed_at)

    here = where_now(changed(participation, **state), NOON)

    assert here == place or type(here) is place


def test_sessions_and_blocks_come_in_order(user):
    participation = validation_round(user, "R2", calibration=2, main=2, intra=1)
    seen = []

    for now in (NOON, NOON + 72 * HOUR):
        while isinstance(here := where_now(reread(participation), now), Screen):
            one = here.assignment
            seen.append((one.session, one.context, one.block, one.item.key))
            rate_next(participation, now=now)
        changed(participation, **({"state": "active"} if isinstance(here, Rest) else {}))

    keys = list(zip(["calibration"] * 2 + ["main"] * 2 + ["intra"], ["p1", "p2", "p3", "p4", "p5"], strict=True))
    assert seen == [(1, "free", *key) for key in keys] + [(2, "dependent", *key) for key in keys]
    assert where_now(reread(participation), NOON) == Finished(NOON + 72 * HOUR)


def test_a_place_without_intra_block_rests_after_the_main_block(user):
    participation = validation_round(user, calibration=1, main=1, intra=0)

    participation = answer_session(participation)

    assert where_now(participation, NOON) == Rest(NOON + 72 * HOUR, enforced=True, over=False)
    assert set(participation.assignments.values_list("block", flat=True)) == {"calibration", "main"}


@pytest.mark.parametrize("zone", ["Europe/Prague", "America/New_York", "Asia/Kathmandu", "UTC"])
@pytest.mark.parametrize("day", [(2026, 3, 8), (2026, 3, 27), (2026, 3, 28), (2026, 10, 24), (2026, 10, 31)])
def test_a_pause_lasts_72_real_hours_over_a_change_of_clocks(user, zone, day):
    end = datetime(*day, 20, 30, tzinfo=ZoneInfo(zone))
    until = datetime.fromtimestamp(end.timestamp() + 72 * 3600, ZoneInfo("UTC"))
    participation = answer_session(validation_round(user, main=1), now=end)

    early, due = (where_now(participation, moment.astimezone(ZoneInfo(zone))) for moment in (until - SECOND, until))

    assert (early, due) == (Rest(until, enforced=True, over=False), Rest(until, enforced=True, over=True))


@pytest.mark.parametrize(("earlier", "refused"), [(SECOND, True), (timedelta(0), False), (-HOUR, False)])
def test_guard_begin_refuses_until_the_second(user, earlier, refused):
    participation = answer_session(validation_round(user))
    now = NOON + 72 * HOUR - earlier

    if refused:
        with pytest.raises(TooEarly, match=r"^The pause lasts until 2026-03-05 12:00 \(UTC\). Please come back then.$"):
            guard_begin(participation, now)
    else:
        guard_begin(participation, now)
        assert where_now(participation, now).may_begin


def test_guard_begin_tells_the_end_in_the_persons_zone(user):
    participation = answer_session(validation_round(user))

    with timezone.override("Asia/Kathmandu"), pytest.raises(TooEarly, match=r"until 2026-03-05 17:45 \(\+0545\)"):
        guard_begin(participation, NOON)


def test_guard_begin_lets_pass_where_the_pause_is_only_recommended(user):
    participation = answer_session(validation_round(user, "R2"))

    guard_begin(participation, NOON)

    assert where_now(participation, NOON) == Rest(NOON + 72 * HOUR, enforced=False, over=False)


@pytest.mark.parametrize("values", [{}, {"consented_at": None}, {"state": "left", "reason": "Ill."}])
def test_guard_begin_refuses_where_there_is_no_pause(user, values):
    participation = changed(validation_round(user), **values)

    with pytest.raises(WrongScreen, match=r"^This session has already started.$"):
        guard_begin(participation, NOON)


def test_the_last_screen_has_none_after_it(user):
    participation = rating_round(user, 2)
    rate_next(participation)

    here = where_now(reread(participation), NOON)

    assert here == Screen(participation.assignments.get(position=2), None)


@pytest.mark.parametrize(("answered", "before"), [(0, None), (1, None), (2, 2), (3, 3), (4, None)])
def test_one_back_stays_in_the_block(user, answered, before):
    """One calibration pair, three of the main block, one of the intra block."""
    participation = validation_round(user)
    for _ in range(answered):
        rate_next(participation)

    found = previous_screen(Screen(present_screen(participation)))

    assert (found and found.position) == before


def test_one_back_stays_in_the_session(user):
    participation = answer_session(validation_round(user, "R2", calibration=0, main=2, intra=0))
    changed(participation, state="active")

    here = Screen(present_screen(participation))

    assert (here.assignment.session, previous_screen(here)) == (2, None)


@pytest.mark.parametrize(("answered", "before"), [(0, None), (1, 1), (2, 2), (3, None), (4, 4)])
def test_one_back_stays_in_the_incident(user, answered, before):
    """Two incidents of three summary sentences."""
    participation = selection_round(user)
    for _ in range(answered):
        select_next(participation)

    found = previous_screen(Screen(present_screen(participation)))

    assert (found and found.position) == before


@pytest.mark.parametrize(
    ("session", "position", "again", "welcome"),
    [
        (1, 4, False, True),  # the present screen
        (1, 4, True, False),  # not answered yet, so nothing to replace
        (1, 3, True, True),  # one screen back
        (1, 3, False, False),  # answered already: a stale page or a second tab
        (1, 2, True, False),  # two screens back
        (1, 1, True, False),  # another block
        (1, 1, False, False),
        (1, 5, False, False),  # not reached yet
        (2, 4, False, False),  # another session
        (2, 3, True, False),
    ],
)
def test_may_answer_a_rating(user, session, position, again, welcome):
    """One calibration pair, three of the main block, one of the intra block; three are answered."""
    participation = validation_round(user)
    for _ in range(3):
        rate_next(participation)
    here = where_now(reread(participation), NOON)
    assignment = participation.assignments.get(session=session, position=position)

    assert may_answer(here, assignment, again=again) is welcome


@pytest.mark.parametrize(
    ("position", "again", "welcome"),
    [
        (1, False, True),  # the present screen: the first that is open
        (1, True, False),
        (2, True, True),  # answered: may be given again, before or after the present one
        (2, False, False),
        (3, False, True),  # open, in the same incident
        (3, True, False),
        (4, False, False),  # another incident
    ],
)
def test_may_answer_a_selection_anywhere_in_the_incident(user, position, again, welcome):
    participation = selection_round(user)
    Assignment.objects.filter(participation=participation, position=2).update(answered_at=NOON)
    here = where_now(reread(participation), NOON)
    assignment = participation.assignments.get(position=position)

    assert may_answer(here, assignment, again=again) is welcome


def test_may_answer_nothing_of_another_person(user):
    other = validation_round(make_user("other"), key="other")
    here = where_now(reread(validation_round(user)), NOON)

    assert not may_answer(here, present_screen(other), again=False)


def test_may_answer_nothing_at_rest(user):
    participation = answer_session(validation_round(user))
    last = participation.assignments.filter(session=1, block=BlockKind.INTRA).get()

    assert not may_answer(where_now(participation, NOON), last, again=True)
