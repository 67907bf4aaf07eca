"""The leaderboard of a release: there for everybody while a manager has it open, and for nobody else."""

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
    """404 for a closed one as for one that there is not."""
    opened = Release.objects.filter(leaderboard_open=True, state="done").select_related("project", "run")
    return get_object_or_404(opened.defer("manifest", "run__results"), project__key=key, number=number)
