"""A project as its managers see it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.domain.recruiting import Invitation, write_invitation
from annotation.models import Participation, Project, State
from annotation.permissions import managed_project
from annotation.protocols.spec import CompleteDesign
from annotation.queries import round_counts


@login_required
@require_safe
def overview(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    counts = {row["round"]: row for row in round_counts(Participation.objects.filter(project=project))}
    rounds = [
        {"round": one, "counts": counts.get(one.key), "links": _links(request, project, one)}
        for one in project.protocol.rounds
    ]
    values = {
        "project": project,
        "rounds": rounds,
        "states": State.values,
        "items": project.items.count(),
        "incidents": project.incidents.count(),
        "plans": project.plans.all(),
    }
    return render(request, "projects/overview.html", values)


def _links(request: HttpRequest, project: Project, one) -> list[dict[str, str]]:
    """The links that invite to a round, one for each of its pools."""
    pools = one.design.pools if isinstance(one.design, CompleteDesign) else ()
    named = [(pool.key, pool.title) for pool in pools] or [("", one.title)]
    return [
        {
            "title": title,
            "url": request.build_absolute_uri(
                reverse("join", args=[write_invitation(Invitation(project.key, one.key, pool))])
            ),
        }
        for pool, title in named
    ]
