"""The list of people: filters, a file, and one action on many with one preview."""

import csv
import io

import pytest

from annotation.domain.participation.lifecycle import exclude
from annotation.models import Project
from annotation.queries.counting import counted
from annotation.queries.judgments import judgments_of
from scoring.models import PersonStatistics
from scoring.views import bulk
from tests.api.worlds import member
from tests.views.sending import client_of
from tests.watching.worlds import LATER, measure_project, seat, watched

pytestmark = pytest.mark.postgres
URL = "/projects/project/people/"


@pytest.fixture
def project(db) -> Project:
    project = watched(people=4)
    measure_project(project.pk, LATER)
    return project


@pytest.fixture
def client(project):
    return client_of(member(project, "manager"))


def flag(project: Project, *seats: int) -> None:
    for number in seats:
        PersonStatistics.objects.filter(participation=seat(project, number)).update(
            flags={"speed": {"value": 0.4}}, open_flags=1
        )


def seats(page) -> list[int]:
    return [person.seat for person in page.context["page"]]


def test_people_are_filtered_by_progress_and_pool(project, client):
    asked = [{"progress": name} for name in ("none", "half", "most", "all")] + [{"pool": "raters"}, {"pool": "none"}]

    assert [seats(client.get(URL, filters)) for filters in asked] == [[], [4], [], [1, 2, 3], [1, 2, 3, 4], []]


def test_the_filtered_people_are_a_file(project, client):
    flag(project, 1)
    response = client.get("/projects/project/people.csv", {"progress": "all"})
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))

    shown = [(row["person"], row["state"], row["answered"], row["screens"], row["flags"]) for row in rows]
    assert shown == [(f"person-{one}", "finished", "4", "4", "speed" if one == 1 else "") for one in (1, 2, 3)]


def test_excluded_people_ask_for_nothing_any_more(project, client):
    flag(project, 1, 2)
    exclude(participation_id=seat(project, 1).pk, reason="Too quick.", actor=None, now=LATER)

    assert client.get(URL).text.count('<span class="badge warning">') == 1
    page = client.get(f"{URL}{seat(project, 1).pk}/").text
    assert "/settle/" not in page and "trouble some" not in page


def test_several_people_are_excluded_after_one_preview(project, client, django_assert_max_num_queries):
    chosen = [seat(project, number).pk for number in (1, 2, 4)]
    asked = {"action": "exclude", "place": chosen}
    counts = []
    for places in (chosen[:1], chosen):
        with django_assert_max_num_queries(30) as queries:
            page = client.get(f"{URL}bulk/", {"action": "exclude", "place": places})
        counts.append(len(queries))
    (change,) = page.context["changes"]

    refused = client.post(f"{URL}bulk/", asked | {"reason": ""})
    client.post(f"{URL}bulk/", asked | {"reason": "Too quick."})

    assert (page.context["loss"].judgments, page.context["loss"].short, change.round) == (9, 4, "main")
    assert counts[0] == counts[1]
    assert (refused.status_code, counted(judgments_of(project)).count()) == (422, 4)
    assert [person.state for person in project.participations.order_by("seat")[:4]].count("excluded") == 3


def test_all_who_match_are_chosen_beyond_the_page(project, client, monkeypatch):
    monkeypatch.setattr("scoring.views.monitoring.PAGE", 1)
    page = client.get(f"{URL}bulk/", {"action": "review", "all": "1", "progress": "all"})

    assert [person.seat for person in page.context["people"]] == [1, 2, 3]
    assert len(client.get(URL).context["page"]) == 1


def test_flags_are_reviewed_deadlines_moved_and_places_given_to_others(project, client):
    flag(project, 1, 2)
    places = [seat(project, number).pk for number in (1, 2, 4)]

    client.post(f"{URL}bulk/", {"action": "review", "place": places})
    client.post(
        f"{URL}bulk/", {"action": "extend", "place": places, "due_at": "2100-01-01T12:00", "reason": "The round ends."}
    )
    page = client.post(f"{URL}bulk/", {"action": "refill", "place": places, "reason": "Idle."}, follow=True)

    assert list(PersonStatistics.objects.filter(open_flags__gt=0)) == []
    assert seat(project, 4).due_at is not None
    assert (seat(project, 4).state, project.participations.filter(replaces=seat(project, 4)).count()) == ("left", 1)
    assert "1 annotator was replaced." in page.text and "(2)" in page.text  # two had finished


def test_a_message_goes_to_the_people_chosen(project, client):
    places = [seat(project, number).pk for number in (1, 2)]

    answer = client.get(f"{URL}bulk/", {"action": "message", "place": places})

    assert answer["Location"] == f"/projects/project/messages/?place={places[0]}&place={places[1]}"


@pytest.mark.parametrize("asked", [{"action": "review"}, {"action": "exclude", "place": ["x", "999999"]}])
def test_nobody_chosen_is_said(client, asked):
    assert "Select at least one annotator." in client.get(f"{URL}bulk/", asked, follow=True).text


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("everybody", [True, False])
def test_too_many_people_are_refused_and_not_cut(project, client, monkeypatch, everybody, method):
    monkeypatch.setattr(bulk, "MOST", 3)
    flag(project, 1, 2, 3, 4)
    places = {"all": "1"} if everybody else {"place": [seat(project, number).pk for number in (1, 2, 3, 4)]}
    page = getattr(client, method)(f"{URL}bulk/", {"action": "review"} | places, follow=True)

    assert "You can select up to 3 annotators at once." in page.text
    assert PersonStatistics.objects.filter(open_flags=1).count() == 4
