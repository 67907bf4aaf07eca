"""Every page of ours as a stranger, another annotator, the person, and managers of this and of another project."""

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from annotation.domain.assigning import plan_round
from annotation.domain.projects import add_member
from annotation.domain.recruiting import Invitation, write_invitation
from annotation.models import ItemImport, Membership, Participation, Project, User
from tests.factories import NOON, make_project, make_user, rating_round
from tests.views.sending import client_of

PEOPLE = ("nobody", "another annotator", "the person", "manager", "manager elsewhere", "researcher")
OWN = (302, 404, 200, 404, 404, 404)
MANAGED = (302, 404, 404, 200, 404, 404)
ALL = (200,) * 6

# What each gets by GET and by POST of nothing useful, in the order of PEOPLE.
EXPECTED = {
    "home": (ALL, ALL),
    "time-zone": ((302, *[405] * 5), (302, *[422] * 5)),
    "join": (ALL, (200, *[302] * 5)),
    "work": (OWN, (302, 404, 422, 404, 404, 404)),
    "work-back": ((302, 404, 302, 404, 404, 404), (302, *[405] * 5)),
    "work-consent": ((302, 404, 302, 404, 404, 404),) * 2,
    "work-begin": ((302, 404, 302, 404, 404, 404),) * 2,
    "work-guidelines": (OWN, (302, *[405] * 5)),
    "work-calendar": (OWN, (302, *[405] * 5)),
    "work-leave": (OWN, (302, 404, 302, 404, 404, 404)),
    "project": (MANAGED, (302, *[405] * 5)),
    "project-import": (MANAGED, (302, 404, 404, 422, 404, 404)),
    "project-import-progress": (MANAGED, (302, *[405] * 5)),
}


def world() -> dict[str, Client]:
    """A project with a person at work, and a client for each of PEOPLE."""
    person = make_user("person")
    participation = rating_round(person, 12)
    plan_round(project=participation.project, round_key="main", people=len(PEOPLE))
    Participation.objects.filter(pk=participation.pk).update(rest_until=NOON)
    rating_round(make_user("another"), key="another")
    ItemImport.objects.create(project=participation.project, file=ContentFile(b"", "pairs.csv"), name="pairs.csv")
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
        "join": [write_invitation(Invitation(project.key, "main"))],
        "project": [project.key],
        "project-import": [project.key],
        "project-import-progress": [project.key, ItemImport.objects.get().pk],
    }
    return reverse(name, args=arguments.get(name, [work] if name.startswith("work") else []))


def patterns(resolver) -> list[URLPattern]:
    """Every URL of the platform but those of the administration pages and of allauth, which have tests of their own."""
    found = []
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            found.append(one)
        elif str(one.pattern) not in ("admin/", "account/"):
            found += patterns(one)
    return found


def test_every_url_is_listed_here():
    assert {pattern.name for pattern in patterns(get_resolver())} == set(EXPECTED)


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("name", EXPECTED)
def test_access(db, name, method):
    clients, url = world(), address(name)

    statuses = {who: getattr(clients[who], method)(url, {"nothing": "1"}).status_code for who in PEOPLE}

    assert statuses == dict(zip(PEOPLE, EXPECTED[name][method == "post"], strict=True))


@pytest.mark.parametrize("name", [name for name, (by_get, _) in EXPECTED.items() if by_get[0] == 302])
def test_a_stranger_is_sent_to_the_login_and_back(db, name):
    world()
    url = address(name)

    response = Client().get(url)

    assert response["Location"] == f"/account/login/?next={url}"


def test_a_superuser_manages_every_project(db):
    world()
    client = client_of(make_user("root", is_superuser=True))

    names = ("project", "project-import", "project-import-progress", "work")
    assert [client.get(address(name)).status_code for name in names] == [200, 200, 200, 404]


@pytest.mark.parametrize(
    "url", ["/my-work/999999/", "/my-work/99999999999999999999/", "/projects/nothing/", "/join/x/"]
)
def test_what_is_not_there_is_not_found(user, url):
    assert client_of(user).get(url).status_code == 404
