"""The figures of a run: a list of them in words, and each as a picture or as its data."""

from hashlib import sha256
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.api.base import PagedView, ProjectView
from annotation.api.problems import Conflict, ProblemSerializer
from annotation.models import Project
from scoring.api.files import AnyRenderer, header
from scoring.domain.figures.render_figures import FORMS, content_of
from scoring.models import Run, RunFigure, State

READY = {409: ProblemSerializer}


class FigureSerializer(serializers.ModelSerializer):
    svg = serializers.SerializerMethodField()
    png = serializers.SerializerMethodField()
    csv = serializers.SerializerMethodField(help_text="The plotted data.")

    class Meta:
        model = RunFigure
        fields = ("name", "title", "description", *FORMS)
        extra_kwargs: ClassVar = {"description": {"help_text": "Description in words."}}

    def get_svg(self, drawing: RunFigure) -> str:
        return self._url(drawing, "svg")

    def get_png(self, drawing: RunFigure) -> str:
        return self._url(drawing, "png")

    def get_csv(self, drawing: RunFigure) -> str:
        return self._url(drawing, "csv")

    def _url(self, drawing: RunFigure, form: str) -> str:
        address = self.context["view"].kwargs | {"name": drawing.name}
        return reverse(f"api:figure-{form}", kwargs=address, request=self.context["request"])


class Figures(PagedView):
    serializer_class = FigureSerializer

    @extend_schema(
        summary="List the figures of a run, with descriptions and image URLs",
        description="Figures are rendered after the run has finished; until then the response is 409.",
        operation_id="figures_list",
        responses={200: FigureSerializer(many=True), **READY},
    )
    def get(self, *args: Any, **kwargs: Any) -> Response:
        return super().get(*args, **kwargs)

    def rows_wanted(self) -> QuerySet[RunFigure]:
        return drawn(self.project, self.kwargs["number"]).figures.defer(*FORMS)


def drawn(project: Project, number: int) -> Run:
    """Return a run with its figures; raise Conflict (409) if they are not ready."""
    run = get_object_or_404(project.runs.defer("results").select_related("rendering"), number=number)
    if run.state != State.DONE:
        raise Conflict(f"Run {number} is not finished.")
    if run.drawn_at is None:
        raise Conflict(
            f"The figures of run {number} could not be rendered: {run.rendering.problem}"
            if hasattr(run, "rendering") and run.rendering.state in (State.FAILED, State.CANCELLED)
            else f"The figures of run {number} are being rendered. Try again in a few seconds."
        )
    return run


class Figure(ProjectView):
    """One figure in one form; a class for each, because the schema tells their media types."""

    form: ClassVar[str]
    renderer_classes = (AnyRenderer,)

    def get(self, request: Request, key: str, number: int, name: str) -> HttpResponseBase:
        drawings = drawn(self.project, number).figures.only("name", self.form)
        content = content_of(get_object_or_404(drawings, name=name), self.form)
        response = HttpResponse(content, content_type=FORMS[self.form])
        etag = f'"{sha256(content).hexdigest()}"'
        response["ETag"] = etag
        response["Cache-Control"] = "private, no-cache"
        response["Content-Disposition"] = content_disposition_header(False, f"{name}.{self.form}")
        return get_conditional_response(request, etag=etag, response=response)


def described(form: str, what: str) -> Any:
    schema = extend_schema(
        summary=f"Get a figure of a run as {what}",
        operation_id=f"figures_{form}",
        parameters=[header("If-None-Match", "ETag of the copy you already have.")],
        responses={
            (200, FORMS[form]): OpenApiResponse(OpenApiTypes.BINARY, description="The figure."),
            304: OpenApiResponse(description="Your copy is up to date."),
            **READY,
        },
    )
    return extend_schema_view(get=schema)


@described("svg", "SVG")
class Svg(Figure):
    form = "svg"


@described("png", "PNG at 300 dpi")
class Png(Figure):
    form = "png"


@described("csv", "CSV with the plotted data")
class Csv(Figure):
    form = "csv"
