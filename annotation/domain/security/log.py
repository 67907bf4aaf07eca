"""Events of the security log: recording and deletion."""

import logging
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.domain.rate_limits import MINUTE, count_in_minute, within_limit
from annotation.models import SecurityEvent, User
from annotation.models.audit_actions import Action, action_name
from annotation.models.security import KEPT, SecurityKind

logger = logging.getLogger(__name__)
OF_STRANGERS = 60  # events of a kind per address and hour; more add nothing and fill the disk
BURST = 20  # refused requests of an address in a minute: more than broken links and expired pages cause
OF_PROJECTS = frozenset(
    (
        *(Action.MEMBER_ADDED, Action.MEMBER_INVITED, Action.MEMBER_REMOVED, Action.ROLE_CHANGED),
        *(Action.SECOND_FACTOR_OPTIONAL, Action.SECOND_FACTOR_REQUIRED, Action.PROJECT_DELETED),
        *(Action.PAYMENT_ORDERED, Action.PAYMENT_SETTLED, Action.BONUSES_PAID),
        *(Action.PROLIFIC_STUDY_PUBLISHED, Action.PROLIFIC_STUDY_PAUSED),
        *(Action.PROLIFIC_STUDY_RESUMED, Action.PROLIFIC_PLACES_ADDED),
        *(Action.RESUME_LINK_SENT, Action.RESUME_LINKS_WITHDRAWN, Action.INVITATION_RESENT),
        *(Action.JOB_CANCELLED, Action.JOB_RETRIED),
    )
)
"""Actions in a project that are also security events."""


def record(
    kind: str, *, now: datetime, user: User | None = None, address: str = "", project_key: str = "", **details: Any
) -> None:
    """Add an event. Parameters: details, never a secret, an email address, or what somebody has typed."""
    if user is None and not within_limit(name=f"security {kind} {address}", most=OF_STRANGERS, now=now):
        return
    values = {"kind": kind, "user": user, "address": address, "project_key": project_key, "details": details}
    _forward(SecurityEvent.objects.create(at=now, **values))


def count_refusal(*, address: str, now: datetime, user: User | None = None) -> None:
    """Count a refused request. From `BURST` on, one event a minute stands for all of them; its number is a lower bound.

    The number is written at each doubling only, so that a flood causes few writes.
    """
    number = count_in_minute(name=f"refused {address}", now=now)
    doublings, rest = divmod(number, BURST)
    if not doublings or rest or doublings & (doublings - 1):
        return
    began = datetime.fromtimestamp(int(now.timestamp()) // MINUTE * MINUTE, UTC)
    of_minute = {"kind": SecurityKind.REQUESTS_REFUSED, "address": address, "at": began}
    values = {"details": {"requests": number}, "user": user}
    # Two processes may both create one; then both are updated.
    if not SecurityEvent.objects.filter(**of_minute).update(**values):
        _forward(SecurityEvent.objects.create(**of_minute, **values))


def _forward(event: SecurityEvent) -> None:
    """Write an event to the server log when it is stored for good, if the operator wants it there."""
    if settings.FORWARD_SECURITY_LOG:
        names = ("kind", "at", "user_id", "address", "project_key", "details")
        values = {name: getattr(event, name) for name in names}
        transaction.on_commit(partial(logger.info, "security event", extra={"security_event": values}))


def kinds() -> dict[str, str]:
    """Return every kind of event with its name in the reader's language."""
    return {kind.value: str(kind.label) for kind in SecurityKind} | {each: action_name(each) for each in OF_PROJECTS}


def forget_old_events(now: datetime) -> int:
    """Delete the events that have been kept long enough, and return how many."""
    return SecurityEvent.objects.filter(at__lt=now - KEPT).delete()[0]
