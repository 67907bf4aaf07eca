"""Planning of rounds from a page: the request records the plan, a worker makes it, the page shows the progress."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.jobs.worker import worker_is_alive
from annotation.domain.planning.jobs import extension_ahead, request_plan
from annotation.forms.plans import PlanForm
from annotation.forms.refusals import refusals
from annotation.permissions import managed_project
from annotation.tasks import run_job


@login_required
@require_http_methods(["GET", "POST"])
def plans(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = PlanForm(request.POST or None, project=project, initial={"round": request.GET.get("round")})
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            plan = request_plan(project=project, actor=request.user, **form.request())
            run_job.delay_on_commit("plan", plan.pk)
            return redirect("project-plan", key=key, pk=plan.pk)
    ahead = [(round_, extension_ahead(project, round_)) for round_ in project.protocol.rounds]
    values = {"project": project, "tab": "plans", "form": form, "plans": project.plans.order_by("-pk")[:50]}
    values["extensions"] = [(round_, extension) for round_, extension in ahead if extension]
    return render(request, "projects/plans.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    plan = get_object_or_404(project.plans.select_related("created_by"), pk=pk)
    part = "#plan" if request.htmx else ""
    # An outcome may have an entry `items`, which a template would take for the method.
    outcome = [*plan.outcome.items(), ("seed", plan.seed)]
    values = {"project": project, "tab": "plans", "plan": plan, "outcome": outcome}
    values["worker_alive"] = worker_is_alive(timezone.now())
    return render(request, f"projects/plan.html{part}", values)


@login_required
@require_safe
def certificate(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Return the certificate of a best-worst design as a file."""
    project = managed_project(request.user, key)
    plan = get_object_or_404(project.plans.filter(certificate__isnull=False), pk=pk)
    name = f"{project.key}-{plan.round}-certificate-{plan.pk}.json"
    response = JsonResponse(plan.certificate, json_dumps_params={"indent": 2})
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
