"""REQUIRE_SECOND_FACTOR: administrators and managers need a second factor, others do not."""

import pytest
from allauth.mfa.models import Authenticator

from tests.api.worlds import caller_of, member
from tests.factories import make_project, make_user
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db
SET_UP = "/account/2fa/totp/activate/"
PROJECT = "/projects/project/recruiting/"


@pytest.fixture(autouse=True)
def required(settings):
    settings.REQUIRE_SECOND_FACTOR = True


@pytest.mark.parametrize("page", ["/security/", "/administration/", "/admin/"])
def test_administrators_need_a_second_factor(page):
    root = make_user("root", is_superuser=True, is_staff=True)
    refused = client_of(root).get(page)
    Authenticator.objects.create(user=root, type="totp", data={})

    assert (refused.status_code, refused.headers.get("Location")) == (302, SET_UP)
    assert client_of(root).get(page).status_code == 200
    assert client_of(make_user("ann")).get(page).status_code != 200


def test_managers_need_a_second_factor_and_researchers_do_not(settings):
    project = make_project()
    manager, researcher = member(project, "manager"), member(project, "researcher")

    assert client_of(manager).get(PROJECT).url == SET_UP
    assert caller_of(manager).get("/api/v1/projects/project/judgments/").status_code == 403
    assert caller_of(researcher).get("/api/v1/projects/project/judgments/").status_code == 200
    Authenticator.objects.create(user=manager, type="totp", data={})
    assert client_of(manager).get(PROJECT).status_code == 200
    settings.REQUIRE_SECOND_FACTOR = False
    Authenticator.objects.all().delete()
    assert client_of(manager).get(PROJECT).status_code == 200
