"""The rows of a table as lines of JSON, the same whichever database they come from."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.db import connections, models
from django.db.models.functions import Collate

Values = Sequence[Any]
FETCHED = 1_000  # rows at a time
FETCHED_LARGE = 50  # the same where a row can have megabytes


def models_of(apps: Apps) -> list[type[models.Model]]:
    """Return a model for each table, sorted by the name of the table."""
    found = apps.get_models(include_auto_created=True)
    return sorted((model for model in found if _has_table(model)), key=lambda model: model._meta.db_table)


def _has_table(model: type[models.Model]) -> bool:
    return model._meta.managed and not model._meta.proxy


def fields_of(model: type[models.Model]) -> list[models.Field]:
    return list(model._meta.local_concrete_fields)


def rows_of(model: type[models.Model], alias: str) -> Iterator[Values]:
    """Yield the values of each row in the order of `fields_of`, sorted by primary key."""
    fields, key = fields_of(model), model._meta.pk
    large = any(isinstance(field, models.BinaryField | models.JSONField) for field in fields)
    # PostgreSQL sorts texts by language, SQLite by their bytes.
    by_bytes = connections[alias].vendor == "postgresql" and isinstance(key, models.CharField)
    rows = model._base_manager.using(alias).order_by(Collate(key.attname, "C") if by_bytes else key.attname)
    names = [field.attname for field in fields]
    return rows.values_list(*names).iterator(chunk_size=FETCHED_LARGE if large else FETCHED)


def encode(values: Values, **options: Any) -> bytes:
    """Return one line of JSON with its line break."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_as_text, **options).encode() + b"\n"


def _as_text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID | Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    raise TypeError(f"Values of {type(value)} cannot be backed up.")


class Tally:
    """The number of rows of a table and the SHA-256 of what they hold.

    It is the same on both databases: PostgreSQL sorts the keys of JSON and writes 1e16 out, SQLite has no -0.0.
    """

    def __init__(self, model: type[models.Model]) -> None:
        fields = enumerate(fields_of(model))
        self._varying = [at for at, field in fields if isinstance(field, models.JSONField | models.FloatField)]
        self._sha256, self.rows = hashlib.sha256(), 0

    def add(self, values: Values, line: bytes) -> None:
        if self._varying:
            uniform = list(values)
            for at in self._varying:
                uniform[at] = _uniform(uniform[at])
            line = encode(uniform, sort_keys=True)
        self._sha256.update(line)
        self.rows += 1

    def facts(self) -> dict[str, Any]:
        return {"rows": self.rows, "sha256": self._sha256.hexdigest()}


def _uniform(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _uniform(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_uniform(inner) for inner in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    try:
        return float(value) + 0.0
    except OverflowError:
        return str(value)


def tally_of(model: type[models.Model], alias: str) -> dict[str, Any]:
    """Return number and SHA-256 of the rows that a database has."""
    tally = Tally(model)
    for values in rows_of(model, alias):
        tally.add(values, encode(values))
    return tally.facts()
