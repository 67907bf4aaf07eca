"""Lists of addresses: checked first, then invited by a worker, with the outcome for each."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.jobs.worker import worker_is_alive
from annotation.domain.messages.unsubscribing import unsubscribed_among
from annotation.domain.recruiting.address_lists import as_text
from annotation.domain.recruiting.links import path_of
from annotation.domain.recruiting.mailings import (
    counts_of,
    invite_addresses,
    outcomes_of,
    send_again,
    sends_email,
    with_joined,
)
from annotation.forms.recruiting import AddressesForm
from annotation.forms.refusals import refusal_messages
from annotation.models import JobState, Project
from annotation.models.jobs import NOT_ENDED
from annotation.permissions import managed_project
from annotation.tasks import run_job

A_PAGE = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def addresses(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = AddressesForm(request.POST or None, request.FILES or None, project=project)
    listed = form.listed() if request.method == "POST" and form.is_valid() else None
    if listed is not None and "confirmed" in request.POST:
        return _invite(request, project, form, listed)
    values = _page(request, project) | {"form": form}
    if listed is not None:
        values |= {"listed": listed, "rows": as_text(listed.rows), "place": "/".join(form.cleaned_data["place"])}
        values["expires_at"] = form.cleaned_data["expires_at"]
    part = "#list" if request.htmx else ""
    return render(request, f"projects/recruiting_addresses.html{part}", values, status=422 if form.errors else 200)


def _page(request: HttpRequest, project: Project) -> dict[str, object]:
    found = with_joined(project.invited.select_related("link")).order_by("-pk")
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    gone = unsubscribed_among(project, [invited.address for invited in page])
    for invited in page:
        invited.unsubscribed = invited.address in gone
        invited.link.project = project
        invited.url = request.build_absolute_uri(path_of(invited.link))
    sending = list(counts_of(project.mailings.filter(state__in=NOT_ENDED)))
    stopped = project.mailings.filter(state=JobState.FAILED).exists()
    values = {"project": project, "tab": "addresses", "page": page, "sending": sending}
    values |= {"stopped": stopped, "worker_alive": worker_is_alive(timezone.now()), "keeps_mail": not sends_email()}
    values["outcomes"] = outcomes_of(project)
    return values


def _invite(request: HttpRequest, project: Project, form: AddressesForm, listed) -> HttpResponse:
    round_key, pool = form.cleaned_data["place"]
    values = {"round_key": round_key, "pool": pool, "rows": listed.rows}
    values["expires_at"] = form.cleaned_data["expires_at"]
    with refusal_messages(request):
        mailing = invite_addresses(project=project, actor=request.user, now=timezone.now(), **values)
        run_job.delay_on_commit("mailing", mailing.pk)
        count = mailing.addresses.count()
        text = ngettext("Inviting %(count)s person.", "Inviting %(count)s people.", count)
        messages.success(request, text % {"count": count})
    return redirect("project-recruiting-addresses", key=project.key)


@login_required
@require_POST
def again(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    invited = get_object_or_404(project.invited.select_related("link"), pk=pk)
    with refusal_messages(request):
        send_again(invited=invited, actor=request.user, now=timezone.now())
        run_job.delay_on_commit("mailing", invited.mailing_id)
        messages.success(request, _("The invitation is being sent again."))
    return redirect("project-recruiting-addresses", key=key)
