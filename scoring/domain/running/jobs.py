"""The steps of a run, each claimed by an update that only one worker can win.

A claim has a number, that of the attempt. Whoever was taken for lost, and was only slow, finds another number in the
row and leaves it alone; of a part either result will do, for they are the same.
"""

import logging
import time
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from scoring.domain.running.pulse import alive, silent
from scoring.domain.running.snapshots import one_moment, snapshot_of, store_snapshot, take_snapshot, tidy
from scoring.domain.screening import screen_finished
from scoring.domain.telling import tell_run_finished
from scoring.models import Run, RunPart, State
from scoring.queries import seen_of
from scoring.summaries.merge import merge
from scoring.summaries.parts import Parameters, compute, parts_for

logger = logging.getLogger(__name__)
MOST_FAILURES = 3  # of a step, with an error
MOST_ATTEMPTS = 10  # of a step, with those whose worker was lost; a step that always kills its worker must end
PAUSE = 0.1  # seconds, while another worker is at the rest
LOST = "Every worker that tried it was lost."
NOT_ENDED = (State.WAITING, State.RUNNING)


def begin(run_id: int, now: datetime) -> list[int]:
    """Screens raters, reads the judgments, and lays out the parts. Returns their ids; none if another worker did it."""
    run = _claim_run(run_id, now)
    if run is None:
        return []
    try:
        with alive(Run.objects.filter(pk=run_id, state=State.RUNNING, attempts=run.attempts)):
            return _lay_out(run, now)
    except Exception as error:
        logger.exception("%s could not begin.", run)
        _note_failure(run, error)
        return []


def _claim_run(run_id: int, now: datetime) -> Run | None:
    # A run that began and has no snapshot lost its worker before anything was computed: it is read anew.
    lost = Q(silent(now), state=State.RUNNING, snapshot_sha256="")
    due = Run.objects.filter(Q(state=State.WAITING) | lost, pk=run_id, attempts__lt=MOST_ATTEMPTS)
    with transaction.atomic():
        claimed = due.update(
            state=State.RUNNING,
            started_at=now,
            heartbeat_at=now,
            attempts=F("attempts") + 1,
            code_version=settings.CODE_VERSION,
        )
        return Run.objects.select_related("project").get(pk=run_id) if claimed else None


def _lay_out(run: Run, now: datetime) -> list[int]:
    screen_finished(now, run.project.participations.all())
    run.as_of = timezone.now()
    with one_moment():
        snapshot = take_snapshot(run.project)
        run.judgments, run.entries = seen_of(run.project)
    store_snapshot(run, snapshot)
    parts = [
        RunPart(run=run, key=key, heartbeat_at=run.as_of)
        for key in parts_for(snapshot, Parameters.read(run.parameters))
    ]
    if _keep(run, parts):
        return [part.pk for part in parts]
    run.snapshot.delete(save=False)
    return []


@transaction.atomic
def _keep(run: Run, parts: list[RunPart]) -> bool:
    """Stores snapshot and parts together, unless the run was meanwhile taken for lost and begun by another worker."""
    own = Run.objects.filter(pk=run.pk, state=State.RUNNING, attempts=run.attempts, snapshot_sha256="")
    read = ("snapshot_sha256", "as_of", "judgments", "entries")
    kept = own.update(snapshot=run.snapshot.name, **{name: getattr(run, name) for name in read})
    if kept:
        RunPart.objects.bulk_create(parts)
    return bool(kept)


def _note_failure(run: Run, error: Exception) -> None:
    if run.attempts >= MOST_FAILURES:
        _end(run.pk, timezone.now(), state=State.FAILED, error=told(error), attempts=run.attempts)
        return
    own = Run.objects.filter(pk=run.pk, state=State.RUNNING, attempts=run.attempts, snapshot_sha256="")
    own.update(state=State.WAITING, error=told(error), heartbeat_at=timezone.now())


def told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def compute_part(part_id: int, now: datetime) -> bool:
    """Computes one part, if no other worker is at it. Returns whether it is done."""
    part = _claim_part(part_id, now)
    if part is None:
        return False
    own = RunPart.objects.filter(pk=part_id, state=State.RUNNING, attempts=part.attempts)
    try:
        with alive(own):
            result = compute(part.key, snapshot_of(part.run), Parameters.read(part.run.parameters), part.run.seed)
    except Exception as error:
        logger.exception("%s failed.", part)
        state = State.FAILED if part.attempts >= MOST_FAILURES else State.WAITING
        ended = timezone.now()
        own.update(state=state, error=told(error), heartbeat_at=ended, ended_at=ended)
        return False
    # Whoever took this worker for lost computes the same: the first result stays. One given up stays given up.
    open_ = RunPart.objects.filter(pk=part_id, state__in=NOT_ENDED)
    return bool(open_.update(state=State.DONE, error="", result=result, ended_at=timezone.now()))


