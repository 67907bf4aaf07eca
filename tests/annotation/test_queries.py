"""Reads with more than one caller."""

import pytest

from annotation.domain.judgment.answers import Answer
from annotation.domain.judgment.saving import rate
from annotation.domain.participation.lifecycle import consent, exclude, leave
from annotation.models import Incident, Item, Judgment, Participation, SelectedPair
from annotation.queries.counting import PAIR_NOT_COUNTED_BECAUSE, counted, counted_pairs, current
from annotation.queries.judgments import judgment_rows, judgments_of
from annotation.queries.people import free_seats, round_counts, with_progress
from annotation.queries.screens import open_screens, with_texts
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import (
    NOON,
    add_incidents,
    answer_all,
    answer_to,
    make_project,
    make_user,
    news_project,
    plan_round,
    rate_next,
    rating_round,
    seat_outsider,
    select_next,
    validation_round,
)

pytestmark = pytest.mark.postgres


def change_last(participation: Participation, value: str) -> None:
    screen = participation.assignments.filter(answered_at__isnull=False).last()
    answer = Answer(screen.pk, answer_to(screen).key, again=True)
    rate(participation_id=participation.pk, answer=answer, value=value, now=NOON)


def test_open_screens_come_in_order(user):
    participation = validation_round(user, calibration=1, main=1, intra=0)
    rate_next(participation)

    assert list(open_screens(participation.assignments.all()).values_list("session", "position")) == [
        (1, 2),
        (2, 1),
        (2, 2),
    ]


def test_with_texts_takes_one_query(user, django_assert_num_queries):
    project = make_project("czech_news", R1__incidents="1")
    add_incidents(project, 1)
    plan_round(project=project, round_key="R1")
    assignments = project.participations.get().assignments.all()

    with django_assert_num_queries(1):
        texts = [(one.item, one.sentence.document.incident.key) for one in with_texts(assignments)]

    assert texts == [(None, "i1")] * 3


def test_current_and_counted_judgments(user):
    mine = rating_round(user)
    theirs = seat_outsider(mine.project, "main", "W1")
    consent(participation_id=theirs.pk, now=NOON)
    elsewhere = rating_round(make_user("other"), key="other")
    rate_next(mine, "1")
    change_last(mine, "2")
    rate_next(theirs, "3")
    rate_next(elsewhere, "4")
    exclude(participation_id=theirs.pk, reason="Careless.", actor=None, now=NOON)

    judgments = judgments_of(mine.project)

    sets = (judgments, current(judgments), counted(judgments))
    values = [sorted(rows.values_list("value", flat=True)) for rows in sets]
    assert values == [[1.0, 2.0, 3.0], [2.0, 3.0], [2.0]]
    assert Judgment.objects.count() == 4


def test_counted_pairs_of_an_incident_that_was_passed_on_are_those_of_the_new_person(db):
    project = make_project("czech_news", R1__incidents="2")
    add_incidents(project, 2, summary=2)
    plan_round(project=project, round_key="R1")
    first = seat_outsider(project, "R1", "r1-1")
    consent(participation_id=first.pk, now=NOON)
    for value in "654":
        select_next(first, (value, "3", "0"))
    leave(participation_id=first.pk, reason="", now=NOON)
    answer_all(seat_outsider(project, "R1", "r1-2"))

    pairs = counted_pairs(SelectedPair.objects.filter(role="A"))

    rows = pairs.values_list("judgment__assignment__participation__seat", "judgment__assignment__position", "value")
    assert list(rows) == [(1, 1, 6.0), (1, 2, 5.0), (2, 3, 6.0), (2, 4, 6.0)]


def test_counted_pairs_leave_out_the_excluded(db):
    project = news_project(people=2, incidents=1)
    gone = project.participations.get(round="R1", seat=1)
    exclude(participation_id=gone.pk, reason="Careless.", actor=None, now=NOON)

    pairs = counted_pairs(SelectedPair.objects.all())

    assert set(pairs.values_list("judgment__assignment__participation__seat", flat=True)) == {2}


def test_free_seats_are_those_that_nobody_has(user):
    participation = rating_round(user)
    leave(participation_id=participation.pk, reason="", now=NOON)

    assert list(free_seats(Participation.objects.all()).values_list("seat", flat=True)) == [2, 3]


