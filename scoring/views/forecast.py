"""The planning aid: people, hours, money and reliability of a round, before or while it runs."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.domain.errors import Refusal
from annotation.permissions import managed_project
from scoring.domain.forecasts.forecasts import outlook
from scoring.forms.forecast import ForecastForm


@login_required
@require_safe
def forecast(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = ForecastForm(request.GET if "round" in request.GET else None, project=project)
    values = {"project": project, "tab": "forecast", "form": form}
    if not form.is_bound or form.is_valid():
        wish = form.wish()
        values["wish"] = wish
        try:
            values["outlook"] = outlook(wish)
        except Refusal as refusal:
            values["problem"] = str(refusal)
    failed = bool(form.errors) or "problem" in values
    return render(request, "projects/forecast.html", values, status=422 if failed else 200)
