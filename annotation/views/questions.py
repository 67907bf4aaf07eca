"""Questions about people: put by managers, and answered by whoever likes to."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.asking import move_question, remove_question, save_question, tell
from annotation.domain.errors import Refusal
from annotation.domain.flow import AboutYou, where_now
from annotation.forms.asking import AboutYouForm, QuestionForm
from annotation.models import Project, Question
from annotation.permissions import managed_project, own_participation, signed_in
from annotation.views.places import render_place


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def questions(request: HttpRequest, key: str) -> HttpResponse:
    """All questions, and a form for one more."""
    return _edit(request, managed_project(request.user, key), None)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """One question, to be changed."""
    project = managed_project(request.user, key)
    return _edit(request, project, get_object_or_404(project.questions, pk=pk))


def _edit(request: HttpRequest, project: Project, present: Question | None) -> HttpResponse:
    form = QuestionForm(request.POST or None, instance=present)
    if request.method == "POST" and form.is_valid():
        try:
            save_question(project=project, question=form.instance, actor=request.user, now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("project-questions", key=project.key)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    rows = project.questions.order_by("position", "pk")
    values = {"project": project, "tab": "setup", "form": form, "questions": rows, "present": present}
    return render(request, "projects/setup_questions.html", values, status=422 if form.errors else 200)


@login_required
@require_POST
def act(request: HttpRequest, key: str, pk: int, act: str) -> HttpResponse:
    """Moves a question up, or removes it."""
    project = managed_project(request.user, key)
    one = get_object_or_404(project.questions.select_related("project"), pk=pk)
    change = remove_question if act == "remove" else move_question
    change(question=one, actor=request.user, now=timezone.now())
    return redirect("project-questions", key=key)


@never_cache
@signed_in
@require_http_methods(["GET", "POST"])
def about_you(request: HttpRequest, pk: int) -> HttpResponse:
    """What a person tells about themselves; “skip” goes on without. By GET as in `rounds.consent`."""
    participation, now = own_participation(request.user, pk), timezone.now()
    if request.method == "POST" and isinstance(where_now(participation, now), AboutYou):
        form = AboutYouForm(request.POST, questions=list(participation.project.questions.all()))
        if "skip" not in request.POST and not form.is_valid():
            return render_place(request, participation, AboutYou(), status=422, form=form)
        answers = {} if "skip" in request.POST else form.answers()
        tell(participation_id=participation.pk, answers=answers, now=now)
    return redirect("work", pk=pk)
