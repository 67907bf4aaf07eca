"""The statistics: what it holds, when it is taken, and that it is never put back."""

from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.judgment.extra_judgments import withdraw_items
from annotation.domain.participation.lifecycle import exclude, leave
from annotation.models import AuditEntry, Judgment, Participation, PracticeAnswer, PracticeTask
from annotation.queries.progress import Block, blocks_of
from scoring.domain.monitoring.board import Pay, boards
from scoring.domain.monitoring.options import change_options, options_of, settle_flag
from scoring.domain.monitoring.statistics import request_statistics
from scoring.domain.monitoring.trouble import troubles
from scoring.models import MonitoringOptions, PersonStatistics, ProjectStatistics
from scoring.queries import labelled_ratings
from scoring.stats.limits import Kind
from tests.api.worlds import caller_of, member
from tests.best_worst import tuple_round
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import NOON, add_dialogues, make_project, make_user, rate_next, select_next, selection_round
from tests.jobs import attempt
from tests.watching.worlds import LATER, measure_project, measured, seat, watched

pytestmark = pytest.mark.postgres

MINUTE = timedelta(minutes=1)


def test_only_one_of_many_who_watch_asks_for_a_pulse_and_only_every_minute(db):
    project = watched()

    assert [request_statistics(project, LATER + wait) for wait in (0 * MINUTE, MINUTE)] == [True, False]
    attempt(project.statistics, LATER)

    asked = [request_statistics(project, LATER + wait) for wait in (MINUTE / 2, MINUTE, MINUTE)]

    assert asked == [False, True, False]


def test_a_pulse_holds_progress_agreement_scores_and_everybodys_work(db):
    project = measured()

    figures = ProjectStatistics.objects.get(project=project).figures["main"]

    assert figures["blocks"] == [asdict(Block(1, "free", "main", 9, 16))]
    assert figures["agreement"]["units"] == 4
    assert {"split_half", "full_length", "splits"} <= figures["agreement"].keys()
    assert sum(bar["count"] for bar in figures["scores"]) == 4
    assert sum(bar["count"] for bar in figures["values"]) == 9
    assert list(PersonStatistics.objects.order_by("participation__seat").values_list("answered", "screens")) == [
        (4, 4),
        (4, 4),
        (1, 4),
    ]


def test_nothing_new_needs_no_work_and_a_new_answer_does(db):
    project = measured()

    assert not measure_project(project.pk, LATER + MINUTE)
    assert ProjectStatistics.objects.get().at == LATER + MINUTE
    rate_next(seat(project, 3))
    assert measure_project(project.pk, LATER + 2 * MINUTE)
    assert PersonStatistics.objects.get(participation__seat=3).answered == 2


def test_an_item_that_people_disagree_about_is_in_dispute(db):
    project = watched(4, pairs=1)
    first, second = Judgment.objects.order_by("pk")[:2]
    Judgment.objects.filter(pk=first.pk).update(value=0)
    Judgment.objects.filter(pk=second.pk).update(value=4)
    measure_project(project.pk, LATER)

    (dispute,) = ProjectStatistics.objects.get(project=project).figures["main"]["disputes"]

    assert dispute["item"] == project.items.get().pk
    assert (dispute["answers"], dispute["mean"]) == (4, pytest.approx((0 + 4 + 2 + 3.5) / 4))


def test_the_excluded_count_for_nothing_but_keep_their_figures(db):
    project = watched()
    exclude(participation_id=seat(project, 1).pk, reason="Too fast.", actor=None, now=NOON)
    measure_project(project.pk, LATER)

    figures = ProjectStatistics.objects.get().figures["main"]

    assert sum(block["answered"] for block in figures["blocks"]) == 5
    assert sum(bar["count"] for bar in figures["values"]) == 5
    assert PersonStatistics.objects.get(participation__seat=1).answered == 4


