"""The links of a project, who joined by them, and people without an account."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.domain.project.creation import log_changes
from annotation.domain.recruiting.guests import send_resume_link, withdraw_resume_links
from annotation.domain.recruiting.links import (
    make_link,
    path_of,
    places_of,
    reopen_link,
    revoke_link,
    standing_link,
    standing_links,
    stored,
    with_uses,
)
from annotation.domain.recruiting.mailings import sends_email
from annotation.domain.recruiting.overview import options_of
from annotation.forms.recruiting import LinkForm, OptionsForm, StandingForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import InvitationLink, Project
from annotation.models.people import CROWD
from annotation.permissions import managed_project
from annotation.views.confirming import Confirmation, confirm

A_PAGE = 25
FORM = ["GET", "HEAD", "POST"]
Kind = InvitationLink.Kind


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, key: str) -> HttpResponse:
    """Show every link that strangers may use, and add one; personal links are listed with their addresses."""
    project = managed_project(request.user, key)
    form = LinkForm(request.POST or None, project=project)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            make_link(project=project, actor=request.user, now=timezone.now(), **form.request())
            messages.success(request, _("The link has been created. Copy it from the list."))
            return redirect("project-recruiting", key=key)
    page = Paginator(with_uses(project.links.filter(kind=Kind.OPEN)).order_by("-pk"), A_PAGE)
    page = page.get_page(request.GET.get("page"))
    values = {"project": project, "tab": "links", "form": form, "page": page}
    values |= {"keeps_mail": not sends_email(), "options": OptionsForm(instance=options_of(project))}
    values["standing"] = [_shown(request, link, project) for link in standing_links(project)]
    values["links"] = [_shown(request, link, project) for link in page]
    return render(request, "projects/recruiting.html", values, status=422 if form.errors else 200)


def _shown(request: HttpRequest, link: InvitationLink, project: Project) -> dict[str, object]:
    link.project = project
    now = timezone.now()
    return {
        "link": link,
        "title": places_of(project).get((link.round, link.pool), link.round),
        "url": request.build_absolute_uri(path_of(link)),
        "used": link.used,
        "over": link.revoked_at is not None or link.has_expired(now),
        "expired": link.has_expired(now),
        "full": link.most is not None and link.used >= link.most,
    }


@login_required
@require_POST
def options(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    form = OptionsForm(request.POST, instance=options_of(project))
    if form.is_valid():
        form.save()
        log_changes(project=project, fields=form.changed_data, actor=request.user, now=timezone.now())
        messages.success(request, _("Saved."))
    return redirect("project-recruiting", key=key)


@login_required
@require_http_methods(FORM)
def revoke(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and withdraw a link."""
    project = managed_project(request.user, key)
    return _revoked(request, project, get_object_or_404(project.links, pk=pk))


@login_required
@require_http_methods(FORM)
def revoke_standing(request: HttpRequest, key: str) -> HttpResponse:
    """Ask, and withdraw the link that a round has from the beginning, storing it first if necessary."""
    project = managed_project(request.user, key)
    form = StandingForm(request.POST or request.GET, project=project)
    if not form.is_valid():
        return redirect("project-recruiting", key=key)
    link = standing_link(project, *form.cleaned_data["place"])
    if request.method == "POST":
        link = stored(link)
    return _revoked(request, project, link, place=f"{link.round}/{link.pool}")


def _revoked(request: HttpRequest, project: Project, link: InvitationLink, **fields: str) -> HttpResponse:
    key = {"key": project.key}
    asked = Confirmation(
        title=_("Revoke link"),
        says=_(
            "Nobody can join with this link any more. People who have already joined keep their places. "
            "You can undo this at any time."
        ),
        button=_("Revoke link"),
        done=_("The link has been revoked. People who have already joined keep their places."),
        back=("project-recruiting-addresses" if link.kind == Kind.PERSONAL else "project-recruiting", key),
        undo=("project-link-reopen", key | {"pk": link.pk}) if link.pk else None,
        danger=True,
        tab="links",
        fields=fields,
    )
    return confirm(request, project, asked, lambda: revoke_link(link=link, actor=request.user, now=timezone.now()))


@login_required
@require_POST
def reopen(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Take back the withdrawal of a link."""
    project = managed_project(request.user, key)
    link = get_object_or_404(project.links, pk=pk)
    reopen_link(link=link, actor=request.user, now=timezone.now())
    messages.success(request, _("The link is active again."))
    return redirect("project-recruiting-addresses" if link.kind == Kind.PERSONAL else "project-recruiting", key=key)


@login_required
@require_safe
def guests(request: HttpRequest, key: str) -> HttpResponse:
    project = managed_project(request.user, key)
    annotators = Prefetch("user__annotators", project.annotators.all(), to_attr="here")
    found = project.guests.exclude(user__username__startswith=CROWD).select_related("user")
    found = found.prefetch_related(annotators).order_by("-pk")
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    values = {"project": project, "tab": "guests", "page": page, "keeps_mail": not sends_email()}
    return render(request, "projects/recruiting_guests.html", values)


@login_required
@require_POST
def send(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Send a guest their link, which the manager does not see."""
    project = managed_project(request.user, key)
    guest = get_object_or_404(project.guests.select_related("user"), pk=pk)
    with refusal_messages(request):
        send_resume_link(guest=guest, actor=request.user, now=timezone.now())
        messages.success(request, _("The link has been sent."))
    return redirect("project-recruiting-guests", key=key)


@login_required
@require_http_methods(FORM)
def withdraw(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and make every link of a person void."""
    project = managed_project(request.user, key)
    guest = get_object_or_404(project.guests.select_related("user"), pk=pk)
    asked = Confirmation(
        title=_("Revoke all links"),
        says=_("All links sent to this person stop working, and the person is signed out. This cannot be undone."),
        button=_("Revoke all links"),
        done=_("All links sent to this person have been revoked, and the person has been signed out everywhere."),
        back=("project-recruiting-guests", {"key": key}),
        danger=True,
        tab="links",
    )
    return confirm(
        request, project, asked, lambda: withdraw_resume_links(guest=guest, actor=request.user, now=timezone.now())
    )
