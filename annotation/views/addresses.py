"""Lists of addresses: looked through first, then invited by a worker, with what became of each."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.address_lists import as_text
from annotation.domain.errors import Refusal
from annotation.domain.links import path_of
from annotation.domain.mailing import counts_of, invite_addresses, send_again, sends_email, with_joined
from annotation.domain.waiting import worker_is_alive
from annotation.forms.recruiting import AddressesForm
from annotation.models import Mailing, Project
from annotation.permissions import managed_project
from annotation.tasks import send_mailings

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
    for one in page:
        one.link.project = project
        one.url = request.build_absolute_uri(path_of(one.link))
    return {
        "project": project,
        "tab": "recruiting",
        "part": "addresses",
        "page": page,
        "sending": list(counts_of(project.mailings.filter(state=Mailing.State.WAITING))),
        "worker_alive": worker_is_alive(timezone.now()),
        "keeps_mail": not sends_email(),
    }


def _invite(request: HttpRequest, project: Project, form: AddressesForm, listed) -> HttpResponse:
    round_key, pool = form.cleaned_data["place"]
    values = {"round_key": round_key, "pool": pool, "rows": listed.rows}
    values["expires_at"] = form.cleaned_data["expires_at"]
    try:
        mailing = invite_addresses(project=project, actor=request.user, now=timezone.now(), **values)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("project-recruiting-addresses", key=project.key)
    send_mailings.delay_on_commit()
    count = mailing.addresses.count()
    told = ngettext("%(count)s person is being invited.", "%(count)s people are being invited.", count)
    messages.success(request, told % {"count": count})
    return redirect("project-recruiting-addresses", key=project.key)


@login_required
@require_POST
def again(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = managed_project(request.user, key)
    invited = get_object_or_404(project.invited.select_related("link"), pk=pk)
    try:
        send_again(invited=invited, actor=request.user, now=timezone.now())
        send_mailings.delay_on_commit()
        messages.success(request, _("The invitation is being sent once more."))
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("project-recruiting-addresses", key=key)
