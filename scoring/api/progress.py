"""The progress of a project's rounds."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import ProjectView
from annotation.models import Participation, Project, State
from annotation.queries.people import round_counts
from annotation.tasks import run_job
from scoring.domain.monitoring.progress import RoundProgress, progress_of
from scoring.domain.monitoring.statistics import request_statistics


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
    as_of = serializers.DateTimeField(
        help_text="When the answers were counted: at most about a minute ago while answers come in."
    )
    items = serializers.IntegerField()
    rounds = RoundProgressSerializer(many=True)


class Progress(ProjectView):
    @extend_schema(
        summary="Get the progress of each round", operation_id="progress_retrieve", responses=ProgressSerializer
    )
    def get(self, request: Request, key: str) -> Response:
        if request_statistics(self.project, timezone.now()):
            run_job.delay_on_commit("statistics", self.project.statistics.pk)
        return Response(ProgressSerializer(_progress(self.project)).data)


def _progress(project: Project) -> dict[str, Any]:
    """Return the number of items, and the places, people, screens and answers of each round."""
    places = {row["round"]: row for row in round_counts(Participation.objects.filter(project=project))}
    progress = progress_of(project, timezone.now())
    rounds = [
        _round(key, places.get(key, {}), progress.rounds[key])
        for key in (round_.key for round_ in project.protocol.rounds)
    ]
    return {"as_of": progress.at, "items": project.items.count(), "rounds": rounds}


def _round(key: str, places: dict[str, Any], progress: RoundProgress) -> dict[str, Any]:
    return {
        "round": key,
        "places": places.get("places", 0),
        "free": places.get("free", 0),
        "people": {state: places.get(state, 0) for state in State.values},
        "screens": progress.wanted,
        "answered": progress.answered,
        "tuples": progress.shared.get("tuples"),
        "answers_wanted": progress.shared.get("wanted"),
        "answers": progress.shared.get("answers"),
    }
