"""Runs: started here, computed by the workers, and polled until they are done."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.api.base import ProjectView
from annotation.api.fields import ObjectField
from annotation.api.paging import LARGEST_ID, filters
from annotation.api.parsing import Strict, WholeNumber
from annotation.api.problems import Unprocessable
from annotation.domain.errors import Refusal
from annotation.tasks import run_job
from scoring.api.jobs import JobQuery, JobsView
from scoring.domain.runs.starting import start_run
from scoring.models import Run
from scoring.summaries.parameters import MOST


class PartsSerializer(serializers.Serializer):
    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="0 until the judgments have been read.")


class RunSerializer(serializers.ModelSerializer):
    url = serializers.SerializerMethodField()
    progress = PartsSerializer(source="*", help_text="Parts computed by the workers.")
    error = serializers.CharField(source="problem", read_only=True)
    figures = serializers.SerializerMethodField(help_text="URL of the list; null until the figures are rendered.")

    class Meta:
        model = Run
        fields = (
            *("number", "url", "state", "progress", "seed", "parameters", "code_version", "snapshot_sha256"),
            *("as_of", "figures", "error", "created_at", "started_at", "ended_at"),
        )
        extra_kwargs: ClassVar = {"parameters": {"help_text": "Parameters of the computation."}}

    def get_url(self, run: Run) -> str:
        address = {"key": self.context["view"].kwargs["key"], "number": run.number}
        return reverse("api:run", kwargs=address, request=self.context["request"])

    def get_figures(self, run: Run) -> str | None:
        if run.drawn_at is None:
            return None
        address = {"key": self.context["view"].kwargs["key"], "number": run.number}
        return reverse("api:figures", kwargs=address, request=self.context["request"])


class RunDetailSerializer(RunSerializer):
    results = ObjectField(allow_null=True, help_text="Null until the run is finished.")

    class Meta(RunSerializer.Meta):
        fields = (*RunSerializer.Meta.fields, "results")


class RunParametersSerializer(Strict):
    splits = WholeNumber(min_value=1, max_value=MOST, required=False, help_text="Random splits. Default: 1,000.")
    replicates = WholeNumber(min_value=2, max_value=MOST, required=False, help_text="Resamples. Default: 1,000.")
    subsets = WholeNumber(
        min_value=1,
        max_value=MOST,
        required=False,
        help_text=("Random subsets for comparison with filters. Default: 200."),
    )
    slices = WholeNumber(min_value=1, max_value=MOST, required=False, help_text="Slices per part. Default: 4.")


class RunStartSerializer(Strict):
    seed = WholeNumber(min_value=0, max_value=LARGEST_ID, required=False, help_text="Default: the project’s.")
    parameters = RunParametersSerializer(required=False)


class Runs(JobsView):
    serializer_class = RunSerializer

    @extend_schema(
        summary="List the scoring runs of a project, newest first",
        operation_id="runs_list",
        parameters=[JobQuery],
        responses=RunSerializer(many=True),
    )
    def get(self, *args: Any, **kwargs: Any) -> Response:
        return super().get(*args, **kwargs)

    def rows_wanted(self) -> QuerySet[Run]:
        wanted = self.project.runs.filter(**filters(self.query.chosen(), JobQuery.paths))
        return wanted.defer("results")

    @extend_schema(
        summary="Start a scoring run",
        description="The run is computed in the background: poll its `url` until its state is done or failed.",
        operation_id="runs_create",
        request=RunStartSerializer,
        responses={201: RunSerializer},
    )
    def post(self, request: Request, key: str) -> Response:
        chosen = self.read_body(RunStartSerializer(data=request.data))
        try:
            run = start_run(project=self.project, actor=request.user, **chosen)
        except Refusal as error:
            raise Unprocessable(str(error)) from error
        run_job.delay_on_commit("run", run.pk)
        return self.started(run)


class OneRun(ProjectView):
    @extend_schema(
        summary="Get a scoring run: state and, when finished, results",
        operation_id="runs_retrieve",
        responses=RunDetailSerializer,
    )
    def get(self, request: Request, key: str, number: int) -> Response:
        run = get_object_or_404(self.project.runs, number=number)
        return Response(RunDetailSerializer(run, context=self.get_serializer_context()).data)
