"""Every page of ours as a stranger, another annotator, the person, and managers of this and of another project."""

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from annotation.domain.account.tokens import make_token
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.models import ApiToken, ItemImport, JudgmentUpload, Membership, Message, Participation, Project, User
from tests.api.worlds import done_run
from tests.best_worst import small_certificate
from tests.crowds import ACCESS
from tests.factories import NOON, make_project, make_user, rating_round
from tests.views.sending import client_of
from tests.views.test_roles import LEVELS, undone

PEOPLE = ("nobody", "another annotator", "the person", "manager", "manager elsewhere", "researcher")
OWN = (302, 404, 200, 404, 404, 404)
MANAGED = (302, 404, 404, 200, 404, 404)
RESEARCHED = (302, 404, 404, 200, 404, 200)
ALL = (200,) * 6

# What each gets by GET and by POST of nothing useful, in the order of PEOPLE.
EXPECTED = {
    "home": (ALL, ALL),
    "help": (ALL, (405,) * 6),
    "help-page": (ALL, (405,) * 6),
    "jobs": ((302, *[404] * 5),) * 2,
    "administration": ((302, *[404] * 5),) * 2,
    "administration-accounts": ((302, *[404] * 5),) * 2,
    "administration-account": ((302, *[404] * 5),) * 2,
    "administration-settings": ((302, *[404] * 5),) * 2,
    "security-txt": ((404,) * 6, (405,) * 6),  # without a contact in the settings
    "security": ((302, *[404] * 5),) * 2,
    "job-act": ((302, *[405] * 5), (302, *[404] * 5)),
    "language": ((405,) * 6, (302,) * 6),
    "time-zone": ((302, *[405] * 5), (302, *[422] * 5)),
    "tokens": ((302, *[200] * 5), (302,) * 6),  # the password is asked for once more
    "sessions": ((302, *[200] * 5), (302,) * 6),  # as for tokens
    "notifications": ((302, *[200] * 5), (302, *[422] * 5)),
    "token-revoke": ((302, 404, 200, 404, 404, 404), (302, 404, 302, 404, 404, 404)),
    "join": ((200, 200, 302, 200, 200, 200), (200, *[302] * 5)),
    "own-data": ((302, *[200] * 5), (302, *[422] * 5)),
    "own-data-file": ((302, *[200] * 5), (302, *[405] * 5)),
    "member-accept": ((302, *[404] * 5), (302, *[404] * 5)),
    "work-message-read": ((302, 404, 302, 404, 404, 404),) * 2,
    "work": (OWN, (302, 404, 422, 404, 404, 404)),
    "work-back": ((302, 404, 302, 404, 404, 404), (302, *[405] * 5)),
    "work-link": (ALL, (422,) * 6),
    "work-consent": ((302, 404, 302, 404, 404, 404),) * 2,
    "work-begin": ((302, 404, 302, 404, 404, 404),) * 2,
    "work-guidelines": (OWN, (302, *[405] * 5)),
    "work-calendar": (OWN, (302, *[405] * 5)),
    "work-leave": (OWN, (302, 404, 302, 404, 404, 404)),
    "work-stop": ((302, 404, 302, 404, 404, 404),) * 2,
    "work-practice": ((302, 404, 302, 404, 404, 404),) * 2,
    "work-practice-on": ((302, 404, 302, 404, 404, 404),) * 2,
    "work-practised": (OWN, (302, *[405] * 5)),
    "work-check": ((302, 404, 302, 404, 404, 404), (302, *[405] * 5)),
    "project": (MANAGED, (302, *[405] * 5)),
    "projects": ((302, *[200] * 5), (302, *[405] * 5)),
    "project-import-progress": (MANAGED, (302, *[405] * 5)),
    "project-judgments-progress": (MANAGED, (302, *[405] * 5)),
    "work-about-you": ((302, 404, 302, 404, 404, 404),) * 2,
    "leaderboard": ((404,) * 6, (405,) * 6),
    "leaderboard-csv": ((404,) * 6, (405,) * 6),
    "project-new": ((302, *[404] * 5), (302, *[405] * 5)),
    "project-new-file": ((302, *[404] * 5),) * 2,
    "project-new-preset": ((302, *[404] * 5),) * 2,
    "project-preview-screen": (MANAGED, (302, 404, 404, 409, 404, 404)),
    "project-preview-elsewhere": ((302, 404, 404, 302, 404, 404),) * 2,
    "project-rehearsal": (MANAGED, (302, *[405] * 5)),
    "project-rehearsal-discard": ((302, 404, 404, 200, 404, 404), (302, 404, 404, 302, 404, 404)),
    "project-run-drawings": (RESEARCHED, (302, *[405] * 5)),
}


