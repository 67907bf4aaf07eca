"""No cache keeps what a page shows of people and projects; a file is kept only to be asked about again."""

import pytest

from annotation.models import Participation
from tests.api.worlds import caller_of, done_release, member
from tests.factories import rating_round
from tests.views.sending import client_of, url_of


@pytest.fixture
def place(user) -> Participation:
    return rating_round(user)


def test_pages_are_kept_by_no_cache(place, user, client):
    manager = client_of(member(place.project, "manager"))
    pages = [manager.get(f"/projects/project/{page}") for page in ("", "people/", "log/", "log.csv", "members/x/")]
    pages += [client_of(user).get(url_of(place)), client_of(user).get("/account/email/"), client.get("/")]
    pages += [client.get("/account/login/"), client.get("/join/no-such-link/")]

    assert [page["Cache-Control"] for page in pages if "no-store" not in page["Cache-Control"]] == []


def test_answers_of_the_api_are_kept_by_no_cache_but_files_to_be_asked_about(place):
    caller = caller_of(member(place.project, "researcher"))
    done_release(place.project)
    paths = ("judgments/", "participations/", "releases/1/files/scores.csv", "releases/1/files.zip")
    found = [caller.get(f"/api/v1/projects/project/{path}")["Cache-Control"] for path in paths]

    assert found == ["private, no-store"] * 2 + ["private, no-cache"] * 2
