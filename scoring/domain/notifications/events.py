"""Events of projects: each is recorded once for every webhook and every manager who wants it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from annotation.domain.jobs.control import project_of
from annotation.domain.jobs.kinds import Kind, every_kind, kind_of
from annotation.domain.participation.waves import is_in_wave
from annotation.models import Decision, Participation, Project, Wave
from annotation.models import State as Place
from annotation.models.jobs import JobState
from annotation.queries.progress import shared_counts, still_to_give
from annotation.queries.projects import done_plans, open_projects
from scoring.domain.monitoring.board import RoundBoard, boards
from scoring.domain.monitoring.options import options_of
from scoring.domain.notifications.subscribers import subscribers
from scoring.models import Delivery, Event, Notice, ProjectStatistics, Release, Run

LATELY = timedelta(days=1)
"""How long ago an event may be that is found by looking for it."""


def emit(*, project: Project, event: Event, key: str, payload: Mapping[str, Any], now: datetime) -> int:
    """Record an event for every active webhook and every manager who wants it, once for a key. Return how many records
    are new."""
    whole = {"event": event.value, "project": project.key, "at": now.isoformat(), **payload}
    hooks = [hook for hook in project.webhooks.filter(active=True) if not hook.events or event in hook.events]
    if payload.get("job") == "delivery":
        hooks = []  # a webhook that failed is no news for webhooks
    common = {"event": event, "key": key, "payload": whole, "created_at": now}
    rows = [
        [Delivery(webhook=hook, **common) for hook in hooks],
        [Notice(user=user, project=project, **common) for user in subscribers(project, event, payload)],
    ]
    before = _recorded(project, event, key)
    for own in rows:
        if own:
            type(own[0])._default_manager.bulk_create(own, ignore_conflicts=True)
    return _recorded(project, event, key) - before


def _recorded(project: Project, event: Event, key: str) -> int:
    return sum(rows.filter(key=key).count() for rows in _records(project, event))


def _records(project: Project, event: Event) -> tuple[QuerySet[Delivery], QuerySet[Notice]]:
    """Return the records of an event for webhooks, and for managers."""
    deliveries = Delivery.objects.filter(webhook__project=project, event=event)
    return deliveries, Notice.objects.filter(project=project, event=event)


def emit_run_finished(run: Run) -> int:
    """Record the end of a run; called in the transaction that ends it."""
    payload = {"run": run.number, "state": run.state, "error": run.problem, "ended_at": run.ended_at}
    now = run.ended_at or timezone.now()
    return emit(project=run.project, event=Event.RUN_FINISHED, key=str(run.pk), payload=payload, now=now)


def emit_release_made(release: Release) -> int:
    """Record a release; called in the transaction that completes it."""
    payload = {"release": release.number, "run": release.run.number, "sha256": release.sha256}
    payload |= {"state": release.state, "ended_at": release.ended_at}
    now = release.ended_at or timezone.now()
    return emit(project=release.project, event=Event.RELEASE_MADE, key=str(release.pk), payload=payload, now=now)


def emit_measured(statistics: ProjectStatistics) -> None:
    """Record flagged annotators and a spent budget; called in the transaction that stores a project's statistics."""
    project, now = statistics.project, statistics.ended_at or timezone.now()
    if project.rehearsal_of_id:
        return
    options = options_of(project)
    found = boards(project, options, statistics.figures, now)
    for board in found:
        if number := board.people["flagged"]:
            payload = {"round": board.round.key, "people": number}
            key = f"{board.round.key}/{number}"
            emit(project=project, event=Event.FLAGGED, key=key, payload=payload, now=now)
    if options.budget is not None and (cost := _cost(found)) >= options.budget:
        payload = {"budget": str(options.budget), "cost": str(cost), "currency": options.currency}
        emit(project=project, event=Event.BUDGET_REACHED, key=str(options.budget), payload=payload, now=now)


def _cost(found: list[RoundBoard]) -> Decimal:
    return sum((board.pay.cost for board in found if board.pay and board.pay.cost is not None), Decimal(0))


