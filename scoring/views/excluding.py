"""Exclusion of a person, with a preview of its effect on the scores."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.participation.lifecycle import exclude as exclude_person
from annotation.domain.participation.reinstatement import restore
from annotation.forms.actions import ReasonForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import Participation
from annotation.permissions import managed_project
from annotation.views.confirming import succeeded
from scoring.domain.exclusion.preview import changes_by_exclusion, loss_by_exclusion, takeover_by_exclusion
from scoring.views.monitoring import participation_of

PAGE = "projects/exclude.html"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def exclude(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show at once what would go, and exclude on confirmation; the page then asks `effect` for the rest."""
    participation = participation_of(managed_project(request.user, key), pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            exclude_person(participation_id=pk, actor=request.user, now=timezone.now(), **form.cleaned_data)
            undo = ("project-person-undo-exclusion", {"key": key, "pk": pk})
            succeeded(request, _("Annotator excluded. Their answers no longer count."), undo)
            return redirect("project-person", key=key, pk=pk)
    return render(request, PAGE, _values(participation, form), status=422 if form.errors else 200)


@login_required
@require_POST
def undo(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Reinstate a person who was excluded a moment ago."""
    participation = participation_of(managed_project(request.user, key), pk)
    with refusal_messages(request):
        reason = _("Exclusion undone.")
        restore(participation_id=participation.pk, reason=reason, actor=request.user, now=timezone.now())
        messages.success(request, _("Annotator reinstated. Their answers count again."))
    return redirect("project-person", key=key, pk=pk)


@login_required
@require_safe
def effect(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Show the same page with the effect on the scores, which takes longer if there are many judgments."""
    participation = participation_of(managed_project(request.user, key), pk)
    values = _values(participation, ReasonForm()) | {"computed": True, "changes": changes_by_exclusion(participation)}
    return render(request, f"{PAGE}#changes" if request.htmx else PAGE, values)


def _values(participation: Participation, form: ReasonForm) -> dict[str, Any]:
    values = {"project": participation.project, "tab": "people", "participation": participation, "form": form}
    return values | {"loss": loss_by_exclusion(participation), "takeover": takeover_by_exclusion(participation)}
