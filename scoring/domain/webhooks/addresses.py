"""The webhooks of a project: added, tested, switched off and removed."""

from collections.abc import Sequence
from datetime import datetime
from secrets import token_urlsafe
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.rate_limits import within_limit
from annotation.models import Project, User
from scoring.domain.outgoing.requests import check_url
from scoring.models import PROJECT_EVENTS, Delivery, Event, Webhook
from scoring.models.audit_actions import ScoringAction

MOST_TESTS = 10  # of a project in an hour


def add_webhook(
    *,
    project: Project,
    url: str,
    events: Sequence[str] = (),
    message_format: str = Webhook.Format.JSON,
    actor: User | None = None,
    now: datetime,
) -> Webhook:
    """Store and return a webhook with a secret that signs its messages, and log who added it. Raise Refusal if an event
    is unknown, the address is not allowed, or it is a webhook already."""
    known = [event.value for event in PROJECT_EVENTS]
    if unknown := sorted(set(events) - set(known)):
        message = _("There is no event “%(event)s”. Use: %(events)s.")
        raise Refusal(message % {"event": unknown[0], "events": ", ".join(known)})
    check_url(url)
    wanted = [event for event in known if event in events]
    try:
        with transaction.atomic():
            hook = Webhook.objects.create(
                project=project, url=url, events=wanted, message_format=message_format, secret=token_urlsafe(32)
            )
            _log(ScoringAction.WEBHOOK_ADDED, hook, actor, now)
    except IntegrityError as error:
        raise Refusal(_("This URL is already registered.")) from error
    return hook


@transaction.atomic
def switch_webhook(*, hook: Webhook, on: bool, actor: User | None, now: datetime) -> None:
    """Switch a webhook on or off; deliveries that wait meanwhile are sent when it is on again."""
    if Webhook.objects.filter(pk=hook.pk, active=not on).update(active=on):
        _log(ScoringAction.WEBHOOK_ENABLED if on else ScoringAction.WEBHOOK_DISABLED, hook, actor, now)


@transaction.atomic
def remove_webhook(*, hook: Webhook, actor: User | None, now: datetime) -> None:
    """Delete a webhook with the list of its deliveries."""
    if Webhook.objects.filter(pk=hook.pk).delete()[0]:
        _log(ScoringAction.WEBHOOK_REMOVED, hook, actor, now)


def request_test(*, hook: Webhook, now: datetime) -> Delivery:
    """Store and return a test message, which is tried once.

    Raises:
        Refusal: the webhook is switched off, or the project has sent as many tests as it may in an hour.
    """
    if not hook.active:
        raise Refusal(_("This webhook is disabled. Enable it to send a test."))
    if not within_limit(name=f"webhook test {hook.project_id}", most=MOST_TESTS, now=now):
        raise Refusal(_("You can send up to %(number)s tests per hour. Try again later.") % {"number": MOST_TESTS})
    payload = {"event": Event.TEST.value, "project": hook.project.key, "at": now.isoformat()}
    return hook.deliveries.create(event=Event.TEST, key=str(uuid4()), payload=payload, created_at=now)


def _log(action: ScoringAction, hook: Webhook, actor: User | None, now: datetime) -> None:
    write_down(action, hook.project, actor=actor, now=now, url=hook.url, events=hook.events)
