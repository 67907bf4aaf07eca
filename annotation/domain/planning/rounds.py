"""Plans of rounds: from a design and the imported material to places and screens."""

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal, translated
from annotation.domain.participation.deadlines import deadline_of_new
from annotation.domain.participation.waves import begin_wave
from annotation.domain.planning.best_worst import plan_best_worst
from annotation.domain.planning.complete import plan_complete
from annotation.domain.planning.incomplete import plan_incomplete
from annotation.domain.planning.open_ratings import plan_open_ratings
from annotation.domain.planning.pair_stacks import plan_pair_stacks
from annotation.domain.planning.plan import Outcome, Plan
from annotation.domain.planning.selection import plan_selection
from annotation.domain.planning.sequences import plan_sequences
from annotation.domain.planning.stacks import plan_stacks
from annotation.models import Assignment, Incident, Participation, Project, RoundPlan
from annotation.planning.dealing import draw_order
from annotation.planning.errors import PlanningError
from annotation.planning.screens import lay_out
from annotation.protocols.designs.common import PEOPLE
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.designs.news import SelectionDesign, SequenceDesign, StackDesign
from annotation.protocols.designs.rating import CompleteDesign, IncompleteDesign, PairStackDesign
from annotation.protocols.errors import ProtocolError
from annotation.protocols.spec import Round
from annotation.queries.projects import done_plans

BATCH = 2000

SHOWN = {SelectionDesign: "sentence_id", BestWorstDesign: "tuple_id"}
"""The field of an assignment for what its screen shows, if that is not an item."""

PLANNERS: dict[type, Callable[[Plan, Any], Outcome]] = {
    SelectionDesign: plan_selection,
    SequenceDesign: plan_sequences,
    StackDesign: plan_stacks,
    CompleteDesign: plan_complete,
    IncompleteDesign: plan_incomplete,
    PairStackDesign: plan_pair_stacks,
    BestWorstDesign: plan_best_worst,
}


def plan_round(
    *, project: Project, round_key: str, people: int | None = None, calibration: Sequence[str] = ()
) -> Outcome:
    """Plan a round, or extend its plan to more people or new items if the design allows it.

    Parameters: people, the number of places in all (default: as the protocol and the material ask for); calibration,
    the keys of the calibration pairs in order (default: those marked, or drawn by random seed).

    Returns: the outcome, as stored with the plan.

    Raises:
        Refusal: the request cannot be met; nothing was planned or stored.
    """
    plan = RoundPlan(project=project, round=round_key, people=people, calibration=list(calibration))
    with transaction.atomic():
        for name, value in carry_out(plan).items():
            setattr(plan, name, value)
        plan.state, plan.ended_at = RoundPlan.State.DONE, timezone.now()
        plan.save()
    return plan.outcome


def carry_out(job: RoundPlan) -> dict[str, Any]:
    """Carry out a plan, and return the values of its row; to be called in the transaction that ends the row.

    Raises:
        Refusal: the request cannot be met; nothing was planned.
    """
    project = Project.objects.select_for_update().get(pk=job.project_id)
    try:
        plan = _begin(project, project.round(job.round), job.people, job.calibration)
        design = plan.round.design
        planner = plan_open_ratings if design.rates_all and design.is_open else PLANNERS[type(design)]
        outcome = planner(plan, design)
    except (PlanningError, ProtocolError) as error:
        raise Refusal(translated(error)) from error
    _store(plan)
    if plan.round.design.in_waves and plan.opened:
        begin_wave(project, job.round, plan.opened, timezone.now())
    counts = {"round": job.round, "places": plan.places().count(), "new places": len(plan.participations)}
    return {"outcome": counts | outcome, "certificate": plan.certificate, "seed": project.seed}


def require_people(people: int | None) -> None:
    """Raise Refusal if a round cannot have this number of people; None stands for the protocol's number."""
    if people is not None and not PEOPLE.allow(people):
        raise Refusal(
            _("A round can have %(fewest)s to %(most_people)s people, not %(people)s.")
            % {"fewest": PEOPLE.low, "most_people": PEOPLE.high, "people": people}
        )


def _begin(project: Project, round_: Round, people: int | None, calibration: Sequence[str]) -> Plan:
    require_people(people)
    # Plans that wait or were refused do not count: the same seed gives the same plan however often it was asked for.
    plans = done_plans(project).filter(round=round_.key).count()
    last = Participation.objects.filter(project=project, round=round_.key).aggregate(last=Max("seat"))["last"]
    # Every plan has a stream of chance of its own, so that planning one round moves no other.
    entropy = [project.seed, zlib.crc32(round_.key.encode()), plans]
    deadline = deadline_of_new(project, round_.key, timezone.now())
    return Plan(project, round_, people, calibration, np.random.default_rng(entropy), (last or 0) + 1, deadline)


def _order(plan: Plan) -> str:
    design = plan.round.design
    return draw_order(design.tuple_size, plan.generator) if design.compares else ""


def _store(plan: Plan) -> None:
    if not plan.participations and plan.certificate is None and not plan.pooled:
        raise Refusal(_("Nothing to plan: round %(round)s already has all its places.") % {"round": plan.round.key})
    Participation.objects.bulk_create(plan.participations, batch_size=BATCH)
    for participation, incidents in plan.incidents:
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
