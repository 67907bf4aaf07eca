"""What surrounds the screens: joining, consent, guidelines, the pause, leaving."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from icalendar import Alarm, Calendar, Event

from annotation.domain import participation as participations
from annotation.domain.errors import Refusal
from annotation.domain.recruiting import join_round, read_invitation
from annotation.forms import LeaveForm
from annotation.models import Project
from annotation.permissions import own_participation, signed_in
from annotation.protocols.errors import ProtocolError
from annotation.texts import page_from_markdown


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invitation = read_invitation(token)
        project = get_object_or_404(Project, key=invitation.project)
        round_ = project.round(invitation.round)
    except (Refusal, ProtocolError) as error:
        return render(request, "work/refused.html", {"problem": error}, status=404)
    if request.method == "POST" and request.user.is_authenticated:
        try:
            place = join_round(project=project, round_key=round_.key, user=request.user, pool=invitation.pool)
            return redirect("work", pk=place.pk)
        except Refusal as error:
            return render(request, "work/refused.html", {"problem": error, "project": project}, status=409)
    return render(request, "work/join.html", {"project": project, "round": round_})


@signed_in
@require_http_methods(["GET", "POST"])
def consent(request: HttpRequest, pk: int) -> HttpResponse:
    """A login that ran out leads back here by GET: the person then sees the page once more."""
    participation = own_participation(request.user, pk)
    if request.method == "POST":
        participations.consent(participation_id=participation.pk, now=timezone.now())
    return redirect("work", pk=pk)


@signed_in
@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest, pk: int) -> HttpResponse:
    """By GET as in `consent`."""
    participation = own_participation(request.user, pk)
    try:
        if request.method == "POST":
            participations.begin_session(participation_id=participation.pk, now=timezone.now())
    except Refusal as error:
        messages.warning(request, str(error))
    return redirect("work", pk=pk)


@login_required
@require_safe
def guidelines(request: HttpRequest, pk: int) -> HttpResponse:
    participation = own_participation(request.user, pk)
    text = page_from_markdown(participation.project.guidelines)
    return render(request, "work/guidelines.html", {"participation": participation, "guidelines": text})


@login_required
@require_safe
def calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """The end of the pause as an entry for the person's own calendar."""
    participation = own_participation(request.user, pk)
    if participation.rest_until is None:
        raise Http404
    event = Event()
    event.add("uid", f"{participation.project.key}-{participation.pk}@semblance")
    event.add("dtstamp", timezone.now())
    event.add("dtstart", participation.rest_until)
    event.add("dtend", participation.rest_until + timedelta(minutes=30))
    event.add("summary", f"{participation.project.title}: the next session can begin")
    event.add("url", request.build_absolute_uri(reverse("work", args=[pk])))
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", "The next session can begin")
    alarm.add("trigger", timedelta(0))
    event.add_component(alarm)
    diary = Calendar()
    diary.add("prodid", "-//Semblance//EN")
    diary.add("version", "2.0")
    diary.add_component(event)
    response = HttpResponse(diary.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="next-session.ics"'
    return response


@signed_in
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    participation = own_participation(request.user, pk)
    form = LeaveForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            participations.leave(participation_id=pk, reason=form.cleaned_data["reason"], now=timezone.now())
        except Refusal as error:
            messages.warning(request, str(error))
        return redirect("work", pk=pk)
    return render(request, "work/leave.html", {"participation": participation, "form": form})
