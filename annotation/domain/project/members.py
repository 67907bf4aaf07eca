"""Members of a project: their roles, invitations and second factors."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.project.creation import add_member
from annotation.models import MemberInvitation, Membership, Project, User
from annotation.models.audit_actions import Action

SALT = "semblance.member"
DAYS = 14
Role = Membership.Role


@transaction.atomic
def invite_member(*, project: Project, email: str, role: str, actor: User | None, now: datetime) -> MemberInvitation:
    """Return an invitation of the address, in place of the one before. Raise Refusal if its owner is a member.

    No address gets a role at once, because anybody can sign up with anybody's address.
    """
    project, email = _locked(project), email.strip().lower()
    if project.memberships.filter(user__email__iexact=email).exists():
        raise Refusal(_("This person is already a member. Change their role below."))
    invitation, _made = MemberInvitation.objects.update_or_create(
        project=project, email=email, defaults={"role": role, "invited_by": actor, "invited_at": now}
    )
    write_down(Action.MEMBER_INVITED, project, actor=actor, now=now, invitation=invitation.pk, role=str(role))
    return invitation


def account_with(email: str) -> User | None:
    """Return the account whose address this is and has been confirmed."""
    confirmed = EmailAddress.objects.filter(email__iexact=email, verified=True)
    return User.objects.filter(pk__in=confirmed.values("user"), is_active=True).first()


def _give(project: Project, user: User, role: str, actor: User | None, now: datetime) -> Membership:
    membership = add_member(project=project, user=user, role=Role(role))
    write_down(Action.MEMBER_ADDED, project, actor=actor, now=now, member=user.pk, role=str(role))
    return membership


@transaction.atomic
def give_role(*, project: Project, user: User, role: str, actor: User | None, now: datetime) -> Membership:
    """Give an account a role, in place of the one it may have. Raise Refusal as `change_role` does."""
    membership = _locked(project).memberships.filter(user=user).first()
    if membership is None:
        return _give(project, user, role, actor, now)
    return change_role(membership=membership, role=role, actor=actor, now=now)


def link_of(invitation: MemberInvitation) -> str:
    """Return the token of the link that accepts the invitation."""
    return signing.dumps([invitation.pk, int(invitation.invited_at.timestamp())], salt=SALT, compress=True)


def invitation_of(token: str, now: datetime) -> MemberInvitation:
    """Return the invitation of a link. Raise Refusal if it is incomplete, has expired, was used or withdrawn."""
    try:
        pk, invited_at = signing.loads(token, salt=SALT)
    except (signing.BadSignature, TypeError, ValueError):
        raise Refusal(_("This link is incomplete. Copy the whole link and open it again.")) from None
    invitation = MemberInvitation.objects.select_related("project").filter(pk=pk).first()
    if invitation is None or int(invitation.invited_at.timestamp()) != invited_at:
        raise Refusal(_("This invitation has been used or revoked. Ask the project's owner for a new one."))
    if invitation.invited_at + timedelta(days=DAYS) <= now:
        raise Refusal(_("This invitation has expired. Ask the project's owner for a new one."))
    return invitation


@transaction.atomic
def accept_invitation(*, token: str, user: User, now: datetime) -> Membership:
    """Give the role to the account that opened the link; the link works once.

    Raises:
        Refusal: as in `invitation_of`; or the account has no password, is a member already, or the address is
            confirmed to be another account's.
    """
    if not user.signs_in:
        raise Refusal(_("Members need an account with a password. Set a password first, or sign up."))
    invitation = invitation_of(token, now)
    project = _locked(invitation.project)
    if not MemberInvitation.objects.filter(pk=invitation.pk).exists():
        raise Refusal(_("This invitation has been used or revoked. Ask the project's owner for a new one."))
    if project.memberships.filter(user=user).exists():
        raise Refusal(_("You are already a member of this project."))
    if account_with(invitation.email) not in (None, user):
        raise Refusal(_("This invitation is for another account. Sign in with the email address it was sent to."))
    invitation.delete()
    return _give(project, user, invitation.role, user, now)


@transaction.atomic
def withdraw_invitation(*, invitation: MemberInvitation, actor: User, now: datetime) -> None:
    """Withdraw the invitation, so that its link no longer works."""
    write_down(Action.MEMBER_INVITATION_WITHDRAWN, invitation.project, actor=actor, now=now, invitation=invitation.pk)
    invitation.delete()


@transaction.atomic
def change_role(*, membership: Membership, role: str, actor: User | None, now: datetime) -> Membership:
    """Change a member's role, also to hand a project over. Raise Refusal for the only owner."""
    project = _locked(membership.project)
    membership = project.memberships.select_related("user").get(pk=membership.pk)
    if membership.role == role:
        return membership
    _guard_last_owner(membership)
    before = membership.role
    add_member(project=project, user=membership.user, role=Role(role))
    details = {"member": membership.user_id, "from": before, "to": str(role)}
    write_down(Action.ROLE_CHANGED, project, actor=actor, now=now, **details)
    return project.memberships.get(pk=membership.pk)


@transaction.atomic
def remove_member(*, membership: Membership, actor: User, now: datetime) -> None:
    """Remove a member from the project. Raise Refusal for the only owner."""
    project = _locked(membership.project)
    membership = project.memberships.get(pk=membership.pk)
    _guard_last_owner(membership)
    write_down(Action.MEMBER_REMOVED, project, actor=actor, now=now, member=membership.user_id, role=membership.role)
    membership.delete()


def _locked(project: Project) -> Project:
    return Project.objects.select_for_update().get(pk=project.pk)


def _guard_last_owner(membership: Membership) -> None:
    others = Membership.objects.filter(project=membership.project_id, role=Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.exists():
        raise Refusal(_("A project needs an owner. Make another member an owner first."))


def has_second_factor(user: User) -> bool:
    """Return whether signing in to the account takes more than a password."""
    return user.pk in with_second_factor([user])


def with_second_factor(users: Iterable[User]) -> set[int]:
    """Return the ids of the accounts for which signing in takes more than a password; one query."""
    factors = Authenticator.objects.exclude(type=Authenticator.Type.RECOVERY_CODES)
    return set(factors.filter(user__in=[user.pk for user in users]).values_list("user", flat=True))


@transaction.atomic
def require_second_factor(*, project: Project, required: bool, actor: User, now: datetime) -> Project:
    """Require a second factor of all members, or no longer. Raise Refusal if the actor has none themselves."""
    project = _locked(project)
    if required and not has_second_factor(actor):
        raise Refusal(
            _("Set up two-factor authentication for your own account first. Otherwise you would lock yourself out.")
        )
    if project.requires_second_factor != required:
        project.requires_second_factor = required
        project.save(update_fields=["requires_second_factor"])
        action = Action.SECOND_FACTOR_REQUIRED if required else Action.SECOND_FACTOR_OPTIONAL
        write_down(action, project, actor=actor, now=now)
    return project
