"""Reminders to people who stopped, unsubscribing, and the texts of a project."""

from datetime import timedelta

import pytest
from django.core import mail

from annotation.domain.errors import Refusal
from annotation.domain.messages.reminders import remind_the_rested, remind_the_stopped
from annotation.domain.messages.templates import (
    Kind,
    Text,
    default_text,
    filled,
    restore_default,
    save_template,
    text_of,
)
from annotation.domain.messages.unsubscribing import digest_of, unsubscribe
from annotation.domain.recruiting.address_lists import Row
from annotation.domain.recruiting.mailings import invite_addresses, outcomes_of, send_again
from annotation.models import AuditEntry, InvitedAddress, Participation, RecruitingOptions
from tests.factories import NOON, make_user, rate_next, rating_round
from tests.jobs import work_off

LATER = NOON + timedelta(days=3)
OWN = Text("Hello {name}: {project}", "Dear {name},\n\nround {round}: {link}\n")


@pytest.fixture
def place(user) -> Participation:
    """A place of somebody who has answered once and chose reminders after three days."""
    place = rating_round(user)
    rate_next(place)
    RecruitingOptions.objects.create(project=place.project, stopped_days=3)
    return place


def test_who_stopped_is_reminded_once_with_a_link_to_unsubscribe(place, user):
    assert remind_the_stopped(LATER - timedelta(seconds=1)) == 0
    assert [remind_the_stopped(LATER), remind_the_stopped(LATER + timedelta(days=30))] == [1, 0]

    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == ([user.email], f"{place.project.title}: continue where you stopped")
    assert f"/my-work/{place.pk}/" in letter.body
    url = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert letter.body.endswith(f"No more emails from this project: {url}\n")
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert user.email not in url


@pytest.mark.parametrize(
    "change",
    [
        {"state": "finished", "finished_at": NOON},
        {"state": "left", "reason": "No time"},
        {"state": "resting", "rest_until": LATER + timedelta(days=1)},
        {"due_at": NOON, "due_closes": True},
        {"consented_at": None},
    ],
)
def test_who_cannot_continue_is_not_reminded(place, change):
    Participation.objects.filter(pk=place.pk).update(**change)

    assert remind_the_stopped(LATER) == 0


def test_nobody_is_reminded_where_the_project_does_not_want_it(place):
    RecruitingOptions.objects.update(stopped_days=None)

    assert remind_the_stopped(LATER) == 0


def test_whoever_unsubscribed_gets_no_reminder_of_any_kind(place, user):
    unsubscribe(project=place.project, digest=digest_of(place.project, user.email.upper()), now=NOON)
    assert remind_the_stopped(LATER) == 0
    Participation.objects.filter(pk=place.pk).update(state="resting", rest_until=NOON)

    assert remind_the_rested(LATER) == 0
    assert mail.outbox == []


def test_an_invitation_uses_the_text_of_the_project(place, user):
    project = place.project
    save_template(project=project, kind=Kind.INVITATION, text=OWN, actor=user, now=NOON)
    invite_addresses(
        project=project, round_key="main", pool="raters", rows=[Row("a@b.org", "Ada")], actor=user, now=NOON
    )
    work_off("mailing", NOON)

    (letter,) = mail.outbox
    assert letter.subject == f"Hello Ada: {project.title}"
    assert letter.body.startswith("Dear Ada,\n\nround ") and "/join/" in letter.body
    assert "List-Unsubscribe" in letter.extra_headers
    restore_default(project=project, kind=Kind.INVITATION, actor=user, now=NOON)
    assert text_of(project, Kind.INVITATION) == default_text(Kind.INVITATION)
    assert AuditEntry.objects.filter(action="mail template changed").count() == 2


def test_an_invitation_to_an_unsubscribed_address_is_not_sent_and_is_counted(place, user):
    project = place.project
    rows = [Row("ada@example.org"), Row("ben@example.org")]
    unsubscribe(project=project, digest=digest_of(project, "ada@example.org"), now=NOON)
    invite_addresses(project=project, round_key="main", pool="raters", rows=rows, actor=user, now=NOON)
    work_off("mailing", NOON)

    assert [letter.to for letter in mail.outbox] == [["ben@example.org"]]
    outcomes = outcomes_of(project)
    assert (outcomes.invited, outcomes.sent, outcomes.refused, outcomes.unsubscribed) == (2, 1, 0, 1)
    with pytest.raises(Refusal, match="has unsubscribed"):
        send_again(invited=InvitedAddress.objects.get(address="ada@example.org"), actor=user, now=NOON)


@pytest.mark.parametrize(
    ("subject", "body", "reason"),
    [
        ("", "{link}", "Enter a subject"),
        ("Hello", "No way in", "Add {link}"),
        ("Hello {first}", "{link}", "Unknown placeholder: {first}"),
        ("Hello", "{link} {0}", "Unknown placeholder: {0}"),
        ("Hello", "{link}" + "a" * 5000, "more than 5000"),
    ],
)
def test_a_text_that_would_not_work_is_not_saved(place, user, subject, body, reason):
    with pytest.raises(Refusal, match=reason.replace("{", r"\{")):
        save_template(project=place.project, kind=Kind.REMINDER, text=Text(subject, body), actor=user, now=NOON)


def test_values_are_filled_in_and_never_evaluated():
    values = {"name": "", "project": "{link.__class__} {{ settings }}", "link": "https://a"}

    text = filled(Text("Hi {name},", "Hello {name}, {project}: {link}"), values)

    assert (text.subject, text.body) == ("Hi,", "Hello, {link.__class__} {{ settings }}: https://a")


def test_a_subject_is_one_line(place, user):
    text = Text("A\r\nBcc: all@example.org", "{link}")
    saved = save_template(project=place.project, kind=Kind.REMINDER, text=text, actor=user, now=NOON)

    assert saved.subject == "A Bcc: all@example.org"
    assert make_user("b").email
