"""Where the files of releases stand: in the default storage, local or S3-compatible."""

import shutil
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage

from scoring.exports.files import replacing
from scoring.exports.manifest import NAME as MANIFEST
from scoring.exports.manifest import digest, files_in, media_type
from scoring.models import Release, ReleaseFile, State

CARD = "README.md"
__all__ = ["MANIFEST", "copy_to", "data_card", "store", "tidy"]


def store(release: Release, folder: Path, manifest: dict[str, Any]) -> list[ReleaseFile]:
    """Moves the files of a folder into the storage, each attempt into a place of its own.

    Returns: their rows, not saved yet.
    """
    return [_store(release, name, path, manifest["files"].get(name, {})) for name, path in files_in(folder)]


class Movable(File):
    """A file that a storage on the same disk takes as it is, rather than copy it."""

    def temporary_file_path(self) -> str:
        return str(self.name)


def _store(release: Release, name: str, path: Path, listed: dict[str, Any]) -> ReleaseFile:
    sha256, size = listed.get("sha256") or digest(path), path.stat().st_size
    with path.open("rb") as file:
        stored = default_storage.save(f"{_place(release)}/{release.attempts}/{name}", Movable(file))
    return ReleaseFile(
        release=release,
        name=name,
        file=stored,
        sha256=sha256,
        size=size,
        rows=listed.get("rows"),
        media_type=media_type(path.name),
    )


def _place(release: Release) -> str:
    return f"releases/{release.project.key}/{release.number}"


def tidy(release: Release) -> None:
    """Deletes what attempts have stored that came to nothing."""
    kept = release.attempts if release.state != State.FAILED else None
    place = _place(release)
    for attempt in default_storage.listdir(place)[0]:
        # A later attempt is somebody else's.
        if attempt.isdigit() and attempt != str(kept) and int(attempt) <= release.attempts:
            _clear(f"{place}/{attempt}")


def _clear(place: str) -> None:
    folders, names = default_storage.listdir(place)
    for name in names:
        default_storage.delete(f"{place}/{name}")
    for folder in folders:
        _clear(f"{place}/{folder}")
    with suppress(OSError):
        default_storage.delete(place)


def data_card(release: Release) -> str:
    """README.md without the header, which is for programs; empty where it cannot be read any more."""
    own = release.files.filter(name=CARD).first()
    try:
        with own.file.open("rb") if own else BytesIO() as file:
            return file.read().decode().partition("\n---\n")[2]
    except OSError:
        return ""


def copy_to(release: Release, folder: Path) -> None:
    """Writes the files of a release into a folder.

    Raises:
        OSError: the folder cannot be written.
    """
    for own in release.files.all():
        (folder / own.name).parent.mkdir(parents=True, exist_ok=True)
        with own.file.open("rb") as source, replacing(folder / own.name) as draft, draft.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
