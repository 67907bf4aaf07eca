"""The pages on which managers prepare studies at Prolific, and owners publish them."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from annotation.domain.audit.log import write_down
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import CrowdStudy, Membership, Project, ProlificStudy
from annotation.models.audit_actions import Action
from tests.crowds import fill_wallet
from tests.factories import NOON, add_pairs, make_project, make_user
from tests.platforms import Prolific, running
from tests.views.sending import asked_again, client_of

PAGE = "/projects/project/recruiting/studies/"
SETTINGS = {
    "name": "Similar sentences",
    "description": "Rate pairs of sentences.",
    "places": "3",
    "reward": "2.00",
    "minutes": "10",
    "devices": ["desktop", "tablet"],
}
NEW = SETTINGS | {"place": "main/raters", "session": "1"}


@pytest.fixture
def prolific(settings) -> Iterator[Prolific]:
    cache.clear()
    settings.PUBLIC_URL = "https://semblance.example.org"
    server = Prolific()
    settings.PROLIFIC_API_URL = server.url
    with running(server):
        yield server


@pytest.fixture
def project(user) -> Project:
    project = make_project()
    add_pairs(project, 60)
    plan_round(project=project, round_key="main", people=3)
    Project.objects.update(guidelines="Read both texts.", consent="Do you agree?")
    write_down(Action.PROJECT_REHEARSED, project, actor=user, now=NOON)
    fill_wallet(project)
    return project


@pytest.fixture
def owner(project, user):
    add_member(project=project, user=user, role=Membership.Role.OWNER)
    return asked_again(client_of(user))


@pytest.fixture
def manager(project):
    manager = make_user("manager")
    add_member(project=project, user=manager, role=Membership.Role.MANAGER)
    return client_of(manager)


def created(client) -> str:
    response = client.post(f"{PAGE}prolific/", NEW)
    assert response.status_code == 302, response.text
    return response["Location"]


def test_an_owner_creates_publishes_pauses_and_extends_a_study(prolific, owner):
    page = created(owner)
    assert 'value="8"' in owner.get(f"{PAGE}prolific/").text  # minutes, computed from the protocol
    draft = owner.get(page).text
    assert ("Before publishing" in draft, "Missing" in draft, f"{page}publish/" in draft) == (True, False, True)

    asked = owner.get(f"{page}publish/")
    assert "8 GBP: 3 × 2 = 6 in rewards, and 2 in fees and VAT" in asked.text
    seen = asked.context["asked"].fields
    owner.post(f"{page}publish/", seen)
    assert (ProlificStudy.objects.get().status, prolific.balance) == ("ACTIVE", 99_200)

    owner.post(f"{page}pause/")
    owner.post(f"{page}resume/")
    more = owner.get(f"{page}places/", {"places": "3"})
    assert "3 × 2 = 6 in rewards" in more.text
    done = owner.post(f"{page}places/", more.context["asked"].fields, follow=True)
    assert ("The places were added." in done.text, "0 of 6 taken" in done.text) == (True, True)
    assert prolific.balance == 98_400


def test_a_cost_that_nobody_saw_is_not_paid(prolific, owner):
    page = created(owner)

    response = owner.post(f"{page}publish/", {"seen": "3 for 1"})

    assert (response.status_code, "The cost has changed" in response.text) == (422, True)
    assert prolific.balance == 100_000


def test_a_manager_prepares_and_pauses_and_an_owner_spends(prolific, owner, manager):
    page = created(manager)
    shown = manager.get(page).text

    assert (f"{page}publish/" in shown, "Owners of the project publish" in shown) == (False, True)
    statuses = {
        act: manager.post(f"{page}{act}/", {"places": "1"}).status_code for act in ("publish", "resume", "places")
    }
    assert statuses == {"publish": 404, "resume": 404, "places": 404}
    owner.post(f"{page}publish/", owner.get(f"{page}publish/").context["asked"].fields)
    assert manager.post(f"{page}pause/").status_code == 302
    assert ProlificStudy.objects.get().status == "PAUSED"


def test_settings_are_changed_until_the_study_is_published(prolific, owner):
    page = created(owner)
    assert owner.post(page, SETTINGS | {"reward": "3.00", "signed": "on"}).status_code == 302
    (study,) = prolific.studies.values()
    assert (study["reward"], study["is_external_study_url_secure"]) == (300, True)
    owner.post(f"{page}publish/", owner.get(f"{page}publish/").context["asked"].fields)

    response = owner.post(page, SETTINGS)

    assert (response.status_code, study["reward"], ProlificStudy.objects.get().reward) == (422, 300, 300)


def test_the_codes_of_a_study_made_here_change_nowhere_else(prolific, owner):
    created(owner)
    study = CrowdStudy.objects.get()

    owner.post(f"{PAGE}{study.pk}/", {"study_id": "6" * 24, "completion_code": "OTHER", "platform": "mturk"})

    assert CrowdStudy.objects.values("study_id", "completion_code", "platform", "open").get() == {
        "study_id": study.study_id,
        "completion_code": study.completion_code,
        "platform": "prolific",
        "open": False,
    }


def test_screeners_are_chosen_from_those_of_prolific(prolific, owner):
    page = created(owner)
    chosen = f"{page}screener/?filter=first-language"
    assert "What is your first language?" in owner.get(chosen).text
    assert owner.post(chosen, {"values": ["8"]}).status_code == 422
    assert owner.post(chosen, {"values": ["7"]}).status_code == 302
    assert owner.post(f"{page}screener/?filter=age", {"lower": "18"}).status_code == 302
    assert "Czech" in owner.get(page).text

    owner.post(f"{page}screener/remove/", {"filter": "first-language"})

    assert "Czech" not in owner.get(page).text


@pytest.mark.parametrize("change", [{"name": ""}, {"reward": "0"}, {"places": "0"}, {"devices": []}, {"place": "R9/"}])
def test_settings_that_cannot_be_are_told(prolific, owner, change):
    assert owner.post(f"{PAGE}prolific/", NEW | change).status_code == 422
    assert not prolific.studies


def test_a_failure_of_prolific_is_shown_on_the_page(prolific, owner):
    page = created(owner)
    prolific.failing["studies"] = "503"

    for url in (f"{page}publish/", f"{page}places/?places=1"):
        assert "Prolific could not be used." in owner.get(url, follow=True).text
    assert "Prolific could not be used." in owner.post(f"{page}refresh/", follow=True).text
