"""The pages around the screens: joining, consent, guidelines, pause and leaving."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.participation import leasing, lifecycle
from annotation.domain.rate_limits import TooMany
from annotation.domain.recruiting.links import LinkClosed, NoLink, find_link, join_by_link
from annotation.domain.recruiting.mailings import note_opened
from annotation.domain.recruiting.overview import RoundFull
from annotation.forms.answers import LeaveForm
from annotation.forms.refusals import refusal_messages
from annotation.permissions import own_participation, place_of, signed_in
from annotation.texts import page_from_markdown
from annotation.views.joining import come_in, count_at, join_page, too_many, wait
from annotation.views.practice_pages import shown_examples


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; who has a place is led to it, even if the link has ended since."""
    try:
        link = find_link(token)
    except NoLink as error:
        return render(request, "work/refused.html", {"problem": error}, status=404)
    present = place_of(request.user, link.project, link.round)
    if present is not None:
        return redirect("work", pk=present.pk)
    if request.method != "POST":
        note_opened(link, timezone.now())
        return join_page(request, link)
    try:
        if "wait" in request.POST:
            return wait(request, link)
        if request.user.is_authenticated:
            count_at(request, link)
            place = join_by_link(link=link, user=request.user, now=timezone.now())
            return redirect("work", pk=place.pk)
        return come_in(request, link) or join_page(request, link)
    except (LinkClosed, RoundFull):
        return join_page(request, link)
    except TooMany as error:
        return too_many(request, error)
    except Refusal as error:
        return render(request, "work/refused.html", {"problem": error, "project": link.project}, status=409)


@signed_in
@require_http_methods(["GET", "POST"])
def consent(request: HttpRequest, pk: int) -> HttpResponse:
    """Store a person's consent; after an expired login the redirect comes by GET and shows the page again."""
    participation = own_participation(request.user, pk)
    if request.method == "POST":
        lifecycle.consent(participation_id=participation.pk, now=timezone.now())
    return redirect("work", pk=pk)


@signed_in
@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin the next session; a GET changes nothing, as in `consent`."""
    participation = own_participation(request.user, pk)
    with refusal_messages(request, messages.WARNING):
        if request.method == "POST":
            lifecycle.begin_session(participation_id=participation.pk, now=timezone.now())
    return redirect("work", pk=pk)


@login_required
@require_safe
def guidelines(request: HttpRequest, pk: int) -> HttpResponse:
    participation = own_participation(request.user, pk)
    text = page_from_markdown(participation.project.guidelines)
    values = {"participation": participation, "guidelines": text, "examples": shown_examples(participation.project)}
    return render(request, "work/guidelines.html", values)


@login_required
@require_safe
def calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the end of the pause as a calendar file."""
    participation = own_participation(request.user, pk)
    if participation.rest_until is None:
        raise Http404
    from icalendar import Alarm, Calendar, Event  # noqa: PLC0415 10 MB of memory, for a file that few ask for

    event = Event()
    event.add("uid", f"{participation.project.key}-{participation.pk}@semblance")
    event.add("dtstamp", timezone.now())
    event.add("dtstart", participation.rest_until)
    event.add("dtend", participation.rest_until + timedelta(minutes=30))
    event.add("summary", f"{participation.project.title}: {_('you can start the next session')}")
    event.add("url", request.build_absolute_uri(reverse("work", args=[pk])))
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", _("You can start the next session"))
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
        with refusal_messages(request, messages.WARNING):
            lifecycle.leave(participation_id=pk, reason=form.cleaned_data["reason"], now=timezone.now())
        return redirect("work", pk=pk)
    return render(request, "work/leave.html", {"participation": participation, "form": form})


@signed_in
@require_http_methods(["GET", "POST"])
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Finish an open round with the answers given so far."""
    participation, now = own_participation(request.user, pk), timezone.now()
    if request.method == "GET" and leasing.may_stop(participation, leasing.next_place(participation, now)):
        answers = participation.assignments.filter(answered_at__isnull=False).count()
        return render(request, "work/stop.html", {"participation": participation, "answers": answers})
    with refusal_messages(request, messages.WARNING):
        if request.method == "POST":
            leasing.stop(participation_id=pk, now=now)
    return redirect("work", pk=pk)
