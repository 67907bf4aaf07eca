"""The look at a round after a wave: what is known of its scores, whether it ends, and what is opened next."""

from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.jobs.engine import finish
from annotation.domain.jobs.kinds import Kind, register
from annotation.domain.participation.waves import GIVEN_OUT, open_wave
from annotation.models import Decision, Wave
from annotation.protocols.spec import Design, Protocol
from annotation.protocols.stopping import TargetKind
from scoring.domain.notifications.events import emit_wave_ended
from scoring.domain.stopping.reading import RoundInWaves, read_round
from scoring.forecasting.stopping.allocation import Aim, Allocation, allocate
from scoring.forecasting.stopping.precision import Precision, precision_of
from scoring.forecasting.stopping.reliability import Estimate, estimate_of


def look(wave: Wave) -> None:
    """Compute what is known after the wave, store the decision, and open the next wave if the round goes on.

    Raises:
        Overtaken: a manager has stopped the round in the meantime.
    """
    project, design = wave.project, wave.project.round(wave.round).design
    protocol = project.protocol
    aim = aim_of(protocol, design)
    state = read_round(project, wave.round)
    precision = precision_of(state.judged)
    estimate = estimate_of(precision, aim.kind)
    if aim.kind is not TargetKind.WIDTH and not protocol.knows_interval_of(design):
        estimate = estimate.without_interval
    budget = round(design.budget_each * len(state.entries)) - state.planned
    size = max(1, round(design.stopping.wave * len(state.entries)))
    by_hand = wave.further or 0
    allocation = allocate(
        precision,
        state.pool,
        aim,
        estimate,
        wave=by_hand or min(size, max(budget, 0)),
        most=by_hand or max(budget, 0),
        generator=np.random.default_rng(wave.seed),
    )
    decision = _decision(wave, aim, estimate, allocation, budget)
    found = _found(state, precision, estimate, allocation, budget)
    with transaction.atomic():
        if decision == Decision.CONTINUE:
            further = zip(state.entries.tolist(), allocation.further.tolist(), strict=True)
            opened = open_wave(project, wave.round, {pk: number for pk, number in further if number}, timezone.now())
            found["opened"] = opened.opened
        finish(wave, found=found, decision=decision)


def aim_of(protocol: Protocol, design: Design) -> Aim:
    """Return the target of a round in waves, with its margin."""
    kind = design.stopping.target
    if kind is None:
        raise ValueError("The round has no target.")
    return Aim(kind, protocol.goal_of(design), design.stopping.lower_limit)


def _decision(wave: Wave, aim: Aim, estimate: Estimate, allocation: Allocation, budget: int) -> Decision:
    room = bool(allocation.further.any())
    if wave.further and room:
        return Decision.CONTINUE
    if aim.reached(estimate):
        return Decision.TARGET
    if budget <= 0:
        return Decision.BUDGET
    if not room:
        return Decision.ROOM
    looks = wave.project.round(wave.round).design.stopping.looks
    return Decision.LOOKS if wave.number >= looks else Decision.CONTINUE


def _found(
    state: RoundInWaves, precision: Precision, estimate: Estimate, allocation: Allocation, budget: int
) -> dict[str, Any]:
    """Return what a look found, as it is stored: undefined figures are null."""
    counts = precision.counts
    return {
        "estimate": _number(estimate.value),
        "low": _number(estimate.low),
        "high": _number(estimate.high),
        "items": len(counts),
        "closed": int(allocation.closed.sum()),
        "judgments": state.answers,
        "fewest": int(counts.min()) if len(counts) else 0,
        "most": int(counts.max(initial=0)),
        "missing": allocation.missing,
        "budget_left": max(budget, 0),
        "planned": state.planned,
        "opened": 0,
    }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


register(
    Kind(
        "wave",
        Wave,
        _("Look at a round after a wave"),
        look,
        ready=GIVEN_OUT,
        ended=emit_wave_ended,
        controllable=False,
        listed=False,  # for most of its time it waits for annotators
    )
)
