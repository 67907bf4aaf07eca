"""The practice set of a project, task by task: added, edited, moved and removed on pages."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.practice.editing import add_task, change_task, may_change, move_up, remove_task
from annotation.forms.practice_tasks import PracticeTaskForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import PracticePart, PracticeTask, Project
from annotation.permissions import managed_project
from annotation.views.confirming import Confirmation, confirm

FORM = ["GET", "HEAD", "POST"]


@login_required
@require_http_methods(FORM)
def add(request: HttpRequest, key: str) -> HttpResponse:
    """Add a task; `part` in the address chooses its part."""
    project = managed_project(request.user, key)
    if not project.protocol.compares:
        raise Http404
    part = request.GET.get("part", "")
    form = PracticeTaskForm(request.POST or None, project=project)
    form.fields["part"].initial = part if part in PracticePart else PracticePart.PRACTICE
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            add_task(project=project, row=form.row(), actor=request.user, now=timezone.now())
            messages.success(request, _("The task has been added."))
            return redirect("project-practice", key=key)
    return _page(request, project, form, _("Add a task"), _("Add task"))


@login_required
@require_http_methods(FORM)
def edit(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Change a task; after an answer, only its explanation."""
    project, task = _task(request, key, pk)
    form = PracticeTaskForm(request.POST or None, project=project, task=task, fixed=not may_change(project, task.part))
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            change_task(task=task, row=form.row(), actor=request.user, now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("project-practice", key=key)
    return _page(request, project, form, _("Edit task"), _("Save"))


@login_required
@require_POST
def move(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Move a task up in its part."""
    _project, task = _task(request, key, pk)
    with refusal_messages(request):
        move_up(task=task, actor=request.user, now=timezone.now())
    return redirect("project-practice", key=key)


@login_required
@require_http_methods(FORM)
def remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and remove a task."""
    project, task = _task(request, key, pk)
    asked = Confirmation(
        title=_("Remove task"),
        says=_("The task “%(text)s” and its explanation will be deleted. This cannot be undone.")
        % {"text": task.texts[0][0][:80]},
        button=_("Remove"),
        done=_("The task has been removed."),
        back=("project-practice", {"key": key}),
        danger=True,
        tab="setup",
    )
    return confirm(request, project, asked, lambda: remove_task(task=task, actor=request.user, now=timezone.now()))


def _task(request: HttpRequest, key: str, pk: int) -> tuple[Project, PracticeTask]:
    project = managed_project(request.user, key)
    task = get_object_or_404(project.practice_tasks, pk=pk)
    task.project = project
    return project, task


def _page(request: HttpRequest, project: Project, form: PracticeTaskForm, title: str, button: str) -> HttpResponse:
    values = {"project": project, "tab": "setup", "form": form, "title": title, "button": button}
    return render(request, "projects/practice_task.html", values, status=422 if form.errors else 200)
