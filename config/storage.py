"""The static files: joined, minified, named by their content, compressed."""

from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from typing import Any

from django.core.files.base import ContentFile
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.joining import JoinError, Read, join_script, join_style

Join = Callable[[str, Read], str]

# Our own files; those of packages are joined and minified already.
JOINED = {"js/*.js": (join_script, jsmin), "css/*.css": (join_style, cssmin)}


class JoinedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Storage in which each of our scripts and style sheets holds all that it imports, and names tell the content."""

    # Only what style sheets load. Maps of sources, which others name in scripts too, are not collected.
    patterns = (("*.css", CompressedManifestStaticFilesStorage.patterns[0][1][:2]),)

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[tuple]:
        """Name and compress the collected files, ours as they are when joined and minified."""
        sources = {
            name: _Joined(*how, paths) for pattern, how in JOINED.items() for name in paths if fnmatch(name, pattern)
        }
        joined = {name: (source, name) for name, source in sources.items()}
        yield from super().post_process({**paths, **joined}, dry_run=dry_run, **options)


class EmbeddedStaticFilesStorage(JoinedStaticFilesStorage):
    """The same, but files keep their own names until `serve` has collected them: for tests and for `runserver`."""

    def stored_name(self, name: str) -> str:
        return super().stored_name(name) if self.hashed_files else name


class _Joined:
    """Opens a file as it is when joined and minified, as a storage opens it as it is."""

    def __init__(self, join: Join, minify: Callable[[str], str], paths: dict[str, Any]) -> None:
        self.join, self.minify, self.paths = join, minify, paths

    def open(self, name: str) -> ContentFile:
        return ContentFile(self.minify(self.join(name, self.read)).encode(), name)

    def read(self, name: str) -> str:
        if name not in self.paths:
            raise JoinError(f"{name} is imported, but does not exist.")
        storage, path = self.paths[name]
        with storage.open(path) as file:
            return file.read().decode()
