"""What managers are emailed: events at once, and a digest."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.urls import reverse

from annotation.domain.languages import keep_language
from annotation.models import Broadcast, Judgment, Membership
from scoring.domain.notifications.digests import boundary, send_digests
from scoring.domain.notifications.events import emit, emit_found, emit_measured
from scoring.domain.notifications.mailing import mail_notices
from scoring.models import Event, MonitoringOptions, Notice, NotificationSettings, PersonStatistics
from tests.factories import NOON, make_project, make_user
from tests.watching.worlds import LATER, measure_project, watched

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
DAY = timedelta(days=1)


@pytest.fixture
def project():
    return make_project(key="study")


@pytest.fixture
def manager(project):
    return managing(project, "mia")


def managing(project, name, role=Membership.Role.MANAGER):
    user = make_user(name)
    Membership.objects.create(project=project, user=user, role=role)
    return user


def launch_noted(project, key="1"):
    return emit(project=project, event=Event.LAUNCHED, key=key, payload={}, now=NOON)


def test_one_email_tells_everything_that_happened_and_nothing_twice(project, manager, settings):
    settings.PUBLIC_URL = "https://semblance.example"
    NotificationSettings.objects.create(user=manager, events=[Event.LAUNCHED, Event.RELEASE_MADE])
    launch_noted(project)
    launch_noted(project)
    emit(project=project, event=Event.RELEASE_MADE, key="1", payload={"release": 1}, now=NOON)

    assert [mail_notices(NOON), mail_notices(NOON)] == [1, 0]

    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["mia@example.org"], "News from your projects")
    assert letter.body.count("The project has been launched.") == 1
    assert "Release 1 is ready to download.\nhttps://semblance.example/projects/study/releases/" in letter.body


def test_only_managers_who_want_an_event_are_told(project, manager):
    managing(project, "rita", Membership.Role.RESEARCHER)
    quiet, elsewhere = managing(project, "otto", Membership.Role.OWNER), make_user("eva")
    NotificationSettings.objects.create(user=quiet).muted.add(project)
    Membership.objects.create(project=make_project(key="other"), user=elsewhere, role=Membership.Role.OWNER)

    emit(project=project, event=Event.ROUND_FINISHED, key="main/1", payload={"round": "main"}, now=NOON)

    assert [notice.user for notice in Notice.objects.all()] == [manager]
    assert launch_noted(project) == 0  # told only to those who choose it


def test_an_email_is_in_the_readers_language(project, manager):
    keep_language(manager, "de")
    emit(project=project, event=Event.ROUND_FINISHED, key="main/1", payload={"round": "main"}, now=NOON)
    mail_notices(NOON)
    assert mail.outbox[0].body.startswith("Guten Tag,")


def test_an_email_that_cannot_be_sent_is_sent_later(project, manager, monkeypatch):
    def fail(*arguments):
        raise OSError("no server")

    emit(project=project, event=Event.ROUND_FINISHED, key="main/1", payload={"round": "main"}, now=NOON)
    with monkeypatch.context() as patch:
        patch.setattr("annotation.domain.messages.sending.send_mail", fail)
        assert mail_notices(NOON) == 0
    assert mail_notices(NOON) == 1


def test_launches_and_failed_jobs_are_found(project, manager):
    NotificationSettings.objects.create(user=manager, events=[Event.LAUNCHED, Event.JOB_FAILED])
    project.launched_at = NOON
    project.save()
    values = {"project": project, "text": "Hi", "recipients": [], "created_at": NOON, "state": "failed"}
    Broadcast.objects.create(**values, key="0" * 32, ended_at=NOON, problem="The mail server refused it.")
    Broadcast.objects.create(**values, key="1" * 32, ended_at=NOON - 2 * DAY)

    assert [emit_found(NOON), emit_found(NOON)] == [2, 0]

    mail_notices(NOON)
    assert "The mail server refused it." in mail.outbox[0].body


def test_flags_are_told_from_the_chosen_number_and_the_budget_once():
    project = watched()
    few, many = managing(project, "few"), managing(project, "many")
    NotificationSettings.objects.create(user=few, events=[Event.FLAGGED], flagged_from=1)
    NotificationSettings.objects.create(user=many, events=[Event.FLAGGED], flagged_from=99)
    MonitoringOptions.objects.create(project=project, pay=Decimal(10), pay_for="hour", budget=Decimal("0.01"))
    owner = managing(project, "owner", Membership.Role.OWNER)
    measure_project(project.pk, LATER)
    PersonStatistics.objects.update(open_flags=1, active_ms=3_600_000)

    emit_measured(project.statistics)
    emit_measured(project.statistics)

    told = set(Notice.objects.values_list("user", "event"))
    assert (few.pk, "people.flagged") in told and (many.pk, "people.flagged") not in told
    assert Notice.objects.filter(user=owner, event="budget.reached").count() == 1


def test_flags_are_told_by_the_measurement_that_finds_them():
    project, owner = watched(), make_user("owner")
    Membership.objects.create(project=project, user=owner, role=Membership.Role.OWNER)
    NotificationSettings.objects.create(user=owner, events=[Event.FLAGGED], flagged_from=1)
    MonitoringOptions.objects.create(project=project, least_answers=4, median_seconds=9)
    Judgment.objects.filter(assignment__participation__seat=1).update(answered_ms=500)
    Judgment.objects.exclude(assignment__participation__seat=1).update(answered_ms=20_000)

    measure_project(project.pk, LATER)

    assert [notice.event for notice in owner.notices.all()] == ["people.flagged"]


@pytest.mark.parametrize(
    ("digest", "now", "due"),
    [
        ("daily", datetime(2026, 11, 25, 5, 59, tzinfo=UTC), datetime(2026, 11, 24, 6, tzinfo=UTC)),
        ("daily", datetime(2026, 11, 25, 6, 0, tzinfo=UTC), datetime(2026, 11, 25, 6, tzinfo=UTC)),
        ("weekly", datetime(2026, 11, 23, 5, 59, tzinfo=UTC), datetime(2026, 11, 16, 6, tzinfo=UTC)),
        ("weekly", datetime(2026, 11, 29, 23, 0, tzinfo=UTC), datetime(2026, 11, 23, 6, tzinfo=UTC)),
    ],
)
def test_digests_are_due_at_six(digest, now, due):
    assert boundary(digest, now) == due


def test_a_digest_has_the_new_answers_of_each_project_and_comes_once_a_day():
    project = watched()
    manager = managing(project, "mia")
    measure_project(project.pk, LATER)
    chosen = NotificationSettings.objects.create(user=manager, digest="daily", digest_at=NOON)

    assert [send_digests(NOON), send_digests(NOON + DAY), send_digests(NOON + DAY)] == [0, 1, 0]

    first = mail.outbox[0]
    assert first.subject == "Your projects today"
    answered = project.statistics.figures["main"]["blocks"]
    number = sum(block["answered"] for block in answered)
    assert f"{project.title}\n{number} new answers, {number} of" in first.body
    chosen.refresh_from_db()
    assert send_digests(NOON + 2 * DAY) == 1
    assert "\n0 new answers" in mail.outbox[1].body


def test_a_manager_chooses_what_comes(client, project, manager):
    client.force_login(manager)
    page = client.get(reverse("notifications"))
    assert page.status_code == 200 and "mia@example.org" in page.content.decode()

    chosen = {"digest": "weekly", "events": ["run.finished"], "flagged_from": "5", "muted": [project.pk]}
    assert client.post(reverse("notifications"), chosen).status_code == 302

    own = NotificationSettings.objects.get(user=manager)
    assert (own.digest, own.events, own.flagged_from) == ("weekly", ["run.finished"], 5)
    assert own.digest_at is not None and list(own.muted.all()) == [project]
    assert client.post(reverse("notifications"), {"digest": "hourly"}).status_code == 422
