"""Rehearsals: the request records the job, a worker does it, the page shows the progress."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.forms.refusals import refusals
from annotation.permissions import managed_project
from annotation.tasks import run_job
from annotation.views.confirming import Confirmation, confirm
from scoring.domain.rehearsals.jobs import discard_rehearsal, request_rehearsal
from scoring.forms.rehearsing import RehearsalForm

PER_PAGE = 20
FIGURES = {
    "split-half": gettext_lazy("Split-half reliability (Spearman)"),
    "full-length": gettext_lazy("Spearman–Brown corrected reliability"),
    "alpha-best": gettext_lazy("Krippendorff’s α, best"),
    "alpha-worst": gettext_lazy("Krippendorff’s α, worst"),
    "icc": gettext_lazy("Reliability of the means, ICC(1,k)"),
    "pearson": gettext_lazy("Correlation between two annotators (Pearson)"),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rehearsals(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = RehearsalForm(request.POST or None, initial={"seed": project.seed})
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            rehearsal = request_rehearsal(project=project, actor=request.user, **form.cleaned_data)
            run_job.delay_on_commit("rehearsal", rehearsal.pk)
            return redirect("project-rehearsal", key=key, pk=rehearsal.pk)
    rows = project.own_rehearsals.defer("results").order_by("-pk")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "setup", "form": form, "page": page}
    return render(request, "projects/rehearsals.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def rehearsal(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    found = get_object_or_404(project.own_rehearsals, pk=pk)
    part = "#rehearsal" if request.htmx else ""
    values = {"project": project, "tab": "setup", "rehearsal": found, "worker_alive": worker_is_alive(timezone.now())}
    figures = (found.results or {}).get("figures", [])
    values["figures"] = [figure | {"title": FIGURES[figure["name"]]} for figure in figures]
    return render(request, f"projects/rehearsal.html{part}", values)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def discard(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and delete a rehearsal."""
    project = managed_project(request.user, key)
    found = get_object_or_404(project.own_rehearsals, pk=pk)
    asked = Confirmation(
        title=_("Discard the rehearsal"),
        says=_(
            "The results of this rehearsal will be deleted. This cannot be undone, but a new rehearsal with the same "
            "random seed gives the same results as long as the project does not change."
        ),
        button=_("Discard the rehearsal"),
        done=_("Rehearsal discarded."),
        back=("project-rehearsal", {"key": key, "pk": pk}),
        after=("project-rehearsals", {"key": key}),
        danger=True,
        tab="setup",
    )
    return confirm(
        request, project, asked, lambda: discard_rehearsal(rehearsal=found, actor=request.user, now=timezone.now())
    )
