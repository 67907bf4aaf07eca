"""Unpacked folders and ZIP files of releases."""

from pathlib import Path
from zipfile import BadZipFile, ZipFile

from scoring.files.reading import FileFault
from scoring.summaries.releases.reading import ReleasedData, ReleaseFault, read_release

LARGEST = 1 << 31  # bytes of one file in a ZIP file


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError as error:
            raise KeyError(name) from error


class Zipped:
    """A ZIP file, whose files may be in one folder, as a release's page packs them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, name: str) -> bytes:
        with ZipFile(self.path) as archive:
            found = next((one for one in archive.infolist() if one.filename.rpartition("/")[2] == name), None)
            if found is None:
                raise KeyError(name)
            if found.file_size > LARGEST:
                raise FileFault(f"{self.path}: {name} has more than {LARGEST:,} bytes.")
            return archive.read(found)


def open_release(name: str) -> ReleasedData:
    """Return the release in a folder or a ZIP file. Raise FileFault if it cannot be read."""
    path = Path(name)
    if not path.exists():
        raise FileFault(f"{name}: there is no such folder or file.")
    try:
        return read_release(name, Folder(path) if path.is_dir() else Zipped(path))
    except BadZipFile as error:
        raise FileFault(f"{name}: not a ZIP file. Choose the folder or ZIP file of a release.") from error
    except OSError as error:
        raise FileFault(f"{name}: {error.strerror}.") from error
    except ReleaseFault as error:
        raise FileFault(str(error)) from error
