"""Models as annotators: how each was asked, and what it answered. They are read-only: owners start them on pages."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import PagedView, StreamedView
from annotation.api.paging import PageQuery
from annotation.api.schema import streamed
from scoring.exports.machines import PUBLISHED, items_shown
from scoring.models import Machine, MachineAnswer, State


class MachineSerializer(serializers.ModelSerializer):
    state = serializers.ChoiceField(
        State.values, source="run.state", allow_null=True, help_text="Null before the first start."
    )
    done = serializers.IntegerField(source="run.done", allow_null=True, help_text="Screens done.")
    total = serializers.IntegerField(source="run.total", allow_null=True, help_text="Screens; 0 while it is queued.")

    class Meta:
        model = Machine
        fields = ("id", *PUBLISHED, "budget", "state", "done", "total", "created_at", "started_at")


class MachineAnswerSerializer(serializers.ModelSerializer):
    repeat = serializers.IntegerField(source="screen.repeat")
    reversed = serializers.BooleanField(
        source="screen.reversed", help_text="Whether the second text of the pair was shown first."
    )
    context = serializers.CharField(source="screen.context")
    session = serializers.IntegerField(source="screen.session")
    position = serializers.IntegerField(
        source="screen.position", help_text="Position of the screen in the repeat and session."
    )
    item = serializers.CharField(source="screen.item.key", allow_null=True, help_text="Only for ratings.")
    tuple = serializers.IntegerField(
        source="screen.tuple.position",
        allow_null=True,
        help_text="Only for choices: the position of the tuple in the design.",
    )
    items = serializers.ListField(
        child=serializers.CharField(), help_text="Only for choices: the items in the order shown."
    )
    best = serializers.CharField(source="best.key", allow_null=True)
    worst = serializers.CharField(source="worst.key", allow_null=True)
    tokens_estimated = serializers.BooleanField(source="estimated", help_text="Whether the server reported no usage.")

    class Meta:
        model = MachineAnswer
        fields = (
            *("id", "repeat", "reversed", "context", "session", "position", "item", "value", "tuple", "items"),
            *("best", "worst", "attempt", "problem", "raw", "prompt", "seed", "reported_model", "fingerprint"),
            *("prompt_tokens", "answer_tokens", "tokens_estimated", "cost", "milliseconds", "answered_at"),
        )


class AnswerQuery(PageQuery):
    valid = serializers.BooleanField(required=False, help_text="Whether the answer is valid. Default: all answers.")


class Machines(PagedView):
    serializer_class = MachineSerializer

    @extend_schema(
        summary="List the models that answer as annotators",
        description="API keys and the addresses of the models’ servers are not included.",
        operation_id="machines_list",
        parameters=[PageQuery],
        responses=MachineSerializer(many=True),
    )
    def get(self, *args: Any, **kwargs: Any) -> Response:
        return super().get(*args, **kwargs)

    def rows_wanted(self) -> QuerySet[Machine]:
        return self.project.machines.select_related("run").defer("api_key", "url")


@extend_schema_view(
    get=streamed("List the answers of a model", AnswerQuery, MachineAnswerSerializer, operation_id="machines_answers")
)
class MachineAnswers(StreamedView):
    query_class = AnswerQuery
    serializer_class = MachineAnswerSerializer
    machine: Machine

    def find(self, request: Request) -> None:
        super().find(request)
        self.machine = get_object_or_404(self.project.machines.only("pk"), pk=self.kwargs["pk"])

    def rows_wanted(self) -> QuerySet[MachineAnswer]:
        wanted = MachineAnswer.objects.filter(screen__machine=self.machine)
        if "valid" in (chosen := self.query.chosen()):
            wanted = wanted.filter(problem="") if chosen["valid"] else wanted.exclude(problem="")
        return wanted.select_related("screen__item", "screen__tuple", "best", "worst")

    def written(self, page: list[Any]) -> Any:
        shown = items_shown(page)
        for answer in page:
            answer.items = shown.get(answer.pk, [])
        return super().written(page)
