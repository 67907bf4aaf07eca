"""Registered plans. They are read-only: owners register them on pages."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import PagedView, ProjectView
from annotation.api.fields import ObjectField
from annotation.api.paging import PageQuery
from scoring.models import Registration


class RegistrationSerializer(serializers.ModelSerializer):
    class Meta:
        model = Registration
        fields = ("number", "sha256", "registered_at")


class RegistrationDetailSerializer(RegistrationSerializer):
    plan = ObjectField(
        source="document", help_text="The plan. The hash is that of its JSON with sorted keys and without white space."
    )

    class Meta(RegistrationSerializer.Meta):
        fields = (*RegistrationSerializer.Meta.fields, "plan")


class Registrations(PagedView):
    serializer_class = RegistrationSerializer

    @extend_schema(
        summary="List the registered plans of a project",
        operation_id="registrations_list",
        parameters=[PageQuery],
        responses=RegistrationSerializer(many=True),
    )
    def get(self, *args: Any, **kwargs: Any) -> Response:
        return super().get(*args, **kwargs)

    def rows_wanted(self) -> QuerySet[Registration]:
        return self.project.registrations.defer("plan")


class OneRegistration(ProjectView):
    @extend_schema(
        summary="Get a registered plan", operation_id="registrations_retrieve", responses=RegistrationDetailSerializer
    )
    def get(self, request: Request, key: str, number: int) -> Response:
        found = get_object_or_404(self.project.registrations, number=number)
        return Response(RegistrationDetailSerializer(found).data)
