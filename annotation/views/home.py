"""The home page: a person's rounds and projects."""

from datetime import datetime
from functools import partial
from math import inf

from django.contrib.auth.decorators import login_required
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.forms.tokens import TimeZoneForm
from annotation.middleware import zone
from annotation.models import Participation, State
from annotation.permissions import may_open_projects, researched_projects
from annotation.planning.costs import minutes_for
from annotation.queries.people import ENDED, with_maximum, with_progress
from annotation.views.first_steps import first_steps
from annotation.views.joining import own_link


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "home/welcome.html")
    mine = Participation.objects.filter(annotator__user=request.user).select_related("project")
    mine = with_maximum(with_progress(mine)).order_by(F("finished_at").asc(nulls_first=True), "-pk")
    now = timezone.now()
    listed = sorted(mine, key=lambda one: _urgency(one, now))
    for one in listed:
        one.group, one.minutes_left = _group(one, now), _minutes_left(one)
        one.is_next = one is listed[0] and one.group == "open"
    values = {"participations": listed, "now": now, "own_link": partial(own_link, request)}
    values |= {"projects": researched_projects(request.user), "may_open_projects": may_open_projects(request.user)}
    values["first_steps"] = first_steps()
    return render(request, "home/home.html", values)


def _group(one: Participation, now: datetime) -> str:
    """Return the heading under which a round is listed: to be worked on, resting, or over."""
    closed = one.project.closed_at is not None and one.project.closed_at <= now
    if one.state in (State.FINISHED, *ENDED) or closed:
        return "over"
    return "resting" if one.state == State.RESTING and one.rest_until and one.rest_until > now else "open"


def _urgency(one: Participation, now: datetime) -> tuple[int, float, bool]:
    """Return the key that sorts the next task first: by group, deadline, and what was begun before what is new."""
    due = one.due_at.timestamp() if one.due_at else inf
    return ("open", "resting", "over").index(_group(one, now)), due, not one.answered


def _minutes_left(one: Participation) -> int | None:
    """Return how long the rest will take at the person's own speed, or at the usual speed before the first answer."""
    left = 0 if one.design.is_open else one.screens - one.answered
    seconds = one.mean_active_ms / 1000 if one.mean_active_ms else None
    return minutes_for(left, one.design.judgment, seconds) if left > 0 else None


@login_required
@require_POST
def time_zone(request: HttpRequest) -> HttpResponse:
    """Store the browser's time zone with the account, for emails that name a time."""
    form = TimeZoneForm(request.POST)
    if not form.is_valid() or zone(form.cleaned_data["time_zone"]) is None:
        return HttpResponse(_("This is not a valid time zone."), status=422, content_type="text/plain")
    request.user.time_zone = form.cleaned_data["time_zone"]
    request.user.save(update_fields=["time_zone"])
    return HttpResponse(status=204)
