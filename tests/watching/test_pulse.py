"""The pulse: what it holds, when it is taken, and that it is never put back."""

from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.participation import exclude, leave
from annotation.models import AuditEntry, Judgment, Participation, PracticeAnswer, PracticeTask
from scoring.domain.watching.board import Block, Pay, blocks_of, boards
from scoring.domain.watching.options import change_options, settle_flag
from scoring.domain.watching.pulse import ask_for_pulse, options_of, take_pulse
from scoring.domain.watching.trouble import troubles
from scoring.models import PersonPulse, Pulse, WatchOptions
from scoring.stats.limits import Kind
from tests.best_worst import tuple_round
from tests.factories import NOON, add_dialogues, make_project, rate_next
from tests.watching.worlds import LATER, measured, seat, watched

MINUTE = timedelta(minutes=1)


def test_only_one_of_many_who_watch_asks_for_a_pulse_and_only_every_minute(db):
    project = watched()

    asked = [ask_for_pulse(project, LATER + wait) for wait in (0 * MINUTE, MINUTE / 2, MINUTE, MINUTE)]

    assert asked == [True, False, True, False]


def test_a_pulse_holds_progress_agreement_scores_and_everybodys_work(db):
    project = measured()

    figures = Pulse.objects.get(project=project).figures["main"]

    assert figures["blocks"] == [asdict(Block(1, "free", "main", 9, 16))]
    assert figures["agreement"]["units"] == 4
    assert sum(bar["count"] for bar in figures["scores"]) == 4
    assert sum(bar["count"] for bar in figures["values"]) == 9
    assert list(PersonPulse.objects.order_by("participation__seat").values_list("answered", "screens")) == [
        (4, 4),
        (4, 4),
        (1, 4),
    ]


def test_nothing_new_needs_no_work_and_a_new_answer_does(db):
    project = measured()

    assert not take_pulse(project.pk, LATER + MINUTE)
    assert Pulse.objects.get().at == LATER + MINUTE
    rate_next(seat(project, 3))
    assert take_pulse(project.pk, LATER + 2 * MINUTE)
    assert PersonPulse.objects.get(participation__seat=3).answered == 2


def test_a_pulse_measured_earlier_never_replaces_a_later_one(db):
    project = measured()
    rate_next(seat(project, 3))

    assert not take_pulse(project.pk, LATER - MINUTE)
    assert Pulse.objects.get().at == LATER


def test_an_item_that_people_disagree_about_is_in_dispute(db):
    project = watched(4, pairs=1)
    first, second = Judgment.objects.order_by("pk")[:2]
    Judgment.objects.filter(pk=first.pk).update(value=0)
    Judgment.objects.filter(pk=second.pk).update(value=4)
    take_pulse(project.pk, LATER)

    (dispute,) = Pulse.objects.get(project=project).figures["main"]["disputes"]

    assert dispute["item"] == project.items.get().pk
    assert (dispute["answers"], dispute["mean"]) == (4, pytest.approx((0 + 4 + 2 + 3.5) / 4))


def test_the_excluded_count_for_nothing_but_keep_their_figures(db):
    project = watched()
    exclude(participation_id=seat(project, 1).pk, reason="Too fast.", actor=None, now=NOON)
    take_pulse(project.pk, LATER)

    figures = Pulse.objects.get().figures["main"]

    assert sum(block["answered"] for block in figures["blocks"]) == 5
    assert sum(bar["count"] for bar in figures["values"]) == 5
    assert PersonPulse.objects.get(participation__seat=1).answered == 4


def test_of_who_left_only_the_answers_count(db):
    project = watched()
    leave(participation_id=seat(project, 3).pk, reason="No time.", now=NOON)

    # One answer of who left, three screens of who takes over, four of the place that was free.
    assert blocks_of(project)["main"] == [Block(1, "free", "main", 9, 16)]


def test_an_open_round_wants_what_its_tuples_want(user):
    place = tuple_round(user, pairs=12, main__people="2")

    assert blocks_of(place.project)["main"] == [Block(1, "free", "main", 0, 48)]


def test_a_project_without_answers_has_a_pulse_too(db):
    project = make_project("giccs")
    add_dialogues(project, 1)

    assert take_pulse(project.pk, LATER)
    assert Pulse.objects.get().figures == {}


