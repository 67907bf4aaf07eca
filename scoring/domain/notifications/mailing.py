"""Emails about events: one to each manager for everything that happened since the last."""

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.domain.languages import speaking_to
from annotation.domain.messages.sending import send_noted
from annotation.models import User
from scoring.domain.notifications.wording import page, sentence
from scoring.models import Event, Notice

LONGEST = 50  # events of an email


class Line(NamedTuple):
    """An event as an email tells it."""

    title: str
    sentence: str
    url: str


def mail_notices(now: datetime) -> int:
    """Email every manager about whom something is recorded and not yet mailed. Return how many."""
    waiting = Notice.objects.filter(mailed_at__isnull=True).order_by("user").values_list("user", flat=True).distinct()
    return sum(_mail(pk, now) for pk in list(waiting))


@transaction.atomic
def _mail(user_id: int, now: datetime) -> bool:
    unsent = Notice.objects.select_for_update(of=("self",), skip_locked=True).filter(mailed_at__isnull=True)
    notices = list(unsent.filter(user=user_id).select_related("project").order_by("pk")[:LONGEST])
    if not notices:
        return False
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(mailed_at=now)
    user = User.objects.get(pk=user_id)
    with speaking_to(user):
        lines = [_line(notice) for notice in notices]
        text = render_to_string("email/notices.txt", {"lines": lines})
        subject = f"{lines[0].title}: {lines[0].sentence}" if len(lines) == 1 else _("News from your projects")
        return send_noted(subject, text, user, f"The notices to account {user_id}")


def _line(notice: Notice) -> Line:
    event = Event(notice.event)
    return Line(
        notice.project.title,
        sentence(notice.project, event, notice.payload),
        page(notice.project, event, notice.payload),
    )
