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
from annotation.domain.participation.waves import continue_round, stop_round
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
        _("Only this person receives the message. The audit log records that you wrote, but not the text."),
        _("The message is being sent."),
        action_forms.MessageForm,
        send_message,
        button=_("Send"),
    ),
    "restore": Intervention(
        _("Reinstate"),
        _(
            "The person continues where they left off, and their answers count again. The replacement "
            "place is withdrawn. If somebody has already taken it, the person can't be reinstated."
        ),
        _("Annotator reinstated. Their answers count again."),
        action_forms.ReasonForm,
        restore,
    ),
    "give-on": Intervention(
        _("Reassign remaining work"),
        _("The round ends for this person. Their answers count, and a new free place gets the remaining work."),
        _("The remaining work is now in a new free place."),
        action_forms.ReasonForm,
        reassign,
    ),
    "shorten": Intervention(
        _("Shorten the pause"),
        _("Only for this person. Releases record that the pause was shortened."),
        _("The pause has been shortened."),
        action_forms.ShortenPauseForm,
        shorten_pause,
    ),
    "deadline": Intervention(
        _("Change the deadline"),
        _("The person sees the deadline on their pages. If this server sends email, it reminds them one day before."),
        _("The deadline has been changed."),
        action_forms.DeadlineForm,
        move_deadline,
    ),
}
ERASE = Intervention(
    _("Erase this person's data"),
    _(
        "For people without an account who request it. Their ID, messages and answers to "
        "participant questions are deleted, and unfinished rounds end. Their judgments stay under a "
        "new pseudonym that can't be traced back to them."
    ),
    _("The data has been erased. The judgments are kept under a new pseudonym."),
    action_forms.ErasureForm,
    erase_outsider,
    final=True,
)
TO_PROJECT = {
    "pause": Intervention(
        _("Pause the project"),
        _(
            "Annotators get no new screens, but can still answer the screen they have open. Nothing is "
            "lost: when you resume, everybody continues where they left off."
        ),
        _("The project is paused."),
        action_forms.ReasonForm,
        pause_project,
    ),
    "resume": Intervention(
        _("Resume the project"),
        _("Everybody continues where they left off."),
        _("The project has been resumed."),
        action_forms.ReasonForm,
        resume_project,
    ),
    "deadline": Intervention(
        _("Set the deadline of a round"),
        _(
            "For everybody in the round who has not finished, and for its free places. It replaces "
            "individual deadlines."
        ),
        _("The deadline has been set."),
        action_forms.RoundDeadlineForm,
        move_round_deadline,
        button=_("Set deadline"),
    ),
    "more": Intervention(
        _("Request more judgments"),
        _(
            "New free places with these items open for annotators who have not judged them yet. In a "
            "round with a common pool, each tuple with these items collects that many more answers. "
            "Withdrawn items are reinstated."
        ),
        _("More judgments have been requested."),
        action_forms.FurtherForm,
        ask_for_more,
    ),
    "stop-round": Intervention(
        _("End a round before its target"),
        _(
            "No more judgments of this round are given out. Those that annotators are working on still "
            "count. You can continue the round later."
        ),
        _("The round has ended."),
        action_forms.StopRoundForm,
        stop_round,
        button=_("End round"),
    ),
    "continue-round": Intervention(
        _("Continue a round that has ended"),
        _(
            "The judgments are opened within a minute, for the items with the least precise scores. When "
            "they are given, the round is compared with its target again."
        ),
        _("The round continues."),
        action_forms.ContinueRoundForm,
        continue_round,
        button=_("Continue round"),
    ),
    "reinstate": Intervention(
        _("Reinstate items"),
        _(
            "Judgments of these items count again, and annotators who have not finished the session see "
            "the items again."
        ),
        _("The items have been reinstated."),
        action_forms.KeysForm,
        reinstate_items,
    ),
    "withdraw": Intervention(
        _("Withdraw items"),
        _(
            "Annotators no longer see these items, and scores ignore them. Where items are compared, no comparison "
            "with one of them is shown or counted. Existing judgments stay stored. You can reinstate the items at any "
            "time."
        ),
        _("The items have been withdrawn."),
        action_forms.KeysForm,
        withdraw_items,
    ),
}

OF_WAVES = ("stop-round", "continue-round")
"""Actions on a round that is opened in waves."""
NEED_PROJECT = action_forms.RoundDeadlineForm | action_forms.FurtherForm | action_forms.StopRoundForm


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
    in_waves = any(round_.design.in_waves for round_ in project.protocol.rounds)
    hidden = {unwanted} if in_waves else {unwanted, *OF_WAVES}
    values = {"interventions": [(name, action) for name, action in TO_PROJECT.items() if name not in hidden]}
    values["withdrawn"] = project.items.filter(withdrawn_at__isnull=False).order_by("position")[:50]
    values |= {"project": project, "tab": "control"}
    return render(request, "projects/control.html", values)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def project(request: HttpRequest, key: str, action: str) -> HttpResponse:
    """Ask for what an intervention on the whole project needs, and carry it out."""
    found = managed_project(request.user, key)
    intervention = _known(TO_PROJECT, action)
    needs_project = issubclass(intervention.form, NEED_PROJECT)
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
