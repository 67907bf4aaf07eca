"""Rounds planned: from a design and the material at hand to places and screens."""

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.assigning.best_worst import plan_best_worst
from annotation.domain.assigning.complete import plan_complete
from annotation.domain.assigning.plan import Outcome, Plan
from annotation.domain.assigning.selection import plan_selection
from annotation.domain.assigning.sequences import plan_sequences
from annotation.domain.assigning.stacks import plan_stacks
from annotation.domain.deadlines import deadline_of_new
from annotation.domain.errors import Refusal
from annotation.models import Assignment, Incident, Participation, Project, RoundPlan
from annotation.planning.dealing import draw_order
from annotation.planning.errors import PlanningError
from annotation.planning.screens import lay_out
from annotation.protocols.errors import ProtocolError
from annotation.protocols.spec import (
    BestWorstDesign,
    CompleteDesign,
    Round,
    SelectionDesign,
    SequenceDesign,
    StackDesign,
)
from annotation.queries import done_plans

BATCH = 2000
MOST_PEOPLE = 10_000

SHOWN = {SelectionDesign: "sentence_id", BestWorstDesign: "tuple_id"}
"""What a screen shows where it is no item."""

PLANNERS: dict[type, Callable[[Plan, Any], Outcome]] = {
    SelectionDesign: plan_selection,
    SequenceDesign: plan_sequences,
    StackDesign: plan_stacks,
    CompleteDesign: plan_complete,
    BestWorstDesign: plan_best_worst,
}


def plan_round(
    *, project: Project, round_key: str, people: int | None = None, calibration: Sequence[str] = ()
) -> Outcome:
    """Plans a round, or extends a plan to more people or to new items where the design allows it.

    Parameters: people, places in all (default: as many as the protocol and the material ask for); calibration, keys
        of the pairs of the calibration block in order (default: those marked, or drawn by seed).
    Returns: what came of it, as stored with the plan.

    Raises:
        Refusal: the request cannot be met; nothing was planned or stored.
    """
    return carry_out(RoundPlan(project=project, round=round_key, people=people, calibration=list(calibration)))


@transaction.atomic
def carry_out(job: RoundPlan) -> Outcome:
    """Plans what a row asks for, and notes in it, in the same transaction, that this is done and what came of it.

    Raises:
        Refusal: the request cannot be met; nothing was planned, and the row is as it was.
    """
    project = Project.objects.select_for_update().get(pk=job.project_id)
    try:
        plan = _begin(project, project.round(job.round), job.people, job.calibration)
        outcome = PLANNERS[type(plan.round.design)](plan, plan.round.design)
    except (PlanningError, ProtocolError) as error:
        raise Refusal(str(error)) from error
    _store(plan)
    counts = {"round": job.round, "places": plan.places().count(), "new places": len(plan.participations)}
    job.outcome, job.certificate = counts | outcome, plan.certificate
    job.state, job.seed = RoundPlan.State.DONE, project.seed
    job.save()
    return job.outcome


def _begin(project: Project, round_: Round, people: int | None, calibration: Sequence[str]) -> Plan:
    if people is not None and not 1 <= people <= MOST_PEOPLE:
        raise Refusal(
            _("A round has from 1 to %(most_people)s people, not %(people)s.")
            % {"most_people": MOST_PEOPLE, "people": people}
        )
    # Plans that wait or were refused do not count: the same seed gives the same plan however often it was asked for.
    plans = done_plans(project).filter(round=round_.key).count()
    last = Participation.objects.filter(project=project, round=round_.key).aggregate(last=Max("seat"))["last"]
    # Every plan has a stream of chance of its own, so that planning one round moves no other.
    entropy = [project.seed, zlib.crc32(round_.key.encode()), plans]
    deadline = deadline_of_new(project, round_.key, timezone.now())
    return Plan(project, round_, people, calibration, np.random.default_rng(entropy), (last or 0) + 1, deadline)


def _order(plan: Plan) -> str:
    design = plan.round.design
    return draw_order(design.tuple_size, plan.generator) if isinstance(design, BestWorstDesign) else ""


def _store(plan: Plan) -> None:
    if not plan.participations and plan.certificate is None:
        raise Refusal(
            _("There is nothing new to plan in %(round)s: all its places are there already.")
            % {"round": plan.round.key}
        )
    Participation.objects.bulk_create(plan.participations, batch_size=BATCH)
    for participation, incidents in plan.given:
        Incident.objects.filter(pk__in=incidents).update(participation=participation)
    shown = SHOWN.get(type(plan.round.design), "item_id")
    Assignment.objects.bulk_create(
        (
            Assignment(
                participation_id=participation.pk,
                session=screen.session,
                context=screen.context,
                block=screen.block,
                position=screen.position,
                order=_order(plan),
                **{shown: screen.item},
            )
            for participation, blocks in plan.screens
            for screen in lay_out(blocks, plan.round.sessions)
        ),
        batch_size=BATCH,
    )
