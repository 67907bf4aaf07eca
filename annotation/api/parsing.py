"""What comes in."""

import math
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from annotation.api.problems import TooLarge

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class JsonParser(JSONParser):
    """JSON of a size and depth that can be taken in."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        length = int(parser_context["request"].META.get("CONTENT_LENGTH") or 0)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge(
                f"A request has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes; this one has {length}."
            )
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error


class Strict(serializers.Serializer):
    """Refuses names that it does not know: a filter with a slip of the pen must not give everything."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            known = ", ".join(self.fields) or "none"
            raise serializers.ValidationError({name: [f"Not known here. Known are: {known}."] for name in unknown})
        return super().to_internal_value(data)


class WholeNumber(serializers.IntegerField):
    """A JSON number; a text with digits in it is none."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool | str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(serializers.FloatField):
    """A JSON number that is finite."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool | str) or not math.isfinite(data if isinstance(data, int | float) else 0):
            self.fail("invalid")
        return super().to_internal_value(data)


def storable(value: Any) -> None:
    """A validator of JSON: PostgreSQL keeps neither NUL nor half of a surrogate pair."""
    if isinstance(value, str) and UNSTORABLE.search(value):
        raise serializers.ValidationError("A text has signs in it that cannot be stored.")
    if isinstance(value, dict):
        value = [*value, *value.values()]
    for each in value if isinstance(value, list) else ():
        storable(each)
