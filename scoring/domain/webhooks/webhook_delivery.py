"""Webhook deliveries, each sent until it is accepted or given up."""

import json
from datetime import datetime
from hashlib import sha256
from hmac import new as hmac
from html import escape
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import TryLater, note
from annotation.domain.jobs.kinds import A_DAY, Kind, Values, register
from scoring.domain.notifications.wording import page, sentence
from scoring.domain.outgoing.requests import Unreachable, post
from scoring.models import Delivery, Event, Webhook

SIGNATURE = "Semblance-Signature"


def deliver(delivery: Delivery) -> Values:
    """Make one attempt to send a delivery. Raise TryLater if the address did not accept it; Refusal for a test, which
    is tried once while its sender watches."""
    if not delivery.webhook.secret:
        raise Refusal(_("The secret of this webhook can no longer be read. Remove the webhook and add it again."))
    status = None
    try:
        status = _attempt(delivery, delivery.started_at or timezone.now())
        problem = f"The server responded with status {status}."
    except Unreachable as error:
        problem = str(error)
    note(delivery, status=status)
    if status is not None and 200 <= status < 300:
        return {}
    raise Refusal(problem) if delivery.event == Event.TEST else TryLater(problem)


# No join: PostgreSQL looks again at the row itself when somebody else has just claimed it, and not at a subquery.
SWITCHED_ON = Q(Exists(Webhook.objects.filter(pk=OuterRef("webhook"), active=True)))
register(Kind("delivery", Delivery, _("Webhook"), deliver, project="webhook__project", waits=A_DAY, ready=SWITCHED_ON))


def _attempt(delivery: Delivery, now: datetime) -> int:
    body = json.dumps(_message(delivery), sort_keys=True, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Semblance/{settings.CODE_VERSION}",
        "Semblance-Event": delivery.event,
        "Semblance-Delivery": str(delivery.pk),
        SIGNATURE: sign(delivery.webhook.secret, body, now),
    }
    return post(delivery.webhook.url, body, headers).status


def _message(delivery: Delivery) -> dict[str, Any]:
    """Return what is sent, in the format of the webhook. Slack reads &, < and > as marks of its own."""
    if delivery.webhook.message_format == Webhook.Format.JSON:
        return delivery.payload
    project, event = delivery.webhook.project, Event(delivery.event)
    title, said = escape(project.title, quote=False), escape(sentence(project, event, delivery.payload), quote=False)
    return {"text": f"*{title}*: {said}\n<{page(project, event, delivery.payload)}>"}


def sign(secret: str, body: bytes, now: datetime) -> str:
    """Return `t=SECONDS,v1=HEX`: HMAC-SHA256 of the time, a dot and the body; an old time reveals a replay."""
    seconds = str(int(now.timestamp()))
    return f"t={seconds},v1={hmac(secret.encode(), f'{seconds}.'.encode() + body, sha256).hexdigest()}"
