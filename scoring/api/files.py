"""The files of a release: verified by their SHA-256, with downloads that can be resumed."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import PurePosixPath

from django.db.models.fields.files import FieldFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from annotation.api.base import ProjectView
from annotation.api.problem_json import problem
from annotation.api.problems import ProblemSerializer
from annotation.models import Project
from scoring.api.ranges import Unsatisfiable, wanted_range
from scoring.models import ReleaseFile, State

CHUNK = 256 * 1024


class AnyRenderer(BaseRenderer):
    """A renderer that leaves a file as it is, whatever the client accepts."""

    media_type = "*/*"
    format = "any"


def header(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, description=description)


class File(ProjectView):
    renderer_classes = (AnyRenderer,)

    @extend_schema(
        summary="Download a file of a release",
        description="The ETag is the file’s SHA-256, which is also in Repr-Digest. The release lists the media type.",
        operation_id="files_retrieve",
        parameters=[
            header("Range", "A single byte range, for example bytes=1000-"),
            header("If-Range", "ETag. Returns the range only if the file is unchanged, otherwise the whole file."),
            header("If-None-Match", "ETag of the copy you already have."),
            header("If-Match", "ETag. Fails if the file has changed."),
        ],
        responses={
            (200, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, description="The file."),
            (206, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, description="The requested range."),
            304: OpenApiResponse(description="Your copy is up to date."),
            412: ProblemSerializer,
            416: ProblemSerializer,
        },
    )
    def get(self, request: Request, key: str, number: int, name: str) -> HttpResponseBase:
        return download(request, self.project, number, name)


def download(request: Request | HttpRequest, project: Project, number: int, name: str) -> HttpResponseBase:
    """Return a file of a release that is done; the pages use it too."""
    if "\x00" in name:  # PostgreSQL refuses such a value
        raise Http404
    released = ReleaseFile.objects.filter(release__project=project, release__state=State.DONE)
    file = get_object_or_404(released, release__number=number, name=name)
    return with_headers(answer(request, file), file)


def answer(request: Request | HttpRequest, file: ReleaseFile) -> HttpResponseBase:
    """Return the file, the part asked for, or why not, in the order of RFC 9110 section 13.2.2."""
    etag = etag_of(file)
    if (decided := get_conditional_response(request, etag=etag)) is not None:
        return problem(412, "The file does not match the ETag.") if decided.status_code == 412 else decided
    same = request.headers.get("If-Range", etag) == etag
    try:
        part = wanted_range(request.headers.get("Range"), file.size) if same and request.method == "GET" else None
    except Unsatisfiable:
        refusal = problem(416, f"The file has {file.size} bytes.")
        refusal["Content-Range"] = f"bytes */{file.size}"
        return refusal
    return whole_or_part(request, file, part)


def whole_or_part(request: Request | HttpRequest, file: ReleaseFile, part: tuple[int, int] | None) -> HttpResponseBase:
    start, end = part or (0, file.size)
    if request.method == "HEAD":
        response: HttpResponseBase = HttpResponse(content_type=file.media_type)
    else:
        content = read(file.file, start, end)
        response = StreamingHttpResponse(content, status=206 if part else 200, content_type=file.media_type)
    response["Content-Length"] = str(end - start)
    response["Content-Disposition"] = content_disposition_header(True, PurePosixPath(file.name).name)
    if part:
        response["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
    return response


def with_headers(response: HttpResponseBase, file: ReleaseFile) -> HttpResponseBase:
    if response.status_code < 400:
        response["ETag"] = etag_of(file)
        response["Repr-Digest"] = f"sha-256=:{b64encode(bytes.fromhex(file.sha256)).decode()}:"
    response["Accept-Ranges"] = "bytes"
    response["Cache-Control"] = "private, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def etag_of(file: ReleaseFile) -> str:
    return f'"{file.sha256}"'


def read(file: FieldFile, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes from start up to end, wherever the file is stored."""
    with file.open("rb") as content:
        content.seek(start)
        left = end - start
        while left > 0 and (chunk := content.read(min(CHUNK, left))):
            left -= len(chunk)
            yield chunk
