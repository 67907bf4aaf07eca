"""Plans as jobs: a request stores a row, and a worker makes the plan."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from annotation.domain.audit.log import write_down
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import finish
from annotation.domain.jobs.kinds import Kind, register
from annotation.domain.planning.rounds import carry_out
from annotation.models import Project, RoundPlan, TuplePlace, User
from annotation.models.audit_actions import Action
from annotation.planning.tuples import count_added
from annotation.protocols.spec import Round


@transaction.atomic
def request_plan(
    *, project: Project, round_key: str, people: int | None, calibration: Sequence[str], actor: User
) -> RoundPlan:
    """Store and log a plan that waits for a worker. Raise Refusal if too many jobs wait already."""
    guard_queue(project, actor)
    plan = project.plans.create(
        round=round_key, people=people, calibration=list(calibration), seed=project.seed, created_by=actor
    )
    details = {"plan": plan.pk, "round": round_key, "people": people, "calibration": plan.calibration}
    write_down(Action.PLAN_REQUESTED, project, actor=actor, now=plan.created_at, **details)
    return plan


@dataclass(frozen=True)
class Extension:
    """What another plan would add to a best-worst round for the items that are in none of its tuples."""

    items: int
    tuples: int
    answers: int


def extension_ahead(project: Project, round_: Round) -> Extension | None:
    """Return the extension, or None if there is nothing to extend; new groups get tuples as in a first plan."""
    design = round_.design
    if not design.compares or design.grouped:
        return None
    tuples = project.tuples.filter(round=round_.key)
    compared = project.items.filter(calibration_order__isnull=True, withdrawn_at__isnull=True)
    placed = TuplePlace.objects.filter(tuple__in=tuples, item=OuterRef("pk"))
    items, new, before = compared.count(), compared.filter(~Exists(placed)).count(), tuples.count()
    if not new or not before:
        return None
    added = count_added(before, items, new, size=design.tuple_size)
    return Extension(new, added, added * design.people)


def make_plan(job: RoundPlan) -> None:
    """Carry out a plan, and end its row in the same transaction.

    Raises:
        Refusal: the request cannot be met; nothing was planned.
        Overtaken: the plan is no longer wanted.
    """
    with transaction.atomic():
        finish(job, **carry_out(job))


register(Kind("plan", RoundPlan, _("Plan"), make_plan, waits=()))
