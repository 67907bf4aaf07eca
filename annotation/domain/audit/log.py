"""Entries of the audit log: acts of managers on people and projects, with the reason, in the same transaction."""

from datetime import datetime
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.security.log import OF_PROJECTS, record
from annotation.models import AuditEntry, Participation, Project, User
from annotation.models.audit_actions import is_registered


def require_reason(reason: str) -> None:
    """Raise Refusal where there is no reason."""
    if not reason.strip():
        raise Refusal(_("Give a reason. It is stored in the audit log."))


def write_down(
    action: TextChoices,
    project: Project,
    *,
    actor: User | None,
    now: datetime,
    participation: Participation | None = None,
    reason: str = "",
    by: str = AuditEntry.By.SYSTEM,
    **details: Any,
) -> AuditEntry:
    """Add an entry to the log and return it. Nothing in it may name a person: it can never be removed.

    Parameters: action, of an enumeration that is registered; actor, the account that did it; by, who did it where no
        account is named.

    Raises:
        ValueError: the action is not registered, so that pages have no name for it.
    """
    if not is_registered(action):
        raise ValueError(f"The action “{action}” is not registered.")
    if action in OF_PROJECTS:
        about = {"place": str(participation)} if participation else {}
        record(action, now=now, user=actor, project_key=project.key, **about)
    values = {"action": action, "reason": reason.strip(), "details": details, "at": now}
    return AuditEntry.objects.create(project=project, participation=participation, actor=actor, by=by, **values)
