"""How people without an account join: a form on the invitation's page, and the link that they are sent."""

from dataclasses import dataclass
from math import ceil

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.domain.errors import Refusal
from annotation.domain.rate_limits import TooMany, count_newcomer, within_limit
from annotation.domain.recruiting import guests
from annotation.domain.recruiting.guests import ASKED_AN_HOUR
from annotation.domain.recruiting.links import guard_link, join_by_link, path_of
from annotation.domain.recruiting.mailings import sends_email
from annotation.domain.recruiting.overview import RoundFull, require_place
from annotation.domain.recruiting.waiting import wait_for_place
from annotation.forms.recruiting import WayInForm
from annotation.forms.refusals import refusals
from annotation.models import Guest, InvitationLink, Participation, RecruitingOptions, User
from annotation.models.people import CROWD
from annotation.permissions import place_of
from annotation.security import address_of
from annotation.views.browsers import note_proof, remember_browser


def may_be_nameless(link: InvitationLink) -> bool:
    """Return whether people may join without an address: if the project allows it, or if the server sends no email."""
    if not sends_email():
        return True
    return RecruitingOptions.objects.filter(project=link.project_id, without_address=True).exists()


def count_at(request: HttpRequest, link: InvitationLink) -> None:
    """Count a newcomer at a link; raise TooMany if too many have come from this address."""
    count_newcomer(client=address_of(request), door=path_of(link), now=timezone.now())


def too_many(request: HttpRequest, error: TooMany) -> HttpResponse:
    """Return the page that says when to try again."""
    seconds = max(int((error.again_at - timezone.now()).total_seconds()), 1)
    values = {"problem": error, "minutes": ceil(seconds / 60)}
    response = render(request, "work/too_many.html", values, status=429)
    response["Retry-After"] = str(seconds)
    return response


@dataclass(frozen=True)
class OwnLink:
    """What a guest keeps to resume on any device: a link, and for people from a crowd platform also a code."""

    url: str
    code: str


def own_link(request: HttpRequest) -> OwnLink | None:
    """Return the link by which a guest resumes on any device; None for people who can sign in otherwise."""
    if not request.user.is_authenticated or (request.user.email and sends_email()):
        return None
    guest = Guest.objects.filter(user=request.user).select_related("user").first()
    if guest is None or guests.has_account(guest.user):
        return None
    url = request.build_absolute_uri(reverse("resume", args=[guests.write_resume(guest)]))
    return OwnLink(url, guests.resume_code(guest) if guest.user.username.startswith(CROWD) else "")


def come_in(request: HttpRequest, link: InvitationLink) -> HttpResponse | None:
    """Admit somebody without an account; return None if they have not chosen how to join."""
    if "address" in request.POST and sends_email():
        return _send_link(request, link)
    if "without" in request.POST and may_be_nameless(link):
        guard_link(link, timezone.now())
        count_at(request, link)
        return enter(request, link, guests.nameless_guest(project=link.project, language=get_language()))
    if "begin" in request.POST and link.kind == link.Kind.PERSONAL and hasattr(link, "invited"):
        guard_link(link, timezone.now())
        count_at(request, link)
        invited = link.invited
        guest = guests.guest_for(project=link.project, address=invited.address, language=invited.language)
        if guests.has_account(guest.user):
            return redirect_to_login(request.path)
        return enter(request, link, guest)
    return None


def enter(request: HttpRequest, link: InvitationLink, guest: Guest) -> HttpResponse:
    """Take the place first, then sign the guest in: who gets no place is not signed in."""
    place = join_by_link(link=link, user=guest.user, now=timezone.now())
    sign_in(request, guest.user)
    return redirect("work", pk=place.pk)


def sign_in(request: HttpRequest, user: User) -> None:
    """Sign in a person whom a link identifies; who has a password signs in as usual, with the second step."""
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])


