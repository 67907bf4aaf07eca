"""Every address of the API as everybody: who learns what."""

import pytest
from allauth.mfa.models import Authenticator
from django.urls import URLPattern, URLResolver, get_resolver

from annotation.models import Project
from scoring.models import Release, Run
from tests.api.worlds import (
    CONVERTED,
    HOST,
    PEOPLE,
    SECRET,
    Caller,
    answered_by_model,
    caller_of,
    callers,
    done_release,
    member,
    rated_project,
)
from tests.registering.worlds import registered

pytestmark = pytest.mark.postgres

ROOT = "/api/v1/"
PUBLIC = ("schema/", "docs/")
OWN = ("projects/",)
OF_PROJECT = (
    "projects/project/",
    "projects/project/items/",
    "projects/project/judgments/",
    "projects/project/participations/",
    "projects/project/progress/",
    "projects/project/runs/",
    "projects/project/runs/1/",
    "projects/project/runs/1/figures/",
    "projects/project/runs/1/figures/scores.svg",
    "projects/project/runs/1/figures/scores.png",
    "projects/project/runs/1/figures/scores.csv",
    "projects/project/releases/",
    "projects/project/releases/1/",
    "projects/project/releases/1/files/scores.csv",
    "projects/project/releases/1/files.zip",
    "projects/project/releases/1/for/argilla.json",
    "projects/project/releases/1/models/",
    "projects/project/models/",
    "projects/project/models/1/answers/",
    "projects/project/registrations/",
    "projects/project/registrations/1/",
    "projects/project/evaluations/",
)
POSTS = ("projects/project/runs/", "projects/project/releases/", "projects/project/evaluations/")
FAULTY = {"no such field": 1}


@pytest.fixture
def project(db) -> Project:
    project = rated_project()
    done_release(project, files=CONVERTED)
    answered_by_model(project)
    registered(project)
    return project


def patterns(resolver: URLResolver | None = None, before: str = "") -> list[str]:
    """Every address below the API, with what stands for its variables."""
    found = []
    for one in (resolver or get_resolver()).url_patterns:
        path = before + str(one.pattern)
        if isinstance(one, URLPattern):
            found.append(path)
        elif path.startswith("api/") or resolver is not None:
            found += patterns(one, path)
    return [path for path in found if path.startswith("api/")]


def test_addresses_are_all_in_this_table():
    values = {"<slug:key>": "project", "<int:number>": "1", "<int:pk>": "1"}
    values |= {"<path:name>": "scores.csv", "<slug:name>": "scores", "<slug:program>": "argilla"}
    real = set()
    for path in patterns():
        for variable, value in values.items():
            path = path.replace(variable, value)
        real.add(f"/{path}")
    assert real == {ROOT + path for path in PUBLIC + OWN + OF_PROJECT}


def test_reading_is_for_researchers_and_managers_of_the_project(project):
    people = callers(project)
    statuses = {path: [people[name].get(ROOT + path).status_code for name in PEOPLE] for path in OF_PROJECT}
    assert statuses == {path: [401, 404, 404, 200, 200] for path in OF_PROJECT}


def test_public_addresses_are_for_everybody(project):
    people = callers(project)
    statuses = {path: [people[name].get(ROOT + path).status_code for name in PEOPLE] for path in PUBLIC}
    assert statuses == {path: [200] * 5 for path in PUBLIC}


def test_list_of_projects_has_only_ones_own(project):
    people = callers(project)
    assert people["stranger"].get(f"{ROOT}projects/").status_code == 401
    keys = {name: [row["key"] for row in people[name].get(f"{ROOT}projects/").json()["results"]] for name in PEOPLE[1:]}
    assert keys == {"annotator": [], "outsider": ["other"], "researcher": ["project"], "manager": ["project"]}


