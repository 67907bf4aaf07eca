"""A project as its managers see it."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.domain.links import path_of, standing_links
from annotation.models import InvitationLink, Participation, Project, State
from annotation.permissions import managed_project
from annotation.protocols.spec import BestWorstDesign, CompleteDesign
from annotation.queries import done_plans, round_counts, tuple_counts


@login_required
@require_safe
def overview(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    counts = {row["round"]: row for row in round_counts(Participation.objects.filter(project=project))}
    standing = standing_links(project)
    rounds = [
        {"round": one, "counts": counts.get(one.key), "links": _links(request, standing, one)}
        for one in project.protocol.rounds
    ]
    compares = any(isinstance(one.design, BestWorstDesign) for one in project.protocol.rounds)
    values = {
        "project": project,
        "tab": "overview",
        "rounds": _with_tuples(project, rounds) if compares else rounds,
        "compares": compares,
        "states": State.values,
        "items": project.items.count(),
        "incidents": project.incidents.count(),
        "plans": project.plans.order_by("-pk")[:20],
    }
    return render(request, "projects/overview.html", values)


def _with_tuples(project: Project, rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Best-worst rounds with their tuples, the answers to them, and the plan that has the design's certificate."""
    tuples = {row["round"]: row for row in tuple_counts(project)}
    certified = done_plans(project).filter(certificate__isnull=False).order_by("pk").values_list("round", "pk")
    certificates = dict(certified)
    return [
        one | {"tuples": tuples.get(one["round"].key), "certificate": certificates.get(one["round"].key)}
        for one in rounds
    ]


def _links(request: HttpRequest, standing: list[InvitationLink], one) -> list[dict[str, str]]:
    """The standing links that invite to a round, one for each of its pools, without those that are withdrawn."""
    pools = one.design.pools if isinstance(one.design, CompleteDesign) else ()
    titles = {pool.key: pool.title for pool in pools}
    return [
        {"title": titles.get(link.pool, one.title), "url": request.build_absolute_uri(path_of(link))}
        for link in standing
        if link.round == one.key and link.revoked_at is None
    ]
