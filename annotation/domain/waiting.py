"""What a worker does on its own: jobs that wait, pauses that end, and a sign of life."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from annotation.domain.errors import Refusal
from annotation.domain.importing import FileRefused, import_items
from annotation.domain.importing.rows import Problem
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
    values = {"state": ItemImport.State.DONE, "ended_at": now}
    try:
        with NamedTemporaryFile(suffix=Path(job.name).suffix) as copy:
            for chunk in job.file.chunks():
                copy.write(chunk)
            copy.flush()
            values["imported"] = import_items(project=job.project, path=Path(copy.name))
    except FileRefused as error:
        values |= {"state": ItemImport.State.REFUSED, "problems": error.as_json()}
    except Refusal as error:
        values |= _refused_whole(str(error))
    except FileNotFoundError:
        values |= _refused_whole("The file cannot be read any more; please send it again.")
    except Exception:
        # Whatever it was, the row must say so: a job that stays “running” would be tried again for ever.
        logger.exception("Import %s failed.", job.pk)
        values |= _refused_whole("Something went wrong here, not in your file; the log has it.")
        values["state"] = ItemImport.State.FAILED
    ItemImport.objects.filter(pk=job.pk).update(**values)


def _refused_whole(reason: str) -> dict[str, Any]:
    return {"state": ItemImport.State.REFUSED, "problems": FileRefused([Problem(0, "", reason)]).as_json()}


def remind_the_rested(now: datetime) -> int:
    """Writes to everybody whose pause is over and who has not been told. Returns how many."""
    due = _reachable(now).filter(state=State.RESTING, rest_until__lte=now)
    return _write_to(due.order_by("rest_until"), PAUSE_OVER, now)


def invite_the_seated(now: datetime) -> int:
    """Writes to everybody whom a plan gave a place because of an earlier round. Returns how many."""
    return _write_to(_reachable(now).filter(state=State.INVITED).order_by("pk"), INVITATION, now)


@dataclass(frozen=True)
class Letter:
    """An e-mail of which everybody gets one; the participation notes when."""

    noted_in: str
    template: str
    subject: str


PAUSE_OVER = Letter("reminded_at", "email/pause_over.txt", "the next session can begin")
INVITATION = Letter("invited_at", "email/invitation.txt", "a place for you in the next round")


def _reachable(now: datetime) -> QuerySet[Participation]:
    return (
        Participation.objects.filter(annotator__user__isnull=False)
        .exclude(annotator__user__email="")
        .exclude(project__closed_at__lte=now)
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
    text = render_to_string(letter.template, {"participation": participation, "url": url})
    try:
        send_mail(f"{participation.project.title}: {letter.subject}", text, None, [participation.annotator.user.email])
    except OSError:
        logger.exception("The e-mail to participation %s will be sent later.", pk)
        transaction.set_rollback(True)
        return False
    return True
