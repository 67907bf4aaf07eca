"""Every page and action of a project, tried by every role; whoever has none learns nothing, not even that it exists.

A page that is added and not listed here makes a test fail.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from allauth.mfa.models import Authenticator
from django.core.files.base import ContentFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import (
    InvitationLink,
    ItemImport,
    JudgmentUpload,
    MemberInvitation,
    Membership,
    Participation,
    Project,
    Question,
    User,
)
from scoring.domain.runs.starting import start_run
from tests.best_worst import small_certificate
from tests.factories import NOON, make_project, make_user, rating_round
from tests.machines.worlds import model_of
from tests.registering.worlds import registered
from tests.views.sending import client_of

Role = Membership.Role
READ, MANAGE, OWN = "researcher", "manager", "owner"
ALLOWED = {READ: {"researcher", "manager", "owner"}, MANAGE: {"manager", "owner"}, OWN: {"owner"}}
STRANGERS = ("nobody", "annotator", "owner elsewhere")
MEMBERS = ("researcher", "manager", "owner")

# The role that it takes to see a page, and to send something to it; "" where there is nothing to see, or to send.
LEVELS = {
    "project": (MANAGE, ""),
    "project-address-again": ("", MANAGE),
    "project-answers": (READ, ""),
    "project-answers-csv": (READ, ""),
    "project-archive-token": ("", OWN),
    "project-basics": (MANAGE, MANAGE),
    "project-bonus-csv": (MANAGE, ""),
    "project-bonus-withdraw": ("", MANAGE),
    "project-bonuses": (MANAGE, MANAGE),
    "project-bonuses-pay": (OWN, OWN),
    "project-by-hand": ("", OWN),
    "project-certificate": (MANAGE, ""),
    "project-close": ("", MANAGE),
    "project-compare": (READ, ""),
    "project-control": (MANAGE, ""),
    "project-copy": (MANAGE, MANAGE),
    "project-delete": (OWN, OWN),
    "project-email": (MANAGE, MANAGE),
    "project-emails": (MANAGE, MANAGE),
    "project-forecast": (MANAGE, ""),
    "project-guest-send": ("", MANAGE),
    "project-guest-void": (MANAGE, MANAGE),
    "project-import": (MANAGE, MANAGE),
    "project-import-answer": ("", MANAGE),
    "project-import-corpus": (MANAGE, MANAGE),
    "project-import-sample": ("", MANAGE),
    "project-import-beyond": (MANAGE, MANAGE),
    "project-import-preview": (MANAGE, MANAGE),
    "project-import-progress": (MANAGE, ""),
    "project-import-undo": (MANAGE, MANAGE),
    "project-intervene": (MANAGE, MANAGE),
    "project-judgments": (MANAGE, MANAGE),
    "project-judgments-answer": ("", MANAGE),
    "project-judgments-progress": (MANAGE, ""),
    "project-item-delete": (MANAGE, MANAGE),
    "project-item-edit": (MANAGE, MANAGE),
    "project-item-replace": (MANAGE, MANAGE),
    "project-items": (READ, ""),
    "project-items-csv": (READ, ""),
    "project-job-act": ("", MANAGE),
    "project-jobs": (MANAGE, ""),
    "project-launch": (MANAGE, MANAGE),
    "project-leaderboard": ("", MANAGE),
    "project-leaderboard-csv": (READ, ""),
    "project-labels": (MANAGE, MANAGE),
    "project-link-reopen": ("", MANAGE),
    "project-link-revoke": (MANAGE, MANAGE),
    "project-log": (MANAGE, ""),
    "project-log-file": (MANAGE, ""),
    "project-member": ("", OWN),
    "project-member-remove": (OWN, OWN),
    "project-member-withdraw": ("", OWN),
    "project-members": (OWN, OWN),
    "project-messages": (MANAGE, MANAGE),
    "project-model": (READ, ""),
    "project-model-budget": (OWN, OWN),
    "project-model-new": (OWN, OWN),
    "project-model-remove": (OWN, OWN),
    "project-model-start": (OWN, OWN),
    "project-model-stop": ("", MANAGE),
    "project-models": (READ, ""),
    "project-numbers": (MANAGE, MANAGE),
    "project-open": ("", MANAGE),
    "project-page": (MANAGE, MANAGE),
    "project-payment-settle": ("", OWN),
    "project-people-reinstate": ("", MANAGE),
    "project-people": (READ, ""),
    "project-people-bulk": (MANAGE, MANAGE),
    "project-people-csv": (READ, ""),
    "project-person": (READ, ""),
    "project-person-answers": (READ, ""),
    "project-person-effect": (MANAGE, ""),
    "project-person-erase": (OWN, OWN),
    "project-person-exclude": (MANAGE, MANAGE),
    "project-person-intervene": (MANAGE, MANAGE),
    "project-person-settle": ("", MANAGE),
    "project-person-undo-exclusion": ("", MANAGE),
    "project-plan": (MANAGE, ""),
    "project-plans": (MANAGE, MANAGE),
    "project-practice": (MANAGE, MANAGE),
    "project-practice-add": (MANAGE, MANAGE),
    "project-practice-edit": (MANAGE, MANAGE),
    "project-practice-remove": (MANAGE, MANAGE),
    "project-practice-task-remove": (MANAGE, MANAGE),
    "project-practice-up": ("", MANAGE),
    "project-preview": (MANAGE, ""),
    "project-preview-elsewhere": (MANAGE, ""),
    "project-preview-screen": (MANAGE, ""),
    "project-prolific": (MANAGE, MANAGE),
    "project-prolific-new": (MANAGE, MANAGE),
    "project-prolific-pause": (MANAGE, MANAGE),
    "project-prolific-places": (OWN, OWN),
    "project-prolific-publish": (OWN, OWN),
    "project-prolific-refresh": ("", MANAGE),
    "project-prolific-resume": (OWN, OWN),
    "project-prolific-screener": (MANAGE, MANAGE),
    "project-prolific-screener-remove": ("", MANAGE),
    "project-protocol-file": (MANAGE, ""),
    "project-question": (MANAGE, MANAGE),
    "project-question-remove": (MANAGE, MANAGE),
    "project-question-up": ("", MANAGE),
    "project-questions": (MANAGE, MANAGE),
    "project-quota-remove": ("", MANAGE),
    "project-quotas": (MANAGE, MANAGE),
    "project-recruiting": (MANAGE, MANAGE),
    "project-recruiting-addresses": (MANAGE, MANAGE),
    "project-recruiting-guests": (MANAGE, ""),
    "project-recruiting-options": ("", MANAGE),
    "project-register": (OWN, OWN),
    "project-registration": (READ, ""),
    "project-registration-file": (READ, ""),
    "project-registrations": (MANAGE, OWN),
    "project-rehearsal": (MANAGE, ""),
    "project-rehearsal-discard": (MANAGE, MANAGE),
    "project-rehearsals": (MANAGE, MANAGE),
    "project-release": (READ, ""),
    "project-release-archive": (READ, ""),
    "project-release-converted": (READ, ""),
    "project-release-file": (READ, ""),
    "project-releases": (READ, MANAGE),
    "project-run": (READ, ""),
    "project-run-drawings": (READ, ""),
    "project-runs": (READ, READ),
    "project-second-factor": ("", OWN),
    "project-setup": (MANAGE, ""),
    "project-standing-revoke": (MANAGE, MANAGE),
    "project-studies": (MANAGE, MANAGE),
    "project-study": (MANAGE, MANAGE),
    "project-unlaunch": ("", MANAGE),
    "project-upload-publish": (OWN, OWN),
    "project-uploads": (MANAGE, OWN),
    "project-waiting": (MANAGE, ""),
    "project-wallet": ("", OWN),
    "project-wallet-allow": ("", OWN),
    "project-wallet-aws": ("", OWN),
    "project-watch": (READ, ""),
    "project-watch-item": (READ, ""),
    "project-waves": (READ, ""),
    "project-watch-options": (MANAGE, MANAGE),
    "project-webhook": (MANAGE, ""),
    "project-webhook-remove": (MANAGE, MANAGE),
    "project-webhook-switch": ("", MANAGE),
    "project-webhook-test": ("", MANAGE),
    "project-webhooks": (MANAGE, MANAGE),
}
# What these are about is not in the small world below; that strangers learn nothing is tried all the same.
ABOUT_MORE = {
    "project-import-preview",  # of an import that waits for an answer
    "project-labels",  # of pairs
    "project-practice-add",
    "project-practice-edit",
    "project-practice-task-remove",
    "project-practice-up",
    "project-address-again",
    "project-bonus-csv",
    "project-bonus-withdraw",
    "project-bonuses",
    "project-bonuses-pay",
    "project-by-hand",
    "project-copy",  # of those who may open projects
    "project-email",
    "project-guest-send",
    "project-guest-void",
    "project-leaderboard",
    "project-leaderboard-csv",
    "project-payment-settle",
    "project-preview-elsewhere",
    "project-preview-screen",
    "project-prolific",
    "project-prolific-pause",
    "project-prolific-places",
    "project-prolific-publish",
    "project-prolific-refresh",
    "project-prolific-resume",
    "project-prolific-screener",
    "project-prolific-screener-remove",
    "project-quota-remove",
    "project-rehearsal",
    "project-rehearsal-discard",
    "project-release",
    "project-release-archive",
    "project-release-converted",
    "project-release-file",
    "project-run-drawings",
    "project-standing-revoke",
    "project-study",
    "project-upload-publish",
    "project-uploads",
    "project-webhook",
    "project-webhook-remove",
    "project-webhook-switch",
    "project-webhook-test",
}
NOT_THERE = "nothing"
ACTIONS = {"project-intervene": "withdraw", "project-job-act": "cancel"}
ADDRESSES: dict[tuple[str, str], str] = {}
CHANCE = re.compile(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"')


@pytest.fixture(scope="module")
def world(keep) -> Iterator[dict[str, Client]]:
    """A project with somebody at work, and a client for everybody."""
    with keep():
        yield clients()
    ADDRESSES.clear()


@pytest.fixture
def people(world, db) -> dict[str, Client]:
    return world


def clients() -> dict[str, Client]:
    person = make_user("annotator")
    project = rating_round(person).project
    plan_round(project=project, round_key="main", people=3)
    project.plans.create(round="main", seed=0, state="done", certificate=small_certificate())
    for model in (ItemImport, JudgmentUpload):
        model.objects.create(project=project, file=ContentFile(b"", "pairs.csv"), name="pairs.csv")
    Question.objects.create(project=project, position=1, text="Where?")
    InvitationLink.objects.create(project=project, round="main", token="t")
    MemberInvitation.objects.create(project=project, email="new@example.org", role=Role.MANAGER, invited_at=NOON)
    start_run(project=project, actor=None)
    registered(project)
    model_of(project, "https://models.example.org/v1")
    for role in MEMBERS:
        add_member(project=project, user=make_user(role), role=Role(role))
    add_member(project=make_project(key="elsewhere"), user=make_user("owner-elsewhere"), role=Role.OWNER)
    accounts = {name: User.objects.filter(username=name.replace(" ", "-")).first() for name in (*STRANGERS, *MEMBERS)}
    return {name: client_of(user) if user else Client() for name, user in accounts.items()}


def address(name: str, key: str) -> str:
    """The address of a page, with something for each of its parts: of what there is in the world, its number."""
    if (name, key) not in ADDRESSES:
        ADDRESSES[name, key] = reverse(name, kwargs=arguments(PATTERNS[name], key))
    return ADDRESSES[name, key]


def arguments(pattern: URLPattern, key: str) -> dict[str, object]:
    project = Project.objects.get(key="project")
    numbers = {
        "project-import": project.imports,
        "project-judgments": project.judgment_uploads,
        "project-job-act": project.imports,
        "project-plan": project.plans.filter(certificate__isnull=False),
        "project-certificate": project.plans.filter(certificate__isnull=False),
        "project-person": Participation.objects.filter(project=project, annotator__isnull=False),
        "project-question": project.questions,
        "project-link": project.links,
        "project-member-withdraw": project.member_invitations,
        "project-member": project.memberships.filter(role=Role.MANAGER),
        "project-watch-item": project.items,
        "project-item-": project.items,
        "project-model": project.machines,
    }
    found = next((rows for name, rows in numbers.items() if pattern.name.startswith(name)), None)
    values = {
        "key": key,
        "pk": found.first().pk if found is not None else 1,
        "number": 1,
        "at": 1,
        "bonus": 1,
        "payment": 1,
        "action": ACTIONS.get(pattern.name, "message"),
        "kind": "import" if pattern.name == "project-job-act" else "speed",
        "name": "guidelines" if pattern.name == "project-page" else "x.csv",
        "form": "json" if pattern.name == "project-registration-file" else "csv",
        "rest": "x",
        "program": "argilla",
    }
    return {name: values[name] for name in pattern.pattern.converters}


def of_projects(resolver) -> list[URLPattern]:
    found = []
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            found += [one] if str(one.pattern).startswith("projects/<slug:key>") else []
        elif str(one.pattern) == "":
            found += of_projects(one)
    return found


PATTERNS = {pattern.name: pattern for pattern in of_projects(get_resolver())}


def tried(client: Client, name: str, key: str, method: str, **headers: str) -> HttpResponse:
    return getattr(client, method)(address(name, key), {"nothing": "1"}, headers=headers)


def learned(response: HttpResponse) -> tuple[int, str]:
    """What somebody can see of an answer, apart from the address that they asked for themselves."""
    text = response.get("Location", "") + (response.content.decode() if not response.streaming else "a file")
    text = CHANCE.sub("", text)
    return response.status_code, text.replace("/project/", "/KEY/").replace(f"/{NOT_THERE}/", "/KEY/")


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done here to the world is undone at the end, so that one world serves all."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_every_page_of_a_project_is_listed_here():
    assert set(PATTERNS) == set(LEVELS)


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_without_the_role_learns_that_the_project_exists(people, method):
    told = {}
    for name, levels in LEVELS.items():
        level = levels[method == "post"]
        for who in [one for one in people if one not in ALLOWED.get(level, set())] if level else STRANGERS:
            with undone():
                there, not_there = (tried(people[who], name, key, method) for key in ("project", NOT_THERE))
            sent_to_login = there.status_code == 302 and there["Location"].startswith("/account/login/?next=")
            refused = sent_to_login if who == "nobody" else there.status_code in (404, 405)
            if not refused or learned(there) != learned(not_there):
                told[name, who] = learned(there), learned(not_there)

    assert told == {}


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_script_of_a_stranger_learns_nothing_either(people, method):
    """Parts of pages are answered to htmx: to strangers with the same as for a project that is not there."""
    told = {}
    for name in LEVELS:
        for who in ("nobody", "owner elsewhere"):
            with undone():
                there, not_there = (
                    tried(people[who], name, key, method, hx_request="true") for key in ("project", NOT_THERE)
                )
            if there.status_code not in (302, 404, 405) or learned(there) != learned(not_there):
                told[name, who] = learned(there), learned(not_there)

    assert told == {}


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_required_second_step_shuts_every_page_to_members_without_it(people, method):
    Project.objects.filter(key="project").update(requires_second_factor=True)
    secured = {"type": Authenticator.Type.TOTP, "data": {"secret": "x"}}
    Authenticator.objects.create(user=User.objects.get(username="owner"), **secured)
    open_, shut = set(), set()
    for name, levels in LEVELS.items():
        for who in ALLOWED.get(levels[method == "post"], ()):
            with undone():
                response = tried(people[who], name, "project", method)
            led = (response.status_code, response.get("Location")) == (302, "/account/2fa/totp/activate/")
            (shut if led else open_).add((name, who))

    assert {(name, who) for name, who in open_ if who != "owner"} == set()
    assert {who for _name, who in open_} | {who for _name, who in shut} >= {"owner", "manager"}
    assert {(name, who) for name, who in shut if who == "owner"} == set()


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_has_the_role_gets_there(people, method):
    kept_out = {}
    for name in LEVELS.keys() - ABOUT_MORE:
        for who in ALLOWED.get(LEVELS[name][method == "post"], ()):
            with undone():
                response = tried(people[who], name, "project", method)
            sent_away = response.get("Location", "").startswith("/account/")
            if sent_away or response.status_code not in (200, 302, 409, 422):
                kept_out[name, who] = response.status_code, response.get("Location")

    assert kept_out == {}


def test_there_is_nothing_to_see_where_one_only_sends_and_nothing_to_send_where_one_only_sees(people):
    owner = people["owner"]
    for name in LEVELS.keys() - ABOUT_MORE:
        for method, level in zip(("get", "post"), LEVELS[name], strict=True):
            if not level:
                with undone():
                    assert tried(owner, name, "project", method).status_code in (302, 404, 405), (name, method)
