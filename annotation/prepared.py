"""Queries of the hottest path, compiled to SQL once: for a row or two, Django takes longer to compile than to run."""

from collections.abc import Callable
from inspect import signature
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet
from django.db.models.query import ModelIterable
from django.db.transaction import TransactionManagementError

MARK = -(2**62)  # and above: numbers that stand for the parameters while the SQL is made; no id is negative
Id = int | str


class Prepared:
    """A query with ids as its only parameters, of the types that are written beside them.

    Django makes SQL by a compiler, which also knows how rows become objects. Here each connection keeps one compiler a
    query, and gives it the SQL that it made before, with the parameters of this call. PostgreSQL keeps its plan too.
    """

    def __init__(self, build: Callable[..., QuerySet[Any]]) -> None:
        self.build = build
        parameters = signature(build).parameters.values()
        self.marks = {given.name: given.annotation(MARK + number) for number, given in enumerate(parameters)}

    def __call__(self, **ids: Id) -> list[Any]:
        """Run the query with these parameters. Raise TransactionManagementError if it locks outside a transaction."""
        ready = prepared_queries().get(self) or self._prepare()
        return ready.objects({self.marks[name]: value for name, value in ids.items()})

    def _prepare(self) -> "_Ready":
        queries = prepared_queries()
        ready = queries[self] = _Ready(self.build(**self.marks), f"prepared_{len(queries)}")
        return ready


class _Ready:
    """A query on one connection. It stands in for the QuerySet from which Django's iterable makes objects."""

    _known_related_objects: dict[Any, Any] = {}

    def __init__(self, queryset: QuerySet[Any], name: str) -> None:
        self.query, self.db, self.model = self, queryset.db, queryset.model
        self.locks = queryset.query.select_for_update
        self.compiler = queryset.query.get_compiler(connection=connections[DEFAULT_DB_ALIAS])
        self.sql, self.parameters = self.compiler.as_sql()
        converters = self.compiler.get_converters([column for column, *_ in self.compiler.select])
        self.compiler.get_converters = lambda _columns: converters
        if keeps_plans():
            self._keep_plan(name)

    def _keep_plan(self, name: str) -> None:
        """Let the server read and plan the query once, and from now on run it by a name."""
        numbered = [f"${number}" for number in range(1, len(self.parameters) + 1)]
        with connection.connection.cursor() as cursor:  # of the driver: it is no query of a request
            cursor.execute(f"PREPARE {name} AS {self.sql % tuple(numbered)}")
        marks = ", ".join("%s" for _ in numbered)
        self.sql = f"EXECUTE {name} ({marks})" if marks else f"EXECUTE {name}"

    def get_compiler(self, using: str) -> Any:
        return self.compiler

    def objects(self, values: dict[Id, Id]) -> list[Any]:
        if self.locks and not connection.in_atomic_block:
            raise TransactionManagementError("A lock needs a transaction.")
        parameters = tuple(values.get(given, given) for given in self.parameters)
        self.compiler.as_sql = lambda: (self.sql, parameters)
        return list(ModelIterable(self))


def keeps_plans() -> bool:
    """Return whether this connection leads to a PostgreSQL process of its own, which keeps what it has planned.

    Behind a pool that changes processes, Django is told not to keep cursors on them either.
    """
    return connection.vendor == "postgresql" and not connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS")


def prepared_queries() -> dict[Prepared, _Ready]:
    """Return the prepared queries of this thread's connection: a compiler serves one call at a time."""
    connection.ensure_connection()
    kept = connections[DEFAULT_DB_ALIAS].__dict__
    opened, queries = kept.get("prepared_queries", (None, {}))
    if opened is not connection.connection:  # a plan ends with its connection
        queries = {}
        kept["prepared_queries"] = connection.connection, queries
    return queries
