"""Plans as jobs: a request records a row, a worker plans what it asks for."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.domain.assigning import carry_out
from annotation.domain.errors import Refusal
from annotation.domain.languages import speaking_to
from annotation.domain.log import write_down
from annotation.models import Project, RoundPlan, TuplePlace, User
from annotation.planning.tuples import count_added
from annotation.protocols.spec import BestWorstDesign, Round

logger = logging.getLogger(__name__)
State = RoundPlan.State
STALE = timedelta(minutes=15)  # a plan at work for longer lost its worker; it can be begun again
BROKEN = _("Something went wrong here; the log has it. Nothing was planned.")


@transaction.atomic
def request_plan(
    *, project: Project, round_key: str, people: int | None, calibration: Sequence[str], actor: User
) -> RoundPlan:
    """A plan that waits for a worker."""
    plan = project.plans.create(
        round=round_key,
        people=people,
        calibration=list(calibration),
        seed=project.seed,
        state=State.WAITING,
        created_by=actor,
    )
    details = {"plan": plan.pk, "round": round_key, "people": people, "calibration": plan.calibration}
    write_down("plan asked for", project, actor=actor, now=plan.created_at, **details)
    return plan


@dataclass(frozen=True)
class Extension:
    """What planning once more would add to a best-worst round for the items that are in none of its tuples."""

    items: int
    tuples: int
    answers: int


def extension_ahead(project: Project, round_: Round) -> Extension | None:
    """None where nothing is to be extended; new groups get tuples of their own, as in a first plan."""
    design = round_.design
    if not isinstance(design, BestWorstDesign) or design.grouped:
        return None
    tuples = project.tuples.filter(round=round_.key)
    compared = project.items.filter(calibration_order__isnull=True, withdrawn_at__isnull=True)
    placed = TuplePlace.objects.filter(tuple__in=tuples, item=OuterRef("pk"))
    items, new, before = compared.count(), compared.filter(~Exists(placed)).count(), tuples.count()
    if not new or not before:
        return None
    added = count_added(before, items, new, size=design.tuple_size)
    return Extension(new, added, added * design.people)


def run_waiting_plans(clock: Callable[[], datetime]) -> int:
    """Carries out the plans that wait, and those whose worker was lost. Returns how many.

    Parameters: clock, what tells the time: a plan may take a while, and the next one begins when it has ended.
    """
    return sum(_run(pk, clock) for pk in _due(clock()).order_by("pk").values_list("pk", flat=True))


def _due(now: datetime) -> QuerySet[RoundPlan]:
    lost = Q(state=State.RUNNING, started_at__lt=now - STALE)
    return RoundPlan.objects.filter(Q(state=State.WAITING) | lost)


def _run(pk: int, clock: Callable[[], datetime]) -> bool:
    """Claims one plan and carries it out; whether it was there to claim."""
    now = clock()
    if not _due(now).filter(pk=pk).update(state=State.RUNNING, started_at=now):
        return False
    with speaking_to(User.objects.filter(roundplan=pk).first()):
        ended = _outcome(pk)
    if ended:
        # Where another worker took the plan for lost and has done it, what this one says comes too late.
        RoundPlan.objects.filter(pk=pk, state=State.RUNNING).update(**ended)
    RoundPlan.objects.filter(pk=pk, ended_at=None).exclude(state=State.RUNNING).update(ended_at=clock())
    return True


def _outcome(pk: int) -> dict[str, Any]:
    """Carries the plan out. Returns what its row says of a plan that was not made."""
    try:
        _carry_out(pk)
    except Refusal as error:
        return {"state": State.REFUSED, "problem": str(error)}
    except Exception:
        # Whatever it was, the row must say so: a plan that stays “running” would be tried again for ever.
        logger.exception("Plan %s failed.", pk)
        return {"state": State.FAILED, "problem": str(BROKEN)}
    return {}


@transaction.atomic
def _carry_out(pk: int) -> None:
    """Plans under the lock of the project, unless somebody else has done it, or the plan is not wanted any more."""
    project = Project.objects.select_for_update(of=("self",)).filter(plans=pk).first()
    job = RoundPlan.objects.filter(pk=pk, project=project, state=State.RUNNING).first()
    if job is not None:
        carry_out(job)
