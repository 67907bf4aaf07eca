"""What runs and releases have in common: jobs of the workers, started here and asked for until they are done."""

from typing import Any, ClassVar

from rest_framework import serializers, status
from rest_framework.response import Response

from annotation.api.base import PagedView
from annotation.api.paging import ByNumber, PageQuery
from scoring.models import State


class JobQuery(PageQuery):
    state = serializers.ChoiceField(State.values, required=False)
    paths: ClassVar = {"state": "state"}


class JobsView(PagedView):
    """The jobs of a project, the newest first."""

    query_class = JobQuery
    pagination_class = ByNumber

    def started(self, job: Any) -> Response:
        """What is answered to who started it: the job as it is in the list, and its address."""
        answer = self.get_serializer(job).data
        return Response(answer, status=status.HTTP_201_CREATED, headers={"Location": answer["url"]})
