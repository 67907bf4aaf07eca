"""Two releases compared on a page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.forms.refusals import refusals
from annotation.permissions import researched_project
from scoring.domain.releases.comparing import comparison_of
from scoring.forms.comparing import ComparisonForm
from scoring.summaries.releases.wording import blocks_of


@login_required
@require_safe
def compare(request: HttpRequest, key: str) -> HttpResponse:
    project = researched_project(request.user, key)
    form = ComparisonForm(request.GET or None, project=project, user=request.user)
    blocks = []
    if form.is_valid():
        with refusals(form):
            blocks = list(blocks_of(comparison_of(*form.chosen())))
    values = {"project": project, "tab": "releases", "form": form, "blocks": blocks}
    return render(request, "projects/compare.html", values, status=422 if form.errors else 200)
