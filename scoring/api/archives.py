"""All files of a release in one download."""

from collections.abc import Iterator
from datetime import UTC
from functools import partial

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from annotation.api.base import ProjectView
from annotation.models import Project
from scoring.api.files import AnyRenderer, header, read
from scoring.api.zipping import Entry, length_of, zipped
from scoring.models import Release, State

MEDIA_TYPE = "application/zip"


class Archive(ProjectView):
    renderer_classes = (AnyRenderer,)

    @extend_schema(
        summary="Download all files of a release as one ZIP archive",
        description=(
            "They stand in a folder KEY-release-N, uncompressed. To go on with a broken download, or to check the"
            " checksum of each file before all of them are there, fetch the files one by one."
        ),
        operation_id="files_zip",
        parameters=[header("If-None-Match", "An ETag that is at hand already.")],
        responses={
            (200, MEDIA_TYPE): OpenApiResponse(OpenApiTypes.BINARY, description="The archive."),
            304: OpenApiResponse(description="The archive is at hand already."),
        },
    )
    def get(self, request: Request, key: str, number: int) -> HttpResponseBase:
        return download_all(request, self.project, number)


def download_all(request: Request | HttpRequest, project: Project, number: int) -> HttpResponseBase:
    """The archive of a release that is done; for the pages too."""
    done = project.releases.filter(state=State.DONE).select_related("run").defer("manifest", "run__results")
    release = get_object_or_404(done, number=number)
    name = f"{project.key}-release-{release.number}"
    entries = list(entries_of(release, name))
    if request.method == "HEAD":
        response: HttpResponseBase = HttpResponse(content_type=MEDIA_TYPE)
    else:
        at = (release.run.as_of or release.created_at).astimezone(UTC)
        response = StreamingHttpResponse(zipped(entries, at), content_type=MEDIA_TYPE)
    response["Content-Length"] = str(length_of(entries))
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.zip")
    response["Cache-Control"] = "private, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    # The manifest names the checksums of all files; weak, because another version may write an archive otherwise.
    response["ETag"] = etag = f'W/"{release.sha256}"'
    return get_conditional_response(request, etag=etag, response=response)


def entries_of(release: Release, folder: str) -> Iterator[Entry]:
    for file in release.files.all():
        yield Entry(f"{folder}/{file.name}", file.size, partial(read, file.file, 0, file.size))
