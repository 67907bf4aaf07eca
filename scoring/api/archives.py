"""All files of a release in one download."""

from collections.abc import Iterator
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from zipstream import ZipStream
from zipstream.ng import ZipStreamInfo

from annotation.api.base import ProjectView
from annotation.models import Project
from scoring.api.files import AnyRenderer, header, read
from scoring.models import Release, State

MEDIA_TYPE = "application/zip"
READABLE_BY_ALL = 0o644 << 16
UNIX = 3  # whatever machine writes the archive: the bytes are to be the same


class DatedZip(ZipStream):
    """A ZIP archive streamed with one time for all files, so that the same files always give the same bytes.

    Files are stored without compression, so `len()` gives the size before the first byte.
    """

    def __init__(self, at: datetime) -> None:
        super().__init__(sized=True)
        self.date_time = at.timetuple()[:6]

    def _gen_file_entry(self, *, arcname: str, iterable: Iterator[bytes], size: int) -> Iterator[bytes]:
        """Yield a file as the library does, which takes the time from the clock and cannot be given another."""
        entry = ZipStreamInfo(arcname, self.date_time)
        entry.create_system, entry.external_attr = UNIX, READABLE_BY_ALL
        entry.file_size, entry.header_offset = size, self._pos
        yield from map(self._track, entry._file_data(iterable))
        self._filelist.append(entry)


class Archive(ProjectView):
    renderer_classes = (AnyRenderer,)

    @extend_schema(
        summary="Download all files of a release as one ZIP archive",
        description=(
            "The archive is uncompressed and contains a folder KEY-release-N. To resume an interrupted download, or "
            "to verify checksums file by file, download the files individually."
        ),
        operation_id="files_zip",
        parameters=[header("If-None-Match", "ETag of the copy you already have.")],
        responses={
            (200, MEDIA_TYPE): OpenApiResponse(OpenApiTypes.BINARY, description="The archive."),
            304: OpenApiResponse(description="Your copy is up to date."),
        },
    )
    def get(self, request: Request, key: str, number: int) -> HttpResponseBase:
        return download_all(request, self.project, number)


def download_all(request: Request | HttpRequest, project: Project, number: int) -> HttpResponseBase:
    """Return the archive of a release that is done; the pages use it too."""
    done = project.releases.filter(state=State.DONE).select_related("run").defer("manifest", "run__results")
    release = get_object_or_404(done, number=number)
    name = archive_name(release)
    archive = archive_of(release, name)
    if request.method == "HEAD":
        response: HttpResponseBase = HttpResponse(content_type=MEDIA_TYPE)
    else:
        response = StreamingHttpResponse(archive, content_type=MEDIA_TYPE)
    response["Content-Length"] = str(len(archive))
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.zip")
    response["Cache-Control"] = "private, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    # The manifest names the checksums of all files; weak, because another version may write an archive otherwise.
    response["ETag"] = etag = f'W/"{release.sha256}"'
    return get_conditional_response(request, etag=etag, response=response)


def archive_name(release: Release) -> str:
    """Return the name of the archive, without its ending, and of the folder in it."""
    return f"{release.project.key}-release-{release.number}"


def archive_of(release: Release, folder: str) -> DatedZip:
    """Return all files of the release in a folder, with the time of its run in UTC."""
    archive = DatedZip((release.run.as_of or release.created_at).astimezone(UTC))
    for file in release.files.all():
        archive.add(read(file.file, 0, file.size), f"{folder}/{file.name}", size=file.size)
    return archive
