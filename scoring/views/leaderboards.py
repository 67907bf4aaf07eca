"""The public leaderboard of a release, if a manager has opened it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from scoring.models import Release
from scoring.views.boards import csv_of, table_of


@require_safe
def leaderboard(request: HttpRequest, key: str, number: int) -> HttpResponse:
    release = _open(key, number)
    return render(request, "leaderboard.html", {"release": release, "table": table_of(release, request.GET)})


@require_safe
def as_csv(request: HttpRequest, key: str, number: int) -> HttpResponse:
    return csv_of(_open(key, number), request.GET)


def _open(key: str, number: int) -> Release:
    """Return the release; raise Http404 for a closed leaderboard as for a missing one."""
    opened = Release.objects.filter(leaderboard_open=True, state="done").select_related("project", "run")
    return get_object_or_404(opened.defer("manifest", "run__results"), project__key=key, number=number)
