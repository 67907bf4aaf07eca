"""Invitations by e-mail: a personal link for every address, sent once by a worker."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.domain.address_lists import Row
from annotation.domain.errors import Refusal
from annotation.domain.links import Kind, guard_end, new_token, path_of, places_of
from annotation.domain.log import write_down
from annotation.models import InvitationLink, InvitedAddress, LinkUse, Mailing, Project, User

logger = logging.getLogger(__name__)
State = InvitedAddress.State
BATCH = 1000
# About this address; any other failure is about the mail server, and the rest would fail in the same way.
REFUSED = (SMTPRecipientsRefused, SMTPSenderRefused, SMTPDataError)


def sends_email() -> bool:
    """Whether e-mails go out; without a server for it they are kept as files, which nobody who waits for one sees."""
    return "filebased" not in settings.EMAIL_BACKEND


@transaction.atomic
def invite_addresses(
    *,
    project: Project,
    round_key: str,
    pool: str = "",
    rows: Sequence[Row],
    expires_at: datetime | None = None,
    actor: User,
    now: datetime,
) -> Mailing:
    """Makes a link for every address that has none for the round yet, to be sent by a worker.

    Raises:
        Refusal: a round that is not there, an end that has gone, or nobody who is new.
    """
    guard_end(expires_at, now)
    Project.objects.select_for_update().get(pk=project.pk)
    if (round_key, pool) not in places_of(project):
        raise Refusal(_("The project has no such round or pool."))
    known = set(project.invited.filter(round=round_key).values_list("address", flat=True))
    new = [row for row in rows if row.address not in known]
    if not new:
        raise Refusal(_("Everybody on this list has been invited to the round already."))
    mailing = Mailing.objects.create(project=project, round=round_key, created_by=actor)
    _link_each(mailing, new, pool=pool, expires_at=expires_at)
    details = {"mailing": mailing.pk, "round": round_key, "pool": pool, "addresses": len(new)}
    write_down("addresses invited", project, actor=actor, now=now, **details)
    return mailing


def _link_each(mailing: Mailing, rows: Sequence[Row], **place: object) -> None:
    """Makes a personal link for every row. Parameters: place, fields of the links."""
    common = {"project": mailing.project, "round": mailing.round}
    place |= common | {"kind": Kind.PERSONAL, "most": 1, "created_by": mailing.created_by}
    links = InvitationLink.objects.bulk_create(
        [InvitationLink(**place, token=new_token()) for _row in rows], batch_size=BATCH
    )
    InvitedAddress.objects.bulk_create(
        [
            InvitedAddress(**common, mailing=mailing, link=link, **asdict(row))
            for row, link in zip(rows, links, strict=True)
        ],
        batch_size=BATCH,
    )


def with_joined(invited: QuerySet[InvitedAddress]) -> QuerySet[InvitedAddress]:
    """Adds to every row whether the person has taken the place."""
    return invited.annotate(joined=Exists(LinkUse.objects.filter(link=OuterRef("link"))))


def counts_of(mailings: QuerySet[Mailing]) -> QuerySet[Mailing]:
    """Adds to every row how many addresses it has, and to how many nothing is to be sent any more."""
    return mailings.annotate(
        whole=Count("addresses"), done=Count("addresses", filter=~Q(addresses__state=State.WAITING))
    )


def send_waiting_mailings(clock: Callable[[], datetime]) -> int:
    """Sends what waits. Returns how many e-mails went out."""
    waiting = Mailing.objects.filter(state=Mailing.State.WAITING)
    return sum(_send_mailing(mailing, clock) for mailing in waiting.order_by("pk"))


def _send_mailing(mailing: Mailing, clock: Callable[[], datetime]) -> int:
    """Sends until nothing waits, or the mail server fails; then the rest waits for the next time."""
    waiting = mailing.addresses.filter(state=State.WAITING, link__revoked_at=None)
    sent, problem = 0, ""
    for invited in waiting.select_related("project", "link__project").order_by("pk").iterator(BATCH):
        # Claimed before it is sent: whatever happens in between, nothing is ever sent twice by itself.
        if not _claim(invited):
            continue
        try:
            _send(invited)
        except REFUSED as error:
            _note(invited, state=State.FAILED, problem=str(error)[:500])
        except OSError as error:
            logger.exception("Mailing %s waits for the mail server.", mailing.pk)
            _note(invited, state=State.WAITING)
            problem = str(error)[:500] or type(error).__name__
            break
        else:
            _note(invited, state=State.SENT, sent_at=clock(), problem="")
            sent += 1
    left = waiting.exists()
    state = Mailing.State.WAITING if left else Mailing.State.DONE
    Mailing.objects.filter(pk=mailing.pk).update(state=state, problem=problem if left else "")
    return sent


def _claim(invited: InvitedAddress) -> bool:
    """Of several workers one sends it. A plain condition on the row: one over joined tables is not looked at again."""
    return bool(InvitedAddress.objects.filter(pk=invited.pk, state=State.WAITING).update(state=State.SENDING))


def _note(invited: InvitedAddress, **values: object) -> None:
    InvitedAddress.objects.filter(pk=invited.pk).update(**values)


def _send(invited: InvitedAddress) -> None:
    with translation.override(invited.language or settings.LANGUAGE_CODE):
        values = {"invited": invited, "project": invited.project, "url": settings.PUBLIC_URL + path_of(invited.link)}
        subject = _("%(project)s: an invitation") % {"project": invited.project.title}
        text = render_to_string("email/personal_invitation.txt", values)
        send_mail(" ".join(subject.split()), text, None, [invited.address])


@transaction.atomic
def send_again(*, invited: InvitedAddress, actor: User, now: datetime) -> None:
    """Sends one invitation once more.

    Raises:
        Refusal: it waits to be sent anyway, the person has come, or the link is withdrawn.
    """
    if invited.link.revoked_at is not None:
        raise Refusal(_("This invitation has been withdrawn."))
    if invited.link.uses.exists():
        raise Refusal(_("This person has taken their place already."))
    again = InvitedAddress.objects.filter(pk=invited.pk).exclude(state=State.WAITING)
    if not again.update(state=State.WAITING, problem=""):
        raise Refusal(_("This invitation waits to be sent already."))
    Mailing.objects.filter(pk=invited.mailing_id).update(state=Mailing.State.WAITING)
    write_down("invitation sent again", invited.project, actor=actor, now=now, invited=invited.pk)


def note_opened(link: InvitationLink, now: datetime) -> None:
    """That a personal link was opened, the first time."""
    if link.kind == Kind.PERSONAL:
        InvitedAddress.objects.filter(link=link, opened_at=None).update(opened_at=now)
