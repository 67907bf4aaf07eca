"""Several files as one ZIP archive, written while it is sent.

They are stored as they are, without compression: so the archive's length is known before the first byte, and neither a
file nor the archive is ever held whole.
"""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import RawIOBase

READABLE_BY_ALL = 0o644 << 16
UNIX = 3  # whatever machine writes the archive: the bytes are to be the same
# Lengths of the parts of an archive, in bytes (APPNOTE 6.3.10, section 4.3).
LOCAL, LOCAL_64 = 30, 50
DESCRIPTOR, DESCRIPTOR_64 = 16, 24
CENTRAL, CENTRAL_EXTRA, CENTRAL_NUMBER = 46, 4, 8
END, END_64 = 22, 98


@dataclass(frozen=True)
class Entry:
    """name: in the archive. size: in bytes. read: gives the content, once, in pieces."""

    name: str
    size: int
    read: Callable[[], Iterator[bytes]]


class Outbox(RawIOBase):
    """A stream that cannot go back; what was written is taken out of it."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: bytes) -> int:  # type: ignore[override]
        self.waiting.append(bytes(content))
        return len(content)

    def take(self) -> bytes:
        taken, self.waiting = b"".join(self.waiting), []
        return taken


def zipped(entries: Iterable[Entry], at: datetime) -> Iterator[bytes]:
    """The archive in pieces; the same entries and time always give the same bytes.

    Args:
        at: the time of every file in it; an archive knows no zones, so it is told in that of `at`.
    """
    outbox = Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_STORED) as archive:
        for entry in entries:
            with archive.open(_header(entry, at), "w", force_zip64=_is_large(entry.size)) as target:
                for piece in entry.read():
                    target.write(piece)
                    yield outbox.take()
    yield outbox.take()


def _header(entry: Entry, at: datetime) -> zipfile.ZipInfo:
    header = zipfile.ZipInfo(entry.name, at.timetuple()[:6])
    header.create_system, header.external_attr = UNIX, READABLE_BY_ALL
    return header


def length_of(entries: Sequence[Entry]) -> int:
    """How many bytes `zipped` gives of them."""
    offset = central = 0
    for entry in entries:
        name, large = len(entry.name.encode()), _is_large(entry.size)
        numbers = 2 * large + _is_large(offset)
        central += CENTRAL + name + (CENTRAL_EXTRA + CENTRAL_NUMBER * numbers if numbers else 0)
        offset += name + entry.size + (LOCAL_64 + DESCRIPTOR_64 if large else LOCAL + DESCRIPTOR)
    beyond = len(entries) > zipfile.ZIP_FILECOUNT_LIMIT or _is_large(offset) or _is_large(central)
    return offset + central + (END_64 if beyond else END)


def _is_large(number: int) -> bool:
    """Whether the old format of 32 bits has no room for it, as the standard library draws the line."""
    return number > zipfile.ZIP64_LIMIT
