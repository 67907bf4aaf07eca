"""Monitoring of a project: progress, people, items in dispute, and the limits of flags."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.api.rendering import CsvRenderer, stream
from annotation.corpora.spreadsheets import harmless
from annotation.domain.jobs.worker import worker_is_alive
from annotation.forms.refusals import refusal_messages
from annotation.models import Participation, Project, State
from annotation.permissions import managed_project, researched_project
from annotation.tasks import run_job
from scoring.domain.monitoring import people as watched
from scoring.domain.monitoring.board import RESTING_SHOWN, boards, name_disputes, resting
from scoring.domain.monitoring.options import change_options, options_of, settle_flag
from scoring.domain.monitoring.statistics import request_statistics
from scoring.domain.monitoring.trouble import troubles
from scoring.domain.stopping.overview import rounds_in_waves
from scoring.forms.monitoring import WatchForm
from scoring.models import ProjectStatistics
from scoring.stats.limits import Kind

PAGE = 50


@login_required
@require_safe
def watch(request: HttpRequest, key: str) -> HttpResponse:
    """Request new statistics, and show the last ones."""
    project, now = researched_project(request.user, key), timezone.now()
    if request_statistics(project, now):
        run_job.delay_on_commit("statistics", project.statistics.pk)
    statistics, options = ProjectStatistics.objects.get(project=project), options_of(project)
    found = boards(project, options, statistics.figures, now)
    name_disputes(project, found)
    alive = worker_is_alive(now)
    values = {
        "project": project,
        "tab": "watch",
        "statistics": statistics,
        "options": options,
        "boards": found,
        "troubles": troubles(found, worker_alive=alive),
        "waves": {own.round.key: own for own in rounds_in_waves(project)},
        "resting": resting(project)[:RESTING_SHOWN],
        "resting_number": sum(board.people[State.RESTING] for board in found),
        "kinds": list(Kind),
        "now": now,
    }
    return render(request, f"projects/watch.html{'#board' if request.htmx else ''}", values)


@login_required
@require_safe
def people(request: HttpRequest, key: str) -> HttpResponse:
    project, now = researched_project(request.user, key), timezone.now()
    asked = _asked(request)
    page = Paginator(people_asked(request, project, now), PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "people", "page": page, "asked": asked, "columns": [*_columns(asked["sort"])]}
    values |= {"states": State.choices, "kinds": list(Kind), "query": request.GET.urlencode(), "now": now}
    values["measuring"] = _measure_first(project, now)
    values["several_rounds"] = len(project.protocol.rounds) > 1
    values["pools"] = {pool.key: pool.title for round_ in project.protocol.rounds for pool in round_.design.rater_pools}
    values["filters"] = {name: value for name, value in request.GET.items() if name not in ("page", "place")}
    return render(request, "projects/watch_people.html", values)


def _measure_first(project: Project, now: datetime) -> bool:
    """Return whether the project has no statistics yet, and request them if so."""
    if ProjectStatistics.objects.filter(project=project, at__isnull=False).exists():
        return False
    if request_statistics(project, now):
        run_job.delay_on_commit("statistics", project.statistics.pk)
    return True


@login_required
@require_safe
def people_csv(request: HttpRequest, key: str) -> StreamingHttpResponse:
    """Return everybody whom the filters leave."""
    project = researched_project(request.user, key)

    def lines(rows: list[Participation]) -> list[dict[str, object]]:
        found = watched.written(rows, project.role)
        return [{name: harmless(value) for name, value in row.items()} for row in found]

    response = stream(CsvRenderer(), people_asked(request, project, timezone.now()), lines, watched.COLUMNS)
    response["Content-Disposition"] = f'attachment; filename="{project.key}-people.csv"'
    return response


def _asked(request: HttpRequest) -> dict[str, str]:
    query = {name: value.strip() for name, value in (request.POST or request.GET).items()}
    asked = {name: query.get(name, "") for name in ("state", "only", "find", "pool", "progress")}
    return asked | {"round_key": query.get("round", ""), "sort": query.get("sort") or "place"}


def people_asked(request: HttpRequest, project: Project, now: datetime) -> QuerySet[Participation]:
    """Return the people whom the filters of the address leave, in its order."""
    return watched.people_of(project, now=now, role=project.role, **_asked(request))


def _columns(sort: str) -> Any:
    """Yield the headings that sort the list, with their present and next direction."""
    titles = {
        "place": _("Annotator"),
        "answered": _("Answered"),
        "active": _("Active time"),
        "median": _("Time per screen"),
        "last": _("Last answer"),
        "flags": _("Flags"),
    }
    for key, title in titles.items():
        way = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
        first = key if key == "place" else f"-{key}"
        following = (f"-{key}" if way == "ascending" else key) if way else first
        yield {"key": key, "title": title, "way": way, "next": following, "number": key in watched.NUMBERS}


@login_required
@require_safe
def person(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = researched_project(request.user, key)
    participation = participation_of(project, pk)
    values = {"project": project, "tab": "people", "participation": participation, "options": options_of(project)}
    values |= {"round": project.round(participation.round), "statistics": getattr(participation, "statistics", None)}
    values |= {"sittings": watched.sittings(participation), "calibration": watched.calibration(participation)}
    values |= {"repeats": watched.repeats(participation), "times": watched.thinking_times(participation)}
    return render(request, "projects/watch_person.html", values)


def participation_of(project: Project, pk: int) -> Participation:
    """Return a taken place of the project; raise Http404 if there is none with this id."""
    people = Participation.objects.filter(project=project, annotator__isnull=False)
    participation = get_object_or_404(people.select_related("annotator__user", "statistics"), pk=pk)
    participation.project = project
    return participation


@login_required
@require_POST
def settle(request: HttpRequest, key: str, pk: int, kind: str) -> HttpResponse:
    """Mark a flag as reviewed."""
    participation = participation_of(managed_project(request.user, key), pk)
    with refusal_messages(request):
        settle_flag(participation=participation, kind=kind, actor=request.user, now=timezone.now())
        messages.success(request, _("Flag marked as reviewed."))
    return redirect("project-person", key=key, pk=pk)


@login_required
@require_http_methods(["GET", "POST"])
def options(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = WatchForm(request.POST or None, instance=options_of(project))
    if request.method == "POST" and form.is_valid():
        change_options(options=form.save(commit=False), actor=request.user, now=timezone.now())
        messages.success(request, _("Saved. The figures will be updated within a minute."))
        return redirect("project-watch", key=key)
    values = {"project": project, "tab": "watch", "form": form}
    return render(request, "projects/watch_options.html", values, status=422 if form.errors else 200)
