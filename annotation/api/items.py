"""Items of a project."""

from functools import cached_property
from typing import ClassVar

from django.db.models import F, QuerySet
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from annotation.api.base import Row, StreamedView
from annotation.api.fields import ObjectField
from annotation.api.paging import PageQuery, filters
from annotation.api.schema import streamed
from annotation.protocols.terms import Material

OWN = "id position sentence1 sentence2 context1 context2 language gold calibration_order source extra".split()
JOINED = {"item": F("key"), "group_key": F("group__key"), "text": F("sentence1")}
OF_PAIRS = {"group", "sentence1", "sentence2", "context1", "context2", "gold", "calibration_order"}
OF_TEXTS = {"text"}


class ItemSerializer(serializers.Serializer):
    id = serializers.IntegerField(help_text="ID of the row in the API. Files and judgments refer to an item by `item`.")
    item = serializers.CharField(help_text="The key of the item.")
    group = serializers.CharField(
        allow_null=True,
        required=False,
        help_text="The group of items that are only compared with each other: a dialogue.",
    )
    position = serializers.IntegerField()
    text = serializers.CharField(
        required=False, help_text="The text, in projects of single texts. These have none of the fields of pairs."
    )
    sentence1 = serializers.CharField(required=False)
    sentence2 = serializers.CharField(required=False)
    context1 = serializers.CharField(
        required=False, help_text="The sentence in <sent></sent> with the surrounding text."
    )
    context2 = serializers.CharField(required=False)
    language = serializers.CharField(help_text="BCP 47 tag; empty for the project's language.")
    gold = serializers.BooleanField(
        allow_null=True, required=False, help_text="Known label: similar (true) or dissimilar (false)."
    )
    calibration_order = serializers.IntegerField(allow_null=True, required=False)
    source = serializers.CharField()
    extra = ObjectField(help_text="Additional columns of the imported file.")


class ItemQuery(PageQuery):
    item = serializers.CharField(required=False, help_text="The key of the item.")
    group = serializers.CharField(required=False)
    language = serializers.CharField(required=False)
    paths: ClassVar = {"item": "key", "group": "group__key", "language": "language"}


@extend_schema_view(get=streamed("List items", ItemQuery, ItemSerializer, operation_id="items_list"))
class Items(StreamedView):
    query_class = ItemQuery
    serializer_class = ItemSerializer

    @cached_property
    def columns(self) -> list[str]:
        others = OF_PAIRS if self.project.protocol.material == Material.TEXTS else OF_TEXTS
        return [name for name in self.get_serializer_class()().fields if name not in others]

    def rows_wanted(self) -> QuerySet:
        wanted = self.project.items.filter(**filters(self.query.chosen(), ItemQuery.paths))
        return wanted.values(*OWN, **JOINED)

    def written(self, page: list[Row]) -> list[Row]:
        return [{name: row["group_key" if name == "group" else name] for name in self.columns} for row in page]
