"""Erasure of a person's account; their judgments stay under a pseudonym that cannot be traced to them."""

import secrets
from datetime import datetime
from functools import partial

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.account.expiry import delete_kept_mails
from annotation.domain.account.installation import guard_last_administrator
from annotation.domain.account.notices import notify
from annotation.domain.account.sessions import end_sessions
from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.domain.participation.lifecycle import leave
from annotation.domain.recruiting.guests import confirmed_addresses
from annotation.models import (
    Annotator,
    AuditEntry,
    Bonus,
    CrowdSubmission,
    InvitationLink,
    InvitedAddress,
    MemberInvitation,
    Membership,
    Message,
    Participation,
    PersonalAnswer,
    Project,
    SecurityEvent,
    State,
    User,
    WaitingPerson,
)
from annotation.models.audit_actions import Action
from annotation.queries.people import ENDED

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
PSEUDONYM = 12  # letters, as many as the others have
ERASED = "Erased."
PAID = (Bonus.State.SENT, Bonus.State.FAILED)


def owned_alone(user: User) -> QuerySet[Project]:
    """Return the projects that would be left without an owner."""
    owners = Membership.objects.filter(role=Membership.Role.OWNER)
    others = owners.exclude(user=user).values("project")
    return Project.objects.filter(pk__in=owners.filter(user=user).values("project")).exclude(pk__in=others)


@transaction.atomic
def erase_account(*, user: User, now: datetime) -> None:
    """Delete everything that names or describes the person; their judgments stay.

    Rounds that are not finished end, and others take over what is open. The pseudonym becomes a random one, which
    nothing and nobody can work out from the account or the outside id that it once belonged to.

    Raises:
        Refusal: a project would be left without an owner, or the installation without an administrator.
    """
    addresses = confirmed_addresses(user)
    kept = addresses | {user.email.lower()}
    for annotator in Annotator.objects.filter(user=user).order_by("pk"):
        erase_annotator(annotator=annotator, now=now)
    _forget_addresses(addresses)
    _forget_in_administration(user)
    for project in _guard(user):
        write_down(Action.MEMBER_ERASED, project, actor=None, by=AuditEntry.By.MEMBER, now=now)
    SecurityEvent.objects.filter(user=user).update(user=None, address="")
    end_sessions(user)
    user.delete()
    transaction.on_commit(partial(notify, user, "erased"))
    transaction.on_commit(partial(delete_kept_mails, kept - {""}))


def _guard(user: User) -> list[Project]:
    """Return the projects of which the person is a member, locked: of two owners who leave at once the second stays.

    They are locked after the person's places, because an answer locks its place first, and then the project.
    """
    projects = Project.objects.select_for_update().filter(pk__in=user.memberships.values("project"))
    locked = list(projects.order_by("pk"))
    if alone := [f"“{project}”" for project in owned_alone(user)]:
        reason = _("You are the only owner of %(projects)s. Make someone else an owner first, or delete the project.")
        raise Refusal(reason % {"projects": ", ".join(alone)})
    guard_last_administrator(user)
    return locked


@transaction.atomic
def erase_annotator(*, annotator: Annotator, now: datetime, actor: User | None = None, reason: str = "") -> Annotator:
    """Erase the person in one project, and return the nameless annotator; a second time changes nothing.

    Parameters: actor, reason, where somebody else does it for them.

    Raises:
        Refusal: a bonus of theirs is not paid yet, for which the platform has to know who they are.
    """
    annotator = Annotator.objects.select_for_update().get(pk=annotator.pk)
    if annotator.erased_at is not None:
        return annotator
    places = Participation.objects.filter(annotator=annotator)
    if Bonus.objects.filter(participation__in=places).exclude(state__in=PAID).exists():
        raise Refusal(_("A bonus has not been paid yet. The data can be erased after that."))
    for place in places.exclude(state__in=(*ENDED, State.FINISHED)).order_by("pk"):
        leave(participation_id=place.pk, reason=ERASED, now=now)
    places.filter(state=State.LEFT, reassigned=False).update(reason=ERASED)  # their own words
    Message.objects.filter(participation__in=places).delete()
    PersonalAnswer.objects.filter(annotator=annotator).delete()
    for submission in CrowdSubmission.objects.filter(participation__in=places):
        submission.submission_id = f"erased {_random()}"
        submission.save(update_fields=["submission_id"])
    annotator.user, annotator.external_id, annotator.erased_at = None, "", now
    annotator.pseudonym, annotator.guest_number = _random(), None
    annotator.save(update_fields=["user", "external_id", "erased_at", "pseudonym", "guest_number"])
    by = AuditEntry.By.MEMBER if actor else AuditEntry.By.ANNOTATOR
    values = {"actor": actor, "by": by, "reason": reason, "now": now}
    write_down(Action.PERSON_ERASED, annotator.project, rounds=[place.round for place in places], **values)
    return annotator


@transaction.atomic
def erase_outsider(*, annotator: Annotator, reason: str, actor: User, now: datetime) -> Annotator:
    """Erase somebody without an account of their own, such as a worker of a crowd platform, who asked for it.

    Raises:
        Refusal: no reason, or one with their outside id in it; they have an account, and can do it themselves; they
            are erased already; or as `erase_annotator`.
    """
    require_reason(reason)
    annotator = Annotator.objects.select_for_update(of=("self",)).select_related("user").get(pk=annotator.pk)
    account, outside_id = annotator.user, annotator.external_id.rpartition(":")[2]
    if annotator.erased_at is not None:
        raise Refusal(_("This person's data has already been erased."))
    if account is not None and account.email:
        raise Refusal(_("This person has an account and can erase their data under “My data”."))
    if outside_id and outside_id.lower() in reason.lower():
        raise Refusal(_("Remove the ID from the reason. The reason is stored permanently in the audit log."))
    annotator = erase_annotator(annotator=annotator, actor=actor, reason=reason, now=now)
    if account is not None and not account.annotators.exists():
        end_sessions(account)
        account.delete()  # it only carried their visits
    return annotator


def _random() -> str:
    return "".join(secrets.choice(ALPHABET) for _letter in range(PSEUDONYM))


def _forget_addresses(addresses: set[str]) -> None:
    for address in addresses:
        MemberInvitation.objects.filter(email__iexact=address).delete()
        WaitingPerson.objects.filter(address__iexact=address).delete()
        invited = InvitedAddress.objects.filter(address__iexact=address)
        InvitationLink.objects.filter(invited__in=invited).update(note="")
        invited.delete()


def _forget_in_administration(user: User) -> None:
    """Delete entries of Django's own history of the administration pages, which has the names of accounts."""
    accounts = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(Q(content_type=accounts, object_id=str(user.pk))).delete()
