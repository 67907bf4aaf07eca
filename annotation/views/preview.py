"""Every screen as an annotator sees it: the real pages, at a place that is rolled back afterwards."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.project.preview import Kind, Shown, screens_of, stand_at, undone
from annotation.models import Project
from annotation.permissions import managed_project
from annotation.views.places import render_place

TITLES = {
    Kind.CONSENT: gettext_lazy("Consent and guidelines"),
    Kind.ABOUT_YOU: gettext_lazy("Participant questions"),
    Kind.PRACTICE: gettext_lazy("Practice"),
    Kind.SELECTION: gettext_lazy("Selection"),
    Kind.RATING: gettext_lazy("Rating"),
    Kind.CONTEXT: gettext_lazy("Rating in context"),
    Kind.BEST_WORST: gettext_lazy("Best and worst"),
    Kind.REST: gettext_lazy("Pause"),
    Kind.FINISHED: gettext_lazy("Finished"),
}
NOT_STORED = gettext_lazy("This is a preview. Nothing was stored.")


@login_required
@require_safe
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """List all kinds of screens that this project has."""
    project = managed_project(request.user, key)
    screens = [{"shown": shown, "title": TITLES[shown.kind]} for shown in screens_of(project)]
    return render(request, "projects/preview.html", {"project": project, "tab": "setup", "screens": screens})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def screen(request: HttpRequest, key: str, kind: str) -> HttpResponse:
    """Show one screen; what is sent from it is not stored, and the page says so."""
    project = managed_project(request.user, key)
    screens = screens_of(project)
    place = next((place for place, shown in enumerate(screens) if shown.kind == kind), None)
    if place is None:
        raise Http404
    # Refused, so that the browser does not keep the answer to send it again.
    sent = {"problem": NOT_STORED, "status": 409} if request.method == "POST" else {}
    bar = {"title": TITLES[screens[place].kind], "project": project} | _neighbours(project, screens, place)
    return _rendered(request, project, screens[place], preview=bar, **sent)


def _neighbours(project: Project, screens: list[Shown], place: int) -> dict[str, str]:
    near = {"previous": place - 1, "next": place + 1}
    return {name: _url(project, screens[at].kind) for name, at in near.items() if 0 <= at < len(screens)}


def _url(project: Project, kind: str) -> str:
    return reverse("project-preview-screen", args=[project.key, kind])


def _rendered(request: HttpRequest, project: Project, shown: Shown, **values: Any) -> HttpResponse:
    """Return the real page with its addresses replaced by the preview's, for its place is gone by then."""
    with undone():
        participation, place = stand_at(project, shown, timezone.now())
        response = render_place(request, participation, place, **values)
        away = reverse("work", args=[participation.pk]).encode()
    response.content = response.content.replace(away, _url(project, shown.kind).encode())
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def elsewhere(request: HttpRequest, key: str, kind: str, rest: str) -> HttpResponse:
    """Redirect the links and forms of a previewed page back to it."""
    project = managed_project(request.user, key)
    message = NOT_STORED if request.method == "POST" else _("This is a preview. The link works only for annotators.")
    messages.info(request, message)
    return redirect("project-preview-screen", key=project.key, kind=kind)
