"""The pages of e-mails, waiting lists, quotas and unsubscribing."""

import pytest
from django.core import mail
from django.test import Client

from annotation.domain.messages.unsubscribing import unsubscribe_url
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.links import make_link, path_of
from annotation.models import Membership, Project, RecruitingOptions, Unsubscribed, WaitingPerson
from tests.factories import NOON, add_pairs, make_project
from tests.views.sending import client_of

PAGE = "/projects/project/recruiting/"


@pytest.fixture
def project(user) -> Project:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=1)
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    return project


@pytest.fixture
def manager(project, user) -> Client:
    return client_of(user)


def full_link(project: Project) -> str:
    path = path_of(make_link(project=project, round_key="main", pool="raters", actor=None, now=NOON))
    RecruitingOptions.objects.create(project=project, without_address=True)
    assert Client().post(path, {"without": "1"}).status_code == 302
    return path


def test_a_full_round_says_so_and_takes_an_address(project, manager):
    path = full_link(project)
    page = Client().get(path)
    assert (page.status_code, "are taken" in page.text) == (200, True)
    assert "are taken" in Client().post(path, {"without": "1"}).text

    done = Client().post(path, {"wait": "1", "address": "Ada@example.org"})

    assert (done.status_code, "You are on the waiting list" in done.text) == (200, True)
    assert WaitingPerson.objects.get().address == "ada@example.org"
    assert Client().post(path, {"wait": "1", "address": "nobody"}).status_code == 422
    assert "ada@example.org" in manager.get(f"{PAGE}waiting/").text


def test_without_email_nobody_can_wait(project, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    path = full_link(project)

    assert "Join the waiting list" not in Client().get(path).text
    assert Client().post(path, {"wait": "1", "address": "ada@example.org"}).status_code == 422
    assert not WaitingPerson.objects.exists()


def test_a_link_unsubscribes_by_a_click_or_by_the_mail_program(project):
    url = unsubscribe_url(project, "ada@example.org").split("://")[1].partition("/")[2]
    strict = Client(enforce_csrf_checks=True)
    assert ("Stop invitations" in strict.get(f"/{url}").text, Unsubscribed.objects.count()) == (True, 0)

    done = strict.post(f"/{url}", {"List-Unsubscribe": "One-Click"})
    strict.post(f"/{url}")

    assert (done.status_code, "You are unsubscribed" in done.text, Unsubscribed.objects.count()) == (200, True, 1)
    assert Client().post(f"/{url[:-3]}/").status_code == 404


def test_a_text_is_previewed_saved_and_restored(project, manager):
    page = f"{PAGE}emails/reminder/"
    assert "Hello Ada," in manager.get(page).text
    text = {"subject": "On with {project}", "body": "Dear {name}: {link}"}

    preview = manager.post(page, text | {"preview": "1"}).text
    assert ("Dear Ada:" in preview, project.mail_templates.count()) == (True, 0)
    assert manager.post(page, text | {"body": "Dear {name}"}).status_code == 422
    assert manager.post(page, text).status_code == 302
    assert ("Your text" in manager.get(f"{PAGE}emails/").text, project.mail_templates.count()) == (True, 1)
    manager.post(page, {"restore": "1"})
    assert project.mail_templates.count() == 0
    assert manager.get(f"{PAGE}emails/other/").status_code == 404
    assert mail.outbox == []


@pytest.mark.parametrize(("days", "status"), [("7", 302), ("", 302), ("0", 422), ("91", 422), ("x", 422)])
def test_the_days_of_reminders_are_chosen(project, manager, days, status):
    assert manager.post(f"{PAGE}emails/", {"stopped_days": days}).status_code == status
    options = RecruitingOptions.objects.filter(project=project).first()
    assert (options.stopped_days if options else None) == (7 if days == "7" else None)


def test_quotas_are_set_shown_and_removed(project, manager, django_assert_num_queries):
    page = f"{PAGE}quotas/"
    assert manager.post(page, {"place": "main/", "language": "CS", "most": "3"}).status_code == 302
    assert "0 of 3" in manager.get(page).text
    for wrong in ({"place": "main/", "most": "3"}, {"place": "main/", "language": "Czech please", "most": "3"}):
        assert manager.post(page, wrong).status_code == 422

    manager.post(f"{page}{project.quotas.get().pk}/remove/")

    assert not project.quotas.exists()
