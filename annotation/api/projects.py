"""Projects."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.access import open_projects
from annotation.api.base import ApiView, ProjectView
from annotation.api.paging import PageQuery, Pages
from annotation.models import Project


class ProjectSerializer(serializers.ModelSerializer):
    title_of_protocol = serializers.CharField(source="protocol.title")
    protocol = serializers.CharField(source="protocol.key")
    rounds = serializers.SerializerMethodField()

    class Meta:
        model = Project
        fields = ("key", "title", "protocol", "title_of_protocol", "rounds", "language", "created_at", "closed_at")

    def get_rounds(self, project: Project) -> list[str]:
        return [round_.key for round_ in project.protocol.rounds]


class ProjectDetailSerializer(ProjectSerializer):
    settings = serializers.SerializerMethodField(help_text="The complete protocol with all its settings.")

    class Meta(ProjectSerializer.Meta):
        fields = (*ProjectSerializer.Meta.fields, "seed", "guidelines", "consent", "settings")

    def get_settings(self, project: Project) -> dict[str, Any]:
        return project.protocol_json


class Projects(ApiView):
    query_class = PageQuery
    pagination_class = Pages
    serializer_class = ProjectSerializer

    @extend_schema(
        summary="List the projects in which you have a role",
        operation_id="projects_list",
        parameters=[PageQuery],
        responses=ProjectSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(open_projects(request))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class OneProject(ProjectView):
    @extend_schema(
        summary="Get a project with its protocol", operation_id="projects_retrieve", responses=ProjectDetailSerializer
    )
    def get(self, request: Request, key: str) -> Response:
        return Response(ProjectDetailSerializer(self.project).data)