def emit_wave_ended(wave: Wave) -> None:
    """Record the end of a round in waves, or a failed look; called in the transaction that ends the look."""
    if wave.project.rehearsal_of_id:
        return
    if wave.state == JobState.FAILED:
        _emit_failure(kind_of(wave), wave, wave.ended_at or timezone.now())
    if wave.state != JobState.DONE or wave.decision == Decision.CONTINUE:
        return
    payload = {"round": wave.round, "wave": wave.number, "decision": wave.decision, "found": wave.found}
    now = wave.ended_at or timezone.now()
    emit(project=wave.project, event=Event.TARGET_REACHED, key=f"{wave.round}/{wave.number}", payload=payload, now=now)


def emit_found(now: datetime) -> int:
    """Record what is found by looking for it: launches, finished rounds and failed jobs. Return how many are new."""
    running = open_projects()
    launched = [_emit_launch(project, now) for project in running.filter(launched_at__gt=now - LATELY)]
    rounds = [_emit_rounds(project, now) for project in running]
    failed = [_emit_failures(kind, now) for kind in every_kind() if kind.listed]
    return sum(launched) + sum(rounds) + sum(failed)


def _emit_launch(project: Project, now: datetime) -> int:
    payload = {"launched_at": project.launched_at}
    return emit(project=project, event=Event.LAUNCHED, key=project.launched_at.isoformat(), payload=payload, now=now)


def _emit_failures(kind: Kind, now: datetime) -> int:
    failed = kind.model._default_manager.filter(state=JobState.FAILED, ended_at__gt=now - LATELY)
    jobs = failed.exclude(**{f"{kind.project}__rehearsal_of__isnull": False}).select_related(kind.project)
    return sum(_emit_failure(kind, job, now) for job in jobs)


def _emit_failure(kind: Kind, job: Any, now: datetime) -> int:
    payload = {"job": kind.key, "id": job.pk, "error": job.problem}
    key = f"{kind.key}/{job.pk}/{job.attempts}"
    return emit(project=project_of(job), event=Event.JOB_FAILED, key=key, payload=payload, now=now)


def _emit_rounds(project: Project, now: datetime) -> int:
    """Record the rounds in which nothing is left to answer, and record them again after further planning."""
    plans = Counter(done_plans(project).values_list("round", flat=True))
    keys = {round_key: f"{round_key}/{number}" for round_key, number in plans.items()}
    known = {key for rows in _records(project, Event.ROUND_FINISHED) for key in rows.values_list("key", flat=True)}
    new = {round_key for round_key, key in keys.items() if key not in known}
    return sum(
        emit(
            project=project,
            event=Event.ROUND_FINISHED,
            key=keys[round_key],
            payload={"round": round_key, "plans": plans[round_key]},
            now=now,
        )
        for round_key in finished_rounds(project, new)
    )


def finished_rounds(project: Project, among: Collection[str]) -> Iterator[str]:
    """Yield the rounds whose planned answers are all in: of best-worst and open rounds by answers, of others by
    places. Answers are only counted if no answer is left to give.

    Parameters: among, the keys of planned rounds.
    """
    for round_ in project.protocol.rounds:
        key, together = round_.key, round_.design.compares or round_.design.is_open
        has_ended = _all_answered if together else _all_seats_finished
        if key in among and not is_in_wave(project, key) and has_ended(project, key):
            yield key


def _all_answered(project: Project, round_key: str) -> bool:
    if still_to_give(project, round_key):
        return False
    row = shared_counts(project).get(round_key)
    return row is not None and row["answers"] >= row["wanted"]


def _all_seats_finished(project: Project, round_key: str) -> bool:
    """Return whether people finished and no place is open; who left or was excluded has been replaced."""
    states = set(Participation.objects.filter(project=project, round=round_key).values_list("state", flat=True))
    return Place.FINISHED in states and states <= {Place.FINISHED, Place.EXCLUDED, Place.LEFT}
