"""Excluding a person: what it does to the scores is shown first."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal
from annotation.domain.participation import exclude as exclude_person
from annotation.forms.intervening import ReasonForm
from annotation.models import Participation
from annotation.permissions import managed_project
from scoring.domain.excluding import changes_by_exclusion, loss_by_exclusion

PAGE = "projects/exclude.html"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def exclude(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Tells what would go, at once; the page then asks `effect` for the rest."""
    participation = _participation(request, key, pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            exclude_person(participation_id=pk, actor=request.user, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Excluded: the answers no longer count, and a free place takes over."))
            return redirect("project-person", key=key, pk=pk)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    return render(request, PAGE, _values(participation, form), status=422 if form.errors else 200)


@login_required
@require_safe
def effect(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """The same page with what would become of the scores, which takes longer where judgments are many."""
    participation = _participation(request, key, pk)
    values = _values(participation, ReasonForm()) | {"computed": True, "changes": changes_by_exclusion(participation)}
    return render(request, f"{PAGE}#changes" if request.htmx else PAGE, values)


def _participation(request: HttpRequest, key: str, pk: int) -> Participation:
    project = managed_project(request.user, key)
    people = Participation.objects.filter(project=project, annotator__isnull=False).select_related("annotator__user")
    participation = get_object_or_404(people, pk=pk)
    participation.project = project
    return participation


def _values(participation: Participation, form: ReasonForm) -> dict[str, Any]:
    return {
        "project": participation.project,
        "tab": "watch",
        "participation": participation,
        "loss": loss_by_exclusion(participation),
        "form": form,
    }
