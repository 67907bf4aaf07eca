"""The pages of administrators."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.account.rights import Rights, change_rights
from annotation.domain.errors import Refusal
from annotation.models import Project, SecurityEvent, User
from tests.api.worlds import member
from tests.factories import NOON, make_project, make_user
from tests.views.sending import asked_again, client_of

pytestmark = pytest.mark.django_db
HOME = "/administration/"


@pytest.fixture
def root():
    return make_user("root", is_superuser=True)


@pytest.fixture
def client(root):
    return client_of(root)


def test_the_overview_shows_the_health_of_every_part_and_leads_to_all_pages(client):
    make_project()

    page = client.get(HOME).text

    for text in ("Database", "Worker", "File storage", "Failed jobs", "In this installation"):
        assert text in page
    for address in ("accounts/", "settings/"):
        assert f'href="{HOME}{address}"' in page
    for address in ("/jobs/", "/security/", "/projects/", "/admin/"):
        assert f'href="{address}"' in page


@pytest.mark.parametrize("address", ["/jobs/", "/security/"])
def test_jobs_and_the_security_log_have_the_same_navigation(client, address):
    page = client.get(address).text

    assert f'<a href="{address}" aria-current="page">' in page
    assert f'href="{HOME}accounts/"' in page


def test_copies_made_for_a_rehearsal_are_no_projects(client):
    running, copy = make_project(), make_project(key="copy")
    Project.objects.update(draft=False)
    Project.objects.filter(pk=copy.pk).update(rehearsal_of=running)

    assert client.get(HOME).context["projects"] == {"all": 1, "running": 1}


def test_accounts_are_found_by_address_and_kind(client):
    make_user("ann", opens_projects=True)
    make_user("ben", is_active=False)
    User.objects.create(username="guest-1")

    def shown(**asked: str) -> list[str]:
        return [row.username for row in client.get(f"{HOME}accounts/", asked).context["rows"]]

    assert shown() == ["ben", "ann", "root"]
    assert shown(find="ANN@") == ["ann"]
    assert shown(kind="creators") == ["ann"]
    assert shown(kind="administrators") == ["root"]
    assert shown(kind="disabled") == ["ben"]
    assert shown(kind="guests") == ["guest-1"]


def test_the_list_takes_as_many_queries_for_many_accounts_as_for_one(client):
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(f"{HOME}accounts/")
        return len(found)

    queries()
    one = queries()
    for number in range(5):
        member(make_project(key=f"project-{number}"), "manager", f"manager-{number}")

    assert queries() == one


def test_rights_are_given_and_taken_and_the_security_log_keeps_it(root):
    ann = make_user("ann")

    assert change_rights(user=ann, rights=Rights(True, True, True), actor=root, now=NOON) == [
        "opens_projects",
        "is_superuser",
    ]
    ann.refresh_from_db()
    assert (ann.is_superuser, ann.is_staff, ann.opens_projects) == (True, True, True)
    change_rights(user=ann, rights=Rights(False, True, False), actor=root, now=NOON)
    ann.refresh_from_db()
    assert (ann.is_active, ann.is_superuser, ann.is_staff) == (False, False, False)
    assert change_rights(user=ann, rights=Rights(False, True, False), actor=root, now=NOON) == []
    first, second = SecurityEvent.objects.filter(kind="administered").order_by("pk")
    assert first.details == {"table": "user", "row": str(ann.pk), "opens_projects": True, "is_superuser": True}
    assert second.details == {"table": "user", "row": str(ann.pk), "is_active": False, "is_superuser": False}


@pytest.mark.parametrize("rights", [Rights(False, True, True), Rights(True, True, False)])
def test_nobody_takes_their_own_rights_or_those_of_the_last_administrator(root, rights):
    with pytest.raises(Refusal, match="your own rights"):
        change_rights(user=root, rights=rights, actor=root, now=NOON)
    with pytest.raises(Refusal, match="only administrator"):
        change_rights(user=root, rights=rights, actor=make_user("other"), now=NOON)


def test_an_account_shows_its_roles_and_its_rights_are_changed_after_the_password(client, root):
    ann = member(make_project(), "manager")
    address = f"{HOME}accounts/{ann.pk}/"

    page = client.get(address).text
    assert "Roles in projects" in page and "/projects/project/" in page
    asked = client.post(address, {"is_active": "on", "opens_projects": "on"})
    assert asked["Location"].startswith("/account/reauthenticate/")
    assert not User.objects.get(pk=ann.pk).opens_projects

    asked_again(client)
    refused = client.post(f"{HOME}accounts/{root.pk}/", {"is_active": "on"})
    assert (refused.status_code, "your own rights" in refused.text) == (422, True)

    client.post(address, {"is_active": "on", "opens_projects": "on"})
    assert User.objects.get(pk=ann.pk).opens_projects


def test_settings_show_no_secrets(client, settings):
    settings.MONITOR_TOKEN = "very-secret"

    page = client.get(f"{HOME}settings/").text

    assert "EMAIL_URL" in page and "JOIN_RATE" in page
    assert "very-secret" not in page and settings.SECRET_KEY not in page
