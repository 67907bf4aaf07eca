"""The overview of a project for its managers."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.domain.recruiting.links import path_of, standing_links
from annotation.models import InvitationLink, Participation, Project, State
from annotation.permissions import managed_project
from annotation.protocols.spec import Round
from annotation.queries import done_plans, round_counts, shared_counts


@login_required
@require_safe
def overview(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    counts = {row["round"]: row for row in round_counts(Participation.objects.filter(project=project))}
    standing = standing_links(project)
    rounds = [
        {"round": round_, "counts": counts.get(round_.key), "links": _links(request, standing, round_)}
        for round_ in project.protocol.rounds
    ]
    compares = project.protocol.compares
    values = {"project": project, "tab": "overview", "compares": compares, "states": State.values}
    values |= {"items": project.items.count(), "incidents": project.incidents.count()}
    together = compares or any(round_.design.is_open for round_ in project.protocol.rounds)
    values["rounds"] = _with_shared(project, rounds) if together else rounds
    values["plans"] = project.plans.order_by("-pk")[:20]
    return render(request, "projects/overview.html", values)


def _with_shared(project: Project, rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rounds with the answers that are counted together, and the plan with the certificate of a best-worst
    design."""
    shared = shared_counts(project)
    certified = done_plans(project).filter(certificate__isnull=False).order_by("pk")
    certificates = dict(certified.values_list("round", "pk"))
    keys = [values["round"].key for values in rounds]
    return [
        values | {"shared": shared.get(key), "certificate": certificates.get(key)}
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
