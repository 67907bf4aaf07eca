"""Releases: asked for on a page, made by a worker, and then there to be looked through and downloaded."""

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

from annotation.domain.errors import Refusal
from annotation.domain.waiting import worker_is_alive
from annotation.models import Project
from annotation.permissions import managed_project, researched_project
from annotation.texts import page_from_markdown
from scoring.api.archives import download_all
from scoring.api.files import download
from scoring.domain.leaderboards import open_leaderboard
from scoring.domain.releasing.citing import bibtex, citation
from scoring.domain.releasing.jobs import request_release
from scoring.domain.releasing.shelf import data_card
from scoring.forms.results import LICENCES, ReleaseForm
from scoring.models import Release, ReleaseFile, State
from scoring.tasks import make_release
from scoring.views.boards import csv_of, table_of

A_PAGE = 25


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def releases(request: HttpRequest, key: str) -> HttpResponse:
    find = managed_project if request.method == "POST" else researched_project
    project = find(request.user, key)
    form = None if project.role == "researcher" else ReleaseForm(request.POST or None, project=project)
    if request.method == "POST" and form.is_valid():
        try:
            made = request_release(project=project, actor=request.user, **form.request())
            make_release.delay_on_commit(made.pk)
            return redirect("project-release", key=key, number=made.number)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    values = {
        "project": project,
        "tab": "releases",
        "form": form,
        "licences": LICENCES,
        "page": Paginator(with_sizes(project), A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "projects/releases.html", values, status=422 if form and form.errors else 200)


def with_sizes(project: Project) -> QuerySet[Release]:
    """The releases, the newest first, each with the number of its run and the size of all its files."""
    files = ReleaseFile.objects.filter(release=OuterRef("pk")).order_by().values("release")
    sizes = Subquery(files.annotate(size=Sum("size")).values("size"))
    lean = project.releases.select_related("run").defer("manifest", "run__results", "run__parameters")
    return lean.annotate(bytes=sizes).order_by("-number")


@login_required
@require_safe
def release(request: HttpRequest, key: str, number: int) -> HttpResponse:
    project = researched_project(request.user, key)
    one = found(project, number)
    values = {"project": project, "tab": "releases", "release": one, "worker_alive": worker_is_alive(timezone.now())}
    if one.state == State.DONE:
        files = list(one.files.all())
        values |= {
            "files": [own for own in files if "/" not in own.name],
            "figures": [own for own in files if "/" in own.name],
            "bytes": sum(own.size for own in files),
            "card": page_from_markdown(data_card(one)),
            "citation": citation(one),
            "bibtex": bibtex(one),
            "table": table_of(one, request.GET),
            "api": request.build_absolute_uri(reverse("api:release", args=[key, number])),
            "evaluations": request.build_absolute_uri(reverse("api:evaluations", args=[key])),
        }
    part = "#release" if request.htmx else ""
    return render(request, f"projects/release.html{part}", values)


def found(project: Project, number: int) -> Release:
    one = get_object_or_404(project.releases.select_related("run", "created_by").defer("run__results"), number=number)
    one.project = project
    return one


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
def as_csv(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """How models did, for whoever may read the project's data."""
    return csv_of(found(researched_project(request.user, key), number), request.GET)


@login_required
@require_POST
def leaderboard(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Opens the leaderboard to everybody, or closes it."""
    one = found(managed_project(request.user, key), number)
    opened = request.POST.get("open") == "1"
    try:
        open_leaderboard(release=one, opened=opened, actor=request.user, now=timezone.now())
        told = _("The leaderboard is open to everybody.") if opened else _("The leaderboard is closed.")
        messages.success(request, told)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-release", key=key, number=number)
