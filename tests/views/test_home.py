"""The first page and the person's time zone."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from annotation.domain.project.creation import add_member
from annotation.models import Membership, Participation, User
from tests.factories import (
    NOON,
    answer_all,
    answer_session,
    make_project,
    make_user,
    rate_next,
    rating_round,
    validation_round,
)
from tests.views.sending import client_of, url_of


def test_a_stranger_is_welcomed(db):
    page = Client().get("/")

    assert (page.status_code, page.templates[0].name) == (200, "home/welcome.html")
    assert isinstance(page.context["user"], AnonymousUser)


def test_home_lists_my_rounds_what_is_open_first_and_nothing_of_others(user):
    finished = answer_all(rating_round(user, key="finished"))
    resting = answer_session(validation_round(user, key="resting"))
    open_ = rating_round(user, key="open")
    theirs = rating_round(make_user("other"), key="theirs")

    page = client_of(user).get("/")

    listed = [(one.pk, one.answered, one.screens) for one in page.context["participations"]]
    assert sorted(listed[:2]) == sorted([(open_.pk, 0, 4), (resting.pk, 5, 10)])
    assert listed[2:] == [(finished.pk, 4, 4)]
    assert url_of(theirs) not in page.text


def test_home_says_how_long_the_rest_takes_and_shows_what_is_due_first(user):
    new, begun, due = (rating_round(user, pairs=12, key=key) for key in ("fresh", "begun", "due"))
    rate_next(begun)
    Participation.objects.filter(pk=due.pk).update(due_at=timezone.now() + timedelta(days=1))
    resting, finished = answer_session(validation_round(user, key="resting")), answer_all(rating_round(user, key="end"))
    Participation.objects.filter(pk=resting.pk).update(rest_until=timezone.now() + timedelta(days=1))

    page = client_of(user).get("/")

    listed = page.context["participations"]
    assert [one.pk for one in listed] == [due.pk, begun.pk, new.pk, resting.pk, finished.pk]
    assert [one.group for one in listed] == ["open"] * 3 + ["resting", "over"]
    assert listed[2].minutes_left == 2  # 12 ratings of 7 seconds
    assert page.text.count("minutes left") + page.text.count("minute left") == 4
    assert page.text.index("<h2>Resting</h2>") < page.text.index("<h2>Finished</h2>")
    assert page.text.count('<h3 dir="auto">') == 2  # below the headings of their groups
    assert [one.is_next for one in listed] == [True, False, False, False, False]
    assert page.text.count('class="button first"') == page.text.count('class="card next"') == 1


def test_home_shows_no_next_task_where_everything_rests_or_is_over(user):
    answer_all(rating_round(user))

    page = client_of(user).get("/")

    assert 'class="card next"' not in page.text and 'class="button first"' not in page.text


def test_home_begins_the_next_session_where_the_pause_is_over(user):
    resting = answer_session(validation_round(user))
    Participation.objects.update(rest_until=NOON)
    client = client_of(user)
    assert f'action="{url_of(resting, "begin/")}"' in client.get("/").text

    response = client.post(url_of(resting, "begin/"), follow=True)

    assert response.templates[0].name == "work/rating.html"


@pytest.mark.parametrize(("role", "shown"), [(None, 0), (Membership.Role.RESEARCHER, 1)])
def test_tokens_are_offered_only_to_people_with_projects(user, role, shown):
    place = rating_round(user)
    if role:
        add_member(project=place.project, user=user, role=role)

    assert client_of(user).get("/").text.count("API tokens") == shown
    assert client_of(user).get(url_of(place)).text.count("API tokens") == 0


def test_home_lists_my_projects_each_with_the_page_that_i_may_see(user):
    mine, _ = make_project(key="mine"), make_project(key="theirs")
    researched = make_project(key="researched")
    add_member(project=mine, user=user, role=Membership.Role.MANAGER)
    add_member(project=researched, user=user, role=Membership.Role.RESEARCHER)

    page = client_of(user).get("/")

    assert list(page.context["projects"]) == [mine, researched]
    assert 'href="/projects/mine/"' in page.text and 'href="/projects/researched/runs/"' in page.text


@pytest.mark.parametrize("zone", ["Europe/Prague", "Asia/Kathmandu", "UTC"])
def test_the_browsers_zone_is_kept_with_the_account(user, zone):
    response = client_of(user).post("/time-zone/", {"time_zone": zone})

    assert (response.status_code, User.objects.get().time_zone) == (204, zone)


@pytest.mark.parametrize("zone", ["", "Nowhere/At-all", "../../etc/passwd", "Europe", "x" * 65, "a\x00b", "Ž"])
def test_what_is_no_zone_is_refused(user, zone):
    User.objects.update(time_zone="Europe/Prague")

    response = client_of(user).post("/time-zone/", {"time_zone": zone})

    assert (response.status_code, User.objects.get().time_zone) == (422, "Europe/Prague")
