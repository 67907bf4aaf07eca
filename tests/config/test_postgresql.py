"""Whether a connection to PostgreSQL still works is seen without a query, also after the server has ended it."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def other() -> Iterator[BaseDatabaseWrapper]:
    if connection.vendor != "postgresql":
        pytest.skip("about connections to PostgreSQL")
    copy = connection.copy()
    with copy.cursor() as cursor:
        cursor.execute("SELECT 42")
    yield copy
    copy.close()


def about(other: BaseDatabaseWrapper, asked: str) -> object:
    """What the server says about the process of another connection."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {asked} FROM pg_stat_activity WHERE pid = %s", [other.connection.info.backend_pid])
        return cursor.fetchone()[0]


def test_open_connection_is_usable_without_a_query(other):
    assert other.is_usable()

    assert about(other, "query") == "SELECT 42"


def test_connection_that_the_server_ended_is_not_usable(other):
    assert about(other, "pg_terminate_backend(pid, 5000)")

    assert not other.is_usable()
