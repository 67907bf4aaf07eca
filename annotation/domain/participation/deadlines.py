"""Deadlines of annotators and rounds: shown to annotators, with a reminder a day before; they may close the round."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.domain.participation.locking import lock
from annotation.models import Participation, Project, RoundDeadline, State, User
from annotation.models.audit_actions import Action
from annotation.queries.people import ENDED

OVER = (*ENDED, State.FINISHED)


@transaction.atomic
def move_deadline(
    *, participation_id: int, due_at: datetime | None, closes: bool, reason: str, actor: User, now: datetime
) -> Participation:
    """Set or move one person's deadline, or remove it (None), and log the change.

    Parameters: closes, whether no new screen is shown after the deadline.

    Raises:
        Refusal: no reason is given, the deadline is past, or the round has ended for the person.
    """
    participation = lock(participation_id)
    _guard(due_at, reason, now)
    if participation.state in OVER:
        raise Refusal(_("The round has ended for this annotator, so a deadline would have no effect."))
    before = participation.due_at
    participation.due_at, participation.due_closes = due_at, closes and due_at is not None
    participation.due_reminded_at = None
    participation.save(update_fields=["due_at", "due_closes", "due_reminded_at"])
    details = {"from": before, "to": due_at, "closes": participation.due_closes, "participation": participation}
    write_down(Action.DEADLINE_MOVED, participation.project, reason=reason, actor=actor, now=now, **details)
    return participation


@transaction.atomic
def move_round_deadline(
    *, project: Project, round_key: str, due_at: datetime | None, closes: bool, reason: str, actor: User, now: datetime
) -> int:
    """Move the deadline of all places whose round has not ended, and return their number.

    Raises:
        Refusal: no reason is given, or the deadline is past.
    """
    _guard(due_at, reason, now)
    places = Participation.objects.filter(~Q(state__in=OVER), project=project, round=round_key)
    moved = places.update(due_at=due_at, due_closes=closes and due_at is not None, due_reminded_at=None)
    _note(project, round_key, due_at, closes)
    details = {"round": round_key, "to": due_at, "closes": closes, "places": moved}
    write_down(Action.ROUND_DEADLINE_MOVED, project, reason=reason, actor=actor, now=now, **details)
    return moved


def _note(project: Project, round_key: str, due_at: datetime | None, closes: bool) -> None:
    """Store the round's deadline for places that are made later."""
    if due_at is None:
        RoundDeadline.objects.filter(project=project, round=round_key).delete()
        return
    values = {"due_at": due_at, "closes": closes}
    RoundDeadline.objects.update_or_create(project=project, round=round_key, defaults=values)


def deadline_of_new(project: Project, round_key: str, now: datetime) -> dict[str, Any]:
    """Return the deadline fields of a new place of the round; empty if the round has no deadline.

    A past deadline applies to a new place only if it closed the round, and then until managers move it.
    """
    found = RoundDeadline.objects.filter(project=project, round=round_key).first()
    if found is None or (found.due_at <= now and not found.closes):
        return {}
    return {"due_at": found.due_at, "due_closes": found.closes}


def _guard(due_at: datetime | None, reason: str, now: datetime) -> None:
    require_reason(reason)
    if due_at is not None and due_at <= now:
        raise Refusal(_("This deadline is in the past. Choose a later one."))
