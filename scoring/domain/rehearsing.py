"""Rehearsals: simulated people go through a copy of a project, and what comes of it is kept beside the project."""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Min, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.assigning import plan_round
from annotation.domain.copying import copy_project, erase_copy
from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.domain.setting_up import REHEARSED, has_texts
from annotation.domain.simulating import Behaviour, simulate_round
from annotation.models import Participation, Project, User
from annotation.protocols.spec import Round
from annotation.queries import counted, judgments_of
from scoring.domain.rehearsal_figures import told_by
from scoring.domain.running.pulse import alive, silent
from scoring.domain.running.snapshots import take_snapshot
from scoring.domain.screening import screen
from scoring.models import Rehearsal, State
from scoring.summaries.merge import merge
from scoring.summaries.parts import Parameters, compute, parts_for

logger = logging.getLogger(__name__)
NOT_ENDED = (State.WAITING, State.RUNNING)
MOST_ATTEMPTS = 3
LONGEST_STEM = 30  # of the copy's key
PARAMETERS = Parameters(splits=100, replicates=100, subsets=20)  # enough for a first look


@transaction.atomic
def request_rehearsal(*, project: Project, people: int | None, seed: int, actor: User | None) -> Rehearsal:
    """A rehearsal that waits for a worker.

    Raises:
        Refusal: there are no texts, or another rehearsal is at work.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if not has_texts(project):
        raise Refusal(_("There are no texts yet, so there is nothing to rehearse. Please bring them in first."))
    if project.own_rehearsals.filter(state__in=NOT_ENDED).exists():
        raise Refusal(_("A rehearsal is at work already."))
    return Rehearsal.objects.create(project=project, people=people, seed=seed, created_by=actor)


def due(now: datetime) -> list[int]:
    """The rehearsals that wait, and those whose worker was lost; for the sweep."""
    waiting = Rehearsal.objects.filter(Q(state=State.WAITING) | Q(silent(now), state=State.RUNNING))
    return list(waiting.order_by("pk").values_list("pk", flat=True))


def rehearse(rehearsal_id: int, now: datetime) -> bool:
    """Carries a rehearsal out, if no other worker does. Returns whether it came to its end."""
    rehearsal = _claim(rehearsal_id, now)
    if rehearsal is None:
        return False
    own = Rehearsal.objects.filter(pk=rehearsal_id, state=State.RUNNING, attempts=rehearsal.attempts)
    try:
        with alive(own):
            results = _carry_out(rehearsal)
    except Exception as error:
        logger.exception("%s failed.", rehearsal)
        problem = str(error) if isinstance(error, Refusal) else _("Something went wrong here; the log has it.")
        own.update(state=State.FAILED, problem=problem, ended_at=timezone.now())
        return False
    return _end(rehearsal, results)


@transaction.atomic
def _claim(rehearsal_id: int, now: datetime) -> Rehearsal | None:
    lost = Q(silent(now), state=State.RUNNING)
    waiting = Rehearsal.objects.filter(Q(state=State.WAITING) | lost, pk=rehearsal_id)
    waiting.filter(attempts__gte=MOST_ATTEMPTS).update(
        state=State.FAILED, problem=_("Every worker that tried it was lost."), ended_at=now
    )
    claimed = waiting.update(state=State.RUNNING, heartbeat_at=now, attempts=F("attempts") + 1, problem="")
    return Rehearsal.objects.select_related("project", "copy").get(pk=rehearsal_id) if claimed else None


@transaction.atomic
def _end(rehearsal: Rehearsal, results: dict[str, Any]) -> bool:
    own = Rehearsal.objects.filter(pk=rehearsal.pk, state=State.RUNNING, attempts=rehearsal.attempts)
    now = timezone.now()
    if not own.update(state=State.DONE, results=results, ended_at=now):
        return False
    _log(rehearsal, REHEARSED, rehearsal.created_by, now)
    return True


def _carry_out(rehearsal: Rehearsal) -> dict[str, Any]:
    copy = _copy(rehearsal)
    rounds = list(_rounds(rehearsal, copy))
    return {"rounds": rounds, **told_by(_figures(copy, rehearsal.seed))}


def _copy(rehearsal: Rehearsal) -> Project:
    """A copy with the texts; what a lost worker had made of it goes."""
    if rehearsal.copy is not None:
        erase_copy(rehearsal.copy)
    project = rehearsal.project
    key = f"{project.key[:LONGEST_STEM]}-rehearsal-{rehearsal.pk}"
    with transaction.atomic():
        copy = copy_project(project=project, key=key, title=project.title, texts=True, rehearsal_of=project)
        Rehearsal.objects.filter(pk=rehearsal.pk).update(copy=copy)
    return copy


def _rounds(rehearsal: Rehearsal, copy: Project) -> Iterator[dict[str, Any]]:
    """Plans and simulates round after round, up to one that cannot be planned."""
    for round_ in copy.protocol.rounds:
        try:
            plan_round(project=copy, round_key=round_.key)
        except Refusal as refusal:
            yield {"round": round_.key, "title": round_.title, "problem": str(refusal)}
            return
        yield _simulated(rehearsal, copy, round_)


def _simulated(rehearsal: Rehearsal, copy: Project, round_: Round) -> dict[str, Any]:
    row = Rehearsal.objects.filter(pk=rehearsal.pk)
    places = copy.participations.filter(round=round_.key).count()
    row.update(step=round_.key, done=0, total=min(places, rehearsal.people or places))
    ends: Counter[str] = Counter()
    sittings = simulate_round(
        project=copy,
        round_key=round_.key,
        people=rehearsal.people,
        behaviour=Behaviour(),
        seed=rehearsal.seed,
        now=timezone.now(),
    )
    for done, participation in enumerate(sittings, start=1):
        excluded = screen(participation_id=participation.pk, now=participation.finished_at or timezone.now())
        ends["excluded" if excluded else participation.state] += 1
        row.update(done=done, heartbeat_at=timezone.now())
    told = {"round": round_.key, "title": round_.title, "people": sum(ends.values()), "ends": dict(ends)}
    return told | _times(copy, round_)


def _times(copy: Project, round_: Round) -> dict[str, Any]:
    """How long the round took in simulated time: from its first to its last answer, and the work itself."""
    given = counted(judgments_of(copy)).filter(assignment__participation__round=round_.key)
    times = given.aggregate(first=Min("assignment__shown_at"), last=Max("saved_at"), active_ms=Sum("active_ms"))
    people = Participation.objects.filter(project=copy, round=round_.key, assignments__answered_at__isnull=False)
    number, hours = people.distinct().count(), (times["active_ms"] or 0) / 3_600_000
    days = (times["last"] - times["first"]).total_seconds() / 86_400 if times["last"] else 0
    minutes = 60 * hours / number if number else 0
    return {"answers": given.count(), "days": round(days, 1), "hours": round(hours, 1), "minutes": round(minutes)}


def _figures(copy: Project, seed: int) -> dict[str, Any]:
    """What a run would say; nothing of it is stored with the runs of projects."""
    snapshot = take_snapshot(copy)
    parts = {key: compute(key, snapshot, PARAMETERS, seed) for key in parts_for(snapshot, PARAMETERS)}
    return merge(parts)


@transaction.atomic
def discard_rehearsal(*, rehearsal: Rehearsal, actor: User | None, now: datetime) -> None:
    """Removes a rehearsal with the copy in which it took place.

    Raises:
        Refusal: it is at work.
    """
    rehearsal = Rehearsal.objects.select_for_update(of=("self",)).select_related("project").get(pk=rehearsal.pk)
    if rehearsal.state in NOT_ENDED:
        raise Refusal(_("The rehearsal is at work; please wait for its end."))
    _log(rehearsal, "rehearsal discarded", actor, now)
    copy = rehearsal.copy
    rehearsal.delete()
    if copy is not None:
        erase_copy(copy)


def _log(rehearsal: Rehearsal, action: str, actor: User | None, now: datetime) -> None:
    details = {"rehearsal": rehearsal.pk, "people": rehearsal.people, "seed": rehearsal.seed}
    write_down(action, rehearsal.project, actor=actor, now=now, **details)
