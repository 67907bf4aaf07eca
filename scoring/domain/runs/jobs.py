"""Runs and their parts as jobs: a worker lays the parts out, any number compute them, one merges the results."""

from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.jobs.engine import Overtaken, finish
from annotation.domain.jobs.kinds import Address, Kind, Values, register
from annotation.models.jobs import NOT_ENDED
from scoring.domain.exclusion.screening import screen_ended
from scoring.domain.notifications.events import emit_run_finished
from scoring.domain.runs.snapshots import one_moment, snapshot_of, store_snapshot, take_snapshot, tidy
from scoring.models import FigureRendering, Run, RunPart, State
from scoring.queries import seen_of
from scoring.summaries.merge import merge
from scoring.summaries.parts import Parameters, compute, parts_for


def carry_on(run: Run) -> Values | None:
    """Lay out the parts of a run; when they are all done, return the merged results."""
    if run.snapshot_sha256:
        return {"results": merge(dict(run.parts.values_list("key", "result")))}
    screen_ended(timezone.now(), run.project.participations.all())
    run.as_of = timezone.now()
    with one_moment():
        snapshot = take_snapshot(run.project, run.seed)
        run.judgments, run.entries = seen_of(run.project)
    store_snapshot(run, snapshot)
    keys = parts_for(snapshot, Parameters.read(run.parameters))
    try:
        _keep(run, [RunPart(run=run, key=key) for key in keys])
    except Overtaken:
        run.snapshot.delete(save=False)
        raise
    return None


@transaction.atomic
def _keep(run: Run, parts: list[RunPart]) -> None:
    """Store snapshot and parts together; from then on the run waits for its parts."""
    read = {name: getattr(run, name) for name in ("snapshot_sha256", "as_of", "judgments", "entries")}
    read |= {"snapshot": run.snapshot.name, "code_version": settings.CODE_VERSION}
    finish(run, state=State.RUNNING, total=len(parts), **read)
    RunPart.objects.bulk_create(parts)


def _end(run: Run) -> None:
    emit_run_finished(run)
    transaction.on_commit(partial(tidy, run))
    if run.state == State.DONE:
        FigureRendering.objects.create(run=run, created_by=run.created_by)
    else:
        _fail_releases(run)


def _fail_releases(run: Run) -> None:
    """End the releases that wait for a run which has failed or was cancelled."""
    waiting = run.releases.filter(state=State.WAITING)
    waiting.update(state=State.FAILED, problem=_("The scoring run did not finish."), ended_at=timezone.now())


def _next(run: Run) -> list[Address]:
    """Return the parts to compute, and after the run the releases that wait for it and its figures."""
    if run.state == State.DONE:
        waiting = run.releases.filter(state=State.WAITING).order_by("pk").values_list("pk", flat=True)
        return [*(("release", pk) for pk in waiting), ("figures", run.rendering.pk)]
    open_ = run.parts.filter(run__state=State.RUNNING, state__in=NOT_ENDED)
    return [("part", pk) for pk in open_.order_by("pk").values_list("pk", flat=True)]


def _begin_anew(run: Run) -> None:
    run.parts.all().delete()
    Run.objects.filter(pk=run.pk).update(snapshot="", snapshot_sha256="")


register(Kind("run", Run, _("Run"), carry_on, ended=_end, followers=_next, queued_again=_begin_anew))


def compute_part(part: RunPart) -> Values:
    """Return the result of one part; it is the same whichever worker computes it."""
    return {"result": compute(part.key, snapshot_of(part.run), Parameters.read(part.run.parameters), part.run.seed)}


def _end_part(part: RunPart) -> None:
    """Count the part; the last one resumes the run, and a failed one ends it."""
    run = Run.objects.select_for_update(of=("self",)).filter(pk=part.run_id, state=State.RUNNING).first()
    if run is None:
        return
    if part.state == State.FAILED:
        finish(run, state=State.FAILED, problem=f"{part.key}: {part.problem}")
        return
    complete = not run.parts.exclude(state=State.DONE).exists()
    Run.objects.filter(pk=run.pk).update(done=F("done") + 1, not_before=timezone.now() if complete else None)


def _next_of_part(part: RunPart) -> list[Address]:
    complete = Run.objects.filter(pk=part.run_id, state=State.RUNNING, heartbeat_at=None, not_before__isnull=False)
    return [("run", part.run_id)] if complete.exists() else []


# No join: PostgreSQL looks again at the row itself when somebody else has just claimed it, and not at a subquery.
GOING_ON = Q(Exists(Run.objects.filter(pk=OuterRef("run"), state=State.RUNNING)))
register(
    Kind(
        "part",
        RunPart,
        _("Part of a run"),
        compute_part,
        project="run__project",
        ended=_end_part,
        followers=_next_of_part,
        ready=GOING_ON,
        listed=False,
    )
)
