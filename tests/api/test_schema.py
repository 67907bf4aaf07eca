"""The schema is valid and whole, and no answer is one that it does not tell of."""

from collections.abc import Iterator
from contextlib import suppress

import jsonschema
import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import positive_data_acceptance

from annotation.api.throttling import OfStranger, OfToken
from config.wsgi import application
from tests.api.test_access import OF_PROJECT, OWN, PUBLIC, patterns
from tests.api.worlds import answered_by_model, caller_of, done_release, member, rated_project
from tests.properties import examples
from tests.registering.worlds import registered

pytestmark = pytest.mark.django_db
VARIABLES = {"<slug:key>": "{key}", "<int:number>": "{number}", "<int:pk>": "{id}"}
VARIABLES |= {"<path:name>": "{name}", "<slug:name>": "{name}", "<slug:program>": "{program}"}
REAL = {"key": "project", "number": 1, "id": 1, "name": "scores.csv"}
NOT_CHECKED = [positive_data_acceptance]  # that an item is there, or a cursor, no schema can say


@pytest.fixture
def document() -> dict:
    return Client().get("/api/v1/schema/", headers={"Accept": "application/json"}).json()


def test_schema_lists_every_address(document):
    told = set()
    for path in patterns():
        for variable, name in VARIABLES.items():
            path = path.replace(variable, name)
        told.add(f"/{path}")
    assert document["openapi"].startswith("3.1.")
    assert set(document["paths"]) == {path for path in told if not path.endswith(PUBLIC)}
    assert len(document["paths"]) == len(OWN + OF_PROJECT)


def test_every_operation_is_described(document):
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert all(operation["summary"] for operation in operations)
    assert len({operation["operationId"] for operation in operations}) == len(operations) == 26
    for operation in operations:
        assert {"400", "401", "404", "406", "429"} <= operation["responses"].keys()


def test_component_schemas_are_json_schemas(document):
    for component in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(component)


def test_docs_need_neither_inline_code_nor_another_host():
    page = Client().get("/api/v1/docs/")
    assert "unsafe" not in page["Content-Security-Policy"]
    assert "<style" not in page.text and "http://" not in page.text and "https://" not in page.text
    script = Client().get("/api/v1/docs/?script")
    assert script["Content-Type"].startswith("application/javascript") and "/api/v1/schema/" in script.text


@pytest.fixture
def kept_connection() -> Iterator[None]:
    """The end of a request leaves the connection, and with it the test's transaction, as it is."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", [GenerationMode.POSITIVE, pytest.param(GenerationMode.NEGATIVE, marks=pytest.mark.thorough)]
)
def test_no_answer_is_undocumented(mode, monkeypatch, kept_connection):
    cache.clear()
    for throttle in (OfToken, OfStranger):
        monkeypatch.setattr(throttle, "get_rate", lambda self: "100000/min")
    project = rated_project()
    done_release(project)
    answered_by_model(project)
    registered(project)
    key = caller_of(member(project, "manager")).defaults["HTTP_AUTHORIZATION"]
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application)
    for result in schema.get_all_operations():
        check(result.ok(), mode, {"Authorization": key})


def check(operation: APIOperation, mode: GenerationMode, headers: dict[str, str]) -> None:
    """Some requests of one kind for one operation."""
    few = settings(max_examples=examples(0.1), deadline=None, database=None, suppress_health_check=list(HealthCheck))

    @few
    @seed(1)
    @given(case=operation.as_strategy(generation_mode=mode, path_parameters=real_parameters(operation)))
    def hold(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=headers, excluded_checks=NOT_CHECKED)

    with suppress(Unsatisfiable):  # of an address without parameters there is nothing to get wrong
        hold()


def real_parameters(operation: APIOperation) -> dict[str, object]:
    """Those of an address where something is."""
    real = REAL | ({"name": "scores"} if "/figures/" in operation.path else {})
    return {name: value for name, value in real.items() if f"{{{name}}}" in operation.path}
