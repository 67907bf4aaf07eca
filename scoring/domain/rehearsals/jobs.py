"""Rehearsals: simulated annotators complete a copy of a project, and the results are stored with the project."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max, Min, Sum, TextChoices
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import note
from annotation.domain.jobs.kinds import Kind, Values, register
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.copying import copy_project, erase_copy
from annotation.domain.project.lifecycle import has_texts
from annotation.domain.simulation.rounds import Behaviour, simulate_round
from annotation.models import Participation, Project, User
from annotation.models.audit_actions import Action
from annotation.models.jobs import NOT_ENDED
from annotation.protocols.spec import Round
from annotation.queries.counting import current
from annotation.queries.judgments import judgments_of
from scoring.domain.exclusion.screening import screen
from scoring.domain.rehearsals.figures import rehearsal_figures
from scoring.domain.runs.snapshots import take_snapshot
from scoring.models import Rehearsal, State
from scoring.models.audit_actions import ScoringAction
from scoring.summaries.merge import merge
from scoring.summaries.parts import Parameters, compute, parts_for

BUSY = gettext_lazy("A rehearsal is already running.")
LONGEST_STEM = 30  # of the copy's key
PARAMETERS = Parameters(splits=100, replicates=100, subsets=20)  # enough for a first look


@transaction.atomic
def request_rehearsal(*, project: Project, people: int | None, seed: int, actor: User | None) -> Rehearsal:
    """Store and return a queued rehearsal. Raise Refusal if there are no texts, or another rehearsal is running."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    if not has_texts(project):
        raise Refusal(_("There are no items to rehearse with yet. Import items first."))
    if project.own_rehearsals.filter(state__in=NOT_ENDED).exists():
        raise Refusal(BUSY)
    guard_queue(project, actor)
    return Rehearsal.objects.create(project=project, people=people, seed=seed, created_by=actor)


def rehearse(rehearsal: Rehearsal) -> Values:
    """Carry a rehearsal out in a copy of the project, and return its results."""
    copy = _copy(rehearsal)
    rounds = list(_rounds(rehearsal, copy))
    return {"results": {"rounds": rounds, **rehearsal_figures(_figures(copy, rehearsal.seed))}}


def _end(rehearsal: Rehearsal) -> None:
    if rehearsal.state == State.DONE:
        _log(rehearsal, Action.PROJECT_REHEARSED, rehearsal.created_by, timezone.now())


def _guard_alone(rehearsal: Rehearsal) -> None:
    if rehearsal.project.own_rehearsals.filter(state__in=NOT_ENDED).exclude(pk=rehearsal.pk).exists():
        raise Refusal(BUSY)


register(
    Kind(
        "rehearsal",
        Rehearsal,
        gettext_lazy("Rehearsal"),
        rehearse,
        waits=(),
        most_tries=3,
        ended=_end,
        queued_again=_guard_alone,
    )
)


def _copy(rehearsal: Rehearsal) -> Project:
    """Return a copy with the texts; a copy left by a lost worker is erased."""
    if rehearsal.copy is not None:
        erase_copy(rehearsal.copy)
    project = rehearsal.project
    key = f"{project.key[:LONGEST_STEM]}-rehearsal-{rehearsal.pk}"
    with transaction.atomic():
        names = {"key": key, "title": project.title, "rehearsal_of": project}
        copy = copy_project(project=project, texts=True, now=timezone.now(), **names)
        note(rehearsal, copy=copy)
    return copy


def _rounds(rehearsal: Rehearsal, copy: Project) -> Iterator[dict[str, Any]]:
    """Plan and simulate round after round, up to one that cannot be planned."""
    for round_ in copy.protocol.rounds:
        try:
            plan_round(project=copy, round_key=round_.key)
        except Refusal as refusal:
            yield {"round": round_.key, "title": round_.title, "problem": str(refusal)}
            return
        yield _simulated(rehearsal, copy, round_)


def _simulated(rehearsal: Rehearsal, copy: Project, round_: Round) -> dict[str, Any]:
    places = copy.participations.filter(round=round_.key).count()
    note(rehearsal, step=round_.key, done=0, total=min(places, rehearsal.people or places))
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
        note(rehearsal, done=done)
    outcome = {"round": round_.key, "title": round_.title, "people": sum(ends.values()), "ends": dict(ends)}
    return outcome | _times(copy, round_)


def _times(copy: Project, round_: Round) -> dict[str, Any]:
    """Return the simulated duration of a round from its first to its last answer, and the working time."""
    answers = current(judgments_of(copy)).filter(assignment__participation__round=round_.key)
    times = answers.aggregate(first=Min("assignment__shown_at"), last=Max("saved_at"), active_ms=Sum("active_ms"))
    people = Participation.objects.filter(project=copy, round=round_.key, assignments__answered_at__isnull=False)
    number, hours = people.distinct().count(), (times["active_ms"] or 0) / 3_600_000
    days = (times["last"] - times["first"]).total_seconds() / 86_400 if times["last"] else 0
    minutes = 60 * hours / number if number else 0
    return {"answers": answers.count(), "days": round(days, 1), "hours": round(hours, 1), "minutes": round(minutes)}


def _figures(copy: Project, seed: int) -> dict[str, Any]:
    """Return the results that a run would have; they are not stored with the runs of projects."""
    snapshot = take_snapshot(copy)
    parts = {key: compute(key, snapshot, PARAMETERS, seed) for key in parts_for(snapshot, PARAMETERS)}
    return merge(parts)


@transaction.atomic
def discard_rehearsal(*, rehearsal: Rehearsal, actor: User | None, now: datetime) -> None:
    """Delete a rehearsal with its copy of the project. Raise Refusal if it is running."""
    rehearsal = Rehearsal.objects.select_for_update(of=("self",)).select_related("project").get(pk=rehearsal.pk)
    if rehearsal.state in NOT_ENDED:
        raise Refusal(_("The rehearsal is still running. Wait until it has finished."))
    _log(rehearsal, ScoringAction.REHEARSAL_DISCARDED, actor, now)
    copy = rehearsal.copy
    rehearsal.delete()
    if copy is not None:
        erase_copy(copy)


def _log(rehearsal: Rehearsal, action: TextChoices, actor: User | None, now: datetime) -> None:
    details = {"rehearsal": rehearsal.pk, "people": rehearsal.people, "seed": rehearsal.seed}
    write_down(action, rehearsal.project, actor=actor, now=now, **details)
