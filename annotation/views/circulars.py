"""A message to many: who would get it is shown first, then a worker sends it."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.domain.circulars import Audience, Recipients, recipients_of, request_circular, with_counts
from annotation.domain.errors import Refusal
from annotation.domain.waiting import worker_is_alive
from annotation.forms.intervening import CircularForm
from annotation.models import Circular, Project
from annotation.permissions import managed_project
from annotation.tasks import send_circulars

SHOWN = 20


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def circulars(request: HttpRequest, key: str) -> HttpResponse:
    project, ahead, other = managed_project(request.user, key), None, False
    form = CircularForm(request.POST or None, project=project, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        ahead = recipients_of(project, **form.selection())
        if form.cleaned_data["seen"] == ahead.mark and _asked(request, project, form, ahead):
            return redirect("project-messages", key=key)
        other = bool(form.cleaned_data["seen"]) and form.cleaned_data["seen"] != ahead.mark
        form.show(ahead.mark)
    values = {"form": form, "ahead": ahead, "other": other}
    return _page(request, project, values)


def _initial(request: HttpRequest) -> dict[str, object]:
    """People ticked in the list of people come as numbers of their places."""
    ticked = request.GET.getlist("place")
    given = {"round": request.GET.get("round", ""), "audience": request.GET.get("audience", Audience.EVERYBODY)}
    ticks = {"round": "", "audience": Audience.CHOSEN, "chosen": ",".join(ticked)} if ticked else {}
    return {"key": uuid4()} | given | ticks


def _asked(request: HttpRequest, project: Project, form: CircularForm, recipients: Recipients) -> bool:
    wanted = {name: form.cleaned_data[name] for name in ("key", "text")}
    try:
        made = request_circular(
            project=project, recipients=recipients, actor=request.user, now=timezone.now(), **wanted
        )
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return False
    send_circulars.delay_on_commit()
    number = len(made.recipients)
    told = ngettext("It goes out to %(number)s person.", "It goes out to %(number)s people.", number)
    messages.success(request, told % {"number": number})
    return True


def _page(request: HttpRequest, project: Project, values: dict[str, object]) -> HttpResponse:
    listed = list(
        with_counts(Circular.objects.filter(project=project)).select_related("sender").order_by("-pk")[:SHOWN]
    )
    values |= {
        "project": project,
        "tab": "control",
        "circulars": listed,
        "sending": any(one.sent_at is None for one in listed),
        "worker_alive": worker_is_alive(timezone.now()),
    }
    part = "#list" if request.htmx else ""
    return render(request, f"projects/circulars.html{part}", values, status=422 if values["form"].errors else 200)
