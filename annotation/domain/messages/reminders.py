"""Reminders by email: a pause is over, a place in the next round is ready, a deadline is near."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.domain.languages import speaking_to
from annotation.domain.messages.sending import send_noted
from annotation.models import Participation, State


def remind_the_rested(now: datetime) -> int:
    """Remind everybody whose pause is over, once. Return how many."""
    due = _reachable(now).filter(state=State.RESTING, rest_until__lte=now)
    return _write_to(due.order_by("rest_until"), PAUSE_OVER, now)


def invite_the_seated(now: datetime) -> int:
    """Write to everybody whom a plan gave a place because of an earlier round. Return how many."""
    return _write_to(_reachable(now).filter(state=State.INVITED).order_by("pk"), INVITATION, now)


def remind_of_deadlines(now: datetime) -> int:
    """Remind, a day before, everybody who has not finished what is due. Return how many."""
    ahead = Q(due_at__gt=now, due_at__lte=now + timedelta(days=1), annotator__isnull=False)
    going = _reachable(now).filter(ahead, state__in=[State.INVITED, State.ACTIVE, State.RESTING])
    return _write_to(going.order_by("due_at"), DUE_SOON, now)


@dataclass(frozen=True)
class Letter:
    """An email of which everybody gets one; the participation notes when."""

    noted_in: str
    template: str
    subject: str


PAUSE_OVER = Letter("reminded_at", "email/pause_over.txt", _("you can start the next session"))
INVITATION = Letter("invited_at", "email/invitation.txt", _("the next round is ready"))
DUE_SOON = Letter("due_reminded_at", "email/due_soon.txt", _("one day left"))


def _reachable(now: datetime) -> QuerySet[Participation]:
    return (
        Participation.objects.filter(annotator__user__isnull=False)
        .exclude(annotator__user__email="")
        .exclude(project__closed_at__lte=now)
        .exclude(project__paused_at__lte=now)
    )


def _write_to(due: QuerySet[Participation], letter: Letter, now: datetime) -> int:
    waiting = due.filter(**{letter.noted_in: None})
    return sum(_send(pk, letter, now) for pk in waiting.values_list("pk", flat=True))


@transaction.atomic
def _send(pk: int, letter: Letter, now: datetime) -> bool:
    """Send one email, noted in the same transaction: two workers never send it twice, a failure sends it later."""
    row = Participation.objects.select_for_update(of=("self",), skip_locked=True)
    unsent = row.select_related("project", "annotator__user").filter(**{letter.noted_in: None})
    participation = unsent.filter(pk=pk).first()
    if participation is None:
        return False
    setattr(participation, letter.noted_in, now)
    participation.save(update_fields=[letter.noted_in])
    url = settings.PUBLIC_URL + reverse("work", args=[pk])
    user = participation.annotator.user
    with speaking_to(user):
        text = render_to_string(letter.template, {"participation": participation, "url": url})
        subject = f"{participation.project.title}: {letter.subject}"
    return send_noted(subject, text, user, f"The reminder to participation {pk}")
