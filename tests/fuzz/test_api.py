"""Whatever programs send to the API, in whatever order and with whatever token, the server makes no error."""

from contextlib import suppress

import hypothesis
import pytest
import schemathesis
from django.core.cache import cache
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from annotation.api.throttling import OfStranger, OfToken
from config.wsgi import application
from tests.api.test_schema import kept_connection  # noqa: F401 a fixture
from tests.api.worlds import PEOPLE, callers, done_release, rated_project

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
FEW, MANY, STEPS, PARTS = 20, 1000, 10, 5
ADDRESS = "/api/v1/schema/?format=json"


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, PARTS))])
@pytest.mark.parametrize("who", PEOPLE)
def test_no_sequence_of_requests_makes_an_error_of_the_server(who, part, monkeypatch, kept_connection, record_property):  # noqa: F811
    cache.clear()
    for throttle in (OfToken, OfStranger):
        monkeypatch.setattr(throttle, "get_rate", lambda self: "1000000/min")
    project = rated_project()
    done_release(project)
    key = callers(project)[who].defaults.get("HTTP_AUTHORIZATION")
    statuses, faults = [], []

    class Program(schemathesis.openapi.from_wsgi(ADDRESS, application).as_state_machine()):
        def get_call_kwargs(self, case):
            return {"headers": {"Authorization": key} if key else {}}

        def validate_response(self, response, case, **options):
            statuses.append(response.status_code)
            if response.status_code >= 500:
                faults.append((case.method, case.formatted_path, case.query, case.body))

    wanted = MANY if settings().max_examples > 40 else FEW
    few = settings(
        max_examples=max(1, wanted // STEPS // 5),
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for attempt in range(100):
        if len(statuses) < wanted:
            with suppress(Flaky):  # what a request finds depends on those before it, also of earlier sequences
                run_state_machine_as_test(hypothesis.seed(100 * part + attempt)(Program), settings=few)
    record_property(f"requests as {who}", len(statuses))

    assert faults == []
    assert len(statuses) >= wanted
