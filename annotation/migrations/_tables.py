"""The tables of an application, created for a new database at once.

Django creates the models for the state after every single operation, which for 70 tables takes most of the time of `migrate`.
"""

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation


class CreateTables(Operation):
    """Operations that begin with no table, of which only the last state is created."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: Any) -> None:
        state.clear_delayed_apps_cache()
        state.__dict__.pop("apps", None)  # created again by the first who asks
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for model in self._models(app_label, schema_editor, to_state):
            schema_editor.create_model(model)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for model in reversed(self._models(app_label, schema_editor, from_state)):
            schema_editor.delete_model(model)

    def _models(self, app_label: str, schema_editor: Any, state: Any) -> list[Any]:
        names = [operation.name for operation in self.operations if isinstance(operation, CreateModel)]
        models = [state.apps.get_model(app_label, name) for name in names]
        return [model for model in models if self.allow_migrate_model(schema_editor.connection.alias, model)]

    def describe(self) -> str:
        return "Create all tables"
