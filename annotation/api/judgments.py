"""Judgments, under pseudonyms. They are read-only: only the screens know which answer is due."""

from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from annotation.api.base import Row, StreamedView
from annotation.api.judgment_rows import complete, raw
from annotation.api.paging import PageQuery, filters
from annotation.api.parsing import Moment
from annotation.api.schema import streamed
from annotation.models import Inversion
from annotation.protocols.counting import NotCounted
from annotation.protocols.terms import BlockKind, Context
from annotation.queries.counting import current
from annotation.queries.judgments import about_item, judgments_of


class SelectedSerializer(serializers.Serializer):
    role = serializers.CharField()
    item = serializers.CharField()
    value = serializers.FloatField()
    counted = serializers.BooleanField(help_text="Whether this pair counts.")
    not_counted_because = serializers.ChoiceField(list(map(str, NotCounted)), allow_null=True)


class JudgmentSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    round = serializers.CharField()
    annotator = serializers.CharField(help_text="Pseudonym, the same in all rounds and releases of the project.")
    pool = serializers.CharField()
    context = serializers.CharField()
    block = serializers.CharField()
    session = serializers.IntegerField()
    position = serializers.IntegerField(help_text="Position of the screen in the session.")
    item = serializers.CharField(allow_null=True, help_text="Only for ratings.")
    value = serializers.FloatField(allow_null=True, help_text="Only for ratings.")
    tuple = serializers.IntegerField(
        allow_null=True, help_text="Only for choices: the position of the tuple in the design."
    )
    items = serializers.ListField(
        child=serializers.CharField(), help_text="Only for choices: the items in the order shown."
    )
    best = serializers.CharField(allow_null=True)
    worst = serializers.CharField(allow_null=True)
    hard_to_say = serializers.BooleanField()
    incident = serializers.CharField(allow_null=True, help_text="Only for selections.")
    sentence = serializers.IntegerField(
        allow_null=True, help_text="Only for selections: the position of the sentence in the summary, from 0."
    )
    selections = SelectedSerializer(many=True, help_text="Only for selections: what was chosen for the sentence.")
    inversion = serializers.ChoiceField(
        ["", *Inversion.values],
        help_text="Only for selections whose ratings contradict the order of the roles: what the annotator did "
        "when asked.",
    )
    counted = serializers.BooleanField(help_text="Whether the judgment counts in scores and statistics.")
    not_counted_because = serializers.ChoiceField(
        list(map(str, NotCounted)),
        allow_null=True,
        help_text="The first reason that applies; null if the judgment counts.",
    )
    invalid = serializers.BooleanField(
        help_text="An imported choice with a repeated item, or with the same item as best and worst."
    )
    refill = serializers.BooleanField(help_text="Whether the annotator is a replacement.")
    pause_shortened = serializers.BooleanField()
    shown_at = serializers.DateTimeField(allow_null=True)
    answered_at = serializers.DateTimeField(allow_null=True, help_text="When the screen was first answered.")
    saved_at = serializers.DateTimeField()
    superseded_at = serializers.DateTimeField(allow_null=True, help_text="When a later answer replaced this one.")
    touched_ms = serializers.IntegerField(allow_null=True)
    answered_ms = serializers.IntegerField(allow_null=True)
    active_ms = serializers.IntegerField(allow_null=True)
    adjustments = serializers.IntegerField(allow_null=True)


class JudgmentQuery(PageQuery):
    round = serializers.CharField(required=False)
    context = serializers.ChoiceField([kind.value for kind in Context], required=False)
    block = serializers.ChoiceField([kind.value for kind in BlockKind], required=False)
    annotator = serializers.CharField(required=False, help_text="Pseudonym of an annotator.")
    item = serializers.CharField(required=False, help_text="Key of an item that was rated, shown or selected.")
    since = Moment(required=False, help_text="Saved at or after this time (ISO 8601).")
    superseded = serializers.BooleanField(
        required=False, help_text="Whether to include answers that were replaced by later ones."
    )

    paths: ClassVar = {
        "round": "assignment__participation__round",
        "context": "assignment__context",
        "block": "assignment__block",
        "annotator": "assignment__participation__annotator__pseudonym",
        "since": "saved_at__gte",
    }


@extend_schema_view(get=streamed("List judgments", JudgmentQuery, JudgmentSerializer, operation_id="judgments_list"))
class Judgments(StreamedView):
    query_class = JudgmentQuery
    serializer_class = JudgmentSerializer

    def rows_wanted(self) -> QuerySet:
        chosen = self.query.chosen()
        wanted = judgments_of(self.project).filter(**filters(chosen, JudgmentQuery.paths))
        if not chosen.get("superseded"):
            wanted = current(wanted)
        if "item" in chosen:
            wanted = wanted.filter(about_item(self.project, chosen["item"]))
        return raw(wanted)

    def written(self, page: list[Row]) -> list[Row]:
        return complete(page, self.columns)
