"""The list of projects, and the overview of one for its managers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from annotation.domain.recruiting.links import path_of, standing_links
from annotation.models import InvitationLink, Participation, Project, ProjectState, State
from annotation.models.jobs import NOT_ENDED
from annotation.permissions import managed_project, may_open_projects, researched_projects
from annotation.protocols.spec import Round
from annotation.queries.people import round_counts
from annotation.queries.projects import done_plans
from annotation.tasks import run_job
from annotation.views.checklist import steps_of
from annotation.views.first_steps import first_steps, first_steps_of
from scoring.domain.monitoring.progress import progress_of
from scoring.domain.monitoring.standing import NextStep, Standing, next_step, standings
from scoring.domain.monitoring.statistics import request_statistics

PAGE = 20
OPEN = {"closed_at__isnull": True, "draft": False}
STATES = {
    ProjectState.DRAFT: Q(draft=True),
    ProjectState.RUNNING: Q(**OPEN, paused_at__isnull=True),
    ProjectState.PAUSED: Q(**OPEN, paused_at__isnull=False),
    ProjectState.CLOSED: Q(draft=False, closed_at__isnull=False),
}


@login_required
@require_safe
def all_projects(request: HttpRequest) -> HttpResponse:
    """List the projects that the person may see, searched and filtered by their state."""
    find, state = request.GET.get("find", "").strip(), request.GET.get("state", "")
    found = researched_projects(request.user)
    if find:
        found = found.filter(Q(title__icontains=find) | Q(key__icontains=find))
    if state in STATES:
        found = found.filter(STATES[ProjectState(state)])
    page = Paginator(found.order_by("-created_at", "-pk"), PAGE).get_page(request.GET.get("page"))
    found_standings = standings(list(page.object_list), timezone.now())
    values = {"page": page, "standings": found_standings, "find": find, "measuring": _measure(found_standings)}
    values |= {"state": state, "states": ProjectState.choices, "may_open_projects": may_open_projects(request.user)}
    values["first_steps"] = first_steps()
    return render(request, f"projects/all.html{'#list' if request.htmx else ''}", values)


def _measure(found: Sequence[Standing]) -> bool:
    """Request the first statistics of projects that have none, and return whether there are such projects."""
    unmeasured = [standing.project for standing in found if standing.measuring]
    for project in unmeasured:
        _request_statistics(project)
    return bool(unmeasured)


def _request_statistics(project: Project) -> None:
    if request_statistics(project, timezone.now()):
        run_job.delay_on_commit("statistics", project.statistics.pk)


@dataclass(frozen=True)
class Step:
    """The next step as it is shown."""

    title: str | Promise
    says: str | Promise
    button: str | Promise
    url: str


STEPS = {
    NextStep.LAUNCH: (_("Launch the project"), _("All required steps are complete."), _("Launch"), "project-launch"),
    NextStep.PLAN: (_("Plan a round"), _("Assign items to annotators."), _("Plan a round"), "project-plans"),
    NextStep.RECRUIT: (
        *(_("Recruit annotators"), _("No annotators have started yet. Send out the links.")),
        *(_("Recruit annotators"), "project-recruiting"),
    ),
    NextStep.REVIEW: (_("Review annotators"), "", _("Review"), "project-people"),
    NextStep.MEASURE: (
        *(_("Measuring…"), _("Progress, times and flags are being computed for the first time.")),
        *(_("Progress"), "project-watch"),
    ),
    NextStep.WAIT: (_("Answers are coming in"), _("Nothing needs your attention."), _("Progress"), "project-watch"),
    NextStep.COMPUTE: (_("Compute the results"), _("All answers are in."), _("Results"), "project-runs"),
    NextStep.COMPUTING: (
        *(_("Computing the results…"), _("The results appear here when they are ready.")),
        *(_("Results"), "project-runs"),
    ),
    NextStep.RELEASE: (_("Create a release"), _("Results are ready."), _("Releases"), "project-releases"),
    NextStep.RESUME: (
        *(_("Resume the project"), _("The project is paused. Annotators get no new screens.")),
        *(_("Resume"), "project-intervene"),
    ),
}
"""Title, explanation, button and route of each step."""


def _step(standing: Standing) -> Step | None:
    """Return the next step in words; None where nothing is left to do."""
    project = standing.project
    steps = list(steps_of(project)) if project.state == ProjectState.DRAFT else []
    missing = next((step for step in steps if step.missing), None)
    step, round_key = next_step(standing, may_launch=missing is None)
    if missing is not None:
        return Step(missing.title, missing.detail, _("Open"), missing.url)
    if step not in STEPS:
        return None
    title, says, button, route = STEPS[step]
    if step == NextStep.REVIEW:
        people = ngettext(
            "%(number)s annotator needs review.", "%(number)s annotators need review.", standing.attention
        )
        says = people % {"number": standing.attention}
    action = ["resume"] if step == NextStep.RESUME else []
    query = {NextStep.PLAN: f"?round={round_key}", NextStep.REVIEW: "?only=attention"}.get(step, "")
    return Step(title, says, button, reverse(route, args=[project.key, *action]) + query)


@login_required
@require_safe
def overview(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    (standing,) = standings([project], timezone.now())
    values = {"project": project, "tab": "overview", "standing": standing, "step": _step(standing)}
    values |= {"measuring": standing.measuring} | _results(project)
    if standing.people:
        _request_statistics(project)
    if request.htmx:
        return render(request, "projects/overview.html#standing", values)
    values["first_steps"] = first_steps_of(request, project, joined=standing.people > 0)
    return render(request, "projects/overview.html", values | _of_rounds(request, project))


def _results(project: Project) -> dict[str, Any]:
    """Return the last run and the last release, and whether one of them is still being computed."""
    run = project.runs.defer("results").order_by("-number").first()
    release = project.releases.defer("manifest").order_by("-number").first()
    computing = any(last is not None and last.state in NOT_ENDED for last in (run, release))
    return {"run": run, "release": release, "computing": computing}


def _of_rounds(request: HttpRequest, project: Project) -> dict[str, Any]:
    """Return the material, rounds and plans of a project."""
    counts = {row["round"]: row for row in round_counts(Participation.objects.filter(project=project))}
    links = standing_links(project)
    rounds = [
        {"round": round_, "counts": counts.get(round_.key), "links": _links(request, links, round_)}
        for round_ in project.protocol.rounds
    ]
    compares = project.protocol.compares
    values = {"compares": compares, "states": State.values}
    values |= {"items": project.items.count(), "incidents": project.incidents.count()}
    together = compares or any(round_.design.is_open for round_ in project.protocol.rounds)
    values["rounds"] = _with_shared(project, rounds) if together else rounds
    return values | {"plans": project.plans.order_by("-pk")[:20]}


def _with_shared(project: Project, rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rounds with the answers that are counted together, and the plan with the certificate of a best-worst
    design."""
    progress = progress_of(project, timezone.now()).rounds
    certified = done_plans(project).filter(certificate__isnull=False).order_by("pk")
    certificates = dict(certified.values_list("round", "pk"))
    keys = [values["round"].key for values in rounds]
    return [
        values | {"shared": progress[key].shared, "certificate": certificates.get(key)}
        for key, values in zip(keys, rounds, strict=True)
    ]


def _links(request: HttpRequest, standing: list[InvitationLink], round_: Round) -> list[dict[str, str]]:
    """Return the standing links of a round that are not withdrawn, one for each of its pools."""
    titles = {pool.key: pool.title for pool in round_.design.rater_pools}
    return [
        {"title": titles.get(link.pool, round_.title), "url": request.build_absolute_uri(path_of(link))}
        for link in standing
        if link.round == round_.key and link.revoked_at is None
    ]