def test_practice_that_goes_wrong_raises_a_flag(user):
    place = tuple_round(user)
    tasks = PracticeTask.objects.bulk_create(
        PracticeTask(project=place.project, part="practice", position=number, texts=[["a"], ["b"]], best=1, worst=2)
        for number in range(1, 5)
    )
    PracticeAnswer.objects.bulk_create(
        PracticeAnswer(participation=place, task=task, best=2, worst=1, right=False, answered_at=NOON) for task in tasks
    )

    take_pulse(place.project.pk, LATER)

    assert PersonPulse.objects.get().flags == {
        Kind.GOLD: {"contradictions": None, "labelled": 0.0, "practice_right": 0.0, "practised": 4.0}
    }


def flagged():
    """A project with one person who is too fast, by the project's own limit."""
    project = watched()
    WatchOptions.objects.create(project=project, least_answers=4, median_seconds=9)
    Judgment.objects.filter(assignment__participation__seat=1).update(answered_ms=500)
    Judgment.objects.exclude(assignment__participation__seat=1).update(answered_ms=20_000)
    take_pulse(project.pk, LATER)
    return project


def test_a_flag_that_was_looked_at_bothers_no_more(user):
    project = flagged()
    person = seat(project, 1)
    assert PersonPulse.objects.get(participation=person).open_flags == 1

    settle_flag(participation=person, kind="speed", actor=user, now=LATER)
    rate_next(seat(project, 3))
    take_pulse(project.pk, LATER + MINUTE)

    pulse = PersonPulse.objects.get(participation=person)
    assert (pulse.open_flags, list(pulse.flags), pulse.settled) == (0, ["speed"], ["speed"])
    entry = AuditEntry.objects.get(action="flag settled")
    assert (entry.participation, entry.actor, entry.details["flag"]) == (person, user, "speed")


def test_a_flag_that_is_not_up_cannot_be_settled(user):
    project = flagged()

    for number, kind in ((1, "gold"), (2, "speed"), (4, "speed")):
        with pytest.raises(Refusal, match="not up any more"):
            settle_flag(participation=seat(project, number), kind=kind, actor=user, now=LATER)


def test_limits_are_logged_and_change_the_flags(user):
    project = flagged()
    options = options_of(project)
    options.median_seconds, options.quick_share = 0.1, 1.0

    change_options(options=options, actor=user, now=LATER)
    take_pulse(project.pk, LATER + MINUTE)

    assert PersonPulse.objects.filter(open_flags__gt=0).count() == 0
    changed = AuditEntry.objects.get(action="watching changed").details["changed"]
    assert changed == {"median_seconds": [9.0, 0.1], "quick_share": [0.2, 1.0]}


def test_options_saved_without_a_change_are_not_logged(user):
    project = watched()

    change_options(options=options_of(project), actor=user, now=LATER)

    assert not AuditEntry.objects.filter(action="watching changed").exists()


def pay(project, **values) -> Pay | None:
    amounts = {name: Decimal(value) if name != "pay_for" else value for name, value in values.items()}
    options = WatchOptions(project=project, **amounts)
    (board,) = boards(project, options, {}, LATER)
    return board.pay


def test_pay_an_hour_comes_from_the_active_time_of_who_finished(db):
    project = measured()
    PersonPulse.objects.update(active_ms=1_800_000)

    assert pay(project) is None
    assert pay(project, pay=5) == Pay(cost=10, an_hour=10, too_little=False)
    assert pay(project, pay=5, least_pay=12).too_little
    assert pay(project, pay=8, pay_for="hour", least_pay=8) == Pay(cost=12, an_hour=8, too_little=False)


def test_pay_an_hour_is_not_known_before_somebody_has_finished(db):
    project = measured(1)

    assert pay(project, pay=5, least_pay=50) == Pay(cost=0, an_hour=None, too_little=False)


def sentences(project, now=LATER, *, worker_alive: bool = True) -> list[str]:
    found = boards(project, options_of(project), {}, now)
    return [trouble.sentence for trouble in troubles(found, worker_alive=worker_alive)]


def test_all_is_well_where_nobody_is_late_fast_or_silent(db):
    assert sentences(measured()) == []


def test_trouble_is_told_in_sentences(db):
    project = flagged()
    Participation.objects.filter(seat=2).update(state="resting", rest_until=NOON, finished_at=None)
    WatchOptions.objects.update(pay=1, least_pay=10)
    PersonPulse.objects.update(active_ms=3_600_000)

    assert sentences(project, NOON + timedelta(days=3), worker_alive=False) == [
        "No worker is running, so the figures on this page stand still.",
        "Rating: the answers of 1 person want a look.",
        "Rating: 1 person has not come back a day after the pause.",
        "Rating: 1 person stopped in the middle, two days ago or longer.",
        "Rating: an hour of active time comes to 1.00, less than you promise.",
    ]
