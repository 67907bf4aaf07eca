"""The files of releases in the default storage, local or S3-compatible."""

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
    """Move the files of a folder into the storage, each attempt into its own folder, and return their unsaved rows."""
    return [_store(release, name, path, manifest["files"].get(name, {})) for name, path in files_in(folder)]


class Movable(File):
    """A file that a storage on the same disk moves rather than copies."""

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
    """Delete the files of unsuccessful attempts."""
    kept = None if release.state in (State.FAILED, State.CANCELLED) else release.attempts
    place = _place(release)
    for attempt in default_storage.listdir(place)[0]:
        # A later attempt belongs to another worker.
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
    """Return README.md with its machine-readable header; an empty text if it cannot be read any more."""
    card = release.files.filter(name=CARD).first()
    try:
        with card.file.open("rb") if card else BytesIO() as file:
            return file.read().decode()
    except OSError:
        return ""


def copy_to(release: Release, folder: Path) -> None:
    """Write the files of a release into a folder; raise OSError if it cannot be written."""
    for stored in release.files.all():
        (folder / stored.name).parent.mkdir(parents=True, exist_ok=True)
        with stored.file.open("rb") as source, replacing(folder / stored.name) as draft, draft.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
