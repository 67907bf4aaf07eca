"""The look at an adaptive round of comparisons: what is known of the utilities, and which tuples come next."""

from dataclasses import asdict

import numpy as np

from annotation.domain.participation.waves import open_tuples
from annotation.models import Wave
from annotation.planning.errors import PlanningError
from annotation.planning.tuples import certificate
from annotation.planning.tuples.neighbours import next_tuples
from annotation.planning.tuples.pairs import Tuples
from scoring.domain.stopping.outlook import Outlook, wave_size
from scoring.domain.stopping.reading import ComparedRound, read_compared_round
from scoring.forecasting.stopping.adaptive import missing_judgments, reliability_of
from scoring.forecasting.stopping.allocation import Aim
from scoring.stats.utility_posterior import UtilityPosterior, fit_posterior


def of_next_tuples(wave: Wave, aim: Aim) -> Outlook:
    """Return the outlook of a round whose waves have new tuples.

    The wave has one judgment of each new tuple, and the minimum size of a wave, however many judgments are missing: the
    later a tuple is chosen, the more is known. The budget is for the tuples of the first design.
    """
    project, state = wave.project, read_compared_round(wave.project, wave.round)
    known, answers, planned = fit_posterior(state.choices), state.choices.judgments, int(state.planned.sum())
    size, missing = wave_size(wave, state.designed, planned), missing_judgments(known.reliability, aim, answers)
    further = chosen_tuples(wave, state, known, size.least)
    rows = state.items[further].tolist()
    made = np.concatenate([state.tuples, further])
    return Outlook(
        reliability_of(known.reliability, aim.kind),
        np.bincount(state.choices.items.ravel(), minlength=len(state.items)),
        0,
        missing,
        answers,
        planned,
        size.budget,
        (lambda now: open_tuples(project, wave.round, rows, now)) if rows else None,
        asdict(certificate(made, len(state.items), wave.seed)),
    )


def chosen_tuples(wave: Wave, state: ComparedRound, known: UtilityPosterior, number: int) -> Tuples:
    """Return so many new tuples, shape (tuples, size), as the seed of the wave and the judgments determine them; none
    if so many are not possible."""
    design = wave.project.round(wave.round).design
    nothing = np.empty((0, state.tuples.shape[1]), np.int64)
    if not number:
        return nothing
    try:
        return next_tuples(
            state.tuples,
            known.values,
            known.errors,
            number=number,
            together=design.together,
            generator=np.random.default_rng(wave.seed),
            shares=known.rank_shares if design.uneven else None,
        )
    except PlanningError:
        return nothing
