"""The progress of rounds: counted with the statistics of the project, not on each request."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import ProjectStatistics
from tests.api.worlds import caller_of, member
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.watching.worlds import LATER, measure_project

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
PATH = "/api/v1/projects/project/progress/"


def test_answers_are_counted_at_once_before_there_are_statistics_and_with_them_afterwards():
    project = best_worst_project(12, places=3, main__people="2")
    (place,) = at_work(project, "one")
    caller = caller_of(member(project, "researcher"))

    def answers() -> int:
        return caller.get(PATH).json()["rounds"][0]["answers"]

    found = [answers()]
    choose_first(place)
    found.append(answers())
    measure_project(project.pk, LATER)
    choose_first(place)
    found.append(answers())
    measure_project(project.pk, LATER)
    found.append(answers())

    assert found == [0, 1, 1, 2]
    assert caller.get(PATH).json()["as_of"] == ProjectStatistics.objects.get().at.isoformat().replace("+00:00", "Z")


def test_a_request_reads_no_answers():
    project = best_worst_project(12, places=3, main__people="2")
    (place,) = at_work(project, "one")
    choose_first(place)
    measure_project(project.pk, LATER)
    caller = caller_of(member(project, "researcher"))

    with CaptureQueriesContext(connection) as queries:
        caller.get(PATH)

    assert not [query["sql"] for query in queries if "annotation_judgment" in query["sql"]]