def world() -> dict[str, Client]:
    """A project with a person at work, and a client for each of PEOPLE."""
    person = make_user("person")
    participation = rating_round(person, 12)
    plan_round(project=participation.project, round_key="main", people=len(PEOPLE))
    Participation.objects.filter(pk=participation.pk).update(rest_until=NOON)
    rating_round(make_user("another"), key="another")
    participation.project.plans.create(round="main", seed=0, state="done", certificate=small_certificate())
    for model in (ItemImport, JudgmentUpload):
        model.objects.create(project=participation.project, file=ContentFile(b"", "pairs.csv"), name="pairs.csv")
    participation.project.questions.create(position=1, text="How old are you?")
    participation.project.own_rehearsals.create(state="done", results={})
    done_run(participation.project)
    make_token(user=person)
    Message.objects.create(participation=participation, text="Hello.", sent_at=NOON)
    members = {
        "manager": (participation.project, Membership.Role.MANAGER),
        "manager elsewhere": (make_project(key="elsewhere"), Membership.Role.MANAGER),
        "researcher": (participation.project, Membership.Role.RESEARCHER),
    }
    for name, (project, role) in members.items():
        add_member(project=project, user=make_user(name.replace(" ", "-")), role=role)
    accounts = {name: User.objects.get(username=name.replace(" ", "-")) for name in members}
    accounts |= {"the person": person, "another annotator": User.objects.get(username="another")}
    return {name: client_of(accounts[name]) if name in accounts else Client() for name in PEOPLE}


def address(name: str) -> str:
    project = Project.objects.get(key="project")
    work = Participation.objects.get(annotator__user__username="person").pk
    arguments = {
        "administration-account": [User.objects.first().pk],
        "token-revoke": [ApiToken.objects.get().token_key],
        "member-accept": ["x"],
        "work-message-read": [work, Message.objects.get().pk],
        "join": [write_invitation(Invitation(project.key, "main"))],
        "leaderboard": [project.key, 1],
        "leaderboard-csv": [project.key, 1],
        "help-page": ["flags"],
        "project-new-preset": ["semrel"],
        "project-preview-screen": [project.key, "rating"],
        "project-preview-elsewhere": [project.key, "rating", "leave/"],
        "project-rehearsal": [project.key, project.own_rehearsals.get().pk],
        "project-rehearsal-discard": [project.key, project.own_rehearsals.get().pk],
        "job-act": ["import", ItemImport.objects.get().pk, "cancel"],
        "project": [project.key],
        "project-import-progress": [project.key, ItemImport.objects.get().pk],
        "project-judgments-progress": [project.key, JudgmentUpload.objects.get().pk],
        "project-run-drawings": [project.key, 1],
    }
    return reverse(name, args=arguments.get(name, [work] if name.startswith("work") else []))


def patterns(resolver) -> list[URLPattern]:
    """Every URL of the platform but those of administration, allauth and API, which have tests of their own."""
    found = []
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            found.append(one)
        elif str(one.pattern) not in ("admin/", "account/", "account/2fa/", "api/v1/"):
            found += patterns(one)
    return found


@pytest.fixture(scope="module")
def kept(keep):
    with keep():
        yield world()


@pytest.fixture
def clients(kept, db):
    return kept


def test_every_url_is_listed_here():
    """Those of a project have every role tried in test_roles.py, those of recruiting in test_recruiting_access.py."""
    assert {pattern.name for pattern in patterns(get_resolver())} == set(EXPECTED) | set(ACCESS) | set(LEVELS)


@pytest.mark.parametrize("method", [pytest.param("get", marks=pytest.mark.postgres), "post"])
def test_access(clients, method):
    found = {}
    for name in EXPECTED:
        url = address(name)
        with undone():
            found[name] = tuple(getattr(clients[who], method)(url, {"nothing": "1"}).status_code for who in PEOPLE)

    assert found == {name: statuses[method == "post"] for name, statuses in EXPECTED.items()}


def test_a_stranger_is_sent_to_the_login_and_back(clients):
    urls = [address(name) for name, (by_get, _) in EXPECTED.items() if by_get[0] == 302]

    assert [Client().get(url)["Location"] for url in urls] == [f"/account/login/?next={url}" for url in urls]


def test_a_superuser_manages_every_project(clients):
    client = client_of(make_user("root", is_superuser=True))

    names = ("project", "project-import-progress", "work")
    assert [client.get(address(name)).status_code for name in names] == [200, 200, 404]


@pytest.mark.parametrize(
    "url", ["/my-work/999999/", "/my-work/99999999999999999999/", "/projects/nothing/", "/join/x/"]
)
def test_what_is_not_there_is_not_found(user, url):
    assert client_of(user).get(url).status_code == 404
