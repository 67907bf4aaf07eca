"""A project while people work: progress, people, items in dispute, and the limits of what raises a flag."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.waiting import worker_is_alive
from annotation.models import Participation, Project, State
from annotation.permissions import managed_project, researched_project
from scoring.domain.watching import items as watched_items
from scoring.domain.watching import people as watched
from scoring.domain.watching.board import RESTING_SHOWN, boards, name_disputes, resting
from scoring.domain.watching.options import change_options, settle_flag
from scoring.domain.watching.pulse import ask_for_pulse, options_of
from scoring.domain.watching.trouble import troubles
from scoring.forms.watching import WatchForm
from scoring.models import Pulse
from scoring.stats.limits import Kind
from scoring.tasks import take_pulse

PAGE = 50


@login_required
@require_safe
def watch(request: HttpRequest, key: str) -> HttpResponse:
    """The page asks for a new pulse, and shows the last one."""
    project, now = researched_project(request.user, key), timezone.now()
    if ask_for_pulse(project, now):
        take_pulse.delay_on_commit(project.pk)
    pulse, options = Pulse.objects.get(project=project), options_of(project)
    found = boards(project, options, pulse.figures, now)
    name_disputes(project, found)
    alive = worker_is_alive(now)
    values = {
        "project": project,
        "tab": "watch",
        "pulse": pulse,
        "options": options,
        "boards": found,
        "troubles": troubles(found, worker_alive=alive),
        "resting": resting(project)[:RESTING_SHOWN],
        "resting_number": sum(board.people[State.RESTING] for board in found),
        "kinds": list(Kind),
        "now": now,
    }
    return render(request, f"projects/watch.html{'#board' if request.htmx else ''}", values)


@login_required
@require_safe
def people(request: HttpRequest, key: str) -> HttpResponse:
    project, now = researched_project(request.user, key), timezone.now()
    given = {name: value.replace("\0", "").strip() for name, value in request.GET.items()}
    asked = {name: given.get(name, "") for name in ("state", "only", "find")}
    asked |= {"round_key": given.get("round", ""), "sort": given.get("sort") or "place"}
    found = watched.people_of(project, now=now, role=project.role, **asked)
    values = {
        "project": project,
        "tab": "watch",
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "asked": asked,
        "states": State.choices,
        "kinds": list(Kind),
        "columns": [*_columns(asked["sort"])],
    }
    return render(request, "projects/watch_people.html", values)


def _columns(sort: str) -> Any:
    """The headings that sort the list: which way each is sorted now, and which way it will be."""
    titles = {
        "place": _("Person"),
        "answered": _("Answered"),
        "active": _("Active time"),
        "median": _("A screen"),
        "last": _("Last answer"),
        "flags": _("Flags"),
    }
    for key, title in titles.items():
        way = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
        first = key if key == "place" else f"-{key}"
        following = (f"-{key}" if way == "ascending" else key) if way else first
        yield {"key": key, "title": title, "way": way, "next": following, "number": key in watched.NUMBERS}


@login_required
@require_safe
def person(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = researched_project(request.user, key)
    participation = _participation(project, pk)
    values = {
        "project": project,
        "tab": "watch",
        "participation": participation,
        "round": project.round(participation.round),
        "pulse": getattr(participation, "pulse", None),
        "options": options_of(project),
        "sittings": watched.sittings(participation),
        "calibration": watched.calibration(participation),
        "repeats": watched.repeats(participation),
        "times": watched.thinking_times(participation),
    }
    return render(request, "projects/watch_person.html", values)


def _participation(project: Project, pk: int) -> Participation:
    people = Participation.objects.filter(project=project, annotator__isnull=False)
    participation = get_object_or_404(people.select_related("annotator__user", "pulse"), pk=pk)
    participation.project = project
    return participation


@login_required
@require_POST
def settle(request: HttpRequest, key: str, pk: int, kind: str) -> HttpResponse:
    """A flag that was looked at and is in order."""
    participation = _participation(managed_project(request.user, key), pk)
    try:
        settle_flag(participation=participation, kind=kind, actor=request.user, now=timezone.now())
        messages.success(request, _("Noted. This flag asks for nobody's attention any more."))
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-person", key=key, pk=pk)


@login_required
@require_safe
def item(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = researched_project(request.user, key)
    found = get_object_or_404(project.items.select_related("group"), pk=pk)
    found.project = project
    values = {
        "project": project,
        "tab": "watch",
        "item": found,
        "language": found.language or (found.group.language if found.group else "") or project.language,
        "ratings": watched_items.ratings_of(found),
        "choices": watched_items.choices_of(found),
    }
    return render(request, "projects/watch_item.html", values)


@login_required
@require_http_methods(["GET", "POST"])
def options(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = WatchForm(request.POST or None, instance=options_of(project))
    if request.method == "POST" and form.is_valid():
        change_options(options=form.save(commit=False), actor=request.user, now=timezone.now())
        messages.success(request, _("Saved. The figures follow within a minute."))
        return redirect("project-watch", key=key)
    values = {"project": project, "tab": "watch", "form": form}
    return render(request, "projects/watch_options.html", values, status=422 if form.errors else 200)
