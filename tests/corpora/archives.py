"""ZIP archives that do not say the truth about their parts."""

import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile


def lying_archive(archive: bytes, name: str, states: int) -> bytes:
    """Return the archive, in which a part states another size and the checksum of little more of its content."""
    with ZipFile(BytesIO(archive)) as honest:
        parts = {part.filename: honest.read(part) for part in honest.infolist()}
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as written:
        for each, content in parts.items():
            written.writestr(each, content)
        part = written.getinfo(name)  # the directory at the end is written from it
        part.file_size, part.CRC = states, zlib.crc32(parts[name][: states + 1])
    return out.getvalue()
