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
from annotation.protocols.spec import Material

OWN = "id position sentence1 sentence2 context1 context2 language gold calibration_order source extra".split()
JOINED = {"item": F("key"), "group_key": F("group__key"), "text": F("sentence1")}
OF_PAIRS = {"group", "sentence1", "sentence2", "context1", "context2", "gold", "calibration_order"}
OF_TEXTS = {"text"}


class ItemSerializer(serializers.Serializer):
    id = serializers.IntegerField(help_text="Of the row here; files and judgments name an item by `item`.")
    item = serializers.CharField(help_text="Its key.")
    group = serializers.CharField(
        allow_null=True, required=False, help_text="The items that only meet each other: a dialogue."
    )
    position = serializers.IntegerField()
    text = serializers.CharField(
        required=False, help_text="In a project of single texts, which have none of the fields of pairs."
    )
    sentence1 = serializers.CharField(required=False)
    sentence2 = serializers.CharField(required=False)
    context1 = serializers.CharField(required=False, help_text="The sentence in <sent></sent>, with what surrounds it.")
    context2 = serializers.CharField(required=False)
    language = serializers.CharField(help_text="BCP 47; empty for the project's.")
    gold = serializers.BooleanField(allow_null=True, required=False, help_text="Known to be similar, or dissimilar.")
    calibration_order = serializers.IntegerField(allow_null=True, required=False)
    source = serializers.CharField()
    extra = ObjectField(help_text="Further columns of the file that it came in.")


class ItemQuery(PageQuery):
    item = serializers.CharField(required=False, help_text="Its key.")
    group = serializers.CharField(required=False)
    language = serializers.CharField(required=False)
    paths: ClassVar = {"item": "key", "group": "group__key", "language": "language"}


@extend_schema_view(get=streamed("What is judged", ItemQuery, ItemSerializer, operation_id="items_list"))
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
