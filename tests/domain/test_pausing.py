"""A project that stands still, days by which rounds are due, and messages."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core import mail

from annotation.domain.errors import Refusal, TooEarly, WrongScreen
from annotation.domain.judgment.answers import Answer
from annotation.domain.judgment.saving import rate
from annotation.domain.messages.messages import LONGEST, mail_messages, mark_read, send_message, unread_messages
from annotation.domain.messages.reminders import remind_of_deadlines, remind_the_rested
from annotation.domain.participation.deadlines import move_deadline, move_round_deadline
from annotation.domain.participation.flow import Ended, Finished, Paused, Rest, Screen, where_now
from annotation.domain.participation.lifecycle import begin_session, leave, show
from annotation.domain.project.pause import pause_project, resume_project
from annotation.models import AuditEntry, Judgment, Message, Participation, Project
from tests.factories import (
    NOON,
    answer_all,
    answer_session,
    answer_to,
    at_once,
    make_project,
    make_user,
    present_screen,
    rating_round,
    reread,
    validation_round,
)

pytestmark = pytest.mark.postgres

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def pause(project: Project, actor, now=NOON, reason: str = "A fault in the texts.") -> Project:
    return pause_project(project=project, reason=reason, actor=actor, now=now)


def resume(project: Project, actor, now=NOON) -> Project:
    return resume_project(project=project, reason="Mended.", actor=actor, now=now)


def give(participation: Participation, assignment, now) -> Judgment:
    return rate(participation_id=participation.pk, answer=answer_to(assignment), value="2", now=now)


def due(participation: Participation, actor, *, at=NOON + DAY, closes=False, now=NOON) -> Participation:
    return move_deadline(
        participation_id=participation.pk, due_at=at, closes=closes, reason="Holidays.", actor=actor, now=now
    )


# pausing


def test_a_paused_project_shows_nobody_a_screen_and_then_the_same_one(user):
    participation = rating_round(user)
    before = where_now(participation, NOON)

    pause(participation.project, user)
    assert where_now(reread(participation), NOON) == Paused()
    resume(participation.project, user, NOON + HOUR)

    assert where_now(reread(participation), NOON + HOUR) == before
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "reason", "actor__username")) == [
        ("project paused", "A fault in the texts.", "ann"),
        ("project resumed", "Mended.", "ann"),
    ]


def test_an_answer_on_its_way_is_taken_and_the_next_is_not(user):
    participation = rating_round(user)
    first, following = present_screen(participation), participation.assignments.order_by("position")[1]
    show(first, NOON)
    pause(participation.project, user, NOON + HOUR)

    stored = give(participation, first, NOON + 2 * HOUR)

    assert Judgment.objects.get() == stored
    assert where_now(reread(participation), NOON + 2 * HOUR) == Paused()
    with pytest.raises(WrongScreen, match="paused until further notice"):
        give(participation, following, NOON + 2 * HOUR)


def test_the_last_answer_on_its_way_finishes_the_round(user):
    participation = rating_round(user, 1)
    show(present_screen(participation), NOON)
    pause(participation.project, user, NOON + HOUR)

    give(participation, participation.assignments.get(), NOON + 2 * HOUR)

    assert where_now(reread(participation), NOON + 2 * HOUR) == Finished(NOON + 2 * HOUR)


def test_a_screen_never_shown_before_the_pause_is_not_answered(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    pause(participation.project, user)

    with pytest.raises(WrongScreen, match="paused"):
        give(participation, screen, NOON + HOUR)


def test_an_answer_sent_twice_over_the_pause_is_stored_once(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    show(screen, NOON)
    answer = Answer(screen.pk, uuid4())
    first = rate(participation_id=participation.pk, answer=answer, value="2", now=NOON)
    pause(participation.project, user)

    assert rate(participation_id=participation.pk, answer=answer, value="2", now=NOON + HOUR) == first


def test_nobody_at_rest_begins_or_is_called_while_it_is_paused(user):
    participation = answer_session(validation_round(user))
    pause(participation.project, user)
    end = NOON + timedelta(hours=73)

    with pytest.raises(TooEarly, match="paused until further notice"):
        begin_session(participation_id=participation.pk, now=end)
    assert (remind_the_rested(end), mail.outbox) == (0, [])
    resume(participation.project, user, end)
    assert remind_the_rested(end) == 1
    assert isinstance(where_now(reread(participation), end), Rest)


def test_pausing_needs_a_reason_and_an_open_project_that_runs(user):
    project = make_project(key="p")

    with pytest.raises(Refusal, match="not paused"):
        resume(project, user)
    with pytest.raises(Refusal, match="Give a reason"):
        pause(project, user, reason="")
    pause(project, user)
    with pytest.raises(Refusal, match="The project is already paused"):
        pause(project, user)
    resume(project, user)
    Project.objects.update(closed_at=NOON)
    with pytest.raises(Refusal, match="closed"):
        pause(project, user)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_pause_at_once_one_does():
    project, user = make_project(key="p"), make_user()

    results = at_once(*[lambda: pause(project, user)] * 2)

    assert {type(one) for one in results} == {Project, Refusal}
    assert AuditEntry.objects.count() == 1


# deadlines


def test_a_deadline_is_shown_and_by_itself_closes_nothing(user):
    participation = rating_round(user)

    due(participation, user)

    moved = reread(participation)
    assert (moved.due_at, moved.due_closes) == (NOON + DAY, False)
    assert isinstance(where_now(moved, NOON + 2 * DAY), Screen)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.details["from"], entry.details["closes"]) == ("deadline moved", None, False)


def test_a_deadline_that_closes_shows_no_new_screen_and_takes_what_is_on_its_way(user):
    participation = rating_round(user)
    first, following = present_screen(participation), participation.assignments.order_by("position")[1]
    show(first, NOON)
    due(participation, user, closes=True)
    late = NOON + 2 * DAY

    assert isinstance(where_now(reread(participation), NOON + DAY), Ended)
    give(participation, first, late)
    with pytest.raises(WrongScreen, match="time for this round is over"):
        give(participation, following, late)
    due(participation, user, at=late + DAY, closes=True, now=late)
    assert present_screen(participation, late) == following


def test_a_deadline_is_taken_away(user):
    participation = rating_round(user)
    due(participation, user, closes=True)

    due(participation, user, at=None, closes=True)

    assert (reread(participation).due_at, reread(participation).due_closes) == (None, False)


def test_a_deadline_lies_ahead_and_is_for_who_has_not_finished(user):
    participation = rating_round(user)

    with pytest.raises(Refusal, match="in the past"):
        due(participation, user, at=NOON)
    answer_all(participation)
    with pytest.raises(Refusal, match="no effect"):
        due(participation, user)


def test_a_round_gets_a_deadline_for_all_who_go_on_and_for_free_places(user):
    participation = answer_all(rating_round(user))
    project = participation.project

    moved = move_round_deadline(
        project=project, round_key="main", due_at=NOON + DAY, closes=True, reason="The end.", actor=user, now=NOON
    )

    free = project.participations.get(annotator=None)
    assert (moved, free.due_at, free.due_closes, reread(participation).due_at) == (1, NOON + DAY, True, None)
    assert AuditEntry.objects.get().details["places"] == 1


def test_a_reminder_goes_out_a_day_before_once(user):
    participation = rating_round(user)
    due(participation, user, at=NOON + 2 * DAY, closes=True)

    sent = [remind_of_deadlines(NOON + hours * HOUR) for hours in (23, 24, 25, 60)]

    assert sent == [0, 1, 0, 0]
    (letter,) = mail.outbox
    assert "4 March 2026" in letter.body and "no new screens" in letter.body and letter.to == ["ann@example.org"]


def test_after_a_new_deadline_the_reminder_goes_out_again(user):
    participation = rating_round(user)
    due(participation, user, at=NOON + HOUR)
    remind_of_deadlines(NOON)

    due(participation, user, at=NOON + 2 * HOUR)

    assert remind_of_deadlines(NOON) == 1


def test_the_place_that_takes_over_keeps_a_deadline_to_come_only(user):
    participation = rating_round(user)
    due(participation, user, closes=True)
    other = rating_round(make_user("other"), key="other")
    due(other, user, closes=True)

    leave(participation_id=participation.pk, reason="", now=NOON)
    leave(participation_id=other.pk, reason="", now=NOON + 2 * DAY)

    kept, dropped = reread(participation).refill, reread(other).refill
    assert (kept.due_at, kept.due_closes, dropped.due_at, dropped.due_closes) == (NOON + DAY, True, None, False)


# messages


def write(participation: Participation, actor, text: str = " Please read 3.2. ") -> Message:
    return send_message(participation_id=participation.pk, text=text, actor=actor, now=NOON)


def test_a_message_waits_on_the_screen_until_read_and_goes_out_once(user):
    participation = rating_round(user)

    message = write(participation, make_user("boss"))

    assert unread_messages(participation.pk) == [message]
    assert [mail_messages(NOON), mail_messages(NOON)] == [1, 0]
    (letter,) = mail.outbox
    assert letter.subject == "project: new message"
    assert "Please read 3.2.\n" in letter.body and f"/my-work/{participation.pk}/" in letter.body
    mark_read(message=message, now=NOON)
    mark_read(message=message, now=NOON + HOUR)
    assert (unread_messages(participation.pk), Message.objects.get().read_at) == ([], NOON)
    assert AuditEntry.objects.values_list("action", "reason", "details").get() == (
        "message sent",
        "",
        {"message": message.pk},
    )


def test_a_mail_server_that_fails_is_asked_again(user, settings):
    write(rating_round(user), user)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    assert mail_messages(NOON) == 0

    assert Message.objects.get().mailed_at is None


def test_what_was_read_on_the_screen_is_not_mailed(user):
    mark_read(message=write(rating_round(user), user), now=NOON)

    assert mail_messages(NOON) == 0


@pytest.mark.django_db(transaction=True)
def test_two_workers_mail_a_message_once():
    user = make_user()
    write(rating_round(user), user)

    assert sum(at_once(*[lambda: mail_messages(NOON)] * 2)) == len(mail.outbox) == 1


def test_a_message_has_words_and_somebody_to_read_them(user):
    participation = rating_round(user)
    free = participation.project.participations.get(annotator=None)

    with pytest.raises(Refusal, match="Enter a message"):
        write(participation, user, "  ")
    with pytest.raises(Refusal, match="at most"):
        write(participation, user, "x" * (LONGEST + 1))
    with pytest.raises(Refusal, match="nobody to write to"):
        write(free, user)
