"""Queries of the hottest path, compiled to SQL once: for a row or two, Django takes longer to compile than to run."""

from collections.abc import Callable
from inspect import signature
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet
from django.db.models.query import ModelIterable
from django.db.transaction import TransactionManagementError

MARK = -(2**62)  # and above: numbers that stand for the parameters while the SQL is made; no id is negative


class Prepared:
    """A query with ids as its only parameters.

    Django makes SQL by a compiler, which also knows how rows become objects. Here each connection keeps one compiler a
    query, and gives it the SQL that it made before, with the parameters of this call.
    """

    def __init__(self, build: Callable[..., QuerySet[Any]]) -> None:
        self.build = build
        self.marks = {name: MARK + number for number, name in enumerate(signature(build).parameters)}

    def __call__(self, **ids: int) -> list[Any]:
        """Run the query with these parameters. Raise TransactionManagementError if it locks outside a transaction."""
        ready = prepared_queries().get(self) or self._prepare()
        return ready.objects({self.marks[name]: value for name, value in ids.items()})

    def _prepare(self) -> "_Ready":
        ready = prepared_queries()[self] = _Ready(self.build(**self.marks))
        return ready


class _Ready:
    """A query on one connection. It stands in for the QuerySet from which Django's iterable makes objects."""

    _known_related_objects: dict[Any, Any] = {}

    def __init__(self, queryset: QuerySet[Any]) -> None:
        self.query, self.db, self.model = self, queryset.db, queryset.model
        self.locks = queryset.query.select_for_update
        self.compiler = queryset.query.get_compiler(connection=connections[DEFAULT_DB_ALIAS])
        self.sql, self.parameters = self.compiler.as_sql()

    def get_compiler(self, using: str) -> Any:
        return self.compiler

    def objects(self, values: dict[int, int]) -> list[Any]:
        if self.locks and not connection.in_atomic_block:
            raise TransactionManagementError("A lock needs a transaction.")
        parameters = tuple(values.get(given, given) for given in self.parameters)
        self.compiler.as_sql = lambda: (self.sql, parameters)
        return list(ModelIterable(self))


def prepared_queries() -> dict[Prepared, _Ready]:
    """Return the prepared queries of this thread's connection: a compiler serves one call at a time."""
    return connections[DEFAULT_DB_ALIAS].__dict__.setdefault("prepared_queries", {})
