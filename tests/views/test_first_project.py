"""The five steps of a first project, and what pages say while their lists are empty."""

import re

import pytest

from annotation.domain.material import import_items
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.project.lifecycle import has_texts
from annotation.domain.project.samples import sample_file
from annotation.models import Membership, Project
from annotation.presets.registry import presets
from annotation.templatetags.empty_lists import EMPTY
from tests.factories import add_pairs, make_project, make_user

pytestmark = pytest.mark.django_db
STEP = re.compile(r'<li( class="done")?>\s*<span class="number"')


@pytest.fixture
def manager(client):
    user = make_user("manager", opens_projects=True)
    client.force_login(user)
    return user


def draft(manager, preset: str = "rating") -> Project:
    project = make_project(preset)
    Project.objects.filter(pk=project.pk).update(draft=True)
    add_member(project=project, user=manager, role=Membership.Role.OWNER)
    project.refresh_from_db()
    return project


def done(client) -> list[bool]:
    return [bool(mark) for mark in STEP.findall(client.get("/projects/project/").content.decode())]


@pytest.mark.parametrize("address", ["/", "/projects/"])
def test_a_manager_without_a_project_sees_five_steps(client, manager, address):
    page = client.get(address).content.decode()
    assert len(STEP.findall(page)) == 5
    assert '<a class="button first" href="/projects/new/">Create your first project</a>' in page

    draft(manager)
    assert "Create your first project" not in client.get(address).content.decode()


def test_the_steps_are_checked_off_from_the_state_of_the_project(client, manager):
    project = draft(manager)
    assert done(client) == [True, False, False, False, False]
    add_pairs(project, 4)
    assert done(client) == [True, True, False, False, False]
    client.get("/projects/project/setup/pages/guidelines/")
    assert done(client) == [True, True, True, False, False]
    plan_round(project=project, round_key="main", people=5)
    assert done(client) == [True, True, True, True, False]
    assert "/projects/project/setup/launch/" in client.get("/projects/project/").content.decode()

    Project.objects.update(draft=False)
    project.participations.filter(pk=project.participations.first().pk).update(
        state="active", annotator=project.annotators.create(pseudonym="A1")
    )
    assert done(client) == []


def test_the_sample_of_the_preset_is_imported_once(client, manager, django_capture_on_commit_callbacks):
    project = draft(manager)
    assert "Load the sample" in client.get("/projects/project/import/").content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        client.post("/projects/project/import/sample/")
    assert project.items.exists()
    assert "Load the sample" not in client.get("/projects/project/import/").content.decode()
    client.post("/projects/project/import/sample/")
    assert project.imports.count() == 1


@pytest.mark.parametrize("preset", presets())
def test_every_preset_has_a_sample(preset):
    project = make_project(preset)
    import_items(project=project, path=sample_file(project))

    assert has_texts(project)


EMPTY_PAGES = {
    "items/": "Import items",
    "answers/": "Continue setting up",
    "people/": "Continue setting up",
    "watch/": "Plan a round",
    "runs/": "",
    "releases/": "Compute results",
    "webhooks/": "",
    "messages/": "",
    "log/": "Continue setting up",
    "jobs/": "Import items",
    "recruiting/": "",
    "recruiting/addresses/": "",
    "recruiting/guests/": "Invitation links",
    "recruiting/studies/": "New Prolific study",
    "recruiting/quotas/": "",
    "recruiting/waiting/": "Invitation links",
}


@pytest.mark.parametrize("address", EMPTY_PAGES)
def test_an_empty_page_says_what_to_do_first(client, manager, address):
    draft(manager)
    page = client.get(f"/projects/project/{address}").content.decode()
    [empty] = re.findall(r'<section class="card empty">(.*?)</section>', page, re.DOTALL)

    assert re.findall(r'class="button"[^>]*>([^<]+)<', empty) == [EMPTY_PAGES[address]] * bool(EMPTY_PAGES[address])
    assert EMPTY_PAGES[address] or "<form" in page  # what fills the list is on the page


@pytest.mark.parametrize("address", ["items/?find=x", "answers/?find=x", "people/?find=x", "jobs/?state=failed"])
def test_filters_that_nothing_matches_can_be_cleared(client, manager, address):
    draft(manager)
    page = client.get(f"/projects/project/{address}").content.decode()
    [empty] = re.findall(r'<section class="card empty">(.*?)</section>', page, re.DOTALL)

    assert f'href="/projects/project/{address.partition("?")[0]}">Clear filters<' in empty


def test_a_researcher_gets_no_button_for_what_only_managers_do(client, manager):
    project = draft(manager)
    researcher = make_user("researcher")
    add_member(project=project, user=researcher, role=Membership.Role.RESEARCHER)
    client.force_login(researcher)

    page = client.get("/projects/project/items/").content.decode()
    assert str(EMPTY["items"].title) in page
    assert "/projects/project/import/" not in page