def test_with_progress_counts_each_screen_once_and_means_current_answers(user, django_assert_num_queries):
    participation = rating_round(user)
    for value in ("1", "2"):
        rate_next(participation, value)
    Judgment.objects.update(active_ms=9000)
    change_last(participation, "3")
    Judgment.objects.filter(value=3).update(active_ms=1000)

    with django_assert_num_queries(1):
        rows = [
            (one.screens, one.answered, one.mean_active_ms)
            for one in with_progress(Participation.objects.order_by("seat"))
        ]

    assert rows == [(4, 2, 5000.0), (4, 0, None)]


def test_round_counts_are_a_row_a_round(user):
    participation = rating_round(user)
    states = {"active": 0, "resting": 0, "finished": 0, "excluded": 0, "left": 0}

    leave(participation_id=participation.pk, reason="", now=NOON)

    assert list(round_counts(Participation.objects.all())) == [
        {"round": "main", "places": 2, "free": 2, **states, "invited": 0, "left": 1}
    ]


def why_not(judgments):
    return sorted(judgment_rows(judgments, "value", "counted", "not_counted_because"))


def test_each_reason_for_which_a_judgment_does_not_count(user):
    mine = rating_round(user, calibration=1)
    theirs = seat_outsider(mine.project, "main", "W1")
    consent(participation_id=theirs.pk, now=NOON)
    for value in ("0", "1", "2"):
        rate_next(mine, value)
    Item.objects.filter(assignments__judgments__value=1).update(withdrawn_at=NOON)
    change_last(mine, "3")
    rate_next(theirs, "4")
    exclude(participation_id=theirs.pk, reason="Careless.", actor=None, now=NOON)

    rows = why_not(judgments_of(mine.project))

    assert rows == [
        (0.0, False, "calibration"),
        (1.0, False, "withdrawn"),
        (2.0, False, "superseded"),
        (3.0, True, ""),
        (4.0, False, "excluded"),
    ]
    assert [row.value for row in counted(judgments_of(mine.project))] == [3.0]


def test_choices_of_a_tuple_with_a_withdrawn_item_do_not_count(db):
    project = best_worst_project(8)
    first, second = at_work(project, "W1", "W2")
    gone = choose_first(first)
    while (kept := choose_first(second)).assignment.tuple.items.filter(pk=gone.best_id).exists():
        pass
    Item.objects.filter(pk=gone.best_id).update(withdrawn_at=NOON)

    rows = {
        row.id: row.not_counted_because for row in judgment_rows(judgments_of(project), "id", "not_counted_because")
    }

    assert (rows[gone.pk], rows[kept.pk]) == ("withdrawn", "")
    assert [row.pk for row in counted(judgments_of(project))] == [pk for pk, reason in rows.items() if not reason]


def test_selections_of_an_incident_that_was_passed_on_do_not_count(db):
    project = make_project("czech_news", R1__incidents="1")
    add_incidents(project, 1, summary=2)
    plan_round(project=project, round_key="R1")
    first = seat_outsider(project, "R1", "r1-1")
    consent(participation_id=first.pk, now=NOON)
    judgment = select_next(first)
    Incident.objects.update(participation=None)
    row = next(judgment_rows(judgments_of(project), "counted", "not_counted_because"))
    assert tuple(row) == (False, "reassigned")
    assert not counted_pairs(judgment.pairs.all()).exists()
    reasons = judgment.pairs.values_list(PAIR_NOT_COUNTED_BECAUSE, flat=True)
    assert list(reasons) == ["reassigned"] * 3


def test_a_pair_that_is_withdrawn_of_an_incident_that_was_passed_on_is_reassigned_as_the_others(db):
    news_project(people=1, incidents=1)
    Item.objects.filter(pk=SelectedPair.objects.first().item_id).update(withdrawn_at=NOON)
    Incident.objects.update(participation=None)
    assert set(SelectedPair.objects.values_list(PAIR_NOT_COUNTED_BECAUSE, flat=True)) == {"reassigned"}


def test_a_selected_pair_that_is_withdrawn_does_not_count(db):
    project = news_project(people=1, incidents=1)
    pair = SelectedPair.objects.first()
    Item.objects.filter(pk=pair.item_id).update(withdrawn_at=NOON)
    pairs = SelectedPair.objects.filter(judgment=pair.judgment).values_list("pk", PAIR_NOT_COUNTED_BECAUSE)
    assert dict(pairs) == {pk: "withdrawn" if pk == pair.pk else "" for pk, _ in pairs}
    assert why_not(judgments_of(project))[0][1:] == (True, "")
    assert pair not in counted_pairs(SelectedPair.objects.all())
