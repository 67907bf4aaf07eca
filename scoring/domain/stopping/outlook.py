"""What is known of a round after a wave, and the further judgments of its items or tuples that the next wave opens."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from annotation.domain.participation.waves import open_wave
from annotation.models import Wave
from annotation.protocols.stopping import TargetKind
from scoring.domain.stopping.reading import read_round
from scoring.forecasting.stopping.allocation import Aim, allocate
from scoring.forecasting.stopping.precision import precision_of
from scoring.forecasting.stopping.reliability import Estimate, estimate_of
from scoring.stats.choices import Integers


@dataclass(frozen=True, eq=False)
class Outlook:
    """What is known of a round, and how it could go on.

    counts: the judgments of each item, shape (items,). closed: items that need no more of them. missing: judgments
    until the target is expected to be reached; None if it cannot be. answers: judgments that count. planned: judgments
    opened so far; budget: those left. open_next: opens the next wave; None if nothing can get more judgments.
    certificate: of the tuples with those of the next wave, in a round whose waves have new tuples.
    """

    estimate: Estimate
    counts: Integers
    closed: int
    missing: int | None
    answers: int
    planned: int
    budget: int
    open_next: Callable[[datetime], Wave] | None
    certificate: dict[str, Any] | None = None


@dataclass(frozen=True)
class WaveSize:
    """The limits of the next wave. budget: judgments left. least, most: judgments that it has."""

    budget: int
    least: int
    most: int


def wave_size(wave: Wave, entries: int, planned: int) -> WaveSize:
    """Return the limits after a wave of a round whose budget is for so many entries; a manager's number overrides them.

    Parameters: planned, the judgments opened so far.
    """
    design = wave.project.round(wave.round).design
    budget = round(design.budget_each * entries) - planned
    if wave.further:
        return WaveSize(budget, wave.further, wave.further)
    most = max(budget, 0)
    return WaveSize(budget, min(max(1, round(design.stopping.wave * entries)), most), most)


def of_same_entries(wave: Wave, aim: Aim) -> Outlook:
    """Return the outlook of a round whose waves open more judgments of the same items or tuples."""
    project, design = wave.project, wave.project.round(wave.round).design
    state = read_round(project, wave.round)
    precision = precision_of(state.judged)
    estimate = estimate_of(precision, aim.kind)
    if aim.kind is not TargetKind.WIDTH and not project.protocol.knows_interval_of(design):
        estimate = estimate.without_interval
    size = wave_size(wave, len(state.entries), state.planned)
    generator = np.random.default_rng(wave.seed)
    allocation = allocate(precision, state.pool, aim, estimate, wave=size.least, most=size.most, generator=generator)
    pairs = zip(state.entries.tolist(), allocation.further.tolist(), strict=True)
    further = {pk: number for pk, number in pairs if number}
    return Outlook(
        estimate,
        precision.counts,
        int(allocation.closed.sum()),
        allocation.missing,
        state.answers,
        state.planned,
        size.budget,
        (lambda now: open_wave(project, wave.round, further, now)) if further else None,
    )
