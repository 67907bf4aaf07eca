"""The background jobs of a project, for its managers, and of all projects, for administrators."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.jobs.control import can_cancel, can_retry, cancel, listed_jobs, project_of, retry
from annotation.domain.jobs.kinds import Kind, every_kind, kind_named
from annotation.models import JobState, Project
from annotation.permissions import administrators_only, guard_administrator, managed_project
from annotation.tasks import run_job

A_PAGE = 50


@administrators_only
@require_safe
def all_jobs(request: HttpRequest) -> HttpResponse:
    return render(request, "jobs.html", _listed(request, None) | {"tab": "jobs"})


@login_required
@require_safe
def project_jobs(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    values = _listed(request, project) | {"project": project, "tab": "jobs"}
    return render(request, "projects/jobs.html", values)


def _listed(request: HttpRequest, project: Project | None) -> dict[str, Any]:
    asked = request.GET.get("state", "")
    state = asked if asked in JobState else ""
    page = Paginator(listed_jobs(project=project, state=state), A_PAGE).get_page(request.GET.get("page"))
    kinds = {kind.key: kind for kind in every_kind()}
    page.object_list = [_described(row, kinds[row["kind"]]) for row in page.object_list]
    return {"page": page, "state": state, "states": JobState.choices}


def _described(row: dict[str, Any], kind: Kind) -> dict[str, Any]:
    actions = {"can_retry": can_retry(kind, row["state"]), "can_cancel": can_cancel(kind, row["state"])}
    return row | actions | {"title": kind.title, "state_title": JobState(row["state"]).label}


@login_required
@require_POST
def act(request: HttpRequest, kind: str, pk: int, action: str, key: str = "") -> HttpResponse:
    """Retry or cancel a job, from the page of its project or from that of all projects."""
    project = managed_project(request.user, key) if key else guard_administrator(request.user)
    found = kind_named(kind)
    if found is None or not found.listed or action not in ("retry", "cancel"):
        raise Http404
    job = get_object_or_404(found.model, pk=pk)
    if project is not None and project_of(job) != project:
        raise Http404
    try:
        if action == "cancel":
            cancel(job=job, actor=request.user, now=timezone.now())
            messages.success(request, _("The job has been cancelled."))
        else:
            retry(job=job, actor=request.user, now=timezone.now())
            run_job.delay_on_commit(kind, pk)
            messages.success(request, _("The job has been queued again."))
    except Refusal as refusal:
        messages.warning(request, str(refusal))
    return redirect("project-jobs", key=key) if key else redirect("jobs")
