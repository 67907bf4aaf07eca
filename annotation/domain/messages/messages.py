"""Messages of managers, each to one person: on the screen until read, and by email if there is an address."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.languages import speaking_to
from annotation.domain.messages.sending import send_noted
from annotation.domain.participation.locking import lock
from annotation.models import Broadcast, Message, User
from annotation.models.audit_actions import Action

LONGEST = 5000


@transaction.atomic
def send_message(
    *, participation_id: int, text: str, actor: User | None, now: datetime, broadcast: Broadcast | None = None
) -> Message:
    """Store a message to whoever has the place, and return it; the log keeps that it was sent, not its text.

    Parameters: broadcast, the message to many of which it is part.

    Raises:
        Refusal: the text is empty or too long, or there is nobody in the place.
    """
    participation = lock(participation_id)
    text = checked_text(text)
    if participation.annotator is None or participation.annotator.erased_at is not None:
        raise Refusal(_("This place is free, so there is nobody to write to."))
    values = {"text": text, "sender": actor, "sent_at": now, "broadcast": broadcast}
    message = Message.objects.create(participation=participation, **values)
    details = {"message": message.pk} | ({"broadcast": broadcast.pk} if broadcast else {})
    write_down(Action.MESSAGE_SENT, participation.project, participation=participation, actor=actor, now=now, **details)
    return message


def checked_text(text: str) -> str:
    """Return the message without the spaces around it.

    Raises:
        Refusal: the text is empty or too long.
    """
    if not text.strip():
        raise Refusal(_("Enter a message."))
    if len(text.strip()) > LONGEST:
        raise Refusal(_("A message can have at most %(most)s characters.") % {"most": LONGEST})
    return text.strip()


def unread_messages(participation_id: int) -> list[Message]:
    """Return the messages that the person has not read yet, the oldest first."""
    return list(Message.objects.filter(participation=participation_id, read_at__isnull=True).order_by("pk"))


def mark_read(*, message: Message, now: datetime) -> None:
    """Store that the person has read the message; a second time changes nothing."""
    Message.objects.filter(pk=message.pk, read_at__isnull=True).update(read_at=now)


def mail_messages(now: datetime) -> int:
    """Send by email the unread messages to people who have an address. Return how many."""
    waiting = Message.objects.filter(mailed_at__isnull=True, read_at__isnull=True)
    with_account = waiting.filter(participation__annotator__user__isnull=False)
    reachable = with_account.exclude(participation__annotator__user__email="")
    return sum(_mail(pk, now) for pk in reachable.order_by("sent_at").values_list("pk", flat=True))


@transaction.atomic
def _mail(pk: int, now: datetime) -> bool:
    """Send one email, noted in the same transaction: two workers never send it twice, a failure sends it later."""
    rows = Message.objects.select_for_update(of=("self",), skip_locked=True).filter(mailed_at__isnull=True)
    message = rows.select_related("participation__project", "participation__annotator__user").filter(pk=pk).first()
    if message is None:
        return False
    Message.objects.filter(pk=pk).update(mailed_at=now)
    place, user = message.participation, message.participation.annotator.user
    with speaking_to(user):
        values = {"message": message, "project": place.project}
        values["url"] = settings.PUBLIC_URL + reverse("work", args=[place.pk])
        subject = _("%(project)s: new message") % {"project": place.project.title}
        text = render_to_string("email/message.txt", values)
    return send_noted(subject, text, user, f"Message {pk}")
