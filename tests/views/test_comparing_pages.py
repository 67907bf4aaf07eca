"""Two releases compared on a page, by those who may read both."""

import pytest
from django.core.files.storage import default_storage

from annotation.models import Membership
from scoring.domain.releases import comparing
from scoring.models import Release
from tests.factories import make_project, make_user
from tests.releases.making import released
from tests.releases.worlds import contested
from tests.views.releasing import client_as
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db
PAGE = "/projects/divided/compare/"


@pytest.fixture
def release() -> Release:
    return released(contested())


def test_a_release_is_compared_with_itself(release, django_assert_max_num_queries):
    client = client_as(release.project, "researcher")
    asked = {"first": release.pk, "second": release.pk, "second_round": "main.free"}

    with django_assert_max_num_queries(25):
        page = client.get(PAGE, asked)

    assert page.status_code == 200
    titles = [block.title for block in page.context["blocks"]]
    assert titles == [
        "Compared",
        "Items and judgments",
        "Scores",
        "Items that moved most (0 of 2 tested moved at a false discovery rate of 5%)",
    ]
    assert '<th scope="row"><bdi>Judged in both</bdi></th><td class="number">4</td>' in page.text


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"first_round": "R9"}, "divided, release 1: there are no ratings that count in R9."),
        ({"second": "999"}, "Select a valid choice."),
    ],
)
def test_what_cannot_be_compared_is_refused_with_the_reason(release, change, reason):
    client = client_as(release.project, "manager")

    page = client.get(PAGE, {"first": release.pk, "second": release.pk} | change)

    assert (page.status_code, page.context["blocks"]) == (422, [])
    assert reason in page.text


def test_missing_files_and_large_releases_are_refused(release, monkeypatch):
    client, asked = client_as(release.project, "manager"), {"first": release.pk, "second": release.pk}

    default_storage.delete(release.files.get(name="judgments.jsonl").file.name)
    assert "judgments.jsonl is missing" in client.get(PAGE, asked).text
    monkeypatch.setattr(comparing, "LARGEST", 10)
    assert "is too large to be compared on this page" in client.get(PAGE, asked).text


def test_a_project_without_a_finished_release_has_nothing_to_compare():
    page = client_as(make_project(key="divided"), "manager").get(PAGE)

    assert "This project has no finished release yet." in page.text


def test_only_releases_of_projects_that_somebody_may_read_can_be_chosen(release):
    own = make_project(key="own")
    reader = make_user("reader")
    Membership.objects.create(project=own, user=reader, role=Membership.Role.RESEARCHER)
    mine = Release.objects.create(
        project=own, number=1, run=release.run, state="done", manifest={}, sha256="ab", code_version="1"
    )

    choices = client_of(reader).get("/projects/own/compare/").context["form"].fields["second"].choices

    assert [number for number, _title in choices] == [mine.pk]
