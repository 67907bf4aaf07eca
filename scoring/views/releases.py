"""Releases: requested on a page, made by a worker, then shown and downloaded."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import Project
from annotation.permissions import managed_project, manages, researched_project
from annotation.tasks import run_job
from annotation.texts import page_from_markdown
from scoring.api.archives import archive_name, download_all
from scoring.api.files import download
from scoring.api.outgoing import download_for
from scoring.domain.evaluations.leaderboards import open_leaderboard
from scoring.domain.releases.citation import bibtex, citation
from scoring.domain.releases.jobs import request_release
from scoring.domain.releases.release_storage import data_card
from scoring.exports.loading import configurations, loading
from scoring.exports.outgoing import OUTGOING
from scoring.forms.results import LICENCES, ReleaseForm
from scoring.models import Release, ReleaseFile, State
from scoring.views.boards import csv_of, table_of

A_PAGE = 25


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def releases(request: HttpRequest, key: str) -> HttpResponse:
    find = managed_project if request.method == "POST" else researched_project
    project = find(request.user, key)
    form = ReleaseForm(request.POST or None, project=project) if manages(project) else None
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            made = request_release(project=project, actor=request.user, **form.request())
            run_job.delay_on_commit("release", made.pk)
            return redirect("project-release", key=key, number=made.number)
    page = Paginator(with_sizes(project), A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "releases", "form": form, "licences": LICENCES, "page": page}
    return render(request, "projects/releases.html", values, status=422 if form and form.errors else 200)


def with_sizes(project: Project) -> QuerySet[Release]:
    """Return the releases, the newest first, each with the number of its run and the size of all its files."""
    files = ReleaseFile.objects.filter(release=OuterRef("pk")).order_by().values("release")
    sizes = Subquery(files.annotate(size=Sum("size")).values("size"))
    lean = project.releases.select_related("run").defer("manifest", "run__results", "run__parameters")
    return lean.annotate(bytes=sizes).order_by("-number")


@login_required
@require_safe
def release(request: HttpRequest, key: str, number: int) -> HttpResponse:
    project = researched_project(request.user, key)
    made = found(project, number)
    values = {"project": project, "tab": "releases", "release": made, "worker_alive": worker_is_alive(timezone.now())}
    if made.state == State.DONE:
        files, card = list(made.files.all()), data_card(made)
        values |= {
            "files": [file for file in files if "/" not in file.name],
            "figures": [file for file in files if "/" in file.name],
            "bytes": sum(file.size for file in files),
            "card": page_from_markdown(card.partition("\n---\n")[2]),
            "loading": loading(configurations(card), archive=archive_name(made)),
            "citation": citation(made),
            "bibtex": bibtex(made),
            "table": table_of(made, request.GET),
            "api": request.build_absolute_uri(reverse("api:release", args=[key, number])),
            "programs": OUTGOING,
            "evaluations": request.build_absolute_uri(reverse("api:evaluations", args=[key])),
        }
    part = "#release" if request.htmx else ""
    return render(request, f"projects/release.html{part}", values)


def found(project: Project, number: int) -> Release:
    made = get_object_or_404(project.releases.select_related("run", "created_by").defer("run__results"), number=number)
    made.project = project
    return made


@login_required
@require_safe
def file(request: HttpRequest, key: str, number: int, name: str) -> HttpResponseBase:
    return download(request, researched_project(request.user, key), number, name)


@login_required
@require_safe
def archive(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    return download_all(request, researched_project(request.user, key), number)


@login_required
@require_safe
def converted(request: HttpRequest, key: str, number: int, program: str) -> HttpResponseBase:
    return download_for(request, researched_project(request.user, key), number, program)


@login_required
@require_safe
def as_csv(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the models' figures to people who may read the project's data."""
    return csv_of(found(researched_project(request.user, key), number), request.GET)


@login_required
@require_POST
def leaderboard(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Open the leaderboard to everybody, or close it."""
    made = found(managed_project(request.user, key), number)
    opened = request.POST.get("open") == "1"
    with refusal_messages(request):
        open_leaderboard(release=made, opened=opened, actor=request.user, now=timezone.now())
        text = _("The leaderboard is now public.") if opened else _("The leaderboard is now private.")
        messages.success(request, text)
    return redirect("project-release", key=key, number=number)
