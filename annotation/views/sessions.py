"""The browsers in which a person is signed in."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.domain.account.sessions import end_session, end_sessions
from annotation.domain.errors import Refusal
from annotation.domain.security.log import record
from annotation.models.security import SecurityKind
from annotation.security import address_of

OTHERS = "others"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def sessions(request: HttpRequest) -> HttpResponse:
    """Show where the person is signed in, and sign out in one browser or in all others."""
    if request.method == "POST":
        try:
            messages.success(request, _end(request, request.POST.get("end", "")))
        except Refusal as refusal:
            messages.error(request, str(refusal))
        return redirect("sessions")
    found = [session for session in request.user.browser_sessions.all() if not session.is_over(timezone.now())]
    used = sorted(found, key=lambda session: session.pk != request.session.session_key)  # the list is stable
    return render(request, "home/sessions.html", {"sessions": used, "current": request.session.session_key})


def _end(request: HttpRequest, which: str) -> str:
    """End what was chosen, and return what is said about it."""
    current = request.session.session_key
    if which == OTHERS:
        number = end_sessions(request.user, but=current)
        said = ngettext("Signed out of %(number)s browser.", "Signed out of %(number)s browsers.", number)
        said %= {"number": number}
    else:
        browser = end_session(request.user, which, but=current).browser or _("Unknown browser")
        number, said = 1, _("Signed out of %(browser)s.") % {"browser": browser}
    if number:
        values = {"user": request.user, "address": address_of(request), "sessions": number}
        record(SecurityKind.SESSIONS_ENDED, now=timezone.now(), **values)
    return said
