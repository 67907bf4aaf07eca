"""The judgments of a run, read once and stored in a file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from django.core.files import File
from django.db import connection, transaction

from annotation.models import Project
from scoring.domain.runs.reading import read_snapshot
from scoring.models import Run
from scoring.summaries.material import Material, read_material
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.storing import stored, write

BLOCK = 1 << 20
OTHER_FILE = "The stored snapshot is not the one used by this scoring run."


def take_snapshot(project: Project, seed: int | None = None) -> Snapshot:
    """Return the judgments of one moment. Parameters: seed, of the run that reads them."""
    with one_moment():
        return read_snapshot(project, seed)


@contextmanager
def one_moment() -> Iterator[None]:
    """Let all queries see the database as it was at the first one, without blocking writers.

    In a transaction that has begun already, the isolation level stays as it is.
    """
    if connection.in_atomic_block:
        yield
        return
    with _reading_only(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                # Streamed rows are read to the end, but PostgreSQL would plan for fetching the first ones fast.
                cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
        yield


@contextmanager
def _reading_only() -> Iterator[None]:
    """Use a transaction that locks nothing on SQLite, where the settings lock the database at once."""
    if connection.vendor != "sqlite":
        yield
        return
    usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = usual


def store_snapshot(run: Run, snapshot: Snapshot) -> None:
    """Write the file into the run's folder; the caller saves the row, or else deletes the file."""
    with TemporaryFile() as file:
        write(snapshot, file)
        run.snapshot_sha256 = _digest(file)
        run.snapshot.save(f"{_folder(run)}/{run.attempts}.npz", File(file), save=False)


def _digest(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file, read in pieces, and go back to its start."""
    found = sha256()
    file.seek(0)
    while block := file.read(BLOCK):
        found.update(block)
    file.seek(0)
    return found.hexdigest()


def _folder(run: Run) -> str:
    return f"{run.project.key}-{run.number}"


def tidy(run: Run) -> None:
    """Delete what lost workers have written; where that fails, it does no harm."""
    folder, storage = f"{run.snapshot.field.upload_to}{_folder(run)}", run.snapshot.storage
    with suppress(Exception):
        for name in storage.listdir(folder)[1]:
            if (path := f"{folder}/{name}") != run.snapshot.name:
                storage.delete(path)


@contextmanager
def opened(run: Run) -> Iterator[BinaryIO]:
    """Open a run's snapshot after verifying its checksum in pieces. Raise ValueError if the file is not what the run
    wrote; OSError if it is missing."""
    with run.snapshot.open("rb") as file:
        if _digest(file) != run.snapshot_sha256:
            raise ValueError(OTHER_FILE)
        yield file


def material_of(run: Run) -> Material:
    """Return the items that the run read, without the judgments; raise ValueError or OSError as `opened` does."""
    with opened(run) as file:
        return read_material(file)


def snapshot_of(run: Run) -> Snapshot:
    """Return the snapshot that the run was computed from; raise ValueError or OSError as `opened` does."""
    return _read(run.snapshot.name, run.snapshot_sha256)


@lru_cache(maxsize=1)
def _read(name: str, digest: str) -> Snapshot:
    """Return a snapshot; it is cached because a worker computes several parts of a run one after the other.

    Its file stays open, for its columns are read when a part first needs them.
    """
    file = Run._meta.get_field("snapshot").storage.open(name, "rb")
    if _digest(file) != digest:
        file.close()
        raise ValueError(OTHER_FILE)
    return stored(file)
