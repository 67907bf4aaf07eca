"""Projects and their progress."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.access import open_projects
from annotation.api.base import ApiView, ProjectView
from annotation.api.paging import PageQuery, Pages
from annotation.models import Participation, Project, State
from annotation.queries import Block, blocks_of, round_counts, shared_counts


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


class RoundProgressSerializer(serializers.Serializer):
    round = serializers.CharField()
    places = serializers.IntegerField(
        help_text="Number of taken and free places, without those of annotators who left or were excluded."
    )
    free = serializers.IntegerField(help_text="Number of these that are free.")
    people = serializers.DictField(
        child=serializers.IntegerField(), help_text="Number of annotators who have or had a place, by state."
    )
    screens = serializers.IntegerField(
        help_text="Number of screens to answer in all places, including free ones. In an open round: number of "
        "answers needed."
    )
    answered = serializers.IntegerField(help_text="Number of these that have been answered.")
    tuples = serializers.IntegerField(
        allow_null=True, help_text="Only for best-worst rounds: number of tuples without withdrawn items."
    )
    answers_wanted = serializers.IntegerField(
        allow_null=True,
        help_text="Number of answers needed for these tuples, or in an open rating round for the items of its pool.",
    )
    answers = serializers.IntegerField(allow_null=True, help_text="Number of these that have been given and count.")


class ProgressSerializer(serializers.Serializer):
    items = serializers.IntegerField()
    rounds = RoundProgressSerializer(many=True)


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


class Progress(ProjectView):
    @extend_schema(
        summary="Get the progress of each round", operation_id="progress_retrieve", responses=ProgressSerializer
    )
    def get(self, request: Request, key: str) -> Response:
        return Response(ProgressSerializer(progress_of(self.project)).data)


def progress_of(project: Project) -> dict[str, Any]:
    """Return the number of items, and the places, people, screens and answers of each round."""
    places = {row["round"]: row for row in round_counts(Participation.objects.filter(project=project))}
    shared = shared_counts(project)
    blocks = blocks_of(project)
    rounds = [
        _round(key, places.get(key, {}), shared.get(key, {}), blocks[key])
        for key in (round_.key for round_ in project.protocol.rounds)
    ]
    return {"items": project.items.count(), "rounds": rounds}


def _round(key: str, places: dict[str, Any], shared: dict[str, Any], blocks: Sequence[Block]) -> dict[str, Any]:
    return {
        "round": key,
        "places": places.get("places", 0),
        "free": places.get("free", 0),
        "people": {state: places.get(state, 0) for state in State.values},
        "screens": sum(block.wanted for block in blocks),
        "answered": sum(block.answered for block in blocks),
        "tuples": shared.get("tuples"),
        "answers_wanted": shared.get("wanted"),
        "answers": shared.get("answers"),
    }