def test_answers_to_withdrawn_items_count_for_nothing_but_stay_the_persons(db):
    project = watched()
    project.items.filter(key="p1").update(withdrawn_at=NOON)
    measure_project(project.pk, LATER)

    figures = ProjectStatistics.objects.get().figures["main"]

    given = Judgment.objects.exclude(assignment__item__key="p1")
    assert project.items.get(key="p1").pk not in {dispute["item"] for dispute in figures["disputes"]}
    assert sum(bar["count"] for bar in figures["values"]) == given.count()
    assert PersonStatistics.objects.get(participation__seat=1).answered == 4


@pytest.mark.parametrize("excluded", [False, True])
def test_answers_to_withdrawn_items_contradict_no_label(db, excluded):
    project = watched()
    project.items.update(gold=True)
    Judgment.objects.update(value=0)
    project.items.filter(key="p1").update(withdrawn_at=NOON)
    if excluded:
        exclude(participation_id=seat(project, 1).pk, reason="Too fast.", actor=None, now=NOON)
    measure_project(project.pk, LATER)

    figures = PersonStatistics.objects.get(participation__seat=1).figures

    assert (figures["labelled"], figures["contradictions"]) == (3, 1)
    assert len(labelled_ratings(seat(project, 1))) == 3


def test_choices_from_tuples_with_a_withdrawn_item_contradict_no_label(db):
    project = best_worst_project(8)
    (place,) = at_work(project, "W1")
    gone = choose_first(place)
    while (kept := choose_first(place)).assignment.tuple.items.filter(pk=gone.best_id).exists():
        pass
    project.items.exclude(pk=kept.best_id).update(gold=True)
    project.items.filter(pk=kept.best_id).update(gold=False)
    Judgment.objects.exclude(pk__in=[gone.pk, kept.pk]).delete()
    project.items.filter(pk=gone.best_id).update(withdrawn_at=NOON)
    measure_project(project.pk, LATER)

    figures = PersonStatistics.objects.get(participation=place).figures

    assert (figures["labelled"], figures["contradictions"]) == (2, 1)


def test_screens_of_an_incident_that_was_passed_on_are_their_new_owners_only(user):
    first = selection_round(user, incidents=2, summary=2)
    for _ in range(3):
        select_next(first)
    leave(participation_id=first.pk, reason="No time.", now=NOON)

    # The first incident is whole; of the second all screens are somebody else's now.
    assert blocks_of(first.project)["R1"] == [Block(1, "dependent", "main", 2, 4)]


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

    assert measure_project(project.pk, LATER)
    assert ProjectStatistics.objects.get().figures == {}


def test_practice_that_goes_wrong_raises_a_flag(user):
    place = tuple_round(user)
    tasks = PracticeTask.objects.bulk_create(
        PracticeTask(project=place.project, part="practice", position=number, texts=[["a"], ["b"]], best=1, worst=2)
        for number in range(1, 9)
    )
    PracticeAnswer.objects.bulk_create(
        PracticeAnswer(participation=place, task=task, best=2, worst=1, right=False, answered_at=NOON) for task in tasks
    )

    measure_project(place.project.pk, LATER)

    assert PersonStatistics.objects.get().flags == {
        Kind.GOLD: {
            **{"contradictions": None, "contradictions_bound": None, "labelled": 0.0},
            # Alone, a person is compared with somebody who guesses: seven of eight wrong may be bad luck.
            **{"practice_right": 0.0, "practice_right_bound": 0.125, "practised": 8.0},
        }
    }


def flagged():
    """A project with one person who is too fast, by the project's own limit."""
    project = watched()
    MonitoringOptions.objects.create(project=project, least_answers=4, median_seconds=9)
    Judgment.objects.filter(assignment__participation__seat=1).update(answered_ms=500)
    Judgment.objects.exclude(assignment__participation__seat=1).update(answered_ms=20_000)
    measure_project(project.pk, LATER)
    return project


