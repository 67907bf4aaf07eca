"""A release in the forms of other programs, made from its files when somebody asks for it."""

from collections.abc import Iterator
from io import TextIOWrapper
from typing import TextIO

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from scoring.exports.outgoing import NEEDED, records_of
from scoring.models import Release


def converted(release: Release, name: str) -> Iterator[str]:
    """Yield the JSON of a release that is done. Parameters: name, of a program in `OUTGOING`.

    Raises:
        Refusal: the release does not have the files from which it is made.
        OSError: a file of the release can no longer be read.
    """
    files = {file.name: file.file for file in release.files.filter(name__in=NEEDED)}
    if len(files) < len(NEEDED):
        raise Refusal(_("This release does not have the files from which downloads for other programs are made."))

    def open_file(name: str) -> TextIO:
        return TextIOWrapper(files[name].open("rb"), encoding="utf-8", newline="")

    project = release.project
    version = f"{project.key} release {release.number}"
    return records_of(name, open_file, compares=project.protocol.compares, version=version)
