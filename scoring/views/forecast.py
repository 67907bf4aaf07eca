"""The planning aid: people, hours, money and reliability of a round, before or while it runs."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.domain.errors import Refusal
from annotation.permissions import managed_project
from scoring.domain.forecasts.costs import Wish
from scoring.domain.forecasts.forecasts import outlook
from scoring.forms.forecast import ForecastForm


@login_required
@require_safe
def forecast(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form at once; a simulation takes longer, so the page asks for that of the present setup afterwards."""
    project = managed_project(request.user, key)
    form = ForecastForm(request.GET if "round" in request.GET else None, project=project)
    values = {"project": project, "tab": "forecast", "form": form, "later": not request.GET}
    if request.GET and (not form.is_bound or form.is_valid()):
        values |= _simulated(form.wish())
    failed = bool(form.errors) or "problem" in values
    template = f"projects/forecast.html{'#outlook' if request.htmx else ''}"
    return render(request, template, values, status=422 if failed else 200)


def _simulated(wish: Wish) -> dict[str, Any]:
    """Return the request with its forecast, or with why there is none."""
    try:
        return {"wish": wish, "outlook": outlook(wish)}
    except Refusal as refusal:
        return {"wish": wish, "problem": str(refusal)}
