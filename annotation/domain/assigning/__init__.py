"""Rounds planned: from a design and the material at hand to places and screens."""

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max

from annotation.domain.assigning.complete import plan_complete
from annotation.domain.assigning.plan import Outcome, Plan
from annotation.domain.assigning.selection import plan_selection
from annotation.domain.assigning.sequences import plan_sequences
from annotation.domain.assigning.stacks import plan_stacks
from annotation.domain.errors import Refusal
from annotation.models import Assignment, Incident, Participation, Project, RoundPlan
from annotation.planning.errors import PlanningError
from annotation.planning.screens import lay_out
from annotation.protocols.errors import ProtocolError
from annotation.protocols.spec import CompleteDesign, Round, SelectionDesign, SequenceDesign, StackDesign

BATCH = 2000
MOST_PEOPLE = 10_000

PLANNERS: dict[type, Callable[[Plan, Any], Outcome]] = {
    SelectionDesign: plan_selection,
    SequenceDesign: plan_sequences,
    StackDesign: plan_stacks,
    CompleteDesign: plan_complete,
}


@transaction.atomic
def plan_round(
    *, project: Project, round_key: str, people: int | None = None, calibration: Sequence[str] = ()
) -> Outcome:
    """Plans a round, or extends a plan to more people where the design allows it.

    Parameters: people, places in all (default: as many as the protocol and the material ask for); calibration, keys
        of the pairs of the calibration block in order (default: those marked, or drawn by seed).
    Returns: what came of it, as stored with the plan.

    Raises:
        Refusal: the request cannot be met; nothing was planned.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    try:
        plan = _begin(project, project.round(round_key), people, calibration)
        outcome = PLANNERS[type(plan.round.design)](plan, plan.round.design)
    except (PlanningError, ProtocolError) as error:
        raise Refusal(str(error)) from error
    _store(plan)
    outcome = {
        "round": round_key,
        "places": plan.places().count(),
        "new places": len(plan.participations),
    } | outcome
    RoundPlan.objects.create(project=project, round=round_key, seed=project.seed, outcome=outcome)
    return outcome


def _begin(project: Project, round_: Round, people: int | None, calibration: Sequence[str]) -> Plan:
    if people is not None and not 1 <= people <= MOST_PEOPLE:
        raise Refusal(f"A round has from 1 to {MOST_PEOPLE} people, not {people}.")
    plans = project.plans.filter(round=round_.key).count()
    last = Participation.objects.filter(project=project, round=round_.key).aggregate(last=Max("seat"))["last"]
    # Every plan has a stream of chance of its own, so that planning one round moves no other.
    entropy = [project.seed, zlib.crc32(round_.key.encode()), plans]
    return Plan(project, round_, people, calibration, np.random.default_rng(entropy), (last or 0) + 1)


def _store(plan: Plan) -> None:
    if not plan.participations:
        raise Refusal(f"There is nothing new to plan in {plan.round.key}: all its places are there already.")
    Participation.objects.bulk_create(plan.participations, batch_size=BATCH)
    for participation, incidents in plan.given:
        Incident.objects.filter(pk__in=incidents).update(participation=participation)
    text = "sentence_id" if isinstance(plan.round.design, SelectionDesign) else "item_id"
    Assignment.objects.bulk_create(
        (
            Assignment(
                participation=participation,
                session=screen.session,
                context=screen.context,
                block=screen.block,
                position=screen.position,
                **{text: screen.item},
            )
            for participation, blocks in plan.screens
            for screen in lay_out(blocks, plan.round.sessions)
        ),
        batch_size=BATCH,
    )
