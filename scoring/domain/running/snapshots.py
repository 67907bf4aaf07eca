"""The judgments of a run, as read once and stored in a file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from typing import BinaryIO

from django.core.files.base import ContentFile
from django.db import connection, transaction

from annotation.models import Project
from scoring.domain.running.reading import read_snapshot
from scoring.models import Run
from scoring.summaries.material import Material, read_material
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.storing import from_bytes, to_bytes

BLOCK = 1 << 20
OTHER_FILE = "The stored snapshot is not the one that this run read."


def take_snapshot(project: Project) -> Snapshot:
    """The judgments of one moment."""
    with one_moment():
        return read_snapshot(project)


@contextmanager
def one_moment() -> Iterator[None]:
    """All queries see the database as it was at the first one, and nobody who writes has to wait.

    In a transaction that has begun already, its level stays as it is.
    """
    if connection.in_atomic_block:
        yield
        return
    with _reading_only(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                # What is streamed here is read to its end; PostgreSQL would plan for the first rows of it.
                cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
        yield


@contextmanager
def _reading_only() -> Iterator[None]:
    """On SQLite a transaction that locks nothing; the settings have others lock the database at once."""
    if connection.vendor != "sqlite":
        yield
        return
    usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = usual


def store_snapshot(run: Run, snapshot: Snapshot) -> None:
    """Writes the file into the run's own folder; the row is for the caller to save, or else the file to delete."""
    content = to_bytes(snapshot)
    run.snapshot_sha256 = sha256(content).hexdigest()
    run.snapshot.save(f"{_folder(run)}/{run.attempts}.npz", ContentFile(content), save=False)


def _folder(run: Run) -> str:
    return f"{run.project.key}-{run.number}"


def tidy(run: Run) -> None:
    """Deletes what attempts have written whose worker was lost; where that cannot be done, it does no harm."""
    folder, storage = f"{run.snapshot.field.upload_to}{_folder(run)}", run.snapshot.storage
    with suppress(Exception):
        for name in storage.listdir(folder)[1]:
            if (path := f"{folder}/{name}") != run.snapshot.name:
                storage.delete(path)


@contextmanager
def opened(run: Run) -> Iterator[BinaryIO]:
    """The file of a run's snapshot, looked through in pieces.

    Raises:
        ValueError: the file is not what the run wrote.
        OSError: there is no such file.
    """
    with run.snapshot.open("rb") as file:
        found = sha256()
        while block := file.read(BLOCK):
            found.update(block)
        if found.hexdigest() != run.snapshot_sha256:
            raise ValueError(OTHER_FILE)
        file.seek(0)
        yield file


def material_of(run: Run) -> Material:
    """The items that the run read, without the judgments.

    Raises:
        ValueError: the file is not what the run wrote.
        OSError: there is no such file.
    """
    with opened(run) as file:
        return read_material(file)


def snapshot_of(run: Run) -> Snapshot:
    """What the run was computed from.

    Raises:
        ValueError: the file is not what the run wrote.
        OSError: there is no such file.
    """
    return _read(run.snapshot.name, run.snapshot_sha256)


@lru_cache(maxsize=2)
def _read(name: str, digest: str) -> Snapshot:
    """Kept, because the parts of a run come to a worker one after the other."""
    with Run._meta.get_field("snapshot").storage.open(name, "rb") as file:
        content = file.read()
    if sha256(content).hexdigest() != digest:
        raise ValueError(OTHER_FILE)
    return from_bytes(content)
