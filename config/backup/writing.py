"""Writes a backup: the tables as they are at one moment, then the files that their rows name."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import IO, Any

from django.apps.registry import Apps
from django.conf import settings
from django.core.files.storage import Storage
from django.db import models

from config.backup.archive import FORMAT, HEADER, ArchiveWriter
from config.backup.errors import BackupError
from config.backup.sequences import last_numbers
from config.backup.source import Source, snapshot, storage_errors
from config.backup.tables import Tally, encode, fields_of, models_of, rows_of
from config.backup.versions import applied_to, as_json, guard_complete

PART_SIZE = 4 << 20  # bytes of lines, about
TABLES, FILES, SECRET_KEY = "tables/", "files/", "secret_key"


@dataclass
class Written:
    """What a backup has: number and SHA-256 of the rows by table, and files that the storage did not have."""

    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: int = 0
    missing: list[str] = field(default_factory=list)


def write_backup(source: Source, sink: IO[bytes]) -> Written:
    """Write a backup into an open file.

    Raises:
        BackupError: the database has no tables, or some that this version does not know; the storage fails.
        OSError: the file cannot be written.
    """
    written, archive = Written(), ArchiveWriter(sink)
    names: set[str] = set()
    with snapshot(source.database) as alias:
        migrations, apps = applied_to(alias)
        if apps is None:
            raise BackupError("The database is empty. There is nothing to back up.")
        guard_complete(apps, alias)
        archive.add_json(HEADER, {**_header(apps), "migrations": as_json(migrations)})
        for model in models_of(apps):
            written.tables[model._meta.db_table] = _write_table(archive, model, alias, names)
        numbers = last_numbers(apps, alias)
    if source.storage:
        _write_files(archive, source.storage, names, written)
    if source.secret_key:
        archive.add(SECRET_KEY, source.secret_key.read_bytes())
    archive.close({"tables": written.tables, "last_numbers": numbers, "missing_files": written.missing})
    return written


def _header(apps: Apps) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": settings.CODE_VERSION,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "columns": {model._meta.db_table: [own.column for own in fields_of(model)] for model in models_of(apps)},
    }


def _write_table(archive: ArchiveWriter, model: type[models.Model], alias: str, names: set[str]) -> dict[str, Any]:
    """Write the rows of a table and collect the names of the files in them; return number and SHA-256 of the rows."""
    tally = Tally(model)
    of_files = [at for at, own in enumerate(fields_of(model)) if isinstance(own, models.FileField)]
    for number, part in enumerate(_parts(_lines(model, alias, tally, of_files, names)), 1):
        archive.add(f"{TABLES}{model._meta.db_table}/{number:06}.jsonl", part)
    return tally.facts()


def _lines(
    model: type[models.Model], alias: str, tally: Tally, of_files: list[int], names: set[str]
) -> Iterator[bytes]:
    for values in rows_of(model, alias):
        line = encode(values)
        tally.add(values, line)
        names.update(str(values[at]) for at in of_files if values[at])
        yield line


def _parts(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines in pieces of about `PART_SIZE` bytes."""
    part = bytearray()
    for line in lines:
        part += line
        if len(part) >= PART_SIZE:
            yield bytes(part)
            part.clear()
    if part:
        yield bytes(part)


def _write_files(archive: ArchiveWriter, storage: Storage, names: set[str], written: Written) -> None:
    for name in sorted(names):
        try:
            with storage_errors(name):
                size, file = storage.size(name), storage.open(name)
        except FileNotFoundError:  # deleted since the rows were read, or lost before
            written.missing.append(name)
            continue
        with file:
            archive.copy(FILES + name, file, size)
        written.files += 1
