"""What a worker does on its own: jobs that wait, pauses that end, and a sign of life."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import Refusal
from annotation.domain.importing import FileRefused
from annotation.domain.importing.jobs import carry_out, refused_whole
from annotation.domain.languages import speaking_to
from annotation.models import Heartbeat, ItemImport, Participation, State

logger = logging.getLogger(__name__)
STALE = timedelta(minutes=30)  # a running import older than this lost its worker; it can be done again
SILENCE = timedelta(minutes=2)  # without a heartbeat for this long no worker is listening


def beat_heart(now: datetime) -> None:
    Heartbeat.objects.update_or_create(name="worker", defaults={"at": now})


def worker_is_alive(now: datetime) -> bool:
    return Heartbeat.objects.filter(name="worker", at__gte=now - SILENCE).exists()


def run_waiting_imports(now: datetime) -> int:
    """Does the imports that wait, and those whose worker was lost. Returns how many."""
    due = ItemImport.objects.filter(
        Q(state=ItemImport.State.WAITING) | Q(state=ItemImport.State.RUNNING, started_at__lt=now - STALE)
    )
    done = 0
    for job in due.order_by("pk"):
        claimed = due.filter(pk=job.pk).update(state=ItemImport.State.RUNNING, started_at=now)
        if claimed:
            _run_import(job, now)
            done += 1
    return done


def _run_import(job: ItemImport, now: datetime) -> None:
    with speaking_to(job.created_by):
        values = _outcome(job, now)
    # Where another worker took the job for lost and has it now, what this one says comes too late.
    ItemImport.objects.filter(pk=job.pk, state=ItemImport.State.RUNNING, started_at=now).update(**values)


def _outcome(job: ItemImport, now: datetime) -> dict[str, Any]:
    """Carries the import out. Returns what its row says then."""
    try:
        return carry_out(job, now)
    except FileRefused as error:
        return {"state": ItemImport.State.REFUSED, "ended_at": now, "problems": error.as_json()}
    except Refusal as error:
        return refused_whole(str(error)) | {"ended_at": now}
    except FileNotFoundError:
        return refused_whole(_("The file cannot be read any more; please send it again.")) | {"ended_at": now}
    except Exception:
        # Whatever it was, the row must say so: a job that stays “running” would be tried again for ever.
        logger.exception("Import %s failed.", job.pk)
        values = refused_whole(_("Something went wrong here, not in your file; the log has it."))
        return values | {"state": ItemImport.State.FAILED, "ended_at": now}


def remind_the_rested(now: datetime) -> int:
    """Writes to everybody whose pause is over and who has not been told. Returns how many."""
    due = _reachable(now).filter(state=State.RESTING, rest_until__lte=now)
    return _write_to(due.order_by("rest_until"), PAUSE_OVER, now)


def invite_the_seated(now: datetime) -> int:
    """Writes to everybody whom a plan gave a place because of an earlier round. Returns how many."""
    return _write_to(_reachable(now).filter(state=State.INVITED).order_by("pk"), INVITATION, now)


def remind_of_deadlines(now: datetime) -> int:
    """Writes, a day before, to everybody who has not finished what is due. Returns how many."""
    ahead = Q(due_at__gt=now, due_at__lte=now + timedelta(days=1), annotator__isnull=False)
    going = _reachable(now).filter(ahead, state__in=[State.INVITED, State.ACTIVE, State.RESTING])
    return _write_to(going.order_by("due_at"), DUE_SOON, now)


@dataclass(frozen=True)
class Letter:
    """An e-mail of which everybody gets one; the participation notes when."""

    noted_in: str
    template: str
    subject: str


PAUSE_OVER = Letter("reminded_at", "email/pause_over.txt", _("the next session can begin"))
INVITATION = Letter("invited_at", "email/invitation.txt", _("a place for you in the next round"))
DUE_SOON = Letter("due_reminded_at", "email/due_soon.txt", _("there is a day left"))


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
    """One e-mail, noted in the same transaction: two workers never send it twice, a failure sends it later."""
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
    try:
        send_mail(subject, text, None, [user.email])
    except OSError:
        logger.exception("The e-mail to participation %s will be sent later.", pk)
        transaction.set_rollback(True)
        return False
    return True
