"""What the API of runs and of releases share: jobs of the workers, started here and polled until they are done."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers, status
from rest_framework.response import Response

from annotation.api.base import PagedView
from annotation.api.paging import ByNumber, PageQuery
from annotation.api.problems import Conflict, Unprocessable
from scoring.models import State


class JobQuery(PageQuery):
    state = serializers.ChoiceField(State.values, required=False)
    paths: ClassVar = {"state": "state"}


def one_done(jobs: QuerySet[Any], number: int | None, *, kind: str, none: str) -> Any:
    """Return the job with this number, or the newest that is done; raise Unprocessable or Conflict if there is none."""
    wanted = {"state": State.DONE} if number is None else {"number": number}
    job = jobs.filter(**wanted).order_by("-number").first()
    if job is None and number is None:
        raise Conflict(none)
    if job is None:
        raise Unprocessable({kind: [f"There is no {kind} {number}."]})
    if job.state != State.DONE:
        raise Conflict(f"{kind.capitalize()} {number} is not finished.")
    return job


class JobsView(PagedView):
    """The jobs of a project, the newest first."""

    query_class = JobQuery
    pagination_class = ByNumber

    def started(self, job: Any) -> Response:
        """Return the answer to a request that started a job: the job as listed, and its address."""
        answer = self.get_serializer(job).data
        return Response(answer, status=status.HTTP_201_CREATED, headers={"Location": answer["url"]})
