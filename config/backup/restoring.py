"""Restores a backup into an empty database: all of it, or nothing."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.apps.registry import Apps
from django.conf import settings
from django.core.files.storage import Storage, default_storage
from django.db import DEFAULT_DB_ALIAS, Error, transaction

from config.backup.archive import FORMAT, GZIP, HEADER, MANIFEST, HashedReader, Part, parse, read_parts
from config.backup.encryption import decrypted
from config.backup.errors import BackupError
from config.backup.loading import Loader, clear, guard_empty, guard_equal
from config.backup.sequences import continue_after
from config.backup.source import secret_key_file, storage_errors
from config.backup.versions import applied_to, from_json, guard_known, migrate_to
from config.backup.writing import FILES, SECRET_KEY, TABLES
from scoring.domain.releases.release_storage import Movable


@dataclass
class Restored:
    """What a backup had, and whether its secret key is now that of this installation."""

    header: dict[str, Any]
    manifest: dict[str, Any]
    files: int
    secret_key: bool | None
    """None where the backup has none."""


def restore_backup(source: IO[bytes], identities: list[str]) -> Restored:
    """Restore a backup from a seekable file. Afterwards the database has the migrations that the backup names.

    It is read twice: nothing is touched before every part has been compared with its SHA-256.

    Raises:
        BackupError: the backup is damaged, encrypted for somebody else or of a newer version; the database is not
            empty or refuses a row; the storage has another file of the same name.
        OSError: a file cannot be written.
    """
    header, manifest = _check(source, identities)
    migrations = from_json(header["migrations"])
    guard_known(migrations, header["version"])
    try:
        _there, apps = applied_to(DEFAULT_DB_ALIAS)
        if apps:
            guard_empty(apps, DEFAULT_DB_ALIAS)
        apps = migrate_to(DEFAULT_DB_ALIAS, migrations)
        source.seek(0)
        return _load(source, identities, apps, header, manifest)
    except Error as error:
        raise BackupError(f"The database reported an error: {error}") from error


def _check(source: IO[bytes], identities: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read the whole backup, and return its header and its manifest."""
    header: dict[str, Any] = {}
    with decrypted(source, identities) as opened:
        if opened is source and not _is_gzip(source):
            raise BackupError("The file is not a Semblance backup.")
        for part in read_parts(opened):
            if not header:
                header = _header(part)
            if part.name == MANIFEST:
                manifest = parse(part.read())
    return header, manifest


def _is_gzip(source: IO[bytes]) -> bool:
    start = source.read(len(GZIP))
    source.seek(0)
    return start == GZIP


def _header(part: Part) -> dict[str, Any]:
    header = parse(part.read()) if part.name == HEADER else {}
    if "format" not in header:
        raise BackupError("The file is not a Semblance backup.")
    if header["format"] != FORMAT:
        raise BackupError(f"The backup has format {header['format']}; but this version reads only format {FORMAT}.")
    return header


def _load(
    source: IO[bytes], identities: list[str], apps: Apps, header: dict[str, Any], manifest: dict[str, Any]
) -> Restored:
    loader, key, files = Loader(apps, DEFAULT_DB_ALIAS, header["columns"]), b"", 0
    with _all_or_none() as saved, decrypted(source, identities) as opened:
        clear(apps, DEFAULT_DB_ALIAS)
        for part in read_parts(opened):
            if part.name.startswith(TABLES):
                loader.load(part.name.split("/")[1], part.read())
            elif part.name.startswith(FILES):
                _save(default_storage, part, manifest["parts"][part.name], saved)
                files += 1
            elif part.name == SECRET_KEY:
                key = part.read()
        continue_after(apps, DEFAULT_DB_ALIAS, manifest["last_numbers"])
        guard_equal(apps, DEFAULT_DB_ALIAS, manifest["tables"])
        replaced = _replace_secret_key(key) if key else None
    return Restored(header, manifest, files, replaced)


@contextmanager
def _all_or_none() -> Iterator[list[str]]:
    """Yield a list for the names of saved files, which are deleted if the transaction fails."""
    saved: list[str] = []
    try:
        with transaction.atomic():
            yield saved
    except BaseException:
        for name in saved:
            default_storage.delete(name)
        raise


def _save(storage: Storage, part: Part, facts: dict[str, Any], saved: list[str]) -> None:
    """Save a file under its name; one that the storage already has must be the same."""
    name = part.name.removeprefix(FILES)
    with storage_errors(name):  # also of a name that leads out of the storage
        is_there = storage.exists(name)
    if is_there:
        with storage.open(name) as there:
            found = HashedReader(there)
            found.read_rest()
        if found.facts() != facts:
            raise BackupError(f"The storage already has a different file {name}. Move it away and restore again.")
        return
    # Beside the files of the embedded mode, so that these are moved into place and not copied.
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder:
        copy = Path(folder, "file")
        with copy.open("wb") as target:
            shutil.copyfileobj(part, target)
        with copy.open("rb") as content:
            saved.append(name)
            with storage_errors(name):
                stored = storage.save(name, Movable(content))
    if stored != name:
        raise BackupError(f"The storage cannot save a file named {name}.")


def _replace_secret_key(key: bytes) -> bool:
    """Write the secret key of the embedded mode; return False where it comes from the environment."""
    path: Path | None = secret_key_file()
    if path is None:
        return False
    draft = path.with_name(path.name + ".draft")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(key)
    os.replace(draft, path)
    return True