def _send_link(request: HttpRequest, link: InvitationLink) -> HttpResponse:
    """Send the link by email; the page is the same for everybody, so that it reveals nothing about the address."""
    form, now = WayInForm(request.POST), timezone.now()
    if not form.is_valid():
        return join_page(request, link, form=form, status=422)
    if not within_limit(name=f"way in from {address_of(request)}", most=ASKED_AN_HOUR, now=now):
        form.add_error(None, _("Too many links were requested from this network. Try again in an hour."))
        return join_page(request, link, form=form, status=429)
    address = form.cleaned_data["address"]
    with refusals(form):
        guests.send_way_in(project=link.project, address=address, link=link, language=get_language(), now=now)
        return render(request, "work/join_sent.html", {"project": link.project, "address": address})
    return join_page(request, link, form=form, status=503)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead people without a password back to their place; the page is the same whoever asks, about whatever place."""
    if request.method != "POST" or not sends_email():
        return render(request, "work/link_back.html", {"form": WayInForm(), "sends_email": sends_email()})
    form, now, address = WayInForm(request.POST), timezone.now(), request.POST.get("address", "")
    if form.is_valid() and within_limit(name=f"way in from {address_of(request)}", most=ASKED_AN_HOUR, now=now):
        with refusals(form):
            place = Participation.objects.select_related("project").filter(pk=pk).first()
            if place is not None:
                guests.send_way_in(project=place.project, address=address, link=None, language=get_language(), now=now)
            return render(request, "work/join_sent.html", {"address": address})
    return render(request, "work/link_back.html", {"form": form, "sends_email": True}, status=422)


def join_page(
    request: HttpRequest, link: InvitationLink, *, form: WayInForm | None = None, status: int = 200
) -> HttpResponse:
    """Show the invitation, or why it is closed, with a way back for people who have a place."""
    closed = ""
    try:
        guard_link(link, timezone.now())
        if not link.project.draft:
            require_place(link.project, link.round, link.pool, timezone.now())
    except RoundFull:
        return full_page(request, link, status=status)
    except Refusal as error:
        closed, status = str(error), 410 if status == 200 else status
    values = {
        "project": link.project,
        "round": link.project.round(link.round),
        "form": form or WayInForm(),
        "closed": closed,
        "personal": link.kind == link.Kind.PERSONAL,
        "nameless": may_be_nameless(link),
        "sends_email": sends_email(),
    }
    return render(request, "work/closed.html" if closed else "work/join.html", values, status=status)


def full_page(
    request: HttpRequest, link: InvitationLink, *, form: WayInForm | None = None, status: int = 200
) -> HttpResponse:
    """Show that every place of the round is taken, with the waiting list and a way back for people who have a place."""
    form = form or WayInForm(initial={"address": request.user.email if request.user.is_authenticated else ""})
    values = {"project": link.project, "round": link.project.round(link.round), "form": form}
    return render(request, "work/full.html", values | {"sends_email": sends_email()}, status=status)


def wait(request: HttpRequest, link: InvitationLink) -> HttpResponse:
    """Add an address to the waiting list; the page is the same for everybody."""
    form, now = WayInForm(request.POST), timezone.now()
    if not form.is_valid() or not sends_email():
        return full_page(request, link, form=form, status=422)
    if not within_limit(name=f"way in from {address_of(request)}", most=ASKED_AN_HOUR, now=now):
        form.add_error(None, _("Too many requests from your network. Try again in an hour."))
        return full_page(request, link, form=form, status=429)
    guard_link(link, now)
    wait_for_place(link=link, address=form.cleaned_data["address"], language=get_language(), now=now)
    return render(request, "work/waiting.html", {"project": link.project, "address": form.cleaned_data["address"]})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def resume(request: HttpRequest, token: str) -> HttpResponse:
    """Open the link from the email; only a click signs in, because programs that scan emails open it too."""
    try:
        guest, link = guests.read_resume(token)
        if request.method != "POST":
            values = {"project": guest.project, "same": request.user == guest.user, "other": request.user}
            return render(request, "work/resume.html", values)
        return _go_on(request, guest, link)
    except RoundFull:
        return join_page(request, link)
    except TooMany as error:
        return too_many(request, error)
    except Refusal as error:
        return render(request, "work/refused.html", {"problem": error}, status=410)


def _go_on(request: HttpRequest, guest: Guest, link: InvitationLink | None) -> HttpResponse:
    """Redirect to the person's place in the round of the link, taking one if needed; else to the newest, else home."""
    if link is not None:
        if place_of(guest.user, link.project, link.round) is None:
            count_at(request, link)
        response = enter(request, link, guest)
    else:
        newest = Participation.objects.filter(annotator__user=guest.user).order_by("-pk").first()
        sign_in(request, guest.user)
        response = redirect("work", pk=newest.pk) if newest else redirect("home")
    note_proof(request, guest.user)
    if guest.user.username.startswith(CROWD):
        remember_browser(response, guest)
    return response
