"""How models' predictions compare with the scores of a release."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import PagedView, ProjectView
from annotation.api.fields import ObjectField
from annotation.api.paging import LARGEST_ID, ByNumber, PageQuery, filters
from annotation.api.parsing import Number, Strict, WholeNumber, storable
from annotation.api.problems import Conflict, Unprocessable
from annotation.domain.errors import Refusal
from scoring.api.jobs import one_done
from scoring.domain.evaluations.evaluate import AlreadyEvaluated, evaluate_model
from scoring.domain.evaluations.seeds import models_of
from scoring.models import Evaluation


class EvaluationSerializer(serializers.ModelSerializer):
    release = serializers.IntegerField(source="release.number")
    results = ObjectField()

    class Meta:
        model = Evaluation
        fields = ("id", "release", "model", "seed", "results", "created_at")


class PredictionsSerializer(Strict):
    model = serializers.CharField(max_length=200, help_text="The model's name.")
    release = WholeNumber(
        min_value=1,
        max_value=LARGEST_ID,
        required=False,
        help_text=("Release number. Default: the newest finished release."),
    )
    seed = WholeNumber(
        min_value=0,
        max_value=LARGEST_ID,
        required=False,
        help_text="Random seed the model was trained with. Send the predictions of each seed separately.",
    )
    predictions = serializers.DictField(
        child=Number(),
        allow_empty=False,
        required=False,
        validators=[storable],
        help_text="One number per item, by item key. Default: the means of the distributions.",
    )
    distributions = serializers.DictField(
        child=serializers.DictField(child=Number()),
        allow_empty=False,
        required=False,
        validators=[storable],
        help_text=(
            "Distribution of the answers to each item, by item key: a probability for each level, such as p_0, p_1, "
            "p_2, or mean and sd."
        ),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not {"predictions", "distributions"} & set(attrs):
            raise serializers.ValidationError({"predictions": ["Send predictions, distributions, or both."]})
        return {"predictions": {}} | attrs


class EvaluationQuery(PageQuery):
    release = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    model = serializers.CharField(required=False)
    paths: ClassVar = {"release": "release__number", "model": "model"}


class Evaluations(PagedView):
    query_class = EvaluationQuery
    pagination_class = ByNumber
    serializer_class = EvaluationSerializer

    @extend_schema(
        summary="List model evaluations, newest first",
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
        number, none = chosen.pop("release", None), "There is no finished release yet."
        release = one_done(self.project.releases, number, kind="release", none=none)
        try:
            evaluation = evaluate_model(release=release, actor=request.user, **chosen)
        except AlreadyEvaluated as error:
            raise Conflict(str(error)) from error
        except Refusal as error:
            raise Unprocessable({"predictions": [str(error)]}) from error
        return Response(self.get_serializer(evaluation).data, status=status.HTTP_201_CREATED)


class SpreadSerializer(serializers.Serializer):
    mean = serializers.FloatField(allow_null=True)
    sd = serializers.FloatField(allow_null=True, help_text="Standard deviation (n - 1); null for a single seed.")
    mean_reason = serializers.CharField(required=False)
    sd_reason = serializers.CharField(required=False)


class ModelSerializer(serializers.Serializer):
    model = serializers.CharField()
    seeds = serializers.ListField(child=serializers.IntegerField(), help_text="Empty for predictions without a seed.")
    measures = serializers.DictField(
        child=SpreadSerializer(), help_text="pearson, spearman, mse and, for dialogues, accuracy."
    )


class ModelsSerializer(serializers.Serializer):
    scores = serializers.DictField(
        child=serializers.ListField(child=ModelSerializer()),
        help_text="Models by set of scores, highest mean Pearson’s r first.",
    )


class Models(ProjectView):
    @extend_schema(
        summary="List the models on a release, with mean and standard deviation over seeds",
        operation_id="models_retrieve",
        responses=ModelsSerializer,
    )
    def get(self, request: Request, key: str, number: int) -> Response:
        release = get_object_or_404(self.project.releases.defer("manifest"), number=number)
        return Response({"scores": models_of(release)})
