"""A message to many people: the recipients are shown first, then a worker sends it."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.domain.jobs.worker import worker_is_alive
from annotation.domain.messages.broadcasts import Audience, Recipients, recipients_of, request_broadcast, with_counts
from annotation.forms.actions import BroadcastForm
from annotation.forms.refusals import refusals
from annotation.models import Broadcast, Project
from annotation.models.jobs import NOT_ENDED
from annotation.permissions import managed_project
from annotation.tasks import run_job

SHOWN = 20


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def broadcasts(request: HttpRequest, key: str) -> HttpResponse:
    project, ahead, other = managed_project(request.user, key), None, False
    form = BroadcastForm(request.POST or None, project=project, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        ahead = recipients_of(project, **form.selection())
        if form.cleaned_data["seen"] == ahead.mark and _asked(request, project, form, ahead):
            return redirect("project-messages", key=key)
        other = bool(form.cleaned_data["seen"]) and form.cleaned_data["seen"] != ahead.mark
        form.show(ahead.mark)
    return _page(request, project, {"form": form, "ahead": ahead, "other": other})


def _initial(request: HttpRequest) -> dict[str, object]:
    """Return the initial values; people ticked in the list of people come as ids of their participations."""
    ticked = request.GET.getlist("place")
    asked = {"round": request.GET.get("round", ""), "audience": request.GET.get("audience", Audience.EVERYBODY)}
    ticks = {"round": "", "audience": Audience.CHOSEN, "chosen": ",".join(ticked)} if ticked else {}
    return {"key": uuid4()} | asked | ticks


def _asked(request: HttpRequest, project: Project, form: BroadcastForm, recipients: Recipients) -> bool:
    wanted = {name: form.cleaned_data[name] for name in ("key", "text")}
    with refusals(form):
        wanted |= {"project": project, "recipients": recipients}
        made = request_broadcast(actor=request.user, now=timezone.now(), **wanted)
        run_job.delay_on_commit("broadcast", made.pk)
        number = len(made.recipients)
        text = ngettext(
            "The message is being sent to %(number)s person.", "The message is being sent to %(number)s people.", number
        )
        messages.success(request, text % {"number": number})
        return True
    return False


def _page(request: HttpRequest, project: Project, values: dict[str, object]) -> HttpResponse:
    newest = with_counts(Broadcast.objects.filter(project=project)).select_related("created_by").order_by("-pk")
    listed = list(newest[:SHOWN])
    sending = any(broadcast.state in NOT_ENDED for broadcast in listed)
    values |= {"project": project, "tab": "control", "broadcasts": listed, "sending": sending}
    values["worker_alive"] = worker_is_alive(timezone.now())
    part = "#list" if request.htmx else ""
    return render(request, f"projects/broadcasts.html{part}", values, status=422 if values["form"].errors else 200)
