"""Actions on many people at once: those who are ticked, or all who match the filters, with one combined preview."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation.forms.actions import LIKE_AN_ID, DeadlineForm, ReasonForm
from annotation.models import Participation, Project
from annotation.permissions import managed_project
from annotation.views.confirming import Address, succeeded
from scoring.domain.exclusion.preview import changes_by_exclusions, loss_by_exclusions
from scoring.domain.monitoring.bulk import MOST, Outcome, act_on, undo_exclusions
from scoring.views.monitoring import people_asked

SHOWN = 12  # names
MICROSECONDS = 10**6
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = 10**17
"""Later moments, in microseconds, have no date."""
TITLES = {
    "message": gettext_lazy("Write a message"),
    "review": gettext_lazy("Mark as reviewed"),
    "extend": gettext_lazy("Move the deadline"),
    "refill": gettext_lazy("Replace"),
    "exclude": gettext_lazy("Exclude"),
}
SAYS = {
    "review": gettext_lazy(
        "All open flags of these annotators will be marked as reviewed. This is recorded in the audit log "
        "and cannot be undone; new flags are raised as before."
    ),
    "extend": gettext_lazy(
        "Annotators see the deadline on their pages and get an email reminder one day before. You can move it "
        "again at any time."
    ),
    "refill": gettext_lazy(
        "The round ends for these annotators. Their answers count; new places are opened for the rest of their work. "
        "This cannot be undone."
    ),
    "exclude": gettext_lazy(
        "Their answers are kept but no longer count. You can undo this for all of them together, or reinstate each, "
        "until a replacement has started."
    ),
}
DONE = {
    "review": ngettext_lazy(
        "The flags of %(number)s annotator were marked as reviewed.",
        "The flags of %(number)s annotators were marked as reviewed.",
        "number",
    ),
    "extend": ngettext_lazy(
        "The deadline of %(number)s annotator was moved.", "The deadline of %(number)s annotators was moved.", "number"
    ),
    "refill": ngettext_lazy("%(number)s annotator was replaced.", "%(number)s annotators were replaced.", "number"),
    "exclude": ngettext_lazy("%(number)s annotator was excluded.", "%(number)s annotators were excluded.", "number"),
    "reinstate": ngettext_lazy(
        "%(number)s annotator was reinstated.", "%(number)s annotators were reinstated.", "number"
    ),
}
"""What was done, in words."""
FORMS: dict[str, type[forms.Form]] = {"exclude": ReasonForm, "extend": DeadlineForm, "refill": ReasonForm}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bulk(request: HttpRequest, key: str) -> HttpResponse:
    """Show what an action does to the people chosen, and carry it out."""
    project = managed_project(request.user, key)
    asked = request.POST if request.method == "POST" else request.GET
    action = asked.get("action", "")
    people = _chosen(request, project) if action in TITLES else []
    if len(people) > MOST:
        text = _("You can select up to %(most)s annotators at once. Narrow the filters, or select fewer.")
        messages.warning(request, text % {"most": MOST})
        return redirect("project-people", key=key)
    if not people:
        messages.warning(request, _("Select at least one annotator."))
        return redirect("project-people", key=key)
    if action == "message":
        places = urlencode({"place": [person.pk for person in people]}, doseq=True)
        return redirect(f"{reverse('project-messages', args=[key])}?{places}")
    form = FORMS.get(action, forms.Form)(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        now = timezone.now()
        outcome = act_on(people, action, actor=request.user, now=now, **form.cleaned_data)
        undone_at = str(round(now.timestamp() * MICROSECONDS))
        undo = ("project-people-reinstate", {"key": key, "at": undone_at}) if action == "exclude" else None
        return _after(request, key, action, outcome, undo if outcome.done else None)
    values = {"project": project, "tab": "people", "action": action, "form": form} | _preview(action, people)
    return render(request, "projects/people_bulk.html", values, status=422 if form.errors else 200)


@login_required
@require_POST
def reinstate(request: HttpRequest, key: str, at: int) -> HttpResponse:
    """Reinstate all whom the same person excluded together at that moment, in microseconds since 1970."""
    project = managed_project(request.user, key)
    excluded_at = EPOCH + timedelta(microseconds=min(at, LATEST))
    given = {"reason": _("Exclusion undone."), "actor": request.user, "now": timezone.now()}
    return _after(request, key, "reinstate", undo_exclusions(project, excluded_at, **given))


def _after(request: HttpRequest, key: str, action: str, outcome: Outcome, undo: Address | None = None) -> HttpResponse:
    """Say for how many people an action was done, and why not for the others."""
    succeeded(request, DONE[action] % {"number": outcome.done}, undo)
    for reason, number in outcome.refused.items():
        messages.warning(request, f"{reason} ({number})")
    return redirect("project-people", key=key)


def _chosen(request: HttpRequest, project: Project) -> list[Participation]:
    """Return the people who are ticked, or all who match the filters; after the preview those that it showed.

    Of more than `MOST` one too many is returned, which is enough to refuse them.
    """
    asked = request.POST if request.method == "POST" else request.GET
    if asked.get("all"):
        found = people_asked(request, project, timezone.now())
    else:
        named = ",".join(asked.getlist("place")).split(",")
        ids = [int(one) for one in named if LIKE_AN_ID.fullmatch(one)]
        people = Participation.objects.filter(project=project, annotator__isnull=False, pk__in=ids[: MOST + 1])
        found = people.select_related("annotator__user", "statistics").order_by("round", "seat")
    chosen = list(found[: MOST + 1])
    for participation in chosen:
        participation.project = project
    return chosen


def _preview(action: str, people: list[Participation]) -> dict[str, Any]:
    values = {"title": TITLES[action], "says": SAYS[action], "people": people, "shown": people[:SHOWN]}
    values |= {"more": max(len(people) - SHOWN, 0), "ids": ",".join(str(person.pk) for person in people)}
    if action == "exclude":
        values |= {"loss": loss_by_exclusions(people), "changes": changes_by_exclusions(people), "computed": True}
    return values
