"""Runs: computed from a page, and read as the results section of a paper."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.waiting import worker_is_alive
from annotation.permissions import researched_project
from scoring.domain.reporting import collection_of
from scoring.domain.running.starting import start_run
from scoring.exports.report.methods import Paragraph, methods
from scoring.exports.report.sections import sections
from scoring.exports.report.tables import Table
from scoring.forms.results import RunForm
from scoring.models import Drawing, Run, State
from scoring.queries import with_parts
from scoring.tasks import begin_run

A_PAGE = 25


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever may read the data may have them computed, as over the API."""
    project = researched_project(request.user, key)
    form = RunForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            run = start_run(project=project, actor=request.user, **form.request())
            begin_run.delay_on_commit(run.pk)
            return redirect("project-run", key=key, number=run.number)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    listed = with_parts(project.runs.defer("results")).select_related("created_by").order_by("-number")
    values = {
        "project": project,
        "tab": "results",
        "form": form,
        "page": Paginator(listed, A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "projects/runs.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def run(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """How far a run is, and then its report."""
    project = researched_project(request.user, key)
    one = get_object_or_404(with_parts(project.runs.select_related("project", "created_by")), number=number)
    values = {"project": project, "tab": "results", "run": one, "worker_alive": worker_is_alive(timezone.now())}
    if request.htmx:
        return _again_when(one.state == State.DONE, render(request, "projects/run.html#run", values))
    if one.state == State.DONE:
        return render(request, "projects/report.html", values | report_of(one))
    return render(request, "projects/run.html", values)


@login_required
@require_safe
def drawings(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Whether the figures are drawn by now: the page of the report asks, and is then loaded again."""
    project = researched_project(request.user, key)
    one = get_object_or_404(project.runs.defer("results"), number=number, state=State.DONE)
    answer = render(request, "projects/report.html#drawing", {"project": project, "run": one})
    return _again_when(one.drawn_at is not None, answer)


def _again_when(ready: bool, response: HttpResponse) -> HttpResponse:
    """Has htmx load the page again when there is more to see than the part that it asked for."""
    if ready:
        response["HX-Refresh"] = "true"
    return response


@dataclass(frozen=True)
class Chapter:
    """A section with its tables and drawings, each with the number under which it is cited."""

    title: str
    tables: list[tuple[int, Table]]
    figures: list[tuple[int, Drawing]]


def report_of(one: Run) -> dict[str, list[Chapter] | list[Paragraph] | str]:
    drawn = {drawing.name: drawing for drawing in one.drawings.defer("svg", "png", "csv")}
    found = sections(one.results, list(drawn))
    tables, figures = iter(range(1, 10_000)), iter(range(1, 10_000))
    chapters = [
        Chapter(
            section.title,
            [(next(tables), table) for table in section.tables],
            [(next(figures), drawn[name]) for name in section.figures],
        )
        for section in found
    ]
    try:
        return {"chapters": chapters, "methods": methods(collection_of(one))}
    except (ValueError, OSError) as error:
        return {"chapters": chapters, "methods": [], "no_methods": str(error)}
