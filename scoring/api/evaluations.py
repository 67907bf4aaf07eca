"""How models' predictions compare with the scores of a release."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import PagedView
from annotation.api.fields import ObjectField
from annotation.api.paging import LARGEST_ID, ByNumber, PageQuery, filters
from annotation.api.parsing import Number, Strict, WholeNumber, storable
from annotation.api.problems import Conflict, Unprocessable
from annotation.domain.errors import Refusal
from annotation.models import Project
from scoring.domain.evaluating import evaluate_model
from scoring.models import Evaluation, Release, State


class EvaluationSerializer(serializers.ModelSerializer):
    release = serializers.IntegerField(source="release.number")
    results = ObjectField()

    class Meta:
        model = Evaluation
        fields = ("id", "release", "model", "results", "created_at")


class PredictionsSerializer(Strict):
    model = serializers.CharField(max_length=200, help_text="The model's name.")
    release = WholeNumber(
        min_value=1, max_value=LARGEST_ID, required=False, help_text="Its number; by default the newest that is done."
    )
    predictions = serializers.DictField(
        child=Number(), allow_empty=False, validators=[storable], help_text="A number for each item, by its key."
    )


class EvaluationQuery(PageQuery):
    release = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    model = serializers.CharField(required=False)
    paths: ClassVar = {"release": "release__number", "model": "model"}


class Evaluations(PagedView):
    query_class = EvaluationQuery
    pagination_class = ByNumber
    serializer_class = EvaluationSerializer

    @extend_schema(
        summary="How models did, the newest first",
        operation_id="evaluations_list",
        parameters=[EvaluationQuery],
        responses=EvaluationSerializer(many=True),
    )
    def get(self, *args: Any, **kwargs: Any) -> Response:
        return super().get(*args, **kwargs)

    def rows_wanted(self) -> QuerySet[Evaluation]:
        wanted = Evaluation.objects.filter(release__project=self.project)
        wanted = wanted.filter(**filters(self.query.chosen(), EvaluationQuery.paths))
        return wanted.select_related("release").defer("predictions", "release__manifest")

    @extend_schema(
        summary="Evaluate a model's predictions",
        operation_id="evaluations_create",
        request=PredictionsSerializer,
        responses={201: EvaluationSerializer},
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        chosen = self.read_body(PredictionsSerializer(data=request.data))
        release = release_of(self.project, chosen.pop("release", None))
        if release.evaluations.filter(model=chosen["model"]).exists():
            raise Conflict(f"There is a model “{chosen['model']}” on release {release.number} already.")
        try:
            evaluation = evaluate_model(release=release, actor=request.user, **chosen)
        except Refusal as error:
            raise Unprocessable({"predictions": [str(error)]}) from error
        return Response(self.get_serializer(evaluation).data, status=status.HTTP_201_CREATED)


def release_of(project: Project, number: int | None) -> Release:
    """The release that was named, or the newest; it must be done."""
    releases = project.releases.order_by("-number")
    if number is None:
        release = releases.filter(state=State.DONE).first()
        if release is None:
            raise Conflict("There is no release yet that is done.")
        return release
    release = releases.filter(number=number).first()
    if release is None:
        raise Unprocessable({"release": [f"There is no release {number}."]})
    if release.state != State.DONE:
        raise Conflict(f"Release {number} is not done.")
    return release
