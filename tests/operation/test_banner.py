"""The banner for managers when no worker answers."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.jobs.silence import LOOKED_UP_EVERY, forget, silence
from annotation.domain.jobs.worker import beat_heart
from annotation.models import Heartbeat, Membership
from tests.factories import make_project, make_user, rating_round
from tests.views.sending import client_of, url_of
from tests.watching.worlds import member

pytestmark = pytest.mark.django_db
PAGE = "/projects/project/items/"
BANNER = "data-silence"


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def manager(project):
    return client_of(member(project, Membership.Role.MANAGER))


@pytest.fixture(autouse=True)
def looked_up_anew():
    forget()


def waiting_import(project):
    project.imports.create(file=ContentFile(b"x", "pairs.csv"), name="pairs.csv")


def test_a_manager_is_told_since_when_what_waits_and_what_to_do(project, manager):
    beat_heart(timezone.now() - timedelta(minutes=12))
    waiting_import(project)
    waiting_import(make_project(key="other"))
    page = manager.get(PAGE).text
    assert "No worker has answered for 12\xa0minutes." in page
    assert "Waiting: Import (1)" in page
    assert "Tell whoever runs this installation." in page


def test_an_administrator_is_told_what_waits_in_all_projects_and_which_command_helps(project):
    waiting_import(project)
    waiting_import(make_project(key="other"))
    page = client_of(make_user("root", is_superuser=True)).get("/jobs/").text
    assert "No worker has responded yet." in page
    assert "Waiting: Import (2)." in page
    assert "<code>docker compose up -d worker beat</code>" in page


def test_there_is_no_banner_while_a_worker_answers(manager):
    beat_heart(timezone.now())
    assert BANNER not in manager.get(PAGE).text


def test_annotators_see_none_and_their_pages_look_nothing_up(user):
    place = rating_round(user)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = client_of(user).get(url_of(place), follow=True).text
    assert BANNER not in page
    assert [one["sql"] for one in queries if Heartbeat._meta.db_table in one["sql"]] == []


def test_it_is_looked_up_once_in_a_while(project, django_assert_num_queries):
    now = timezone.now()
    beat_heart(now)
    with django_assert_num_queries(1):
        assert [silence(now, one) for one in (project, None, project)] == [None] * 3
    Heartbeat.objects.update(at=now - timedelta(minutes=5))
    with django_assert_num_queries(0):
        assert silence(now + LOOKED_UP_EVERY / 2, project) is None
    found = silence(now + LOOKED_UP_EVERY, project)
    assert (found.since, list(found.waiting)) == (now - timedelta(minutes=5), [])
    with django_assert_num_queries(0):
        assert silence(now + 1.5 * LOOKED_UP_EVERY, project) == found


def test_it_goes_when_a_worker_answers_again(project):
    now = timezone.now()
    assert silence(now, project) and silence(now, None)
    beat_heart(now)
    assert silence(now + LOOKED_UP_EVERY, project) is None
    assert silence(now + LOOKED_UP_EVERY, None) is None
