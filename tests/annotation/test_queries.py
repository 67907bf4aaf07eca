"""Reads with more than one caller."""

from annotation.domain.judging import Answer, rate
from annotation.domain.participation import consent, exclude, leave
from annotation.models import Judgment, Participation, SelectedPair
from annotation.queries import (
    counted,
    counted_pairs,
    current,
    free_seats,
    judgments_of,
    open_screens,
    round_counts,
    with_progress,
    with_texts,
)
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
            (one.screens, one.answered, one.active_ms) for one in with_progress(Participation.objects.order_by("seat"))
        ]

    assert rows == [(4, 2, 5000.0), (4, 0, None)]


def test_round_counts_are_a_row_a_round(user):
    participation = rating_round(user)
    states = {"active": 0, "resting": 0, "finished": 0, "excluded": 0, "left": 0}

    leave(participation_id=participation.pk, reason="", now=NOON)

    assert list(round_counts(Participation.objects.all())) == [
        {"round": "main", "places": 3, "free": 2, **states, "invited": 0, "left": 1}
    ]
