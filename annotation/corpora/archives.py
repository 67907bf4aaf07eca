"""ZIP archives from other people: what they say about themselves is checked while they are unpacked."""

from collections.abc import Iterator
from copy import copy
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

PIECE = 1 << 16  # bytes


def unpacked(archive: ZipFile, part: ZipInfo) -> Iterator[bytes]:
    """Yield the content of a part in pieces, and never more than a byte beyond the size that the archive states.

    `ZipFile.read` unpacks everything at once and cuts it afterwards: a part of 1.5 MB that states 64 bytes takes 2 GB.

    Raises:
        BadZipFile: the part does not have its stated size, or its method of compression cannot be limited.
    """
    if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise BadZipFile(f"{part.filename} is compressed with an unusual method")
    longer, size = copy(part), 0
    longer.file_size += 1
    with archive.open(longer) as opened:
        while piece := opened.read(PIECE):
            size += len(piece)
            yield piece
    if size != part.file_size:
        raise BadZipFile(f"{part.filename} does not have the size that the archive states")


def has_at_most(path: Path, *, size: int, parts: int) -> bool:
    """Return whether an archive has at most so many bytes, unpacked, and so many parts, each as large as it states."""
    try:
        with ZipFile(path) as archive:
            found = archive.infolist()
            if len(found) > parts or sum(part.file_size for part in found) > size:
                return False
            for part in found:
                for _piece in unpacked(archive, part):
                    pass
    except (BadZipFile, RuntimeError, NotImplementedError):  # also encrypted ones
        return False
    return True
