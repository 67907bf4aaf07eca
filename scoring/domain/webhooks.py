"""The addresses that a project tells when something has ended: added, tried, switched off and removed."""

from collections.abc import Sequence
from datetime import datetime
from secrets import token_urlsafe
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.models import Project, User
from scoring.domain.posting import check_url
from scoring.models import TOLD, Delivery, Event, Webhook


def add_webhook(
    *, project: Project, url: str, events: Sequence[str] = (), actor: User | None = None, now: datetime
) -> Webhook:
    """A new address, with a secret of its own that signs what it is sent; the log of the project keeps who added it.

    Raises:
        Refusal: an event that there is not, an address that nothing will be sent to, or one that is told already.
    """
    known = [event.value for event in TOLD]
    if unknown := sorted(set(events) - set(known)):
        message = _("There is no event “%(event)s”; there are %(events)s.")
        raise Refusal(message % {"event": unknown[0], "events": ", ".join(known)})
    check_url(url)
    wanted = [event for event in known if event in events]
    try:
        with transaction.atomic():
            hook = Webhook.objects.create(project=project, url=url, events=wanted, secret=token_urlsafe(32))
            _log("webhook added", hook, actor, now)
    except IntegrityError as error:
        raise Refusal(_("This address is told already.")) from error
    return hook


@transaction.atomic
def switch_webhook(*, hook: Webhook, on: bool, actor: User | None, now: datetime) -> None:
    """Whether the address is told; what waits for one that is off is sent when it is on again."""
    if Webhook.objects.filter(pk=hook.pk, active=not on).update(active=on):
        _log("webhook switched on" if on else "webhook switched off", hook, actor, now)


@transaction.atomic
def remove_webhook(*, hook: Webhook, actor: User | None, now: datetime) -> None:
    """The address goes, and with it the list of what it was sent."""
    if Webhook.objects.filter(pk=hook.pk).delete()[0]:
        _log("webhook removed", hook, actor, now)


def request_test(*, hook: Webhook, now: datetime) -> Delivery:
    """A message that only says that it is a test; it is tried once.

    Raises:
        Refusal: the address is switched off.
    """
    if not hook.active:
        raise Refusal(_("This address is switched off: switch it on to test it."))
    payload = {"event": Event.TEST.value, "project": hook.project.key, "at": now.isoformat()}
    return hook.deliveries.create(event=Event.TEST, key=str(uuid4()), payload=payload, next_at=now)


def _log(action: str, hook: Webhook, actor: User | None, now: datetime) -> None:
    write_down(action, hook.project, actor=actor, now=now, url=hook.url, events=hook.events)
