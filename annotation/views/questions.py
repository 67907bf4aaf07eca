"""Participant questions: written by managers, answered voluntarily."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.participation.flow import AboutYou, where_now
from annotation.domain.project.questionnaire import move_question, remove_question, save_answers, save_question
from annotation.forms.questionnaire import AboutYouForm, QuestionForm
from annotation.forms.refusals import refusals
from annotation.models import Project, Question
from annotation.permissions import managed_project, own_participation, signed_in
from annotation.views.confirming import Confirmation, confirm
from annotation.views.places import render_place


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def questions(request: HttpRequest, key: str) -> HttpResponse:
    """Show all questions, and add one."""
    return _edit(request, managed_project(request.user, key), None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Change one question."""
    project = managed_project(request.user, key)
    return _edit(request, project, get_object_or_404(project.questions, pk=pk))


def _edit(request: HttpRequest, project: Project, present: Question | None) -> HttpResponse:
    form = QuestionForm(request.POST or None, instance=present)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            save_question(project=project, question=form.instance, actor=request.user, now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("project-questions", key=project.key)
    rows = project.questions.order_by("position", "pk")
    values = {"project": project, "tab": "setup", "form": form, "questions": rows, "present": present}
    return render(request, "projects/setup_questions.html", values, status=422 if form.errors else 200)


@login_required
@require_POST
def move(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Move a question up."""
    project = managed_project(request.user, key)
    found = get_object_or_404(project.questions.select_related("project"), pk=pk)
    move_question(question=found, actor=request.user, now=timezone.now())
    return redirect("project-questions", key=key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and remove a question with its answers."""
    project = managed_project(request.user, key)
    found = get_object_or_404(project.questions.select_related("project"), pk=pk)
    asked = Confirmation(
        title=_("Remove question"),
        says=_("“%(question)s” and all answers to it will be deleted. This cannot be undone.")
        % {"question": found.text},
        button=_("Remove"),
        done=_("The question has been removed."),
        back=("project-questions", {"key": key}),
        danger=True,
        tab="setup",
    )
    return confirm(
        request, project, asked, lambda: remove_question(question=found, actor=request.user, now=timezone.now())
    )


@never_cache
@signed_in
@require_http_methods(["GET", "POST"])
def about_you(request: HttpRequest, pk: int) -> HttpResponse:
    """Store a person's answers to the questions; “skip” continues without. A GET changes nothing."""
    participation, now = own_participation(request.user, pk), timezone.now()
    if request.method == "POST" and isinstance(where_now(participation, now), AboutYou):
        form = AboutYouForm(request.POST, questions=list(participation.project.questions.all()))
        if "skip" not in request.POST and not form.is_valid():
            return render_place(request, participation, AboutYou(), status=422, form=form)
        answers = {} if "skip" in request.POST else form.answers()
        save_answers(participation_id=participation.pk, answers=answers, now=now)
    return redirect("work", pk=pk)
