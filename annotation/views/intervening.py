"""What a manager does to one person, and to the project while it runs: a page that asks, and then does it."""

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

from annotation.domain.deadlines import move_deadline, move_round_deadline
from annotation.domain.erasing import erase_outsider
from annotation.domain.errors import Refusal
from annotation.domain.messaging import send_message
from annotation.domain.participation import give_on, shorten_pause
from annotation.domain.pausing import pause_project, resume_project
from annotation.domain.reopening import ask_for_more, withdraw_items
from annotation.domain.restoring import restore
from annotation.forms.intervening import (
    DeadlineForm,
    ErasureForm,
    FurtherForm,
    KeysForm,
    MessageForm,
    ReasonForm,
    RoundDeadlineForm,
    ShortenPauseForm,
)
from annotation.models import Participation, Project
from annotation.permissions import managed_project, owned_project
from annotation.tasks import mail_messages


@dataclass(frozen=True)
class Intervention:
    """title: of its page. tells: what will happen. done: what is said afterwards. button: if not the title."""

    title: str | Promise
    tells: str | Promise
    done: str | Promise
    form: type[forms.Form]
    act: Callable[..., Any]
    final: bool = False
    button: str | Promise = ""

    @property
    def does(self) -> str | Promise:
        """What the button says that carries it out."""
        return self.button or self.title


TO_PERSON = {
    "message": Intervention(
        _("Write a message"),
        _("To this one person. The log keeps that you wrote, not what."),
        _("The message is on its way."),
        MessageForm,
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
        ReasonForm,
        restore,
    ),
    "give-on": Intervention(
        _("Give the place to somebody else"),
        _("The round ends for this person. What they answered counts; a new free place has what is still open."),
        _("Done: there is a free place with what was still open."),
        ReasonForm,
        give_on,
    ),
    "shorten": Intervention(
        _("Shorten the pause"),
        _("For this one person; the release tells that the pause was shortened."),
        _("The pause ends earlier now."),
        ShortenPauseForm,
        shorten_pause,
    ),
    "deadline": Intervention(
        _("Move the deadline"),
        _("They see the day on their pages, and are reminded of it by e-mail a day before."),
        _("The deadline is as you said."),
        DeadlineForm,
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
    ErasureForm,
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
        ReasonForm,
        pause_project,
    ),
    "resume": Intervention(
        _("Go on with the project"),
        _("Everybody goes on where they were."),
        _("The project goes on."),
        ReasonForm,
        resume_project,
    ),
    "deadline": Intervention(
        _("Deadline of a round"),
        _("For everybody in the round who has not finished, and for its free places; it replaces their own."),
        _("The deadline is set."),
        RoundDeadlineForm,
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
        FurtherForm,
        ask_for_more,
    ),
    "withdraw": Intervention(
        _("Withdraw items"),
        _(
            "Nobody is shown them any more, and they are in no score. What was answered stays stored; asking for"
            " further judgments brings an item back."
        ),
        _("The items are withdrawn."),
        KeysForm,
        withdraw_items,
    ),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, key: str, pk: int, action: str) -> HttpResponse:
    """Asks for what an intervention needs, and carries it out."""
    project = managed_project(request.user, key)
    participation = _participation(project, pk)
    intervention = _known(TO_PERSON, action)
    form = intervention.form(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = {"participation_id": pk, "actor": request.user, "now": timezone.now()} | form.cleaned_data
        if _done(request, form, intervention, given):
            mail_messages.delay_on_commit()
            return redirect("project-person", key=key, pk=pk)
    values = {"participation": participation, "tab": "watch"}
    return _page(request, project, intervention, form, values)


def _participation(project: Project, pk: int) -> Participation:
    people = Participation.objects.filter(project=project, annotator__isnull=False).select_related("annotator__user")
    return get_object_or_404(people, pk=pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """As `person`, for owners: forgets somebody who has no account with which to do it themselves."""
    project = owned_project(request.user, key)
    participation = _participation(project, pk)
    form = ErasureForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = {"annotator": participation.annotator, "actor": request.user, "now": timezone.now()}
        if _done(request, form, ERASE, given | {"reason": form.cleaned_data["reason"]}):
            return redirect("project-person", key=key, pk=pk)
    return _page(request, project, ERASE, form, {"participation": participation, "tab": "watch"})


@login_required
@require_safe
def control(request: HttpRequest, key: str) -> HttpResponse:
    """What can be done to the project while it runs."""
    project = managed_project(request.user, key)
    unwanted = "resume" if project.paused_at is None else "pause"
    values = {
        "project": project,
        "tab": "control",
        "interventions": [(name, one) for name, one in TO_PROJECT.items() if name != unwanted],
        "withdrawn": project.items.filter(withdrawn_at__isnull=False).order_by("position")[:50],
    }
    return render(request, "projects/control.html", values)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def project(request: HttpRequest, key: str, action: str) -> HttpResponse:
    """As `person`, for the whole project."""
    found = managed_project(request.user, key)
    intervention = _known(TO_PROJECT, action)
    own = {"project": found} if issubclass(intervention.form, RoundDeadlineForm | FurtherForm) else {}
    form = intervention.form(request.POST or None, initial={"keys": request.GET.get("keys", "")}, **own)
    if request.method == "POST" and form.is_valid():
        request_of = getattr(form, "request", lambda: form.cleaned_data)
        given = {"project": found, "actor": request.user, "now": timezone.now()} | request_of()
        if _done(request, form, intervention, given):
            return redirect("project-control", key=key)
    return _page(request, found, intervention, form, {"tab": "control"})


def _known(interventions: dict[str, Intervention], action: str) -> Intervention:
    if action not in interventions:
        raise Http404
    return interventions[action]


def _done(request: HttpRequest, form: forms.Form, intervention: Intervention, given: dict[str, Any]) -> bool:
    try:
        intervention.act(**given)
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return False
    messages.success(request, intervention.done)
    return True


def _page(
    request: HttpRequest, project: Project, intervention: Intervention, form: forms.Form, values: dict[str, Any]
) -> HttpResponse:
    values = {"project": project, "intervention": intervention, "form": form} | values
    return render(request, "projects/intervene.html", values, status=422 if form.errors else 200)
