"""Quotas of groups of people, and the waiting lists of full rounds."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.recruiting.links import places_of
from annotation.domain.recruiting.mailings import sends_email
from annotation.domain.recruiting.quotas import quotas_of, remove_quota, set_quota
from annotation.forms.recruiting import QuotaForm
from annotation.forms.refusals import refusals
from annotation.permissions import managed_project

A_PAGE = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def quotas(request: HttpRequest, key: str) -> HttpResponse:
    """Show the quotas of a project with how far they are reached, and set one."""
    project = managed_project(request.user, key)
    form = QuotaForm(request.POST or None, project=project)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            set_quota(project=project, actor=request.user, now=timezone.now(), **form.request())
            messages.success(request, _("Saved."))
            return redirect("project-quotas", key=key)
    titles = {(round_.key, ""): round_.title for round_ in project.protocol.rounds} | places_of(project)
    rows = [
        {"quota": quota, "title": titles.get((quota.round, quota.pool), quota.round), "people": people}
        for quota, people in quotas_of(project)
    ]
    values = {"project": project, "tab": "quotas", "form": form, "rows": rows}
    return render(request, "projects/quotas.html", values, status=422 if form.errors else 200)


@login_required
@require_POST
def remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Remove a quota."""
    project = managed_project(request.user, key)
    remove_quota(quota=get_object_or_404(project.quotas, pk=pk), actor=request.user, now=timezone.now())
    messages.success(request, _("The quota was removed."))
    return redirect("project-quotas", key=key)


@login_required
@require_safe
def waiting(request: HttpRequest, key: str) -> HttpResponse:
    """Show who waits for a place, and who was invited from the list."""
    project = managed_project(request.user, key)
    page = Paginator(project.waiting.order_by("came_at", "pk"), A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "waiting", "page": page, "keeps_mail": not sends_email()}
    return render(request, "projects/waiting.html", values)
