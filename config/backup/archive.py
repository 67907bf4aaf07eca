"""The file of a backup: a gzipped tar of parts. The last one, the manifest, has the size and SHA-256 of all others.

Both directions are streams. Whoever reads learns of damage at the part where it is, or at the end at the latest.
"""

import gzip
import hashlib
import json
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Any, Protocol

from config.backup.errors import BackupError

FORMAT = 1
HEADER, MANIFEST = "backup.json", "manifest.json"
GZIP = b"\x1f\x8b"
LEVEL = 4  # of gzip: about as small as 6, in half the time
PIECE = 1 << 16  # bytes


class Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class HashedReader:
    """A file, read in pieces, whose SHA-256 is known at its end."""

    def __init__(self, source: Readable) -> None:
        self._source, self._sha256, self.size = source, hashlib.sha256(), 0

    def read(self, size: int = -1) -> bytes:
        piece = self._source.read(size)
        self._sha256.update(piece)
        self.size += len(piece)
        return piece

    def read_rest(self) -> None:
        while self.read(PIECE):
            pass

    def facts(self) -> dict[str, Any]:
        return {"size": self.size, "sha256": self._sha256.hexdigest()}


class Part(HashedReader):
    """A part of a backup that is being read."""

    def __init__(self, name: str, source: Readable) -> None:
        super().__init__(source)
        self.name = name

    def read(self, size: int = -1) -> bytes:
        with damage_named():
            return super().read(size)


class ArchiveWriter:
    """Writes the parts of a backup into an open file, which stays open."""

    def __init__(self, sink: IO[bytes]) -> None:
        self._gzip = gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=sink, mtime=0)
        self._tar = tarfile.TarFile(fileobj=self._gzip, mode="w", format=tarfile.PAX_FORMAT)
        self._parts: dict[str, dict[str, Any]] = {}

    def add(self, name: str, content: bytes) -> None:
        self.copy(name, BytesIO(content), len(content))

    def add_json(self, name: str, content: dict[str, Any]) -> None:
        self.add(name, json.dumps(content, ensure_ascii=False, indent=1).encode())

    def copy(self, name: str, source: Readable, size: int) -> None:
        """Copy the first `size` bytes of a file; raise OSError if it has fewer."""
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        hashed = HashedReader(source)
        self._tar.addfile(entry, hashed)
        self._parts[name] = hashed.facts()

    def close(self, manifest: dict[str, Any]) -> None:
        """Write the manifest; without it the backup counts as incomplete."""
        self.add_json(MANIFEST, {**manifest, "parts": self._parts.copy()})
        self._tar.close()
        self._gzip.close()


def read_parts(source: IO[bytes]) -> Iterator[Part]:
    """Yield the parts in their order, with the manifest last; each can be read until the next one is taken.

    Raises:
        BackupError: the file is no backup, damaged or cut off.
    """
    found: dict[str, dict[str, Any]] = {}
    manifest = b""
    unzipped = gzip.GzipFile(fileobj=source, mode="rb")
    for entry, content in _entries(unzipped):
        part = Part(entry.name, content)
        if entry.name == MANIFEST:
            manifest = part.read()
            yield Part(MANIFEST, BytesIO(manifest))
            continue
        yield part
        part.read_rest()
        found[entry.name] = part.facts()
    with damage_named():
        while unzipped.read(PIECE):  # to the checksum at its end
            pass
    if not manifest or parse(manifest)["parts"] != found:
        raise BackupError("The backup is damaged or incomplete: its parts do not match its manifest.")


def _entries(unzipped: gzip.GzipFile) -> Iterator[tuple[tarfile.TarInfo, Readable]]:
    with damage_named(), tarfile.open(fileobj=unzipped, mode="r|") as tar:
        while entry := tar.next():
            yield entry, tar.extractfile(entry) or BytesIO()


def parse(content: bytes) -> dict[str, Any]:
    """Return the object in a part."""
    with damage_named():
        return dict(json.loads(content))


@contextmanager
def damage_named() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError, ValueError, zlib.error, tarfile.TarError) as error:
        raise BackupError(f"The backup is damaged or incomplete: {error}") from error
