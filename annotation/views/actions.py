"""Actions of managers on one person and on the running project: each page asks for confirmation, then acts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.domain.account.erasure import erase_outsider
from annotation.domain.judgment.extra_judgments import ask_for_more, withdraw_items
from annotation.domain.judgment.item_changes import reinstate_items
from annotation.domain.messages.messages import send_message
from annotation.domain.participation.deadlines import move_deadline, move_round_deadline
from annotation.domain.participation.lifecycle import reassign, shorten_pause
from annotation.domain.participation.reinstatement import restore
from annotation.domain.project.pause import pause_project, resume_project
from annotation.forms import actions as action_forms
from annotation.forms.refusals import refusals
from annotation.models import Participation, Project
from annotation.permissions import managed_project, owned_project
from annotation.tasks import mail_messages


@dataclass(frozen=True)
class Intervention:
    """An action with the title of its page, what it will do (tells), the message afterwards (done) and its button."""

    title: str | Promise
    tells: str | Promise
    done: str | Promise
    form: type[forms.Form]
    act: Callable[..., Any]
    final: bool = False
    button: str | Promise = ""

    @property
    def does(self) -> str | Promise:
        """Return the label of the button."""
        return self.button or self.title


TO_PERSON = {
    "message": Intervention(
        _("Write a message"),
        _("To this one person. The log keeps that you wrote, not what."),
        _("The message is on its way."),
        action_forms.MessageForm,
        send_message,
        button=_("Send"),
    ),
    "restore": Intervention(
        _("Take back in"),
        _(
            "The person goes on where they were, and their answers count again. The place that was made instead is"
            " withdrawn; if somebody has taken it already, this cannot be done any more."
        ),
        _("The person is back, and their answers count."),
        action_forms.ReasonForm,
        restore,
    ),
    "give-on": Intervention(
        _("Give the place to somebody else"),
        _("The round ends for this person. What they answered counts; a new free place has what is still open."),
        _("Done: there is a free place with what was still open."),
        action_forms.ReasonForm,
        reassign,
    ),
    "shorten": Intervention(
        _("Shorten the pause"),
        _("For this one person; the release tells that the pause was shortened."),
        _("The pause ends earlier now."),
        action_forms.ShortenPauseForm,
        shorten_pause,
    ),
    "deadline": Intervention(
        _("Move the deadline"),
        _("They see the day on their pages, and are reminded of it by e-mail a day before."),
        _("The deadline is as you said."),
        action_forms.DeadlineForm,
        move_deadline,
    ),
}
ERASE = Intervention(
    _("Erase this person's data"),
    _(
        "For somebody without an account who has asked for it. Their id, their messages and what they told about"
        " themselves go, and rounds that are not finished end. What they answered stays, under a pseudonym that leads"
        " nowhere."
    ),
    _("Erased. The answers stand under another pseudonym now."),
    action_forms.ErasureForm,
    erase_outsider,
    final=True,
)
TO_PROJECT = {
    "pause": Intervention(
        _("Pause the project"),
        _(
            "Nobody is shown a new screen; an answer to a screen that somebody has before them is still taken. Nothing"
            " is lost: when you go on, everybody is where they were."
        ),
        _("The project is paused."),
        action_forms.ReasonForm,
        pause_project,
    ),
    "resume": Intervention(
        _("Go on with the project"),
        _("Everybody goes on where they were."),
        _("The project goes on."),
        action_forms.ReasonForm,
        resume_project,
    ),
    "deadline": Intervention(
        _("Deadline of a round"),
        _("For everybody in the round who has not finished, and for its free places; it replaces their own."),
        _("The deadline is set."),
        action_forms.RoundDeadlineForm,
        move_round_deadline,
        button=_("Set the deadline"),
    ),
    "more": Intervention(
        _("Ask for further judgments"),
        _(
            "New free places have these items, each for somebody who has not judged them. In a round where people take"
            " tuples from a common pool, the tuples with these items are given out so many times more. An item that was"
            " withdrawn comes back."
        ),
        _("Further judgments are asked for."),
        action_forms.FurtherForm,
        ask_for_more,
    ),
    "reinstate": Intervention(
        _("Reinstate items"),
        _(
            "Withdrawn items come back: their judgments count again, and people who have not finished the session are"
            " shown them again."
        ),
        _("The items are back."),
        action_forms.KeysForm,
        reinstate_items,
    ),
    "withdraw": Intervention(
        _("Withdraw items"),
        _(
            "Nobody is shown them any more, and they are in no score. What was answered stays stored; asking for"
            " further judgments brings an item back."
        ),
        _("The items are withdrawn."),
        action_forms.KeysForm,
        withdraw_items,
    ),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, key: str, pk: int, action: str) -> HttpResponse:
    """Ask for what an intervention on a person needs, and carry it out."""
    project = managed_project(request.user, key)
    participation = _participation(project, pk)
    intervention = _known(TO_PERSON, action)
    form = intervention.form(request.POST or None)
    if request.method == "POST" and form.is_valid():
        arguments = {"participation_id": pk, "actor": request.user, "now": timezone.now()} | form.cleaned_data
        if _done(request, form, intervention, arguments):
            mail_messages.delay_on_commit()
            return redirect("project-person", key=key, pk=pk)
    return _page(request, project, intervention, form, {"participation": participation, "tab": "people"})


def _participation(project: Project, pk: int) -> Participation:
    people = Participation.objects.filter(project=project, annotator__isnull=False).select_related("annotator__user")
    return get_object_or_404(people, pk=pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Erase the data of somebody without an account, for owners, after confirmation."""
    project = owned_project(request.user, key)
    participation = _participation(project, pk)
    form = action_forms.ErasureForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        arguments = {"annotator": participation.annotator, "actor": request.user, "now": timezone.now()}
        if _done(request, form, ERASE, arguments | {"reason": form.cleaned_data["reason"]}):
            return redirect("project-person", key=key, pk=pk)
    return _page(request, project, ERASE, form, {"participation": participation, "tab": "people"})


