"""The table of all answers, and a person's answers beside those of the others."""

import csv
import io

import pytest

from annotation.models import Project
from tests.api.worlds import member
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import rate_next
from tests.views.sending import client_of
from tests.watching.worlds import seat, watched

pytestmark = pytest.mark.postgres
URL = "/projects/project/answers/"


@pytest.fixture
def project(db) -> Project:
    project = watched()
    project.participations.filter(seat=1).update(state="excluded", reason="Too quick.")
    return project


@pytest.fixture
def client(project):
    return client_of(member(project, "manager"))


def test_answers_are_filtered_by_person_item_round_and_whether_they_count(project, client):
    pseudonym = seat(project, 2).annotator.pseudonym
    asked = [{}, {"person": pseudonym}, {"person": "person-3"}, {"item": "p1"}, {"counts": "yes"}]
    asked += [{"counts": "excluded"}, {"round": "main"}, {"since": "2100-01-01"}, {"since": "no day"}]

    numbers = [len(client.get(URL, filters).context["rows"]) for filters in asked]

    ones = project.participations.get(seat=3).assignments.filter(answered_at__isnull=False, item__key="p1").count()
    assert numbers == [9, 4, 1, 2 + ones, 5, 4, 9, 0, 9]


def test_researchers_find_people_by_pseudonym_only(project):
    client = client_of(member(project, "researcher"))

    assert len(client.get(URL, {"person": "person-3"}).context["rows"]) == 0
    assert "person-3" not in client.get(URL).text


def test_answers_come_in_pages_with_constant_queries(project, client, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr("scoring.domain.monitoring.answers.PAGE", 4)
    ids, counts, cursor = [], [], ""
    for _ in range(3):
        with django_assert_max_num_queries(20) as queries:
            page = client.get(URL, {"cursor": cursor})
        ids += [row["id"] for row in page.context["rows"]]
        counts.append(len(queries))
        cursor = page.context["page"].next

    assert (ids, len(set(ids)), cursor) == (sorted(ids, reverse=True), 9, "")
    assert len(set(counts)) == 1


def test_the_filtered_answers_are_a_file_too(project, client):
    response = client.get("/projects/project/answers.csv", {"counts": "excluded"})
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))

    assert [(row["counted"], row["not_counted_because"]) for row in rows] == [("false", "excluded")] * 4


def test_a_persons_answers_stand_beside_the_distribution_of_the_others(project, client):
    url = f"/projects/project/people/{seat(project, 3).pk}/answers/"
    (row,) = client.get(url).context["rows"]

    assert (row["value"], row["others"].number) == (3.5, 1)  # the excluded person is not among the others
    assert (row["others"].mean, row["others"].deviation, row["others"].own) == (2.0, None, 87.5)
    assert row["others"].marks == [(50.0, 1)]
    for _ in range(3):
        rate_next(seat(project, 3))
    times = [row["saved_at"] for row in client.get(url).context["rows"]]
    assert (len(times), times) == (4, sorted(times))


def test_a_persons_choices_stand_beside_those_of_the_others(db):
    project = best_worst_project(pairs=6)
    client = client_of(member(project, "manager"))
    one, other = at_work(project, "ann", "bob")
    first = choose_first(one)
    for _ in range(project.tuples.count()):
        choose_first(other)

    (row,) = client.get(f"/projects/project/people/{one.pk}/answers/").context["rows"]

    assert (row["best"], row["others"].same_best, row["others"].number) == (first.best.key, 1, 1)