def _claim_part(part_id: int, now: datetime) -> RunPart | None:
    due = Q(state=State.WAITING) | Q(silent(now), state=State.RUNNING)
    # No join: PostgreSQL looks again at the row itself when somebody else has just claimed it, and not at a subquery.
    going_on = Exists(Run.objects.filter(pk=OuterRef("run"), state=State.RUNNING))
    with transaction.atomic():
        claimed = RunPart.objects.filter(due, going_on, pk=part_id, attempts__lt=MOST_ATTEMPTS).update(
            state=State.RUNNING, started_at=now, heartbeat_at=now, attempts=F("attempts") + 1, ended_at=None
        )
        return RunPart.objects.select_related("run").get(pk=part_id) if claimed else None


def finish(run_id: int, now: datetime) -> bool:
    """Puts the results together when every part is done. Returns whether this call ended the run."""
    states = list(RunPart.objects.filter(run=run_id).values_list("key", "state", "error").order_by("pk"))
    if failed := [f"{key}: {error}" for key, state, error in states if state == State.FAILED]:
        return _end(run_id, now, state=State.FAILED, error="; ".join(failed))
    if not states or any(state != State.DONE for _, state, _ in states):
        return False
    if not Run.objects.filter(pk=run_id, state=State.RUNNING).exists():
        return False
    try:
        results = merge(dict(RunPart.objects.filter(run=run_id).values_list("key", "result")))
    except Exception as error:
        logger.exception("The parts of run %s do not go together.", run_id)
        return _end(run_id, now, state=State.FAILED, error=told(error))
    return _end(run_id, now, state=State.DONE, results=results, error="")


@transaction.atomic
def _end(run_id: int, now: datetime, *, attempts: int | None = None, **values: Any) -> bool:
    """Ends a run once, and has its webhooks told; `attempts`: only if no other worker has begun it since."""
    going = Run.objects.filter(pk=run_id, state=State.RUNNING)
    if attempts is not None:
        going = going.filter(attempts=attempts, snapshot_sha256="")
    ended = bool(going.update(**values, ended_at=now))
    if ended:
        run = Run.objects.select_related("project").defer("results").get(pk=run_id)
        tell_run_finished(run, now)
        transaction.on_commit(partial(tidy, run))
    return ended


def take_up(now: datetime) -> Iterator[tuple[int, list[int]]]:
    """Every run that has not ended and is to be begun, with no parts, or to go on with these parts; for the sweep.

    What is given out counts as alive again, so that the next sweep leaves it alone.
    """
    _give_up(now)
    for run in Run.objects.filter(state__in=NOT_ENDED).order_by("pk"):
        if finish(run.pk, now):
            continue
        parts = list(run.parts.filter(silent(now), state__in=NOT_ENDED).order_by("pk").values_list("pk", flat=True))
        if parts:
            RunPart.objects.filter(silent(now), pk__in=parts, state__in=NOT_ENDED).update(
                state=State.WAITING, heartbeat_at=now
            )
            yield run.pk, parts
        elif _may_begin(run, now):
            yield run.pk, []


def _may_begin(run: Run, now: datetime) -> bool:
    """Whether nobody has given a sign of being about to read the judgments."""
    waits = Run.objects.filter(silent(now), pk=run.pk, state=State.WAITING)
    return bool(waits.update(heartbeat_at=now)) or (
        Run.objects.filter(silent(now), pk=run.pk, state=State.RUNNING, snapshot_sha256="").exists()
    )


def _give_up(now: datetime) -> None:
    """Ends steps whose every attempt lost its worker."""
    last = Q(silent(now), attempts__gte=MOST_ATTEMPTS)
    RunPart.objects.filter(last, state__in=NOT_ENDED).update(state=State.FAILED, error=LOST, ended_at=now)
    for run in Run.objects.filter(last, state=State.RUNNING, snapshot_sha256=""):
        _end(run.pk, now, state=State.FAILED, error=LOST, attempts=run.attempts)


def carry_out(run_id: int) -> Run:
    """The whole of a run in this process, without a worker; what a worker is at meanwhile is left to it."""
    while not _step(run_id):
        time.sleep(PAUSE)
    return Run.objects.get(pk=run_id)


def _step(run_id: int) -> bool:
    """Does what nobody else is doing. Returns whether the run has ended."""
    begin(run_id, timezone.now())
    open_ = RunPart.objects.filter(run=run_id, state__in=NOT_ENDED)
    for part in open_.order_by("pk").values_list("pk", flat=True):
        compute_part(part, timezone.now())
    _give_up(timezone.now())
    finish(run_id, timezone.now())
    return not Run.objects.filter(pk=run_id, state__in=NOT_ENDED).exists()
