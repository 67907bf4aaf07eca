"""The log of security: what is kept of sign-ins, tokens, exports, rights and refused links, and who sees it."""

import json
import logging
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from annotation.domain.account.erasure import erase_account
from annotation.domain.account.tokens import make_token
from annotation.domain.audit.log import write_down
from annotation.domain.recruiting.guests import guest_for, write_resume
from annotation.domain.security.log import BURST, OF_STRANGERS, count_refusal, forget_old_events, record
from annotation.models import ApiToken, Participation, SecurityEvent
from annotation.models.audit_actions import Action
from annotation.models.security import KEPT
from config.operation.logs import JsonFormatter
from tests.api.worlds import caller_of, done_release, member
from tests.factories import NOON, make_project, make_user, rating_round
from tests.views.sending import client_of

PASSWORD = "a long enough password"


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def ann(db):
    user = make_user("ann")
    user.set_password(PASSWORD)
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def place(user) -> Participation:
    return rating_round(user)


def kept() -> list[tuple[str, str | None, dict]]:
    """The events in order, but for the sign-ins of clients that tests sign in without a page."""
    events = SecurityEvent.objects.select_related("user").exclude(kind="signed in", details={}).order_by("pk")
    return [(event.kind, event.user and event.user.username, event.details) for event in events]


def sign_in(client, email, password=PASSWORD):
    return client.post("/account/login/", {"login": email, "password": password})


def test_events_are_forwarded_with_the_server_log_if_the_operator_wants_it(
    ann, settings, caplog, django_capture_on_commit_callbacks
):
    settings.FORWARD_SECURITY_LOG = True
    with caplog.at_level(logging.INFO), django_capture_on_commit_callbacks(execute=True):
        record("refused", now=NOON, user=ann, address="192.0.2.7", project_key="project", page="join")
    line = json.loads(JsonFormatter().format(caplog.records[-1]))

    assert line["security_event"] == {
        "kind": "refused",
        "at": "2026-03-02T12:00:00+00:00",
        "user_id": ann.pk,
        "address": "192.0.2.7",
        "project_key": "project",
        "details": {"page": "join"},
    }


def test_sign_ins_and_failures_are_kept_without_what_was_typed(ann, client):
    sign_in(client, ann.email, "not the password")
    sign_in(client, "secret@example.org", "x")
    sign_in(client, ann.email)
    client.post("/account/logout/")

    page = {"page": "account_login"}
    assert kept() == [
        ("sign-in failed", "ann", page),
        ("sign-in failed", None, page),
        ("signed in", "ann", page),
        ("signed out", "ann", {"page": "account_logout"}),
    ]
    assert {event.address for event in SecurityEvent.objects.all()} == {"127.0.0.1"}
    assert "secret" not in json.dumps(list(SecurityEvent.objects.values("details", "address", "kind")))


def test_a_wrong_code_of_the_second_step_is_kept(ann, client):
    Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"})
    sign_in(client, ann.email)
    client.post("/account/2fa/authenticate/", {"code": "000000"})

    assert kept() == [("second step failed", "ann", {"page": "mfa_authenticate"})]


def test_tokens_are_kept_without_their_keys(ann):
    token, key = make_token(user=ann, scope="write")
    client_of(ann).post(f"/account/tokens/{token.token_key}/revoke/")

    assert kept() == [("token created", "ann", {"scope": "write"}), ("token revoked", "ann", {"scope": "write"})]
    assert not ApiToken.objects.exists()
    assert key[:8] not in json.dumps(list(SecurityEvent.objects.values_list("details", flat=True)))


def test_exports_are_kept_whoever_takes_them_and_pages_are_not(place):
    manager, researcher = member(place.project, "manager"), member(place.project, "researcher")
    done_release(place.project)
    caller = caller_of(researcher)
    before = len(kept())
    caller.get("/api/v1/projects/project/judgments/")
    caller.get("/api/v1/projects/project/judgments/", headers={"Accept": "text/csv"})
    caller.get("/api/v1/projects/project/releases/1/files/scores.csv")
    client_of(manager).get("/projects/project/log.csv")
    client_of(manager).get("/projects/project/log/")

    pages = [("researcher", "api:judgments"), ("researcher", "api:file"), ("manager", "project-log-file")]
    assert kept()[before:] == [("exported", who, {"page": page}) for who, page in pages]
    assert set(SecurityEvent.objects.filter(kind="exported").values_list("project_key", flat=True)) == {"project"}


