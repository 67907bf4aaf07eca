"""Participations, under pseudonyms: without names, addresses, outside ids and written reasons."""

from typing import ClassVar

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers

from annotation.api.base import PagedView
from annotation.api.paging import PageQuery, filters
from annotation.models import Membership, Participation, PersonalAnswer, State
from annotation.queries.people import with_progress


class ParticipationSerializer(serializers.ModelSerializer):
    annotator = serializers.CharField(source="annotator.pseudonym", default=None, allow_null=True)
    replaces = serializers.IntegerField(
        source="replaces.seat",
        default=None,
        allow_null=True,
        help_text="The place of the annotator that this one replaces.",
    )
    validates = serializers.IntegerField(
        source="validates.seat",
        default=None,
        allow_null=True,
        help_text="The place of R1 whose selections this annotator rates.",
    )
    screens = serializers.IntegerField(help_text="Number of screens to answer.")
    answered = serializers.IntegerField(help_text="Number of these that have been answered.")
    mean_active_ms = serializers.FloatField(allow_null=True, help_text="Mean active time per answer.")
    about = serializers.SerializerMethodField(
        help_text="Answers to participant questions, by question. Researchers see only the answers that may be "
        "published."
    )

    class Meta:
        model = Participation
        fields = (
            *("round", "seat", "pool", "annotator", "state", "replaces", "validates", "screens", "answered"),
            *("mean_active_ms", "consented_at", "consent_version", "rest_until", "rest_shortened", "finished_at"),
            *("screened_at", "about"),
        )

    def get_about(self, participation: Participation) -> dict[str, str]:
        answers = participation.annotator.shown_answers if participation.annotator else []
        return {answer.question.text: answer.text for answer in answers}


class ParticipationQuery(PageQuery):
    round = serializers.CharField(required=False)
    state = serializers.ChoiceField(State.values, required=False)
    annotator = serializers.CharField(required=False, help_text="Pseudonym of an annotator.")
    paths: ClassVar = {"round": "round", "state": "state", "annotator": "annotator__pseudonym"}


@extend_schema_view(
    get=extend_schema(
        summary="List places and their annotators",
        operation_id="participations_list",
        parameters=[ParticipationQuery],
        responses=ParticipationSerializer(many=True),
    )
)
class Participations(PagedView):
    query_class = ParticipationQuery
    serializer_class = ParticipationSerializer

    def rows_wanted(self) -> QuerySet[Participation]:
        chosen = filters(self.query.chosen(), ParticipationQuery.paths)
        wanted = self.project.participations.filter(**chosen)
        answers = Prefetch("annotator__personal_answers", self._answers_shown(), to_attr="shown_answers")
        return with_progress(wanted.select_related("annotator", "replaces", "validates")).prefetch_related(answers)

    def _answers_shown(self) -> QuerySet[PersonalAnswer]:
        answers = PersonalAnswer.objects.select_related("question").order_by("question__position", "question")
        researcher = self.project.role == Membership.Role.RESEARCHER
        return answers.filter(question__published=True) if researcher else answers
