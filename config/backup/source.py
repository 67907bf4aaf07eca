"""What a backup is made of: a database, a storage of files, and the secret key of the embedded mode."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.utils import load_backend

from config.backup.errors import BackupError
from config.settings.environment import variable
from config.settings.parts import database

ALIAS = "snapshot"
SQLITE = "sqlite:///"


@dataclass(frozen=True)
class Source:
    """Where to read from; without a storage the files stay where they are."""

    database: dict[str, Any]
    storage: Storage | None
    secret_key: Path | None


def secret_key_file() -> Path | None:
    """Return the file of the secret key; None if the key comes from the environment."""
    return None if variable("SECRET_KEY") else settings.DATA_DIR / "secret_key"


def this_installation() -> Source:
    return Source(connections[DEFAULT_DB_ALIAS].settings_dict, default_storage, secret_key_file())


def embedded(place: str) -> Source:
    """Return the installation in a folder of data, or with the SQLite file of an address such as sqlite:///PATH.

    Raises:
        BackupError: there is no database.
    """
    file = _database_file(place)
    if not file.is_file():
        raise BackupError(f"There is no SQLite database {file}.")
    folder = file.parent
    files, key = folder / "files", folder / "secret_key"
    elsewhere = files.is_dir() and files != Path(getattr(default_storage, "location", ""))
    storage = FileSystemStorage(location=files) if elsewhere else None
    return Source(database("", file), storage, key if key.is_file() else None)


def folder_of(place: str) -> Path:
    return _database_file(place).parent


def _database_file(place: str) -> Path:
    named = place.startswith(SQLITE)
    return (Path(place.removeprefix(SQLITE)) if named else Path(place) / "semblance.sqlite3").resolve()


@contextmanager
def snapshot(config: dict[str, Any]) -> Iterator[str]:
    """Yield the alias of a connection that reads a database as it is now, whatever is written meanwhile."""
    complete = _reading(config)
    connection = connections[ALIAS] = load_backend(complete["ENGINE"]).DatabaseWrapper(complete, ALIAS)
    try:
        with transaction.atomic(using=ALIAS):
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield ALIAS
    finally:
        connection.close()
        del connections[ALIAS]


def _reading(config: dict[str, Any]) -> dict[str, Any]:
    complete = connections.configure_settings({DEFAULT_DB_ALIAS: deepcopy(config)})[DEFAULT_DB_ALIAS]
    if "transaction_mode" in complete["OPTIONS"]:
        complete["OPTIONS"]["transaction_mode"] = "DEFERRED"  # IMMEDIATE would keep all writers out
    return complete


@contextmanager
def storage_errors(name: str) -> Iterator[None]:
    """Raise BackupError for what goes wrong with a file of the storage, except that it does not exist.

    Each kind of storage has errors of its own.
    """
    try:
        yield
    except FileNotFoundError:
        raise
    except Exception as error:
        raise BackupError(f"The storage cannot read or write the file {name}: {error}") from error
