"""The planning aid's page."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.domain.project.creation import add_member
from annotation.models import Membership, Project
from annotation.planning.costs import Material
from scoring.domain.monitoring.pay import hourly_pay
from scoring.models import MonitoringOptions
from tests.factories import add_pairs, make_project, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(client) -> Project:
    project = make_project("semrel")
    user = make_user("boss@example.org")
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    client.force_login(user)
    return project


def asked(client, project, **values):
    given = {"round": "main", "items": 200, "basis": "paper", "target": 0.9, "seconds": 30} | values
    return client.get(reverse("project-forecast", args=[project.key]), given)


def test_the_page_opens_at_once_and_then_simulates_what_is_set_up(client, project):
    add_pairs(project, 12)
    address = reverse("project-forecast", args=[project.key])

    opened = client.get(address)
    part = client.get(address, {"simulate": "1"}, headers={"hx-request": "true"})
    page = client.get(address, {"simulate": "1"})

    assert f'hx-get="{address}?simulate=1"' in opened.text and "outlook" not in opened.context
    assert "hx-get" not in part.text and "<h1>" not in part.text and part.text.strip() in page.text
    assert page.status_code == 200
    assert page.context["outlook"].lines[1].cost.judgments == 24 * 4
    assert "SemRel2024" in page.content.decode() and "Current setup" in page.content.decode()


def test_money_shows_where_pay_is_given(client, project):
    page = asked(client, project, pay="12", fee="30").content.decode()

    hours = 400 * 4 * 30 / 3600
    assert f"{hours * 12 * 1.3:.2f}" in page


@pytest.mark.parametrize(
    ("options", "hourly", "said"),
    [
        ({"pay": "9", "pay_for": "hour", "currency": "CZK"}, "9.00", "9.00 CZK per hour of active time"),
        ({"least_pay": "7"}, "7.00", "Minimum from"),
        # 24 tuples of a minute are 24 minutes.
        ({"pay": "2", "pay_for": "person"}, "5.00", "2.00 EUR per annotator and round"),
        ({}, None, "Pay per hour"),
    ],
)
def test_pay_begins_with_what_is_set_for_watching(client, project, options, hourly, said):
    add_pairs(project, 12)
    MonitoringOptions.objects.create(project=project, **options)

    page = client.get(reverse("project-forecast", args=[project.key]), {"simulate": "1"})

    assert page.context["wish"].pay == (hourly and Decimal(hourly))
    assert said in page.text
    assert ("Cost (" in page.text) == (hourly is not None)


def test_pay_of_nothing_to_do_is_not_worked_out(project):
    options = MonitoringOptions(project=project, pay=Decimal(2))

    assert hourly_pay(options, project.round("main"), Material(items=1), 25) is None


def test_a_run_may_tell_how_much_people_vary_only_when_it_is_done_and_of_this_project(client, project):
    page = asked(client, project, basis="1")

    assert page.status_code == 422 and "outlook" not in page.context


@pytest.mark.parametrize(
    "wrong",
    [{"items": 0}, {"items": "many"}, {"target": 1}, {"seconds": 0}, {"pay": -1}, {"round": "R9"}, {"fee": "nan"}],
)
def test_what_makes_no_sense_is_told_beside_its_field(client, project, wrong):
    page = asked(client, project, **wrong)

    assert page.status_code == 422
    assert set(page.context["form"].errors) == set(wrong)


def test_too_few_items_say_so(client, project):
    page = asked(client, project, items=3)

    assert page.status_code == 422 and "at least 4 items" in page.content.decode()


def test_the_page_is_for_managers(client, project):
    user = make_user("reader@example.org")
    add_member(project=project, user=user, role=Membership.Role.RESEARCHER)
    client.force_login(user)

    assert client.get(reverse("project-forecast", args=[project.key])).status_code == 404


def test_rounds_that_judge_once_have_costs_only(client, project):
    czech = make_project("czech_news", key="czech")
    add_member(project=czech, user=project.memberships.get().user, role=Membership.Role.MANAGER)

    page = asked(client, czech, round="R1")

    assert page.status_code == 200 and "judged only once" in page.content.decode()
