"""The members of a project and their roles, for its owners; and the link by which an invited member joins."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.errors import Refusal
from annotation.domain.project import members
from annotation.domain.project.deletion import delete_project
from annotation.domain.recruiting.mailings import sends_email
from annotation.forms.actions import DeletionForm, MemberForm, RoleForm
from annotation.forms.refusals import refusal_messages, refusals
from annotation.models import MemberInvitation, Membership, Project
from annotation.permissions import owned_project
from annotation.views.confirming import Confirmation


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def all_members(request: HttpRequest, key: str) -> HttpResponse:
    project = owned_project(request.user, key)
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            given = {"project": project, "actor": request.user, "now": timezone.now()}
            _notify(request, members.invite_member(**given, **form.cleaned_data))
            return redirect("project-members", key=key)
    memberships = project.memberships.select_related("user").order_by("role", "user__email")
    values = {"project": project, "tab": "members", "form": form, "roles": Membership.Role.choices}
    secured = members.with_second_factor(membership.user for membership in memberships)
    values["members"] = [(membership, membership.user_id in secured) for membership in memberships]
    values["invitations"] = [(invited, _address(invited)) for invited in project.member_invitations.all()]
    return render(request, "projects/members.html", values, status=422 if form.errors else 200)


def _address(invitation: MemberInvitation) -> str:
    return settings.PUBLIC_URL + reverse("member-accept", args=[members.link_of(invitation)])


def _notify(request: HttpRequest, invitation: MemberInvitation) -> None:
    values = {"invitation": invitation, "project": invitation.project, "url": _address(invitation)}
    subject = _("Invitation: %(project)s") % {"project": " ".join(invitation.project.title.split())}
    if not sends_email():
        messages.success(request, _("This server does not send email. Copy the link below and pass it on yourself."))
        return
    try:
        send_mail(subject, render_to_string("email/member.txt", values), None, [invitation.email])
        messages.success(request, _("The invitation has been sent."))
    except OSError:
        messages.warning(
            request, _("The invitation email could not be sent. Copy the link below and pass it on yourself.")
        )


@login_required
@require_POST
def change(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = owned_project(request.user, key)
    membership, form = get_object_or_404(project.memberships, pk=pk), RoleForm(request.POST)
    if form.is_valid():
        arguments = {"actor": request.user, "now": timezone.now()} | form.cleaned_data
        _try(request, members.change_role, _("The role has been changed."), membership=membership, **arguments)
    return _back(request, project)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Ask, and remove a member."""
    project = owned_project(request.user, key)
    membership = get_object_or_404(project.memberships.select_related("user"), pk=pk)
    if request.method == "POST":
        arguments = {"membership": membership, "actor": request.user, "now": timezone.now()}
        _try(request, members.remove_member, _("The member has been removed."), **arguments)
        return _back(request, project)
    asked = Confirmation(
        title=_("Remove %(person)s") % {"person": membership.user.shown_name},
        says=_("They will lose access to this project. You can add them again at any time."),
        button=_("Remove"),
        done="",
        back=("project-members", {"key": key}),
        danger=True,
        tab="members",
    )
    return render(request, "projects/confirm.html", {"project": project, "asked": asked, "tab": asked.tab})


@login_required
@require_POST
def withdraw(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    project = owned_project(request.user, key)
    invitation = get_object_or_404(project.member_invitations, pk=pk)
    arguments = {"invitation": invitation, "actor": request.user, "now": timezone.now()}
    _try(request, members.withdraw_invitation, _("The invitation has been revoked."), **arguments)
    return _back(request, project)


@login_required
@require_POST
def second_factor(request: HttpRequest, key: str) -> HttpResponse:
    project = owned_project(request.user, key)
    arguments = {"project": project, "required": "required" in request.POST}
    arguments |= {"actor": request.user, "now": timezone.now()}
    _try(request, members.require_second_factor, _("Saved."), **arguments)
    return _back(request, project)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, key: str) -> HttpResponse:
    project, form = owned_project(request.user, key), DeletionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            delete_project(project=project, actor=request.user, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("The project has been deleted."))
            return redirect("home")
    values = {"project": project, "tab": "delete", "form": form}
    return render(request, "projects/delete.html", values, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Make the signed-in account that opens an invitation a member."""
    try:
        if request.method == "POST":
            membership = members.accept_invitation(token=token, user=request.user, now=timezone.now())
            name = "project-runs" if membership.role == Membership.Role.RESEARCHER else "project"
            return redirect(name, key=membership.project.key)
        invitation = members.invitation_of(token, timezone.now())
    except Refusal as refusal:
        return render(request, "work/refused.html", {"problem": refusal}, status=404)
    return render(request, "home/member.html", {"invitation": invitation})


def _try(request: HttpRequest, act, done: str, **arguments: object) -> None:
    with refusal_messages(request):
        act(**arguments)
        messages.success(request, done)


def _back(request: HttpRequest, project: Project) -> HttpResponse:
    """Redirect to the members, or home if the person is no longer an owner."""
    owners = Membership.objects.filter(project=project, user=request.user, role=Membership.Role.OWNER)
    if request.user.is_superuser or owners.exists():
        return redirect("project-members", key=project.key)
    return redirect("home")
