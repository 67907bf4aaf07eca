"""Fields of several views."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(OpenApiTypes.OBJECT)
class ObjectField(serializers.JSONField):
    """A JSON object with any names."""

    def to_internal_value(self, data: object) -> object:
        if not isinstance(data, dict):
            raise serializers.ValidationError("This must be a JSON object.")
        return super().to_internal_value(data)
