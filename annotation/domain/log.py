"""What managers do to people and to the project is written down, with the reason, in the same transaction."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import AuditEntry, Participation, Project, User


def require_reason(reason: str) -> None:
    """Raises Refusal where there is none."""
    if not reason.strip():
        raise Refusal(_("Please give a reason; the log keeps it."))


def write_down(
    action: str,
    project: Project,
    *,
    actor: User | None,
    now: datetime,
    participation: Participation | None = None,
    reason: str = "",
    by: str = AuditEntry.By.SYSTEM,
    **details: Any,
) -> AuditEntry:
    """Adds an entry to the log. Nothing in it may name a person: it can never be taken out again.

    Parameters: actor, the account that did it; by, who did it where no account is named.
    """
    return AuditEntry.objects.create(
        project=project,
        participation=participation,
        actor=actor,
        by=by,
        action=action,
        reason=reason.strip(),
        details=details,
        at=now,
    )
