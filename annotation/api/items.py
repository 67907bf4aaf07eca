"""Items: what is judged."""

from typing import Any, ClassVar

from django.db.models import F, QuerySet
from rest_framework import serializers
from rest_framework.response import Response

from annotation.api.base import Row, StreamedView
from annotation.api.fields import ObjectField
from annotation.api.paging import PageQuery, filters
from annotation.api.schema import streamed

OWN = (
    "id",
    "position",
    "sentence1",
    "sentence2",
    "context1",
    "context2",
    "language",
    "gold",
    "calibration_order",
    "source",
    "extra",
)
JOINED = {"item": F("key"), "group_key": F("group__key")}


class ItemSerializer(serializers.Serializer):
    id = serializers.IntegerField(help_text="Of the row here; files and judgments name an item by `item`.")
    item = serializers.CharField(help_text="Its key.")
    group = serializers.CharField(allow_null=True, help_text="The items that only meet each other: a dialogue.")
    position = serializers.IntegerField()
    sentence1 = serializers.CharField()
    sentence2 = serializers.CharField()
    context1 = serializers.CharField(help_text="The sentence in <sent></sent>, with what surrounds it.")
    context2 = serializers.CharField()
    language = serializers.CharField(help_text="BCP 47; empty for the project's.")
    gold = serializers.BooleanField(allow_null=True, help_text="Known to be similar, or dissimilar.")
    calibration_order = serializers.IntegerField(allow_null=True)
    source = serializers.CharField()
    extra = ObjectField(help_text="Further columns of the file that it came in.")


class ItemQuery(PageQuery):
    item = serializers.CharField(required=False, help_text="Its key.")
    group = serializers.CharField(required=False)
    language = serializers.CharField(required=False)
    paths: ClassVar = {"item": "key", "group": "group__key", "language": "language"}


class Items(StreamedView):
    query_class = ItemQuery
    serializer_class = ItemSerializer

    @streamed("What is judged", ItemQuery, ItemSerializer, operation_id="items_list")
    def get(self, *args: Any, **kwargs: Any) -> Response:
        return super().get(*args, **kwargs)

    def rows_wanted(self) -> QuerySet:
        wanted = self.project.items.filter(**filters(self.query.chosen(), ItemQuery.paths))
        return wanted.values(*OWN, **JOINED)

    def written(self, page: list[Row]) -> list[Row]:
        return [{name: row["group_key" if name == "group" else name] for name in self.columns} for row in page]
