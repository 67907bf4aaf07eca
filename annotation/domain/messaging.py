"""Messages of a project's managers, each to one person: on the screen until read, and by e-mail where there is one."""

import logging
from datetime import datetime

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.languages import speaking_to
from annotation.domain.locking import lock
from annotation.domain.log import write_down
from annotation.models import Circular, Message, User

logger = logging.getLogger(__name__)
LONGEST = 5000


@transaction.atomic
def send_message(
    *, participation_id: int, text: str, actor: User | None, now: datetime, circular: Circular | None = None
) -> Message:
    """A message to whoever has the place; the log keeps that it was sent, not what it says.

    Parameters: circular, the message to many that it is one of.

    Raises:
        Refusal: nothing written, too much, or nobody in the place.
    """
    participation = lock(participation_id)
    text = checked_text(text)
    if participation.annotator is None or participation.annotator.erased_at is not None:
        raise Refusal(_("There is nobody in this place to write to."))
    values = {"text": text, "sender": actor, "sent_at": now, "circular": circular}
    message = Message.objects.create(participation=participation, **values)
    details = {"message": message.pk} | ({"circular": circular.pk} if circular else {})
    write_down("message sent", participation.project, participation=participation, actor=actor, now=now, **details)
    return message


def checked_text(text: str) -> str:
    """The message without the spaces around it.

    Raises:
        Refusal: nothing written, or too much.
    """
    if not text.strip():
        raise Refusal(_("Please write a message."))
    if len(text.strip()) > LONGEST:
        raise Refusal(_("A message has %(most)s characters at the most.") % {"most": LONGEST})
    return text.strip()


def unread_messages(participation_id: int) -> list[Message]:
    """What the person has not read yet, the oldest first."""
    return list(Message.objects.filter(participation=participation_id, read_at__isnull=True).order_by("pk"))


def mark_read(*, message: Message, now: datetime) -> None:
    """The person has read it; again changes nothing."""
    Message.objects.filter(pk=message.pk, read_at__isnull=True).update(read_at=now)


def mail_messages(now: datetime) -> int:
    """Sends by e-mail what waits for people who have an address. Returns how many."""
    waiting = Message.objects.filter(mailed_at__isnull=True, read_at__isnull=True)
    reachable = waiting.filter(participation__annotator__user__isnull=False).exclude(
        participation__annotator__user__email=""
    )
    return sum(_mail(pk, now) for pk in reachable.order_by("sent_at").values_list("pk", flat=True))


@transaction.atomic
def _mail(pk: int, now: datetime) -> bool:
    """One e-mail, noted in the same transaction: two workers never send it twice, a failure sends it later."""
    rows = Message.objects.select_for_update(of=("self",), skip_locked=True).filter(mailed_at__isnull=True)
    message = rows.select_related("participation__project", "participation__annotator__user").filter(pk=pk).first()
    if message is None:
        return False
    Message.objects.filter(pk=pk).update(mailed_at=now)
    place, user = message.participation, message.participation.annotator.user
    with speaking_to(user):
        values = {"message": message, "project": place.project}
        values["url"] = settings.PUBLIC_URL + reverse("work", args=[place.pk])
        subject = _("%(project)s: a message from the project") % {"project": " ".join(place.project.title.split())}
        text = render_to_string("email/message.txt", values)
    try:
        send_mail(subject, text, None, [user.email])
    except OSError:
        logger.exception("Message %s will be sent by e-mail later.", pk)
        transaction.set_rollback(True)
        return False
    return True
