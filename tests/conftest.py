from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.backends.sqlite3.base import DatabaseOperations
from hypothesis import settings

from annotation.models import User
from annotation.models.guarding import unguard_log
from tests.factories import make_user

# Nothing in the suite is timed: a busy machine would fail it.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture
def user(db) -> User:
    return make_user()


@pytest.fixture(scope="session", autouse=True)
def tables_can_be_emptied() -> Iterator[None]:
    """On SQLite a test with transactions of its own ends with deleting every row, which the log's guard refuses."""
    empty = DatabaseOperations.sql_flush

    def without_guard(self: DatabaseOperations, *args: object, **options: object) -> list[str]:
        unguard_log(connection)  # comes back with the signal that flushing sends
        return empty(self, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", without_guard)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outside-data", help="folder with stss131.csv and dscs.csv of the papers")
    parser.addoption("--paper-size", action="store_true", help="also answer the largest collections in full")


@pytest.fixture
def outside_data(request: pytest.FixtureRequest) -> str:
    folder = request.config.getoption("--outside-data")
    return folder or pytest.skip("--outside-data FOLDER was not given")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Fast tests first; but with several workers a slow one begins at once, so that none waits for it at the end."""
    parallel = hasattr(config, "workerinput")
    items.sort(key=lambda item: (item.get_closest_marker("slow") is not None) != parallel)
