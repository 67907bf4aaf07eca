"""What no person types: NUL characters, the ends of the calendar and numbers beyond all measure are refused."""

from urllib.parse import urlsplit

import pytest
from django.core.exceptions import BadRequest
from django.test import Client, RequestFactory

from annotation.middleware import NulMiddleware
from annotation.models import AuditEntry, InvitationLink, Participation
from tests.api.worlds import caller_of, member
from tests.factories import NOON, rating_round
from tests.fuzz.addresses import every_path
from tests.views.sending import client_of, rating, url_of

ENDS = ["0001-01-01", "9999-12-31"]
ZONES = ["Pacific/Kiritimati", "UTC", "Pacific/Honolulu"]  # east and west of Greenwich


@pytest.fixture
def place(user) -> Participation:
    return rating_round(user)


def manager_client(place: Participation, zone: str = "UTC") -> Client:
    client = client_of(member(place.project, "manager"))
    client.cookies["time_zone"] = zone
    return client


# NUL characters


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/join/%00/", "/resume/a%00b/", "/members/%00/", "/projects/%00/", "/nowhere%00/"])
def test_nul_in_an_address_leads_nowhere(client, address):
    page = client.get(address)
    assert (page.status_code, "Page not found" in page.text) == (404, True)


@pytest.mark.parametrize("address", ["people/?find=%00", "log/?person=%00", "log/?%00=a", "releases/?page=%00"])
def test_nul_in_a_query_is_a_bad_request(place, address):
    assert manager_client(place).get(f"/projects/project/{address}").status_code == 400


@pytest.mark.django_db
def test_nul_in_the_cookie_of_the_session_is_a_bad_request(client):
    client.cookies["sessionid"] = "a\0" + "b" * 30
    assert client.get("/").status_code == 400


def test_nul_in_the_query_of_the_api_is_a_problem(place):
    answer = caller_of(member(place.project, "researcher")).get("/api/v1/projects/project/judgments/?annotator=%00")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_nul_in_an_answer_is_refused(place, user):
    screen = place.assignments.first()
    sent = rating(screen, "2\0")
    answers = [client_of(user).post(url_of(place), sent | more) for more in ({}, {"key": "\0"}, {"assignment": "\0"})]
    assert all(400 <= answer.status_code < 500 for answer in answers)


def test_nul_in_a_form_that_the_database_refused_is_a_bad_request():
    request = RequestFactory().post("/", {"note": "half\0"})
    with pytest.raises(BadRequest):
        NulMiddleware(lambda _request: None).process_exception(request, ValueError("psycopg2 takes no NUL"))


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("following", ["https://[::1", "//[", "//evil.example", "/\\evil.example"])
def test_a_next_page_that_is_no_address_of_ours_is_ignored(user, method, following):
    paths = [path for path in every_path() if path.startswith("/account/") and "<" not in path]
    paths += ["/language/", "/admin/login/", "/admin/logout/"]
    for path in paths:
        for client in (Client(raise_request_exception=False), client_of(user, raise_request_exception=False)):
            answer = getattr(client, method)(path, {"next": following, "language": "de"})

            assert answer.status_code < 500, path
            assert urlsplit(answer.get("Location", "").split("?")[0]).netloc == "", path


# the ends of the calendar


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day", ENDS)
def test_the_log_is_filtered_by_any_day(place, day, zone):
    client = manager_client(place, zone)
    AuditEntry.objects.create(project=place.project, action="something", at=NOON)
    number = {
        name: len(client.get("/projects/project/log/", {name: day}).context["entries"]) for name in ("since", "until")
    }
    assert number == ({"since": 1, "until": 0} if day == ENDS[0] else {"since": 0, "until": 1})
    assert client.get("/projects/project/log.csv", {"since": day, "until": day}).status_code == 200


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("moment", [f"{ENDS[0]}T00:00", f"{ENDS[1]}T23:59"])
def test_moments_at_the_ends_of_the_calendar_are_refused(place, moment, zone):
    client = manager_client(place, zone)
    link = {"place": "main/", "expires_at": moment, "note": ""}
    deadline = {"round": "main", "due_at": moment, "reason": "Because."}
    asked = [
        client.post("/projects/project/recruiting/", link),
        client.post("/projects/project/control/deadline/", deadline),
        client.get("/api/v1/projects/project/judgments/", {"since": moment}),
    ]
    assert all(400 <= answer.status_code < 500 for answer in asked), asked
    assert not InvitationLink.objects.exists()


# numbers


def test_numbers_beyond_all_measure_are_refused(place):
    caller = caller_of(member(place.project, "manager"))
    for digits in (401, 5000):
        number = "9" * digits
        sent = f'{{"model": "m", "predictions": {{"p1": {number}}}}}'
        answer = caller.post("/api/v1/projects/project/evaluations/", sent, content_type="application/json")
        assert (answer.status_code, answer["Content-Type"]) == (
            422 if digits == 401 else 400,
            "application/problem+json",
        )
        assert caller.get("/api/v1/projects/project/judgments/", {"page_size": number}).status_code == 400
