"""Invitations by e-mail: a personal link for every address, sent once by a worker."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import TryLater, finish, note, queue_again
from annotation.domain.jobs.kinds import A_DAY, Kind, register
from annotation.domain.messages.templates import Kind as TemplateKind
from annotation.domain.messages.templates import filled, text_of
from annotation.domain.messages.unsubscribing import is_unsubscribed, send_with_link, unsubscribed_among
from annotation.domain.recruiting.address_lists import Row
from annotation.domain.recruiting.links import Kind as LinkKind
from annotation.domain.recruiting.links import guard_end, new_token, path_of, places_of
from annotation.models import InvitationLink, InvitedAddress, LinkUse, Mailing, Project, User
from annotation.models.audit_actions import Action

State = InvitedAddress.State
BATCH = 1000
# About this address; any other failure is about the mail server, and the rest would fail in the same way.
REFUSED = (SMTPRecipientsRefused, SMTPSenderRefused, SMTPDataError)


def sends_email() -> bool:
    """Return whether e-mails are sent; without a mail server they are kept as files, which no recipient sees."""
    return "filebased" not in settings.EMAIL_BACKEND


@transaction.atomic
def invite_addresses(
    *,
    project: Project,
    round_key: str,
    pool: str = "",
    language: str = "",
    rows: Sequence[Row],
    expires_at: datetime | None = None,
    actor: User | None,
    now: datetime,
) -> Mailing:
    """Create a link for every address that has none for the round yet, to be sent by a worker. Return the mailing.

    Parameters: language, of the group for which the links count.

    Raises:
        Refusal: there is no such round, the links would have expired already, no address is new, or too many jobs wait.
    """
    guard_end(expires_at, now)
    Project.objects.select_for_update().get(pk=project.pk)
    if (round_key, pool) not in places_of(project):
        raise Refusal(_("The project has no such round or pool."))
    known = set(project.invited.filter(round=round_key).values_list("address", flat=True))
    new = [row for row in rows if row.address not in known]
    if not new:
        raise Refusal(_("Everybody on this list has already been invited to the round."))
    if actor is not None:  # the waiting list is limited by its places
        guard_queue(project, actor)
    mailing = Mailing.objects.create(project=project, round=round_key, created_by=actor)
    _link_each(mailing, new, pool=pool, language=language, expires_at=expires_at)
    details = {"mailing": mailing.pk, "round": round_key, "pool": pool, "addresses": len(new)}
    write_down(Action.ADDRESSES_INVITED, project, actor=actor, now=now, **details)
    return mailing


def _link_each(mailing: Mailing, rows: Sequence[Row], **place: object) -> None:
    """Create a personal link for every row. Parameters: place, fields of the links."""
    common = {"project": mailing.project, "round": mailing.round}
    place |= common | {"kind": LinkKind.PERSONAL, "most": 1, "created_by": mailing.created_by}
    new = [InvitationLink(**place, token=new_token()) for _row in rows]
    linked = zip(rows, InvitationLink.objects.bulk_create(new, batch_size=BATCH), strict=True)
    invited = [InvitedAddress(**common, mailing=mailing, link=link, **asdict(row)) for row, link in linked]
    InvitedAddress.objects.bulk_create(invited, batch_size=BATCH)


def with_joined(invited: QuerySet[InvitedAddress]) -> QuerySet[InvitedAddress]:
    """Add to every row whether the person has taken the place."""
    return invited.annotate(joined=Exists(LinkUse.objects.filter(link=OuterRef("link"))))


@dataclass(frozen=True)
class Outcomes:
    """What became of the invitations of a project, as far as it is known."""

    invited: int
    sent: int
    opened: int
    joined: int
    refused: int
    """Refused by the mail server. An e-mail that comes back later is not noticed."""
    unsubscribed: int


def outcomes_of(project: Project) -> Outcomes:
    """Count the invitations of a project by their outcome, by two queries and a hash of each address."""
    rows = with_joined(project.invited.all()).values_list("address", "state", "opened_at", "joined")
    found = list(rows)
    gone = unsubscribed_among(project, {address for address, *_rest in found})
    return Outcomes(
        invited=len(found),
        sent=sum(state == State.SENT for _address, state, *_rest in found),
        opened=sum(opened is not None for _address, _state, opened, _joined in found),
        joined=sum(joined for *_rest, joined in found),
        refused=sum(state == State.FAILED and address not in gone for address, state, *_rest in found),
        unsubscribed=sum(address in gone for address, *_rest in found),
    )


def counts_of(mailings: QuerySet[Mailing]) -> QuerySet[Mailing]:
    """Add to every row how many addresses it has, and to how many of them nothing is left to send."""
    settled = Count("addresses", filter=~Q(addresses__state=State.WAITING))
    return mailings.annotate(addressed=Count("addresses"), settled=settled)


def send_mailing(mailing: Mailing) -> None:
    """Send an e-mail to every address that waits for one.

    Raises:
        TryLater: the mail server does not take them.
        Overtaken: somebody cancelled the mailing; the rest is not sent.
    """
    waiting = mailing.addresses.filter(state=State.WAITING, link__revoked_at=None)
    for invited in waiting.select_related("project", "link__project", "link__waiting").order_by("pk").iterator(BATCH):
        note(mailing)
        # Claimed before it is sent: whatever happens in between, nothing is ever sent twice by itself.
        if _claim(invited):
            _send_and_note(invited)
    with transaction.atomic():
        Mailing.objects.select_for_update().get(pk=mailing.pk)  # whoever sends one again waits for the end
        finish(mailing, state=Mailing.State.WAITING if waiting.exists() else Mailing.State.DONE)


register(Kind("mailing", Mailing, gettext_lazy("Email invitations"), send_mailing, waits=A_DAY))


def _send_and_note(invited: InvitedAddress) -> None:
    if is_unsubscribed(invited.project, invited.address):
        _note(invited, state=State.FAILED, problem="")
        return
    try:
        _send(invited)
    except REFUSED as error:
        _note(invited, state=State.FAILED, problem=str(error)[:500])
    except OSError as error:
        _note(invited, state=State.WAITING)
        raise TryLater(str(error)[:500] or type(error).__name__) from error
    else:
        _note(invited, state=State.SENT, sent_at=timezone.now(), problem="")


def _claim(invited: InvitedAddress) -> bool:
    """Return whether this worker, of several, sends it. A condition over joined tables would not be checked again."""
    return bool(InvitedAddress.objects.filter(pk=invited.pk, state=State.WAITING).update(state=State.SENDING))


def _note(invited: InvitedAddress, **values: object) -> None:
    InvitedAddress.objects.filter(pk=invited.pk).update(**values)


def _send(invited: InvitedAddress) -> None:
    project, link = invited.project, invited.link
    with translation.override(invited.language or settings.LANGUAGE_CODE):
        kind = TemplateKind.PLACE if hasattr(link, "waiting") else TemplateKind.INVITATION
        values = {"name": invited.name, "project": project.title, "round": project.round(link.round).title}
        text = filled(text_of(project, kind), values | {"link": settings.PUBLIC_URL + path_of(link)})
        until = render_to_string("email/_until.txt", {"until": link.expires_at}).strip()
        body = f"{text.body.rstrip()}\n\n{until}" if until else text.body
        send_with_link(subject=text.subject, text=body, address=invited.address, project=project)


@transaction.atomic
def send_again(*, invited: InvitedAddress, actor: User, now: datetime) -> None:
    """Send one invitation again.

    Raises:
        Refusal: the invitation waits to be sent, the person has taken the place, or the link is withdrawn.
    """
    if invited.link.revoked_at is not None:
        raise Refusal(_("This invitation has been revoked."))
    if is_unsubscribed(invited.project, invited.address):
        raise Refusal(_("This person has unsubscribed from emails of this project."))
    if invited.link.uses.exists():
        raise Refusal(_("This person has already joined."))
    Mailing.objects.select_for_update().get(pk=invited.mailing_id)
    again = InvitedAddress.objects.filter(pk=invited.pk).exclude(state=State.WAITING)
    if not again.update(state=State.WAITING, problem=""):
        raise Refusal(_("This invitation is already waiting to be sent."))
    queue_again(Mailing.objects.filter(pk=invited.mailing_id))
    write_down(Action.INVITATION_RESENT, invited.project, actor=actor, now=now, invited=invited.pk)


def note_opened(link: InvitationLink, now: datetime) -> None:
    """Store when a personal link was first opened."""
    if link.kind == LinkKind.PERSONAL:
        InvitedAddress.objects.filter(link=link, opened_at=None).update(opened_at=now)
