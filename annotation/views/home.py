"""The home page: a person's rounds and projects."""

from functools import partial

from django.contrib.auth.decorators import login_required
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.forms.tokens import TimeZoneForm
from annotation.middleware import zone
from annotation.models import Participation
from annotation.permissions import may_open_projects, researched_projects
from annotation.queries import with_maximum, with_progress
from annotation.views.joining import own_link


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "home/welcome.html")
    mine = Participation.objects.filter(annotator__user=request.user).select_related("project")
    mine = with_maximum(with_progress(mine)).order_by(F("finished_at").asc(nulls_first=True), "-pk")
    values = {"participations": mine, "now": timezone.now(), "own_link": partial(own_link, request)}
    values |= {"projects": researched_projects(request.user), "may_open_projects": may_open_projects(request.user)}
    return render(request, "home/home.html", values)


@login_required
@require_POST
def time_zone(request: HttpRequest) -> HttpResponse:
    """Store the browser's time zone with the account, for e-mails that name a time."""
    form = TimeZoneForm(request.POST)
    if not form.is_valid() or zone(form.cleaned_data["time_zone"]) is None:
        return HttpResponse(_("This is not a time zone."), status=422, content_type="text/plain")
    request.user.time_zone = form.cleaned_data["time_zone"]
    request.user.save(update_fields=["time_zone"])
    return HttpResponse(status=204)