def test_refused_links_are_kept_without_their_tokens_and_stand_in_no_log(place, client, caplog):
    resume = write_resume(guest_for(project=place.project, address="eva@example.org"))
    paths = [f"/resume/{resume}x/", "/join/SECRETTOKEN/", "/members/SECRETTOKEN/", "/crowd/enter/SECRETTOKEN/"]
    with caplog.at_level(logging.DEBUG):
        for path in paths:
            client.get(path)
    formatter = JsonFormatter()
    said = "".join(formatter.format(each) for each in caplog.records)

    pages = ("resume", "join", "crowd-enter")
    assert kept() == [("link refused", None, {"page": page}) for page in pages]
    assert "SECRETTOKEN" not in said and resume[:20] not in said


def test_rights_payments_and_cancelled_jobs_of_projects_are_kept_too(user):
    project = make_project()
    for action in (
        Action.ROLE_CHANGED,
        Action.PAYMENT_ORDERED,
        Action.RESUME_LINK_SENT,
        Action.JOB_CANCELLED,
        Action.PROJECT_CLOSED,
    ):
        write_down(action, project, actor=user, now=NOON)

    assert [(event.kind, event.project_key, event.user) for event in SecurityEvent.objects.order_by("pk")] == [
        ("role changed", "project", user),
        ("payment ordered", "project", user),
        ("resume link sent", "project", user),
        ("job cancelled", "project", user),
    ]


def test_strangers_cannot_fill_it(db):
    for _ in range(OF_STRANGERS + 5):
        record("link refused", now=NOON, address="203.0.113.5")
    record("link refused", now=NOON, address="203.0.113.6")

    assert SecurityEvent.objects.count() == OF_STRANGERS + 1


def test_a_burst_of_refused_requests_is_one_event_a_minute_with_a_number(client, user):
    for number in range(BURST * 4 + 3):
        client.get(f"/guess-{number}/", REMOTE_ADDR="203.0.113.5")
    for _number in range(BURST - 1):
        client.get("/gone/", REMOTE_ADDR="203.0.113.6")

    kinds = SecurityEvent.objects.filter(kind="requests refused")
    found = list(kinds.values_list("address", "details"))
    assert {address for address, _details in found} == {"203.0.113.5"}
    assert len(found) <= 2  # the minute may change meanwhile
    assert len(found) == 2 or found[0][1]["requests"] in (BURST * 2, BURST * 4)  # fewer, if the minute changed


def test_refusals_of_the_api_count_and_later_minutes_are_events_of_their_own(client, db):
    for _number in range(BURST):
        assert client.get("/api/v1/projects/", REMOTE_ADDR="203.0.113.7").status_code == 401
    for minute in range(3):
        for _number in range(BURST + 5):
            count_refusal(address="203.0.113.8", now=NOON + timedelta(minutes=minute))

    assert SecurityEvent.objects.filter(address="203.0.113.7").count() in (0, 1)
    assert SecurityEvent.objects.filter(address="203.0.113.8").count() == 3


def test_events_are_forgotten_in_time_and_name_nobody_who_was_erased(ann):
    now = timezone.now()
    record("signed in", now=now - KEPT - timedelta(seconds=1), user=ann, address="203.0.113.5")
    record("signed in", now=now - KEPT + timedelta(minutes=1), user=ann, address="203.0.113.5")

    assert forget_old_events(now) == 1
    erase_account(user=ann, now=NOON)
    assert list(SecurityEvent.objects.values_list("user", "address")) == [(None, "")]


def test_administrators_see_it_and_filter_it(ann, django_assert_num_queries):
    root = client_of(make_user("root", is_superuser=True))
    record("signed in", now=NOON, user=ann, address="203.0.113.5")
    record("token created", now=NOON, user=ann, scope="read")
    root.get("/security/")
    with django_assert_num_queries(4):
        page = root.get("/security/")
    one = root.get("/security/", {"kind": "token created"})

    assert all(word in page.text for word in ("signed in", "203.0.113.5", "API token created", "scope: read"))
    assert [event.kind for event in one.context["page"]] == ["token created"]
    assert client_of(ann).get("/security/").status_code == Client().get("/nothing/").status_code == 404


def test_pages_refused_to_an_account_are_kept_one_by_one_within_a_limit(place):
    stranger = client_of(make_user("stranger"))
    stranger.get(f"/my-work/{place.pk}/")
    stranger.get("/no-such-page/")
    Client().get(f"/my-work/{place.pk}/")

    assert kept() == [("access refused", "stranger", {"page": "work"})]
    for _number in range(OF_STRANGERS + 5):
        stranger.get("/security/")
    assert SecurityEvent.objects.filter(kind="access refused").count() == OF_STRANGERS