def test_a_flag_that_was_looked_at_bothers_no_more(user):
    project = flagged()
    person = seat(project, 1)
    assert PersonStatistics.objects.get(participation=person).open_flags == 1

    settle_flag(participation=person, kind="speed", actor=user, now=LATER)
    rate_next(seat(project, 3))
    measure_project(project.pk, LATER + MINUTE)

    statistics = PersonStatistics.objects.get(participation=person)
    assert (statistics.open_flags, list(statistics.flags), statistics.settled) == (0, ["speed"], ["speed"])
    entry = AuditEntry.objects.get(action="flag settled")
    assert (entry.participation, entry.actor, entry.details["flag"]) == (person, user, "speed")


def test_a_flag_that_is_not_up_cannot_be_settled(user):
    project = flagged()

    for number, kind in ((1, "gold"), (2, "speed"), (4, "speed")):
        with pytest.raises(Refusal, match="no longer raised"):
            settle_flag(participation=seat(project, number), kind=kind, actor=user, now=LATER)


def test_limits_are_logged_and_change_the_flags(user):
    project = flagged()
    options = options_of(project)
    options.median_seconds, options.quick_share = 0.1, 1.0

    change_options(options=options, actor=user, now=LATER)
    measure_project(project.pk, LATER + MINUTE)

    assert PersonStatistics.objects.filter(open_flags__gt=0).count() == 0
    changed = AuditEntry.objects.get(action="watching changed").details["changed"]
    assert changed == {"median_seconds": [9.0, 0.1], "quick_share": [0.2, 1.0]}


def test_options_saved_without_a_change_are_not_logged(user):
    project = watched()

    change_options(options=options_of(project), actor=user, now=LATER)

    assert not AuditEntry.objects.filter(action="watching changed").exists()


def pay(project, **values) -> Pay | None:
    amounts = {name: Decimal(value) if name != "pay_for" else value for name, value in values.items()}
    options = MonitoringOptions(project=project, **amounts)
    (board,) = boards(project, options, {}, LATER)
    return board.pay


def test_pay_an_hour_comes_from_the_active_time_of_who_finished(db):
    project = measured()
    PersonStatistics.objects.update(active_ms=1_800_000)

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
    MonitoringOptions.objects.update(pay=1, least_pay=10)
    PersonStatistics.objects.update(active_ms=3_600_000)

    assert sentences(project, NOON + timedelta(days=3), worker_alive=False) == [
        "No worker is running, so the figures on this page are not being updated.",
        "Rating: 1 annotator needs review.",
        "Rating: 1 annotator has not returned a day after the pause ended.",
        "Rating: 1 annotator has been inactive for two days or more.",
        "Rating: pay per hour of active time is 1.00, which is less than your minimum.",
    ]


def chosen():
    project = best_worst_project(12, places=3, main__people="2")
    (place,) = at_work(project, "one")
    for _ in range(4):
        choose_first(place)
    return project


@pytest.mark.parametrize("make", [watched, chosen])
def test_progress_is_the_same_in_the_api_the_overview_and_on_the_page(db, client, make):
    project = make()
    leave(participation_id=project.participations.get(state="active").pk, reason="No time.", now=NOON)
    withdraw_items(project=project, keys=["p1"], reason="Broken.", actor=make_user("boss"), now=NOON)
    manager = member(project, "manager")
    client.force_login(manager)
    measure_project(project.pk, LATER)

    (told,) = caller_of(manager).get(f"/api/v1/projects/{project.key}/progress/").json()["rounds"]
    (one,) = client.get(f"/projects/{project.key}/").context["rounds"]
    (board,) = boards(project, MonitoringOptions(project=project), ProjectStatistics.objects.get().figures, LATER)

    assert (told["places"], told["free"]) == (one["counts"]["places"], one["counts"]["free"])
    assert (told["places"], told["free"]) == (board.people["places"], board.people["free"])
    assert (told["screens"], told["answered"]) == (board.wanted, board.answered)
    assert told["answered"] < told["screens"]
    if project.protocol.compares:
        assert (told["answers_wanted"], told["answers"]) == (one["shared"]["wanted"], one["shared"]["answers"])
