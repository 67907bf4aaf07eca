"""Practice and check before the work; and the practice set of a project, for its managers."""

import tempfile
from pathlib import Path

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.base import File
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.participation.flow import Practice, where_now
from annotation.domain.practice import answers as practice
from annotation.domain.practice.importing import import_practice, is_answered, remove_practice
from annotation.domain.practice.stages import ATTEMPTS, CheckAhead, Stage, stage_of
from annotation.forms.answers import PracticeAnswerForm
from annotation.forms.importing import PracticeSetForm
from annotation.forms.refusals import refusals
from annotation.models import Participation, PracticeAnswer, PracticePart, Project, State, User
from annotation.permissions import managed_project, own_participation, signed_in
from annotation.views.confirming import Confirmation, confirm
from annotation.views.practice_pages import best_worst_design, page_of_stage, solved


@never_cache
@signed_in
@require_http_methods(["GET", "POST"])
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Store an answer to the present task; after an expired login a GET comes here and shows the task again."""
    participation = own_participation(request.user, pk)
    form = PracticeAnswerForm(request.POST)
    if request.method == "GET" or not form.is_valid():
        return redirect("work", pk=pk)
    try:
        stored = practice.answer(participation_id=participation.pk, now=timezone.now(), **form.answer())
    except WrongScreen as error:
        messages.warning(request, str(error))
    except Refusal as error:
        return _once_more(request, participation, form, str(error))
    else:
        _notify_if_passed(request, stored)
    return redirect("work", pk=pk)


def _once_more(
    request: HttpRequest, participation: Participation, form: PracticeAnswerForm, problem: str
) -> HttpResponse:
    """Show the same task with what was chosen, and what is wrong with it."""
    stage = stage_of(participation)
    present = stage.first if isinstance(stage, CheckAhead) else stage
    return _render_stage(request, participation, present, status=422, problem=problem, chosen=form.answer())


def _render_stage(
    request: HttpRequest, participation: Participation, stage: Stage, *, status: int = 200, **values: object
) -> HttpResponse:
    template, page_values = page_of_stage(participation, stage)
    context = {"participation": participation, "project": participation.project}
    return render(request, f"work/{template}.html", context | page_values | values, status=status)


def _notify_if_passed(request: HttpRequest, stored: PracticeAnswer) -> None:
    participation = Participation.objects.get(pk=stored.participation_id)
    if stored.task.part == PracticePart.CHECK and not participation.practising and participation.state == State.ACTIVE:
        messages.success(request, _("You passed the check. You can start the actual task now."))


@signed_in
@require_http_methods(["GET", "POST"])
def go_on(request: HttpRequest, pk: int) -> HttpResponse:
    """Go on from the solution of a task; a GET changes nothing, as in `answer`."""
    participation = own_participation(request.user, pk)
    form = PracticeAnswerForm(request.POST)
    if request.method == "POST":
        task = form.cleaned_data["task"] if form.is_valid() else None
        practice.go_on(participation_id=participation.pk, task_id=task, now=timezone.now())
    return redirect("work", pk=pk)


@never_cache
@signed_in
@require_safe
def check(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the first task of the check to somebody who has read its rules."""
    participation = own_participation(request.user, pk)
    if not isinstance(where_now(participation, timezone.now()), Practice):
        return redirect("work", pk=pk)
    stage = stage_of(participation)
    if not isinstance(stage, CheckAhead):
        return redirect("work", pk=pk)
    return _render_stage(request, participation, stage.first)


@login_required
@require_safe
def practised(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the practice tasks that the person has answered, with their solutions."""
    participation = own_participation(request.user, pk)
    project, design = participation.project, participation.design
    tasks = [solved(project, answer.task, design, answer) for answer in practice.practised(participation)]
    values = {"participation": participation, "project": project, "tasks": tasks}
    return render(request, "work/practice_again.html", values)


@login_required
@require_http_methods(["GET", "POST"])
def project_practice(request: HttpRequest, key: str) -> HttpResponse:
    """Show the practice tasks as annotators see them, and replace them from a file."""
    project = managed_project(request.user, key)
    form = PracticeSetForm(request.POST or None, request.FILES or None)
    values = {"project": project, "tab": "setup", "form": form}
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            counts = _bring_in(project, form.content(), request.user)
            text = ", ".join(f"{count} × {part}" for part, count in counts.items())
            messages.success(request, _("The practice set has been imported: %(told)s.") % {"told": text})
            return redirect("project-practice", key=key)
    return render(request, "projects/practice.html", values | _set_of(project), status=422 if form.errors else 200)


def _bring_in(project: Project, content: File, actor: User) -> dict[str, int]:
    with tempfile.NamedTemporaryFile() as file:
        file.writelines(content.chunks())
        file.flush()
        return import_practice(project=project, path=Path(file.name), actor=actor, now=timezone.now())


def _set_of(project: Project) -> dict[str, object]:
    """Return the practice set by parts, with the solutions; nothing for projects that compare nothing."""
    design = best_worst_design(project)
    if design is None:
        return {}
    tasks = [(task.part, solved(project, task, design)) for task in project.practice_tasks.all()]
    by_part = {part: [task for name, task in tasks if name == part] for part in PracticePart}
    parts = [{"name": part.value, "label": part.label, "tasks": found} for part, found in by_part.items() if found]
    values = {"design": design, "noun": project.protocol.material.noun, "attempts": ATTEMPTS, "parts": parts}
    return values | {"asked": practice.as_percent(design.check_share), "answered": is_answered(project)}


@login_required
@require_http_methods(["GET", "POST"])
def remove_set(request: HttpRequest, key: str) -> HttpResponse:
    """Ask, and remove all tasks of the practice set."""
    project = managed_project(request.user, key)
    asked = Confirmation(
        title=_("Remove practice set"),
        says=_("All worked examples, practice tasks and check tasks will be deleted. This cannot be undone."),
        button=_("Remove practice set"),
        done=_("The practice set has been removed."),
        back=("project-practice", {"key": key}),
        danger=True,
        tab="setup",
    )
    return confirm(
        request, project, asked, lambda: remove_practice(project=project, actor=request.user, now=timezone.now())
    )
