"""The managers of a project who want to be notified of an event."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Membership, Project, User
from scoring.models import Event, NotificationSettings

MANAGING = (Membership.Role.OWNER, Membership.Role.MANAGER)


def settings_of(user: User) -> NotificationSettings:
    """Return the settings of an account, or the defaults, not stored."""
    return NotificationSettings.objects.filter(user=user).first() or NotificationSettings(user=user)


def subscribers(project: Project, event: Event, payload: Mapping[str, Any]) -> list[User]:
    """Return the owners and managers of a project who are told about an event at once; three queries."""
    members = User.objects.filter(memberships__project=project, memberships__role__in=MANAGING, is_active=True).exclude(
        email=""
    )
    stored = NotificationSettings.objects.filter(user__memberships__project=project)
    known = {own.user_id: own for own in stored}
    muted = set(
        NotificationSettings.muted.through.objects.filter(project=project).values_list(
            "notificationsettings__user", flat=True
        )
    )
    return [
        user
        for user in members
        if user.pk not in muted and _wants(known.get(user.pk) or NotificationSettings(user=user), event, payload)
    ]


def _wants(own: NotificationSettings, event: Event, payload: Mapping[str, Any]) -> bool:
    return event in own.events and (event != Event.FLAGGED or payload["people"] >= own.flagged_from)
