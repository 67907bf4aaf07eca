"""Models that answer a round as annotators do: added, started, watched and stopped; their results."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.jobs.control import cancel
from annotation.domain.jobs.worker import worker_is_alive
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import Project
from annotation.permissions import managed_project, manages, owned_project, researched_project
from annotation.tasks import run_job
from annotation.views.confirming import Confirmation, confirm
from scoring.domain.machines.adding import add_machine, change_machine, is_working, remove_machine
from scoring.domain.machines.costs import Forecast, forecast_of, spent_by
from scoring.domain.machines.jobs import start_machine
from scoring.exports.report.machines import machines as tables_of
from scoring.exports.report.tables import Table
from scoring.forms.machines import BudgetForm, MachineForm
from scoring.models import Machine, MachineAnswer, MachineScreen, State
from scoring.queries import part_of_results

A_PAGE = 25
LATEST = 10  # answers that the page of a model shows


@login_required
@require_safe
def machines(request: HttpRequest, key: str) -> HttpResponse:
    """List the models of a project, for everybody who may read its data."""
    project = researched_project(request.user, key)
    listed = project.machines.select_related("run").annotate(cost=Sum("screens__answers__cost")).order_by("pk")
    page = Paginator(listed, A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "models", "page": page, "owns": _owns(project)}
    return render(request, "projects/models.html", values)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, key: str) -> HttpResponse:
    project = owned_project(request.user, key)
    form = MachineForm(request.POST or None, project=project)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            made = add_machine(project=project, actor=request.user, now=timezone.now(), values=form.cleaned_data)
            return redirect("project-model", key=key, pk=made.pk)
    values = {"project": project, "tab": "models", "form": form}
    return render(request, "projects/model_new.html", values, status=422 if form.errors else 200)


@login_required
@require_safe
def machine(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show a model with its settings, its progress, its latest answers and its results; the progress polls."""
    project = researched_project(request.user, key)
    found = _found(project, pk)
    values: dict[str, Any] = {"project": project, "tab": "models", "machine": found, "working": is_working(found)}
    values["given_up"] = found.screens.filter(state=MachineScreen.State.GIVEN_UP).count()
    values |= {"spent": spent_by(found), "owns": _owns(project), "manages": manages(project)}
    values["worker_alive"] = worker_is_alive(timezone.now())
    answers = MachineAnswer.objects.filter(screen__machine=found)
    values["latest"] = answers.select_related("screen__item", "screen__tuple", "best", "worst").order_by("-pk")[:LATEST]
    if request.htmx:
        response = render(request, "projects/model.html#progress", values)
        if not values["working"]:
            response["HX-Refresh"] = "true"
        return response
    values |= _forecast(found) if not values["working"] else {}
    return render(request, "projects/model.html", values | {"tables": _tables(found)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask before a model is started, with what it will cost."""
    project = owned_project(request.user, key)
    found = _found(project, pk)

    def act() -> None:
        run = start_machine(machine=found, actor=request.user, now=timezone.now())
        run_job.delay_on_commit("machine", run.pk)

    asked = Confirmation(
        title=_("Start %(name)s?") % {"name": found.name},
        says=_said(found),
        button=_("Start model"),
        done=_("Model started."),
        back=_page(found),
        tab="models",
    )
    return confirm(request, project, asked, act)


@login_required
@require_POST
def stop(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    found = _found(managed_project(request.user, key), pk)
    with refusal_messages(request):
        if is_working(found):
            cancel(job=found.run, actor=request.user, now=timezone.now())
            messages.success(request, _("Model stopped. Its answers are kept."))
    return redirect("project-model", key=key, pk=pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def budget(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = owned_project(request.user, key)
    found = _found(project, pk)
    form = BudgetForm(request.POST or None, initial={"budget": found.budget})
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            change_machine(machine=found, actor=request.user, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("project-model", key=key, pk=pk)
    values = {"project": project, "tab": "models", "machine": found, "form": form}
    return render(request, "projects/model_budget.html", values, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = owned_project(request.user, key)
    found = _found(project, pk)
    asked = Confirmation(
        title=_("Remove %(name)s?") % {"name": found.name},
        says=_("The model and all its answers are deleted. This cannot be undone. Finished releases keep their files."),
        button=_("Remove model"),
        done=_("Model removed."),
        back=_page(found),
        after=("project-models", {"key": key}),
        danger=True,
        tab="models",
    )
    return confirm(
        request, project, asked, lambda: remove_machine(machine=found, actor=request.user, now=timezone.now())
    )


def _owns(project: Project) -> bool:
    return bool(project.role == "owner")


def _found(project: Project, pk: int) -> Machine:
    found = get_object_or_404(project.machines.select_related("run"), pk=pk)
    found.project = project
    return found


def _page(found: Machine) -> tuple[str, dict[str, Any]]:
    return "project-model", {"key": found.project.key, "pk": found.pk}


def _forecast(found: Machine) -> dict[str, Any]:
    """Return the forecast, or why there is none."""
    try:
        return {"forecast": forecast_of(found)}
    except Refusal as error:
        return {"no_forecast": str(error)}


def _said(found: Machine) -> str:
    """Return what a start will do and cost, in words."""
    forecast = _forecast(found).get("forecast")
    return _in_words(found, forecast) if forecast else _("Nothing is left to answer.")


def _in_words(found: Machine, forecast: Forecast) -> str:
    screens = ngettext(
        "The model answers %(number)s screen of round %(round)s. Minimum time: %(minutes)s min.",
        "The model answers %(number)s screens of round %(round)s. Minimum time: %(minutes)s min.",
        forecast.requests,
    )
    screens %= {"number": forecast.requests, "round": found.round, "minutes": forecast.minutes}
    cost = _("Expected cost: about %(cost)s, at most %(most)s. Budget: %(budget)s.") % {
        "cost": f"{forecast.cost:.2f}",
        "most": f"{forecast.most:.2f}",
        "budget": _("none") if found.budget is None else found.budget,
    }
    return f"{screens} {cost} " + _("You can stop it at any time. Stored answers are kept and never paid for twice.")


def _tables(found: Machine) -> list[Table]:
    """Return the results of the model in the latest scoring run; none before there is one with its answers."""
    run = found.project.runs.filter(state=State.DONE).defer("results").order_by("-number").first()
    results = part_of_results(run, "machines") if run else None
    arms = [arm for arm in (results or {}).get("arms", []) if arm["name"] == found.name]
    return list(tables_of({"machines": {"arms": arms}})) if arms else []
