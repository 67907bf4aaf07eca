"""Releases: made by the workers from a run, and unchangeable afterwards."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.api.base import ProjectView
from annotation.api.fields import ObjectField
from annotation.api.paging import LARGEST_ID, filters
from annotation.api.parsing import Strict, WholeNumber
from annotation.api.problems import Unprocessable
from annotation.domain.errors import Refusal
from annotation.models import Project
from annotation.permissions import manages
from annotation.tasks import run_job
from scoring.api.jobs import JobQuery, JobsView, one_done
from scoring.domain.releases.jobs import LICENCE, request_release
from scoring.models import Release, ReleaseFile

HELP_OPTIONS = "For best-worst scores: how they are split into train, dev and test."


class ReleaseFileSerializer(serializers.ModelSerializer):
    url = serializers.SerializerMethodField()

    class Meta:
        model = ReleaseFile
        fields = ("name", "url", "sha256", "size", "rows", "media_type")

    def get_url(self, file: ReleaseFile) -> str:
        key, number = self.context["view"].kwargs["key"], file.release.number
        address = {"key": key, "number": number, "name": file.name}
        return reverse("api:file", kwargs=address, request=self.context["request"])


class ReleaseSerializer(serializers.ModelSerializer):
    url = serializers.SerializerMethodField()
    run = serializers.IntegerField(source="run.number")
    error = serializers.CharField(source="problem", read_only=True)
    files = ReleaseFileSerializer(many=True, help_text="Empty until the release is finished.")

    class Meta:
        model = Release
        fields = (
            *("number", "url", "state", "title", "run", "licence", "options", "code_version", "sha256", "files"),
            *("leaderboard_open", "error", "created_at", "started_at", "ended_at"),
        )
        extra_kwargs: ClassVar = {"options": {"help_text": HELP_OPTIONS}}

    def get_url(self, release: Release) -> str:
        address = {"key": self.context["view"].kwargs["key"], "number": release.number}
        return reverse("api:release", kwargs=address, request=self.context["request"])


class ReleaseDetailSerializer(ReleaseSerializer):
    manifest = ObjectField(allow_null=True, help_text="Contents of manifest.json; null until the release is finished.")

    class Meta(ReleaseSerializer.Meta):
        fields = (*ReleaseSerializer.Meta.fields, "manifest")


class ReleaseOptionsSerializer(Strict):
    sizes = serializers.CharField(required=False, help_text="For example train=0.8,dev=0.1,test=0.1")
    apart = serializers.BooleanField(required=False, help_text="Whether to keep each sentence in a single part.")
    seed = WholeNumber(min_value=0, max_value=LARGEST_ID, required=False, help_text="Default: the project’s.")


class ReleaseStartSerializer(Strict):
    run = WholeNumber(
        min_value=1,
        max_value=LARGEST_ID,
        required=False,
        help_text="Number of the scoring run. Default: the newest finished run.",
    )
    licence = serializers.RegexField(
        f"^{LICENCE.pattern}$", required=False, help_text=("SPDX identifier, for example CC-BY-4.0.")
    )
    options = ReleaseOptionsSerializer(required=False, help_text=HELP_OPTIONS)


class Releases(JobsView):
    serializer_class = ReleaseSerializer

    @extend_schema(
        summary="List the releases of a project, newest first",
        operation_id="releases_list",
        parameters=[JobQuery],
        responses=ReleaseSerializer(many=True),
    )
    def get(self, *args: Any, **kwargs: Any) -> Response:
        return super().get(*args, **kwargs)

    def rows_wanted(self) -> QuerySet[Release]:
        return readable(self.project).filter(**filters(self.query.chosen(), JobQuery.paths)).defer("manifest")

    @extend_schema(
        summary="Create a release",
        description=(
            "For managers. The release is created in the background: poll its `url` until its state is done or failed."
        ),
        operation_id="releases_create",
        request=ReleaseStartSerializer,
        responses={201: ReleaseSerializer},
    )
    def post(self, request: Request, key: str) -> Response:
        if not manages(self.project):
            raise PermissionDenied("Only managers and owners can create releases.")
        chosen = dict(self.read_body(ReleaseStartSerializer(data=request.data)))
        none = "No scoring run has finished yet. Start one, and create the release when it has finished."
        chosen["run"] = one_done(self.project.runs, chosen.get("run"), kind="run", none=none)
        try:
            release = request_release(project=self.project, actor=request.user, **chosen)
        except Refusal as error:
            raise Unprocessable(str(error)) from error
        run_job.delay_on_commit("release", release.pk)
        return self.started(readable(self.project).get(pk=release.pk))


class OneRelease(ProjectView):
    @extend_schema(
        summary="Get a release: state, files and manifest",
        operation_id="releases_retrieve",
        responses=ReleaseDetailSerializer,
    )
    def get(self, request: Request, key: str, number: int) -> Response:
        release = get_object_or_404(readable(self.project), number=number)
        return Response(ReleaseDetailSerializer(release, context=self.get_serializer_context()).data)


def readable(project: Project) -> QuerySet[Release]:
    """Return the releases with everything that the API shows of each, in two queries."""
    lean = project.releases.select_related("run").defer("run__results", "run__parameters")
    return lean.prefetch_related("files__release")
