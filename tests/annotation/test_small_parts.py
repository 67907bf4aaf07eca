"""Permissions, the time zone, forms and tasks."""

from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.core.files.base import ContentFile
from django.http import Http404, HttpResponse, QueryDict
from django.utils import timezone

from annotation.domain.jobs.worker import worker_is_alive
from annotation.domain.judgment.selected_pairs import Pick
from annotation.domain.project.creation import add_member
from annotation.forms.answers import AnswerForm
from annotation.middleware import TimeZoneMiddleware, zone
from annotation.models import Item, ItemImport, Membership, Participation
from annotation.permissions import managed_project, managed_projects, own_participation
from annotation.tasks import beat_heart, end_pauses, invite_seated, sweep
from tests.factories import NOON, answer_session, make_project, make_user, rating_round, validation_round


def test_managers_manage_their_own_projects(user):
    mine, theirs = make_project(key="mine"), make_project(key="theirs")
    add_member(project=mine, user=user, role=Membership.Role.MANAGER)
    add_member(project=theirs, user=user, role=Membership.Role.RESEARCHER)

    assert list(managed_projects(user)) == [mine]
    assert list(managed_projects(make_user("root", is_superuser=True))) == [mine, theirs]
    assert managed_project(user, "mine") == mine
    for key in ("theirs", "nothing"):
        with pytest.raises(Http404):
            managed_project(user, key)


def test_a_participation_is_the_persons_own(user, django_assert_num_queries):
    participation = rating_round(user)

    with django_assert_num_queries(1):
        own = own_participation(user, participation.pk)
        assert (own, own.project.key, own.annotator.user_id) == (participation, "project", user.pk)
    with pytest.raises(Http404):
        own_participation(make_user("other"), participation.pk)


@pytest.mark.parametrize(
    "name", ["", "Nowhere/At-all", "Europe", "../../etc/passwd", "/etc/passwd", "a\x00b", "ž" * 300]
)
def test_what_is_no_zone_is_none(name):
    assert zone(name) is None


@pytest.mark.parametrize(
    ("cookie", "account", "used"),
    [
        ("", "", "UTC"),
        ("Europe/Prague", "", "Europe/Prague"),
        ("", "Asia/Kathmandu", "Asia/Kathmandu"),
        ("Europe/Prague", "Asia/Kathmandu", "Europe/Prague"),
        ("Nowhere", "Asia/Kathmandu", "Asia/Kathmandu"),
        ("Nowhere", "Nowhere", "UTC"),
    ],
)
def test_times_are_in_the_zone_of_the_browser_or_else_of_the_account(rf, cookie, account, used):
    request = rf.get("/")
    request.COOKIES["time_zone"], request.user = cookie, SimpleNamespace(time_zone=account)

    response = TimeZoneMiddleware(lambda _: HttpResponse(timezone.get_current_timezone_name()))(request)

    assert response.text == used
    assert timezone.get_current_timezone_name() == "UTC"


def test_zone_knows_iana_names():
    assert zone("America/New_York") == ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("sent", "picks"),
    [
        ("", {}),
        ("pick-A=7&value-A=3", {"A": Pick(7, "3")}),
        ("pick-A=7", {"A": Pick(7, "")}),
        ("pick-A=7&pick-B=8&value-B=2&pick-D=9", {"A": Pick(7, ""), "B": Pick(8, "2")}),
        ("pick-A=-7&pick-B=x", {}),
        ("pick-A=" + "9" * 19, {}),
        ("pick-A=٣&value-A=٣", {"A": Pick(3, "٣")}),
    ],
)
def test_picks_are_the_sentences_properly_chosen(sent, picks):
    assert AnswerForm(QueryDict(sent)).picks(["A", "B"]) == picks


def test_tasks_do_what_waits(user, mailoutbox):
    answer_session(validation_round(user))
    Participation.objects.update(rest_until=NOON)
    ItemImport.objects.create(
        project=make_project(key="other"), file=ContentFile(b"id,sentence1,sentence2\nx,One.,Two.\n", "pairs.csv")
    )

    done = [task.delay().get() for task in (beat_heart, end_pauses, sweep, invite_seated)]
    again = [task.delay().get() for task in (beat_heart, end_pauses, sweep, invite_seated)]

    assert (done, again) == ([None, 1, None, 0], [None, 0, None, 0])
    assert (worker_is_alive(timezone.now()), len(mailoutbox), Item.objects.filter(key="x").count()) == (True, 1, 1)
