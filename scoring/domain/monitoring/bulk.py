"""One action on several people of a project. If it is refused for one person, it is still done for the others."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.domain.errors import Refusal
from annotation.domain.participation.deadlines import move_deadline
from annotation.domain.participation.lifecycle import exclude, reassign
from annotation.domain.participation.reinstatement import restore
from annotation.models import AuditEntry, Participation, Project, User
from annotation.models.audit_actions import Action
from scoring.domain.monitoring.options import settle_flag
from scoring.domain.monitoring.people import flags_of

MOST = 1000  # people at once


@dataclass
class Outcome:
    """The number of people for whom an action was done, and of those for whom it was refused, by reason."""

    done: int = 0
    refused: dict[str, int] = field(default_factory=dict)


def review(*, participation: Participation, actor: User, now: datetime) -> None:
    """Mark all open flags of a person as reviewed."""
    for kind in flags_of(participation):
        settle_flag(participation=participation, kind=kind, actor=actor, now=now)


def _by_id(act: Callable[..., Any]) -> Callable[..., Any]:
    def acted(*, participation: Participation, **values: Any) -> Any:
        return act(participation_id=participation.pk, **values)

    return acted


ACTIONS: dict[str, Callable[..., Any]] = {
    "exclude": _by_id(exclude),
    "review": review,
    "extend": _by_id(move_deadline),
    "refill": _by_id(reassign),
    "reinstate": _by_id(restore),
}


def undo_exclusions(project: Project, excluded_at: datetime, *, reason: str, actor: User, now: datetime) -> Outcome:
    """Reinstate everybody whom somebody excluded together at that moment, as the audit log has it."""
    entries = AuditEntry.objects.filter(project=project, action=Action.EXCLUDED, actor=actor, at=excluded_at)
    people = Participation.objects.filter(pk__in=entries.values("participation"))
    return act_on(people, "reinstate", actor=actor, now=now, reason=reason)


def act_on(people: Iterable[Participation], action: str, *, actor: User, now: datetime, **values: Any) -> Outcome:
    """Carry out an action on people, in the order of their ids, each in a transaction of its own."""
    outcome = Outcome()
    for participation in sorted(people, key=lambda person: person.pk):
        try:
            with transaction.atomic():
                ACTIONS[action](participation=participation, actor=actor, now=now, **values)
            outcome.done += 1
        except Refusal as refusal:
            outcome.refused[str(refusal)] = outcome.refused.get(str(refusal), 0) + 1
    return outcome
