"""Runs: started from a page, and shown as the results section of a paper."""

import re
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.forms.refusals import refusals
from annotation.permissions import researched_project
from annotation.tasks import run_job
from scoring.domain.evaluations.seeds import models_of
from scoring.domain.releases.report import collection_of, results_with_answers, results_with_parts
from scoring.domain.runs.starting import start_run
from scoring.exports.report.methods import Paragraph, methods
from scoring.exports.report.models import models
from scoring.exports.report.sections import Section, sections
from scoring.exports.report.tables import Table
from scoring.figures.drawing import PIXELS
from scoring.forms.results import RunForm
from scoring.models import Run, RunFigure, State
from scoring.summaries.tree import SHAPE

A_PAGE = 25
SVG_HEAD = 400  # characters, with the size
SIZE = re.compile(r'\b(width|height)="(\d+)')


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: HttpRequest, key: str) -> HttpResponse:
    """List the runs, and start one; everybody who may read the data may do so, as over the API."""
    project = researched_project(request.user, key)
    form = RunForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            run = start_run(project=project, actor=request.user, **form.request())
            run_job.delay_on_commit("run", run.pk)
            return redirect("project-run", key=key, number=run.number)
    listed = project.runs.defer("results").select_related("created_by").order_by("-number")
    page = Paginator(listed, A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "results", "form": form, "page": page}
    return render(request, "projects/runs.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def run(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Show the progress of a run, then its report."""
    project = researched_project(request.user, key)
    found = get_object_or_404(project.runs.select_related("project", "created_by"), number=number)
    values = {"project": project, "tab": "results", "run": found, "worker_alive": worker_is_alive(timezone.now())}
    if request.htmx:
        return _again_when(found.state == State.DONE, render(request, "projects/run.html#run", values))
    if found.state == State.DONE:
        earlier = found.results.get("shape", 1) < SHAPE
        return render(request, "projects/report.html", values | report_of(found) | {"earlier": earlier})
    return render(request, "projects/run.html", values)


@login_required
@require_safe
def drawings(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Tell whether the figures are drawn: the page of the report polls, and is then loaded again."""
    project = researched_project(request.user, key)
    found = get_object_or_404(project.runs.defer("results"), number=number, state=State.DONE)
    answer = render(request, "projects/report.html#drawing", {"project": project, "run": found})
    return _again_when(found.drawn_at is not None, answer)


def _again_when(ready: bool, response: HttpResponse) -> HttpResponse:
    """Make htmx reload the page when there is more to see than the part that it requested."""
    if ready:
        response["HX-Refresh"] = "true"
    return response


@dataclass(frozen=True)
class Chapter:
    """A section with its tables and figures, each with its number."""

    title: str
    tables: list[tuple[int, Table]]
    figures: list[tuple[int, RunFigure]]


def _evaluated(run: Run) -> list[Section]:
    """Return the section of the models that were evaluated on releases of the run; none without models."""
    releases = run.releases.filter(state=State.DONE).defer("manifest").order_by("number")
    tables = tuple(table for release in releases for table in models(release.number, models_of(release)))
    return [Section("Models", tables, ())] if tables else []


def _with_size(drawing: RunFigure) -> RunFigure:
    """Return a figure with its width and height in pixels, and whether it is as wide as a page."""
    drawing.size = {name: int(number) for name, number in SIZE.findall(drawing.head)}
    drawing.wide = drawing.size.get("width", 0) > PIXELS["column"]
    return drawing


def _described(run: Run) -> tuple[dict[str, Any], list[Paragraph], str]:
    """Return the results with what is not stored in the run, the methods, and why there are none."""
    try:
        collection = collection_of(run)
        return results_with_answers(run, collection), list(methods(collection)), ""
    except (ValueError, OSError) as error:
        return results_with_parts(run), [], str(error)


def report_of(run: Run) -> dict[str, list[Chapter] | list[Paragraph] | str]:
    stored = run.figures.defer("svg", "png", "csv").annotate(head=Left("svg", SVG_HEAD))
    drawn = {drawing.name: _with_size(drawing) for drawing in stored}
    results, paragraphs, no_methods = _described(run)
    found = [*sections(results, list(drawn)), *_evaluated(run)]
    tables, figures = iter(range(1, 10_000)), iter(range(1, 10_000))
    chapters = [
        Chapter(
            section.title,
            [(next(tables), table) for table in section.tables],
            [(next(figures), drawn[name]) for name in section.figures],
        )
        for section in found
    ]
    return {"chapters": chapters, "methods": paragraphs, "no_methods": no_methods}
