"""Webhook deliveries: each event is recorded for every webhook of the project, and sent until accepted or given up."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from hmac import new as hmac
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import TryLater, note
from annotation.domain.jobs.kinds import A_DAY, Kind, Values, register
from annotation.models import Participation, Project
from annotation.models import State as Place
from annotation.queries import done_plans, shared_counts
from scoring.domain.webhooks.safe_http import Unreachable, post
from scoring.models import Delivery, Event, Release, Run, Webhook

SIGNATURE = "Semblance-Signature"


def emit(*, project: Project, event: Event, key: str, payload: Mapping[str, Any], now: datetime) -> int:
    """Record a delivery for every active webhook that wants the event, once for a key, and return how many are new."""
    wanting = [hook for hook in project.webhooks.filter(active=True) if not hook.events or event in hook.events]
    whole = {"event": event.value, "project": project.key, "at": now.isoformat(), **payload}
    before = Delivery.objects.filter(webhook__project=project, event=event, key=key).count()
    Delivery.objects.bulk_create(
        [Delivery(webhook=hook, event=event, key=key, payload=whole, created_at=now) for hook in wanting],
        ignore_conflicts=True,
    )
    return Delivery.objects.filter(webhook__project=project, event=event, key=key).count() - before


def emit_run_finished(run: Run) -> int:
    """Record the end of a run for its webhooks; called in the transaction that ends it."""
    payload = {"run": run.number, "state": run.state, "error": run.problem, "ended_at": run.ended_at}
    now = run.ended_at or timezone.now()
    return emit(project=run.project, event=Event.RUN_FINISHED, key=str(run.pk), payload=payload, now=now)


def emit_release_made(release: Release) -> int:
    """Record a release for its webhooks; called in the transaction that completes it."""
    payload = {"release": release.number, "run": release.run.number, "sha256": release.sha256}
    payload |= {"state": release.state, "ended_at": release.ended_at}
    now = release.ended_at or timezone.now()
    return emit(project=release.project, event=Event.RELEASE_MADE, key=str(release.pk), payload=payload, now=now)


def emit_finished_rounds(now: datetime) -> int:
    """Record every round in which nothing is left to answer; after further planning, once more."""
    hooked = Project.objects.filter(webhooks__active=True).distinct()
    return sum(_emit_round(project, round_key, now) for project in hooked for round_key in finished_rounds(project))


def _emit_round(project: Project, round_key: str, now: datetime) -> int:
    plans = done_plans(project).filter(round=round_key).count()
    payload = {"round": round_key, "plans": plans}
    return emit(project=project, event=Event.ROUND_FINISHED, key=f"{round_key}/{plans}", payload=payload, now=now)


def finished_rounds(project: Project) -> Iterator[str]:
    """Yield the rounds whose planned answers are all in: of best-worst and open rounds by answers, of others by
    places."""
    planned = set(done_plans(project).values_list("round", flat=True))
    shared = {key: row["answers"] >= row["wanted"] for key, row in shared_counts(project).items()}
    for round_ in project.protocol.rounds:
        if round_.key in planned:
            together = round_.design.compares or round_.design.is_open
            if shared.get(round_.key, False) if together else _all_seats_finished(project, round_.key):
                yield round_.key


def _all_seats_finished(project: Project, round_key: str) -> bool:
    """Return whether annotators finished and no place is open, so that all who left or were excluded were replaced."""
    states = set(Participation.objects.filter(project=project, round=round_key).values_list("state", flat=True))
    return Place.FINISHED in states and states <= {Place.FINISHED, Place.EXCLUDED, Place.LEFT}


def deliver(delivery: Delivery) -> Values:
    """Make one attempt to send a delivery. Raise TryLater if the address did not accept it; Refusal for a test, which
    is tried once while its sender watches."""
    status = None
    try:
        status = _attempt(delivery, delivery.started_at or timezone.now())
        problem = f"The server responded with status {status}."
    except Unreachable as error:
        problem = str(error)
    note(delivery, status=status)
    if status is not None and 200 <= status < 300:
        return {}
    raise Refusal(problem) if delivery.event == Event.TEST else TryLater(problem)


# No join: PostgreSQL looks again at the row itself when somebody else has just claimed it, and not at a subquery.
SWITCHED_ON = Q(Exists(Webhook.objects.filter(pk=OuterRef("webhook"), active=True)))
register(Kind("delivery", Delivery, _("Webhook"), deliver, project="webhook__project", waits=A_DAY, ready=SWITCHED_ON))


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
    """Return `t=SECONDS,v1=HEX`: HMAC-SHA256 of the time, a dot and the body; an old time reveals a replay."""
    seconds = str(int(now.timestamp()))
    return f"t={seconds},v1={hmac(secret.encode(), f'{seconds}.'.encode() + body, sha256).hexdigest()}"
