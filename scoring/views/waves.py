"""The waves of a project's rounds: what was found after each, and what is still missing."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.permissions import researched_project
from scoring.domain.stopping.overview import rounds_in_waves


@login_required
@require_safe
def waves(request: HttpRequest, key: str) -> HttpResponse:
    project = researched_project(request.user, key)
    values = {"project": project, "tab": "watch", "rounds": list(rounds_in_waves(project))}
    return render(request, "projects/waves.html", values)
