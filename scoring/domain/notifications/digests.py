"""The digest: the state of a manager's projects, by email every day or every week."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.domain.languages import speaking_to
from annotation.domain.messages.sending import send_noted
from annotation.models import Project, User
from annotation.queries.projects import open_projects
from scoring.domain.monitoring.standing import Standing, standings
from scoring.domain.notifications.subscribers import MANAGING
from scoring.models import NotificationSettings

Digest = NotificationSettings.Digest
HOUR = 6
"""The hour at which digests are sent, in UTC."""


def boundary(digest: str, now: datetime) -> datetime:
    """Return the last moment at which a digest was due: six o'clock UTC of the day, or of Monday."""
    days = (now - timedelta(hours=HOUR)).weekday() if digest == Digest.WEEKLY else 0
    day = now - timedelta(hours=HOUR, days=days)
    return day.replace(hour=HOUR, minute=0, second=0, microsecond=0)


def send_digests(now: datetime) -> int:
    """Send every digest that is due, and return how many."""
    wanting = NotificationSettings.objects.exclude(digest=Digest.NEVER).filter(user__is_active=True)
    due = [own.pk for own in wanting.exclude(user__email="") if own.digest_at < boundary(own.digest, now)]
    return sum(_send(pk, now) for pk in due)


@dataclass(frozen=True)
class Line:
    """A project in a digest."""

    standing: Standing
    new: int
    url: str


@transaction.atomic
def _send(pk: int, now: datetime) -> bool:
    rows = NotificationSettings.objects.select_for_update(of=("self",), skip_locked=True).select_related("user")
    own = rows.filter(pk=pk).first()
    if own is None or own.digest_at >= boundary(own.digest, now):
        return False
    lines = _lines(own, now)
    own.digest_at, own.answered = now, {str(line.standing.project.pk): line.standing.answered for line in lines}
    own.save(update_fields=["digest_at", "answered"])
    if not lines:
        return False
    with speaking_to(own.user):
        weekly = own.digest == Digest.WEEKLY
        subject = _("Your projects this week") if weekly else _("Your projects today")
        values = {"lines": lines, "weekly": weekly, "settings": settings.PUBLIC_URL + reverse("notifications")}
        text = render_to_string("email/digest.txt", values)
        return send_noted(subject, text, own.user, f"The digest to account {own.user_id}")


def _lines(own: NotificationSettings, now: datetime) -> list[Line]:
    """Return the launched projects that are not closed, with the answers since the last digest."""
    found = reported(own.user).exclude(pk__in=own.muted.all()).order_by("title")
    return [
        Line(
            standing,
            max(standing.answered - own.answered.get(str(standing.project.pk), 0), 0),
            settings.PUBLIC_URL + reverse("project", args=[standing.project.key]),
        )
        for standing in standings(list(found), now)
    ]


def reported(user: User) -> QuerySet[Project]:
    """Return the projects that a person's digest reports on."""
    return open_projects().filter(memberships__user=user, memberships__role__in=MANAGING)
