"""Projects and how far they have come."""

from typing import Any

from django.db.models import Count, F, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.access import open_projects
from annotation.api.base import ApiView, ProjectView
from annotation.api.paging import PageQuery, Pages
from annotation.models import Assignment, Participation, Project, State
from annotation.queries import round_counts, tuple_counts


class ProjectSerializer(serializers.ModelSerializer):
    title_of_protocol = serializers.CharField(source="protocol.title")
    protocol = serializers.CharField(source="protocol.key")
    rounds = serializers.SerializerMethodField()

    class Meta:
        model = Project
        fields = ("key", "title", "protocol", "title_of_protocol", "rounds", "language", "created_at", "closed_at")

    def get_rounds(self, project: Project) -> list[str]:
        return [one.key for one in project.protocol.rounds]


class ProjectDetailSerializer(ProjectSerializer):
    settings = serializers.SerializerMethodField(help_text="The whole of the protocol, with every number.")

    class Meta(ProjectSerializer.Meta):
        fields = (*ProjectSerializer.Meta.fields, "seed", "guidelines", "consent", "settings")

    def get_settings(self, project: Project) -> dict[str, Any]:
        return project.protocol_json


class RoundProgressSerializer(serializers.Serializer):
    round = serializers.CharField()
    places = serializers.IntegerField(help_text="Planned.")
    free = serializers.IntegerField(help_text="Of these, taken by nobody yet.")
    people = serializers.DictField(child=serializers.IntegerField(), help_text="With a place, by state.")
    screens = serializers.IntegerField(help_text="To be answered by those who have a place and have not ended.")
    answered = serializers.IntegerField(help_text="Of these, answered.")
    tuples = serializers.IntegerField(allow_null=True, help_text="Of a best-worst round.")
    answers_wanted = serializers.IntegerField(allow_null=True, help_text="To all tuples.")
    answers = serializers.IntegerField(allow_null=True, help_text="To all tuples, by people who count.")


class ProgressSerializer(serializers.Serializer):
    items = serializers.IntegerField()
    rounds = RoundProgressSerializer(many=True)


class Projects(ApiView):
    query_class = PageQuery
    pagination_class = Pages
    serializer_class = ProjectSerializer

    @extend_schema(
        summary="The projects that you research or manage",
        operation_id="projects_list",
        parameters=[PageQuery],
        responses=ProjectSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(open_projects(request))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class OneProject(ProjectView):
    @extend_schema(
        summary="A project with its protocol", operation_id="projects_retrieve", responses=ProjectDetailSerializer
    )
    def get(self, request: Request, key: str) -> Response:
        return Response(ProjectDetailSerializer(self.project).data)


class Progress(ProjectView):
    @extend_schema(
        summary="How far each round has come", operation_id="progress_retrieve", responses=ProgressSerializer
    )
    def get(self, request: Request, key: str) -> Response:
        return Response(ProgressSerializer(progress_of(self.project)).data)


def progress_of(project: Project) -> dict[str, Any]:
    """Items, and for each round its places, people, screens and answers; four queries."""
    places = {row["round"]: row for row in round_counts(Participation.objects.filter(project=project))}
    tuples = {row["round"]: row for row in tuple_counts(project)}
    screens = {row["round"]: row for row in _screen_counts(project)}
    rounds = [_round(one.key, places, tuples, screens) for one in project.protocol.rounds]
    return {"items": project.items.count(), "rounds": rounds}


def _screen_counts(project: Project) -> QuerySet:
    """Screens of people who have a place and did not end early, a row a round."""
    own = Assignment.objects.filter(participation__project=project, lapsed_at__isnull=True)
    own = own.filter(participation__annotator__isnull=False)
    own = own.exclude(participation__state__in=[State.EXCLUDED, State.LEFT])
    counts = {"screens": Count("pk"), "answered": Count("pk", filter=Q(answered_at__isnull=False))}
    return own.order_by().values(round=F("participation__round")).annotate(**counts)


def _round(key: str, *counts: dict[str, Any]) -> dict[str, Any]:
    places, tuples, screens = (each.get(key, {}) for each in counts)
    return {
        "round": key,
        "places": places.get("places", 0),
        "free": places.get("free", 0),
        "people": {state: places.get(state, 0) for state in State.values},
        "screens": screens.get("screens", 0),
        "answered": screens.get("answered", 0),
        "tuples": tuples.get("tuples"),
        "answers_wanted": tuples.get("wanted"),
        "answers": tuples.get("answers"),
    }