@login_required
@require_safe
def control(request: HttpRequest, key: str) -> HttpResponse:
    """Show what can be done to the project while it runs."""
    project = managed_project(request.user, key)
    unwanted = "resume" if project.paused_at is None else "pause"
    values = {"interventions": [(name, action) for name, action in TO_PROJECT.items() if name != unwanted]}
    values["withdrawn"] = project.items.filter(withdrawn_at__isnull=False).order_by("position")[:50]
    values |= {"project": project, "tab": "control"}
    return render(request, "projects/control.html", values)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def project(request: HttpRequest, key: str, action: str) -> HttpResponse:
    """Ask for what an intervention on the whole project needs, and carry it out."""
    found = managed_project(request.user, key)
    intervention = _known(TO_PROJECT, action)
    needs_project = issubclass(intervention.form, action_forms.RoundDeadlineForm | action_forms.FurtherForm)
    extra = {"project": found} if needs_project else {}
    form = intervention.form(request.POST or None, initial={"keys": request.GET.get("keys", "")}, **extra)
    if request.method == "POST" and form.is_valid():
        request_of = getattr(form, "request", lambda: form.cleaned_data)
        arguments = {"project": found, "actor": request.user, "now": timezone.now()} | request_of()
        if _done(request, form, intervention, arguments):
            return _after(request, found)
    return _page(request, found, intervention, form, {"tab": "control"})


def _after(request: HttpRequest, project: Project) -> HttpResponse:
    """Return to the item whose page led here, or to all actions."""
    item = project.items.filter(key=request.GET.get("keys", "")).first()
    if item is not None:
        return redirect("project-watch-item", key=project.key, pk=item.pk)
    return redirect("project-control", key=project.key)


def _known(interventions: dict[str, Intervention], action: str) -> Intervention:
    if action not in interventions:
        raise Http404
    return interventions[action]


def _done(request: HttpRequest, form: forms.Form, intervention: Intervention, arguments: dict[str, Any]) -> bool:
    with refusals(form):
        intervention.act(**arguments)
        messages.success(request, intervention.done)
        return True
    return False


def _page(
    request: HttpRequest, project: Project, intervention: Intervention, form: forms.Form, values: dict[str, Any]
) -> HttpResponse:
    values = {"project": project, "intervention": intervention, "form": form} | values
    return render(request, "projects/intervene.html", values, status=422 if form.errors else 200)
