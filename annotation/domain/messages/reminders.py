"""Reminders by email: a pause is over, a place in the next round is ready, a deadline is near, somebody has stopped.

Whoever has unsubscribed gets none of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.domain.languages import speaking_to
from annotation.domain.messages.sending import send_noted
from annotation.domain.messages.templates import Kind, filled, text_of
from annotation.domain.messages.unsubscribing import is_unsubscribed
from annotation.domain.participation.flow import AboutYou, Next, Practice, Screen, where_now
from annotation.domain.participation.open_round import pool_of
from annotation.models import Participation, RecruitingOptions, State


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


def remind_the_stopped(now: datetime) -> int:
    """Remind, once, everybody who has begun and not answered for as many days as the project says. Return how many."""
    chosen = RecruitingOptions.objects.filter(stopped_days__isnull=False, project__closed_at=None)
    return sum(_remind_in(options, now) for options in chosen)


def _remind_in(options: RecruitingOptions, now: datetime) -> int:
    """Remind people of one project, except those for whom there is nothing to answer at the moment."""
    begun = _reachable(now).filter(project=options.project_id, state=State.ACTIVE, consented_at__isnull=False)
    quiet = begun.annotate(last=Coalesce(Max("assignments__answered_at"), F("consented_at")))
    stopped = quiet.filter(last__lte=now - timedelta(days=options.stopped_days or 0), stopped_reminded_at=None)
    places = stopped.select_related("project").order_by("pk")
    return sum(_send(place.pk, STOPPED, now) for place in places if _can_answer(place, now))


def _can_answer(place: Participation, now: datetime) -> bool:
    stage = where_now(place, now)
    return isinstance(stage, Screen | Practice | AboutYou) or (
        isinstance(stage, Next) and pool_of(place).is_missing_answers()
    )


@dataclass(frozen=True)
class Letter:
    """An email that everybody gets once; the participation records when.

    text: returns the subject and body for a place and the address of its page.
    """

    noted_in: str
    text: Callable[[Participation, str], tuple[str, str]]


def _from_file(template: str, subject: str) -> Callable[[Participation, str], tuple[str, str]]:
    def text(participation: Participation, url: str) -> tuple[str, str]:
        body = render_to_string(f"email/{template}.txt", {"participation": participation, "url": url})
        return f"{participation.project.title}: {subject}", body

    return text


def _stopped(participation: Participation, url: str) -> tuple[str, str]:
    project = participation.project
    values = {"project": project.title, "round": project.round(participation.round).title, "link": url}
    text = filled(text_of(project, Kind.REMINDER), values)
    return text.subject, text.body


PAUSE_OVER = Letter("reminded_at", _from_file("pause_over", _("you can start the next session")))
INVITATION = Letter("invited_at", _from_file("invitation", _("the next round is ready")))
DUE_SOON = Letter("due_reminded_at", _from_file("due_soon", _("one day left")))
STOPPED = Letter("stopped_reminded_at", _stopped)


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
    """Send one email, recorded in the same transaction: two workers never send it twice, a failure sends it later.

    For somebody who has unsubscribed it is recorded and not sent.
    """
    row = Participation.objects.select_for_update(of=("self",), skip_locked=True)
    unsent = row.select_related("project", "annotator__user").filter(**{letter.noted_in: None})
    participation = unsent.filter(pk=pk).first()
    if participation is None:
        return False
    setattr(participation, letter.noted_in, now)
    participation.save(update_fields=[letter.noted_in])
    url = settings.PUBLIC_URL + reverse("work", args=[pk])
    user, project = participation.annotator.user, participation.project
    if is_unsubscribed(project, user.email):
        return False
    with speaking_to(user):
        subject, text = letter.text(participation, url)
        return send_noted(subject, text, user, f"The reminder to participation {pk}", project=project)
