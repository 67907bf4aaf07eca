"""Who may do what in a project: its owners give roles, change them and take them away."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.domain.projects import add_member
from annotation.models import MemberInvitation, Membership, Project, User

SALT = "semblance.member"
DAYS = 14
Role = Membership.Role


@dataclass(frozen=True)
class Added:
    """membership: given at once, to an account that is known. invitation: waits for whoever opens its link."""

    membership: Membership | None = None
    invitation: MemberInvitation | None = None


@transaction.atomic
def invite_member(*, project: Project, email: str, role: str, actor: User, now: datetime) -> Added:
    """Gives the account with that address a role, or invites whoever has the address to take it.

    Where addresses have to be confirmed, only a confirmed one counts as known: anybody can sign up with any address.

    Raises:
        Refusal: they are a member already.
    """
    project, email = _locked(project), email.strip().lower()
    user = _account(email)
    if user is None:
        invitation, _made = MemberInvitation.objects.update_or_create(
            project=project, email=email, defaults={"role": role, "invited_by": actor, "invited_at": now}
        )
        write_down("member invited", project, actor=actor, now=now, invitation=invitation.pk, role=str(role))
        return Added(invitation=invitation)
    if project.memberships.filter(user=user).exists():
        raise Refusal(_("This person is a member already; change their role below."))
    membership = _give(project, user, role, actor, now)
    return Added(membership=membership)


def _account(email: str) -> User | None:
    users = User.objects.filter(email__iexact=email, is_active=True)
    if settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory":
        confirmed = EmailAddress.objects.filter(email__iexact=email, verified=True)
        users = User.objects.filter(pk__in=confirmed.values("user"), is_active=True)
    return users.filter(guest__isnull=True).first()


def _give(project: Project, user: User, role: str, actor: User | None, now: datetime) -> Membership:
    membership = add_member(project=project, user=user, role=Role(role))
    write_down("member added", project, actor=actor, now=now, member=user.pk, role=str(role))
    return membership


def link_of(invitation: MemberInvitation) -> str:
    """The token of the link by which the role is taken."""
    return signing.dumps([invitation.pk, int(invitation.invited_at.timestamp())], salt=SALT, compress=True)


def invitation_of(token: str, now: datetime) -> MemberInvitation:
    """The invitation that a link stands for.

    Raises:
        Refusal: the link was changed or cut, has run out, was used or withdrawn.
    """
    try:
        pk, invited_at = signing.loads(token, salt=SALT)
    except (signing.BadSignature, TypeError, ValueError):
        raise Refusal(_("This link is not complete. Please open it again exactly as you were given it.")) from None
    invitation = MemberInvitation.objects.select_related("project").filter(pk=pk).first()
    if invitation is None or int(invitation.invited_at.timestamp()) != invited_at:
        raise Refusal(_("This invitation was used or withdrawn. Please ask the project's owner for a new one."))
    if invitation.invited_at + timedelta(days=DAYS) <= now:
        raise Refusal(_("This invitation has run out. Please ask the project's owner for a new one."))
    return invitation


@transaction.atomic
def accept_invitation(*, token: str, user: User, now: datetime) -> Membership:
    """Whoever has the link takes the role, with whatever account; the link works once.

    Raises:
        Refusal: as in `invitation_of`; or they are a member already.
    """
    if not user.has_usable_password():
        raise Refusal(_("A role needs an account with a password: please set one first, or sign up."))
    invitation = invitation_of(token, now)
    project = _locked(invitation.project)
    if not MemberInvitation.objects.filter(pk=invitation.pk).exists():
        raise Refusal(_("This invitation was used or withdrawn. Please ask the project's owner for a new one."))
    if project.memberships.filter(user=user).exists():
        raise Refusal(_("You are a member of this project already."))
    invitation.delete()
    return _give(project, user, invitation.role, user, now)


@transaction.atomic
def withdraw_invitation(*, invitation: MemberInvitation, actor: User, now: datetime) -> None:
    """The link of the invitation opens nothing any more."""
    write_down("member invitation withdrawn", invitation.project, actor=actor, now=now, invitation=invitation.pk)
    invitation.delete()


@transaction.atomic
def change_role(*, membership: Membership, role: str, actor: User, now: datetime) -> Membership:
    """Another role; so a project is handed over as well.

    Raises:
        Refusal: the only owner would be none any more.
    """
    project = _locked(membership.project)
    membership = project.memberships.select_related("user").get(pk=membership.pk)
    if membership.role == role:
        return membership
    _guard_last_owner(membership)
    before = membership.role
    add_member(project=project, user=membership.user, role=Role(role))
    details = {"member": membership.user_id, "from": before, "to": str(role)}
    write_down("role changed", project, actor=actor, now=now, **details)
    return project.memberships.get(pk=membership.pk)


@transaction.atomic
def remove_member(*, membership: Membership, actor: User, now: datetime) -> None:
    """They reach the project no more.

    Raises:
        Refusal: the only owner.
    """
    project = _locked(membership.project)
    membership = project.memberships.get(pk=membership.pk)
    _guard_last_owner(membership)
    write_down("member removed", project, actor=actor, now=now, member=membership.user_id, role=membership.role)
    membership.delete()


def _locked(project: Project) -> Project:
    return Project.objects.select_for_update().get(pk=project.pk)


def _guard_last_owner(membership: Membership) -> None:
    others = Membership.objects.filter(project=membership.project_id, role=Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.exists():
        raise Refusal(_("A project needs an owner: make somebody else an owner first."))


def has_second_factor(user: User) -> bool:
    """Whether the account is signed in to with more than a password."""
    return Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES).exists()


@transaction.atomic
def require_second_factor(*, project: Project, required: bool, actor: User, now: datetime) -> Project:
    """Whether every member has to sign in with a second factor.

    Raises:
        Refusal: who asks for it has none themselves.
    """
    project = _locked(project)
    if required and not has_second_factor(actor):
        raise Refusal(_("Please set up a second step for your own account first, or you would lock yourself out."))
    if project.requires_second_factor != required:
        project.requires_second_factor = required
        project.save(update_fields=["requires_second_factor"])
        write_down("second factor required" if required else "second factor optional", project, actor=actor, now=now)
    return project
