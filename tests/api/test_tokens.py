"""Tokens: made, shown once, used, over, revoked."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from annotation.models import ApiToken, Project
from tests.api.worlds import Caller, caller_of, member
from tests.factories import make_project, make_user
from tests.views.sending import asked_again, client_of

pytestmark = pytest.mark.django_db
PATH = "/api/v1/projects/"
FORM = {"name": "notebook", "scope": "read", "days": "30", "project": ""}


@pytest.fixture
def project() -> Project:
    return make_project()


def signed_in(user) -> Client:
    return asked_again(client_of(user))


def test_key_is_shown_once_and_only_its_hash_is_kept(project):
    client = signed_in(member(project, "researcher"))
    page = client.post("/account/tokens/", FORM)
    key = page.context["key"]
    token = ApiToken.objects.get()

    assert f"<code>{key}</code>" in page.text and "no-store" in page["Cache-Control"]
    assert key not in client.get("/account/tokens/").text
    assert key not in str(list(ApiToken.objects.values()))
    assert (token.scope, token.name, token.project) == ("read", "notebook", None)
    assert timedelta(days=29) < token.expiry - timezone.now() <= timedelta(days=30)
    assert Caller(key).get(PATH).status_code == 200


def test_revoked_token_opens_nothing(project):
    user = member(project, "researcher")
    caller, token = caller_of(user), ApiToken.objects.get()
    assert caller.get(PATH).status_code == 200
    assert signed_in(make_user("other")).post(f"/account/tokens/{token.token_key}/revoke/").status_code == 404
    assert signed_in(user).post(f"/account/tokens/{token.token_key}/revoke/").status_code == 302
    assert caller.get(PATH).status_code == 401


def test_expired_token_opens_nothing_and_says_so(project):
    user = member(project, "researcher")
    caller = caller_of(user)
    ApiToken.objects.update(expiry=timezone.now())
    answer = caller.get(PATH)
    assert (answer.status_code, answer.json()["detail"]) == (401, "This token has expired.")
    assert answer["WWW-Authenticate"] == "Token"
    assert "expired" in signed_in(user).get("/account/tokens/").text


@pytest.mark.parametrize("key", ["", "x", "0" * 64, "zz", "a b", "\x00", "é", "0" * 15])
def test_made_up_keys_are_refused(project, key):
    answer = Client(headers={"Authorization": f"Token {key}"}).get(PATH)
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")


def test_account_that_is_closed_has_no_tokens(project):
    user = member(project, "researcher")
    caller = caller_of(user)
    user.is_active = False
    user.save()
    assert caller.get(PATH).status_code == 401


def test_who_leaves_a_project_reads_nothing_more_of_it(project):
    user = member(project, "researcher")
    caller = caller_of(user)
    user.memberships.all().delete()
    assert caller.get(f"{PATH}project/").status_code == 404


def test_token_is_only_for_projects_of_ones_own(project):
    client = signed_in(member(project, "researcher"))
    other = make_project(key="other")
    assert client.post("/account/tokens/", FORM | {"project": other.pk}).status_code == 422
    assert client.post("/account/tokens/", FORM | {"project": project.pk}).status_code == 200
    assert ApiToken.objects.get().project == project


def test_who_has_no_project_makes_no_token(user):
    client = signed_in(user)
    assert "once you are an owner" in client.post("/account/tokens/", FORM).text
    assert not ApiToken.objects.exists()


def test_page_asks_for_the_login():
    assert Client().get("/account/tokens/").status_code == 302


def test_command_prints_a_key(project, capsys):
    user = member(project, "manager")
    call_command("create_token", user.email.upper(), "--scope", "write", "--days", "2", "--project", "project")
    key = capsys.readouterr().out.strip()
    token = ApiToken.objects.get()
    assert (token.scope, token.project, token.user) == ("write", project, user)
    assert Caller(key).get(f"{PATH}project/").status_code == 200


@pytest.mark.parametrize(
    "arguments",
    [["no@example.org"], ["manager@example.org", "--days", "0"], ["manager@example.org", "--project", "none"]],
)
def test_command_says_what_is_wrong(project, arguments):
    member(project, "manager")
    with pytest.raises(CommandError):
        call_command("create_token", *arguments)
    assert not ApiToken.objects.exists()
