"""Every screen as an annotator sees it: the real pages, at a place that is rolled back afterwards."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.material.first_rows import copy_with_first_rows
from annotation.domain.project.preview import JUDGING, Kind, Shown, screens_of, stand_at, undone
from annotation.models import ItemImport, Project
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
NOT_STORED = gettext_lazy("This is a preview. Nothing was saved.")


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
    return _rendered(request, project, screens[place], own=_url(project, kind), preview=bar, **sent)


def _neighbours(project: Project, screens: list[Shown], place: int) -> dict[str, str]:
    near = {"previous": place - 1, "next": place + 1}
    return {name: _url(project, screens[at].kind) for name, at in near.items() if 0 <= at < len(screens)}


def _url(project: Project, kind: str) -> str:
    return reverse("project-preview-screen", args=[project.key, kind])


def _rendered(request: HttpRequest, project: Project, shown: Shown, *, own: str, **values: Any) -> HttpResponse:
    """Return the real page with its addresses replaced by `own`, the preview's, for its place is gone by then."""
    with undone():
        participation, place = stand_at(project, shown, timezone.now())
        response = render_place(request, participation, place, **values)
        away = reverse("work", args=[participation.pk]).encode()
    response.content = response.content.replace(away, own.encode())
    return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def first_item(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show the first item of an import that waits for an answer, as an annotator would see it."""
    project = managed_project(request.user, key)
    job = get_object_or_404(project.imports, pk=pk, state=ItemImport.State.ASKING)
    shown = next(shown for shown in screens_of(project) if shown.kind in JUDGING)
    back = reverse("project-import-progress", args=[key, pk])
    bar = {"title": TITLES[shown.kind], "project": project, "back": back}
    sent = {"problem": NOT_STORED, "status": 409} if request.method == "POST" else {}
    try:
        with undone():
            copy = copy_with_first_rows(job)
            return _rendered(request, copy, shown, own=request.path, preview=bar, **sent)
    except Refusal as refusal:
        messages.warning(request, str(refusal))
        return redirect("project-import-progress", key=key, pk=pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def elsewhere(request: HttpRequest, key: str, kind: str, rest: str) -> HttpResponse:
    """Redirect the links and forms of a previewed page back to it."""
    project = managed_project(request.user, key)
    return _back(request, "project-preview-screen", key=project.key, kind=kind)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def beyond_import(request: HttpRequest, key: str, pk: int, rest: str) -> HttpResponse:
    """Redirect the links and forms of an import's first item back to it."""
    project = managed_project(request.user, key)
    return _back(request, "project-import-preview", key=project.key, pk=pk)


def _back(request: HttpRequest, page: str, **arguments: Any) -> HttpResponse:
    message = NOT_STORED if request.method == "POST" else _("This is a preview. This link does not work here.")
    messages.info(request, message)
    return redirect(page, **arguments)
