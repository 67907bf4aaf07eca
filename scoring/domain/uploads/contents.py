"""The files of a release as they are uploaded."""

import hashlib
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from scoring.domain.releases.release_storage import copy_to
from scoring.exports.manifest import digest, files_in
from scoring.models import Release
from scoring.summaries.storing import EPOCH

BLOCK = 1 << 20


@dataclass(frozen=True)
class Content:
    """A file with its name in the archive, and its size in bytes."""

    name: str
    path: Path
    size: int

    @cached_property
    def sha256(self) -> str:
        return digest(self.path)

    @property
    def md5(self) -> str:
        """Return the checksum by which Zenodo compares files; it protects against nothing else."""
        found = hashlib.md5(usedforsecurity=False)
        with self.path.open("rb") as file:
            while block := file.read(BLOCK):
                found.update(block)
        return found.hexdigest()

    def open(self) -> BinaryIO:
        return self.path.open("rb")


@contextmanager
def contents_of(release: Release, *, flat: bool) -> Iterator[list[Content]]:
    """Yield the files of a release, copied from the storage into a temporary folder.

    Parameters: flat, whether each subfolder is one ZIP archive, for archives without folders.
    """
    with TemporaryDirectory() as name:
        folder = Path(name) / "release"
        folder.mkdir()
        copy_to(release, folder)
        if flat:
            for own in sorted(path for path in folder.iterdir() if path.is_dir()):
                _zip(own)
        yield [Content(own, path, path.stat().st_size) for own, path in files_in(folder)]


def _zip(folder: Path) -> None:
    """Replace a folder by an archive next to it: the same files, the same bytes."""
    with zipfile.ZipFile(folder.with_name(f"{folder.name}.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files_in(folder):
            entry = zipfile.ZipInfo(f"{folder.name}/{name}", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with path.open("rb") as source, archive.open(entry, "w") as target:
                shutil.copyfileobj(source, target, BLOCK)
    shutil.rmtree(folder)
