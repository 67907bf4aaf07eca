"""A release as another program imports it."""

from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from annotation.api.base import ProjectView
from annotation.domain.errors import Refusal
from annotation.models import Project
from scoring.api.files import AnyRenderer
from scoring.domain.releases.outgoing import converted
from scoring.exports.outgoing import OUTGOING
from scoring.models import State

MEDIA_TYPE = "application/json"


class Converted(ProjectView):
    renderer_classes = (AnyRenderer,)

    @extend_schema(
        summary="Download a release for another program",
        description=(
            "Scores and counted judgments as tasks of Label Studio or records of Argilla, made from the files of the "
            "release, which stay as they are."
        ),
        operation_id="releases_converted",
        parameters=[OpenApiParameter("program", str, OpenApiParameter.PATH, enum=list(OUTGOING))],
        responses={(200, MEDIA_TYPE): OpenApiResponse(OpenApiTypes.BINARY, description="A JSON array.")},
    )
    def get(self, request: Request, key: str, number: int, program: str) -> HttpResponseBase:
        return download_for(request, self.project, number, program)


def download_for(request: Request | HttpRequest, project: Project, number: int, program: str) -> HttpResponseBase:
    """Return a release that is done as a program imports it; the pages use it too."""
    if program not in OUTGOING:
        raise Http404
    release = get_object_or_404(project.releases.filter(state=State.DONE).defer("manifest"), number=number)
    release.project = project
    try:
        content = converted(release, program)
    except Refusal as refusal:
        raise Http404(str(refusal)) from refusal
    response = StreamingHttpResponse(content, content_type=MEDIA_TYPE)
    response["Content-Disposition"] = content_disposition_header(True, f"{project.key}-release-{number}-{program}.json")
    response["Cache-Control"] = "private, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    return response
