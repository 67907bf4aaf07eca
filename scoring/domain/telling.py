"""Webhooks: what has ended is noted for every address of the project, and sent until it is taken or given up."""

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Participation, Project
from annotation.models import State as Place
from annotation.protocols.spec import BestWorstDesign
from annotation.queries import done_plans, tuple_counts
from scoring.domain.posting import Unreachable, post
from scoring.models import Delivery, Event, Release, Run, State

logger = logging.getLogger(__name__)
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 480, 720))  # in all about a day
SIGNATURE = "Semblance-Signature"


def tell(*, project: Project, event: Event, key: str, payload: Mapping[str, Any], now: datetime) -> int:
    """Notes a delivery for every active webhook that wants the event; the same key is told once.

    Returns how many are new.
    """
    wanting = [hook for hook in project.webhooks.filter(active=True) if not hook.events or event in hook.events]
    whole = {"event": event.value, "project": project.key, "at": now.isoformat(), **payload}
    before = Delivery.objects.filter(webhook__project=project, event=event, key=key).count()
    Delivery.objects.bulk_create(
        [Delivery(webhook=hook, event=event, key=key, payload=whole, next_at=now) for hook in wanting],
        ignore_conflicts=True,
    )
    return Delivery.objects.filter(webhook__project=project, event=event, key=key).count() - before


def tell_run_finished(run: Run, now: datetime) -> int:
    payload = {"run": run.number, "state": run.state, "error": run.error, "ended_at": run.ended_at}
    return tell(project=run.project, event=Event.RUN_FINISHED, key=str(run.pk), payload=payload, now=now)


def tell_release_made(release: Release) -> int:
    """For whoever makes a release, in the transaction that makes it done."""
    payload = {"release": release.number, "run": release.run.number, "sha256": release.sha256}
    payload |= {"state": release.state, "ended_at": release.ended_at}
    now = release.ended_at or timezone.now()
    return tell(project=release.project, event=Event.RELEASE_MADE, key=str(release.pk), payload=payload, now=now)


def tell_finished_rounds(now: datetime) -> int:
    """Tells of every round in which nothing is left to answer; of one that was planned on, once more."""
    hooked = Project.objects.filter(webhooks__active=True).distinct()
    return sum(_tell_round(project, round_key, now) for project in hooked for round_key in finished_rounds(project))


def _tell_round(project: Project, round_key: str, now: datetime) -> int:
    plans = done_plans(project).filter(round=round_key).count()
    payload = {"round": round_key, "plans": plans}
    return tell(project=project, event=Event.ROUND_FINISHED, key=f"{round_key}/{plans}", payload=payload, now=now)


def finished_rounds(project: Project) -> Iterator[str]:
    """The rounds whose planned answers are all in: of best-worst rounds by tuples, of others by places."""
    planned = set(done_plans(project).values_list("round", flat=True))
    tuples = {row["round"]: row["answers"] >= row["wanted"] for row in tuple_counts(project)}
    for round_ in project.protocol.rounds:
        if round_.key in planned:
            best_worst = isinstance(round_.design, BestWorstDesign)
            if tuples.get(round_.key, False) if best_worst else _all_seats_finished(project, round_.key):
                yield round_.key


def _all_seats_finished(project: Project, round_key: str) -> bool:
    """Whether people finished, and no place is free or at work; who left or was excluded has been replaced."""
    states = set(Participation.objects.filter(project=project, round=round_key).values_list("state", flat=True))
    return Place.FINISHED in states and states <= {Place.FINISHED, Place.EXCLUDED, Place.LEFT}


def due_deliveries(now: datetime) -> list[int]:
    due = Delivery.objects.filter(state=State.WAITING, next_at__lte=now, webhook__active=True)
    return list(due.order_by("next_at", "pk").values_list("pk", flat=True))


def send(delivery_id: int, now: datetime) -> bool:
    """Makes one attempt, if it is due and nobody else is making it. Returns whether the address took it."""
    delivery = _claim(delivery_id, now)
    if delivery is None:
        return False
    try:
        status, problem = _attempt(delivery, now), ""
    except Unreachable as error:
        status, problem = None, str(error)
    _note(delivery, status, problem)
    return _taken(status)


def _claim(delivery_id: int, now: datetime) -> Delivery | None:
    """The delivery, with the next attempt put off already: should this worker be lost, another one tries then."""
    due = Delivery.objects.filter(pk=delivery_id, state=State.WAITING, next_at__lte=now)
    with transaction.atomic():
        delivery = due.select_related("webhook").filter(webhook__active=True).first()
        if delivery is None:
            return None
        wait = WAITS[min(delivery.attempts, len(WAITS) - 1)]
        claimed = due.filter(attempts=delivery.attempts).update(attempts=F("attempts") + 1, next_at=now + wait)
    delivery.attempts += 1
    return delivery if claimed else None


def _attempt(delivery: Delivery, now: datetime) -> int:
    body = json.dumps(delivery.payload, sort_keys=True, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Semblance/{settings.CODE_VERSION}",
        "Semblance-Event": delivery.event,
        "Semblance-Delivery": str(delivery.pk),
        SIGNATURE: sign(delivery.webhook.secret, body, now),
    }
    return post(delivery.webhook.url, body, headers)


def sign(secret: str, body: bytes, now: datetime) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 of the time, a dot and the body. An old time tells a message sent on."""
    seconds = str(int(now.timestamp()))
    return f"t={seconds},v1={hmac(secret.encode(), f'{seconds}.'.encode() + body, sha256).hexdigest()}"


def _taken(status: int | None) -> bool:
    return status is not None and 200 <= status < 300


def _note(delivery: Delivery, status: int | None, problem: str) -> None:
    values: dict[str, Any] = {"status": status, "error": problem}
    if _taken(status):
        values |= {"state": State.DONE, "ended_at": timezone.now()}
    else:
        values["error"] = problem or f"The address answered with status {status}."
        logger.info("%s, attempt %s: %s", delivery, delivery.attempts, values["error"])
        if delivery.attempts > len(WAITS) or delivery.event == Event.TEST:  # whoever asked for a test looks at it now
            values |= {"state": State.FAILED, "ended_at": timezone.now()}
    # Should a later attempt have been made meanwhile, what that one says stands.
    Delivery.objects.filter(pk=delivery.pk, state=State.WAITING, attempts=delivery.attempts).update(**values)
