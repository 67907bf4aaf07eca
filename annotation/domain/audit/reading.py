"""The audit log as it is read: filtered, and with the names of accounts for their numbers."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.models import AuditEntry, Item, Project, User
from annotation.models.audit_actions import Action

BY_ACCOUNT = "account-"
CHUNK = 1000
FIRST_DAY, LAST_DAY = date(1, 1, 2), date(9999, 12, 30)  # no time zone moves them out of the years 1 to 9999
COLUMNS = ("at", "action", "place", "person", "by", "actor", "reason", "details")
Row = dict[str, Any]
ABOUT_ITEMS = (
    *(Action.LABEL_CHANGED, Action.ITEM_CHANGED, Action.ITEM_REPLACED, Action.ITEMS_REINSTATED, Action.ITEMS_REOPENED),
    Action.ITEMS_WITHDRAWN,
)
"""Actions whose entries name the items."""


def entries_of(
    project: Project,
    *,
    action: str = "",
    person: str = "",
    actor: str = "",
    since: date | None = None,
    until: date | None = None,
) -> QuerySet[AuditEntry]:
    """Return the entries of a project, the latest first.

    Parameters: person, a pseudonym, an outside ID or the address of an account; actor, `account-N`, or who else did it
        (`AuditEntry.By`); since and until, days in the present time zone, both included.
    """
    entries = project.audit_entries.select_related("actor", "participation__annotator").order_by("-at", "-pk")
    if action:
        entries = entries.filter(action=action)
    if person:
        about = "participation__annotator__"
        entries = entries.filter(
            Q(**{f"{about}pseudonym": person})
            | Q(**{f"{about}external_id": person})
            | Q(**{f"{about}user__email__iexact": person})
        )
    if actor.startswith(BY_ACCOUNT):
        entries = entries.filter(actor=actor.removeprefix(BY_ACCOUNT))
    elif actor:
        entries = entries.filter(by=actor, actor__isnull=True)
    if since:
        entries = entries.filter(at__gte=_begin(since))
    if until:
        entries = entries.filter(at__lt=_begin(until) + timedelta(days=1))
    return entries


def entries_about_item(item: Item) -> list[AuditEntry]:
    """Return what was done to an item, the latest first."""
    entries = item.project.audit_entries.filter(action__in=ABOUT_ITEMS).select_related("actor").order_by("-at", "-pk")
    return [entry for entry in entries if item.key in (*entry.details.get("items", ()), entry.details.get("to"))]


def _begin(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(min(max(day, FIRST_DAY), LAST_DAY), time.min))


def actions_in(project: Project) -> list[str]:
    """Return the actions done in the project, each once."""
    return list(project.audit_entries.order_by("action").values_list("action", flat=True).distinct())


def actors_in(project: Project) -> list[tuple[str, str]]:
    """Return who did something in the project: the value that `entries_of` takes, and a name."""
    known = User.objects.filter(pk__in=project.audit_entries.order_by().values("actor")).order_by("email")
    accounts = [(f"{BY_ACCOUNT}{user.pk}", user.email or user.username) for user in known]
    return [*accounts, *((by.value, str(by.label)) for by in AuditEntry.By)]


def rows(entries: QuerySet[AuditEntry]) -> Iterator[Row]:
    """Yield the entries as they are exported; people under their pseudonyms."""
    for entry in entries.iterator(chunk_size=CHUNK):
        annotator = entry.participation.annotator if entry.participation else None
        yield {
            "at": entry.at,
            "action": entry.action,
            "place": entry.place,
            "person": annotator.pseudonym if annotator else "",
            "by": entry.by,
            "actor": entry.actor.email or entry.actor.username if entry.actor else "",
            "reason": entry.reason,
            "details": entry.details,
        }


def with_members_named(entries: list[AuditEntry]) -> list[AuditEntry]:
    """Add `named_details` to each entry: its details, with accounts by their names while they exist; one query."""
    members = {entry.details["member"] for entry in entries if "member" in entry.details}
    names = {user.pk: user.email or user.username for user in User.objects.filter(pk__in=members)}
    for entry in entries:
        entry.named_details = [
            (name, names.get(value, value) if name == "member" else value)
            for name, value in entry.details.items()
            if value not in (None, "", [])
        ]
    return entries
