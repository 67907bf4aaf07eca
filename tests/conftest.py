import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.db import connection
from django.test import TransactionTestCase
from django.utils import timezone
from hypothesis import settings
from pytest_django import DjangoDbBlocker

from annotation.domain.jobs.silence import remember_answer
from annotation.models import User
from tests import databases, properties
from tests.factories import make_user


@pytest.fixture(autouse=True)
def pages_of_managers_need_no_worker() -> None:
    """Tests of the banner forget this; without it every first page of a manager would take more queries."""
    remember_answer(timezone.now() + timedelta(days=365))


@pytest.fixture
def user(db) -> User:
    return make_user()


@pytest.fixture(scope="session")
def template(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    django_db_modify_db_settings: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The name of a migrated database: a file of SQLite, or a database of PostgreSQL."""
    folder = tmp_path_factory.getbasetemp()
    with (
        django_db_blocker.unblock(),
        databases.template(folder.parent if is_worker(request.config) else folder) as name,
        django_db_blocker.block(),
    ):
        yield name


@pytest.fixture(scope="session")
def django_db_setup(template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """In place of pytest-django's fixture, which migrates a database for every worker."""
    before = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        databases.copy_for_tests(template)
    yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(before, verbosity=0)


@pytest.fixture(scope="session")
def keep(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Callable[[], AbstractContextManager[None]]:
    """For a fixture of a module, which makes its rows `with keep():` and yields; no test of the module may commit."""
    return partial(databases.kept, django_db_blocker)


@pytest.fixture(scope="session", autouse=True)
def tests_that_commit_are_cheap_to_undo() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: databases.empty_tables())
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outside-data", help="folder with stss131.csv and dscs.csv of the papers")
    parser.addoption("--paper-size", action="store_true", help="whole collections at the size of their papers")
    parser.addoption("--site", help="address of an installation without accounts, for test_from_nothing.py")
    parser.addoption("--setup-code", help="the code with which its first account administers it")
    parser.addoption("--everything", action="store_true", help="more examples of each property, and thorough tests")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # Nothing of what is imported and collected is garbage, but there is much of it to look through.
    settings.load_profile(properties.EVERYTHING if config.getoption("--everything") else properties.USUAL)


@pytest.fixture(scope="session")
def paper_size(request: pytest.FixtureRequest) -> bool:
    """Whether whole collections are to have the sizes of their papers; usually they are a quarter of that."""
    return request.config.getoption("--paper-size")


@pytest.fixture
def outside_data(request: pytest.FixtureRequest) -> str:
    folder = request.config.getoption("--outside-data")
    return folder or pytest.skip("--outside-data FOLDER was not given")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only what can differ on PostgreSQL is wanted, the other files are not even imported."""
    wanted = config.option.markexpr != "postgres" or not collection_path.name.startswith("test_")
    return None if wanted or "mark.postgres" in collection_path.read_text(encoding="utf-8") else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a release needs, unless it was named, and sort: fast tests first.

    With several workers a slow one begins at once, so that none waits for it at the end.
    """
    if not config.getoption("--everything") and not any("::" in chosen for chosen in config.args):
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    items.sort(key=lambda item: (item.get_closest_marker("slow") is not None) != is_worker(config))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def is_worker(config: pytest.Config) -> bool:
    """Whether this is one of several processes that share the tests of a run."""
    return hasattr(config, "workerinput")
