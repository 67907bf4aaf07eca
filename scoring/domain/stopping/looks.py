"""The look at a round after a wave: what is known of its scores, whether it ends, and what is opened next."""

from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.jobs.engine import finish
from annotation.domain.jobs.kinds import Kind, register
from annotation.domain.participation.waves import GIVEN_OUT
from annotation.models import Decision, Wave
from annotation.protocols.spec import Design, Protocol
from scoring.domain.notifications.events import emit_wave_ended
from scoring.domain.stopping.adapting import of_next_tuples
from scoring.domain.stopping.outlook import Outlook, of_same_entries
from scoring.forecasting.stopping.allocation import Aim


def look(wave: Wave) -> None:
    """Compute what is known after the wave, store the decision, and open the next wave if the round goes on.

    Raises:
        Overtaken: a manager has stopped the round in the meantime.
    """
    design = wave.project.round(wave.round).design
    aim = aim_of(wave.project.protocol, design)
    seen = (of_next_tuples if design.adaptive else of_same_entries)(wave, aim)
    decision, found = _decision(wave, aim, seen), _found(seen)
    with transaction.atomic():
        if decision == Decision.CONTINUE and seen.open_next is not None:
            found["opened"] = seen.open_next(timezone.now()).opened
        finish(wave, found=found, decision=decision)


def aim_of(protocol: Protocol, design: Design) -> Aim:
    """Return the target of a round in waves, with its margin."""
    kind = design.stopping.target
    if kind is None:
        raise ValueError("The round has no target.")
    return Aim(kind, protocol.goal_of(design), design.stopping.lower_limit)


def _decision(wave: Wave, aim: Aim, seen: Outlook) -> Decision:
    room = seen.open_next is not None
    if wave.further and room:
        return Decision.CONTINUE
    if aim.reached(seen.estimate):
        return Decision.TARGET
    if seen.budget <= 0:
        return Decision.BUDGET
    if not room:
        return Decision.ROOM
    looks = wave.project.round(wave.round).design.stopping.looks
    return Decision.LOOKS if wave.number >= looks else Decision.CONTINUE


def _found(seen: Outlook) -> dict[str, Any]:
    """Return what a look found, as it is stored: undefined figures are null."""
    return {
        "estimate": _number(seen.estimate.value),
        "low": _number(seen.estimate.low),
        "high": _number(seen.estimate.high),
        "items": len(seen.counts),
        "closed": seen.closed,
        "judgments": seen.answers,
        "fewest": int(seen.counts.min()) if len(seen.counts) else 0,
        "most": int(seen.counts.max(initial=0)),
        "missing": seen.missing,
        "budget_left": max(seen.budget, 0),
        "planned": seen.planned,
        "opened": 0,
    } | ({"certificate": seen.certificate} if seen.certificate else {})


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