def test_posting_is_for_researchers_and_managers_but_releases_for_managers_alone(project):
    people = callers(project)
    statuses = {path: [people[name].send(ROOT + path, FAULTY).status_code for name in PEOPLE] for path in POSTS}
    researcher = {"projects/project/releases/": 403}  # releases are made by managers, as on their page
    assert statuses == {path: [401, 404, 404, researcher.get(path, 422), 422] for path in POSTS}
    assert (Run.objects.count(), Release.objects.count()) == (1, 1)


def test_what_is_not_there_and_what_is_not_ones_own_look_the_same(project):
    outsider = callers(project)["outsider"]
    for path in OF_PROJECT:
        hidden = outsider.get(ROOT + path)
        missing = outsider.get(ROOT + path.replace("projects/project", "projects/no-such"))
        assert (hidden.status_code, hidden.content) == (missing.status_code, missing.content)


@pytest.mark.parametrize("who", ["stranger", "annotator", "outsider"])
def test_what_is_sent_to_a_project_of_others_is_answered_as_if_there_were_none(project, who):
    caller = callers(project)[who]
    for path in OF_PROJECT:
        hidden, missing = (caller.send(ROOT + one, FAULTY) for one in (path, path.replace("/project/", "/no-such/")))
        assert (hidden.status_code, hidden.content) == (missing.status_code, missing.content)


@pytest.mark.parametrize("role", ["researcher", "manager", "owner"])
def test_a_required_second_step_shuts_every_address_to_tokens_of_members_without_it(project, role):
    user = member(project, role)
    Project.objects.filter(key="project").update(requires_second_factor=True)
    caller = caller_of(user)

    shut = {caller.get(ROOT + path).status_code for path in OF_PROJECT}
    shut |= {caller.send(ROOT + path, FAULTY).status_code for path in POSTS}
    assert shut == {403}
    factor = Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert {caller.get(ROOT + path).status_code for path in OF_PROJECT} == {200}
    factor.delete()
    Authenticator.objects.create(user=user, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert {caller.get(ROOT + path).status_code for path in OF_PROJECT} == {403}


def test_judgments_cannot_be_given_or_changed_here(project):
    manager = callers(project)["manager"]
    for path in set(OF_PROJECT) - set(POSTS):
        assert manager.send(ROOT + path, {}).status_code == 405
    for method in ("put", "patch", "delete", "options"):
        assert getattr(manager, method)(f"{ROOT}projects/project/judgments/").status_code == 405


def test_reading_token_starts_nothing(project):
    reader = caller_of(member(project, "manager"), scope="read")
    answers = [reader.send(ROOT + path, {}) for path in POSTS]
    assert [answer.json()["detail"] for answer in answers] == ["This token is read-only."] * 3
    assert [answer.status_code for answer in answers] == [403] * 3
    assert reader.get(f"{ROOT}projects/project/").status_code == 200


def test_token_of_one_project_opens_no_other(project):
    user = member(project, "manager")
    other = rated_project(key="second")
    other.memberships.create(user=user, role="manager")
    caller = caller_of(user, project=other)
    assert [row["key"] for row in caller.get(f"{ROOT}projects/").json()["results"]] == ["second"]
    assert caller.get(f"{ROOT}projects/project/items/").status_code == 404


def test_session_of_a_browser_reads_and_posts_only_with_its_csrf_token(project):
    client = Caller(enforce_csrf_checks=True)
    client.force_login(member(project, "manager"))
    assert client.get(f"{ROOT}projects/project/items/").status_code == 200
    answer = client.send(f"{ROOT}projects/project/runs/", {})
    assert (answer.status_code, answer["Content-Type"]) == (403, "application/problem+json")


def test_nothing_identifies_people_or_the_accounts_of_models(project):
    researcher = callers(project)["researcher"]
    for path in OF_PROJECT:
        text = b"".join(researcher.get(ROOT + path)).decode(errors="replace")
        assert "example.org" not in text and "ann-project" not in text
        assert SECRET not in text and HOST not in text
