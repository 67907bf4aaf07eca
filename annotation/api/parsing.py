"""Parsing and validation of requests."""

import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from annotation.api.problems import TooLarge
from annotation.domain.moments import in_every_zone

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class JsonParser(JSONParser):
    """JSON of limited size and depth."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        length = int(parser_context["request"].META.get("CONTENT_LENGTH") or 0)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge(f"The request has {length} bytes. The maximum is {settings.DATA_UPLOAD_MAX_MEMORY_SIZE}.")
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error


class Strict(serializers.Serializer):
    """Refuses names that it does not know: a filter with a slip of the pen must not give everything."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            known = ", ".join(self.fields) or "none"
            raise serializers.ValidationError({name: [f"Unknown name. Known names: {known}."] for name in unknown})
        return super().to_internal_value(data)


class WholeNumber(serializers.IntegerField):
    """A whole JSON number; a string of digits is refused."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool | str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(serializers.FloatField):
    """A JSON number that is finite."""

    def to_internal_value(self, data: Any) -> float:
        try:
            value = float(data) if isinstance(data, int | float) and not isinstance(data, bool) else math.nan
        except OverflowError:  # JSON writes whole numbers of any length
            value = math.inf
        if not math.isfinite(value):
            self.fail("invalid")
        return value


class Moment(serializers.DateTimeField):
    """A date and time that every time zone can show."""

    def to_internal_value(self, data: Any) -> datetime:
        try:
            moment = super().to_internal_value(data)
        except OverflowError:
            self.fail("overflow")
        if not in_every_zone(moment):
            self.fail("overflow")
        return moment


def storable(value: Any) -> None:
    """Raise ValidationError for JSON that PostgreSQL cannot store: with NUL, or half of a surrogate pair."""
    if isinstance(value, str) and UNSTORABLE.search(value):
        raise serializers.ValidationError("A text contains characters that can't be stored.")
    if isinstance(value, dict):
        value = [*value, *value.values()]
    for each in value if isinstance(value, list) else ():
        storable(each)
