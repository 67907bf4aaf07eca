"""Curves over a collection: by thinking time, by practice, by waiting (Czech News, Fig. 4)."""

import numpy as np

from scoring.stats.curves import Curve, correlation_by_practice, error_by_thinking_time, waiting_share
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.tables import BLOCKS, CONTEXTS
from scoring.summaries.undefined import Result, column

LONGEST_WAIT = 168
"""Hours; the sorted waits continue the curve."""
NO_ERROR = "there are no ratings"
NO_CORRELATION = "fewer than two ratings at that point, or no variance among them"
NO_WAITS = "no annotator has started a second session yet"


def has_reference(snapshot: Snapshot) -> bool:
    """Return whether pairs have a value from their selection, or an earlier one, as a reference for ratings."""
    return bool((~np.isnan(snapshot.items.selected)).any())


def has_times(snapshot: Snapshot) -> bool:
    return has_reference(snapshot) and bool((~np.isnan(snapshot.ratings.thinking_ms)).any())


def thinking_time(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return root mean squared error against the selection by thinking time, in each round and context (Fig. 4a)."""

    def curve(stacks: Stacks) -> Result:
        own = stacks.ratings
        reference = snapshot.items.selected[own.items]
        return _told(error_by_thinking_time(own.thinking_ms / 1000, own.values, reference), "seconds", "rmse", NO_ERROR)

    return by_round_and_context(snapshot, curve)


def practice(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return Pearson's r with the selection by the number of ratings already made in the round (Fig. 4b), calibration
    pairs included, repeated ones not: {round: {context: curve}}."""
    ratings = snapshot.ratings
    kept = ratings.counted | (snapshot.calibrating & ~snapshot.excluded)
    first = ratings.keep(kept & (ratings.blocks != BLOCKS.index("intra")) & ~np.isnan(ratings.values))
    rounds, contexts = snapshot.facts.rounds, snapshot.facts.contexts

    def curve(round_: int, context: str) -> Result:
        own = first.keep((first.rounds == round_) & (first.contexts == CONTEXTS.index(context)))
        found = correlation_by_practice(own.already_made, own.values, snapshot.items.selected[own.items])
        return _told(found, "ratings_made", "pearson", NO_CORRELATION)

    return {
        name: {context: curve(place, context) for context in dict.fromkeys(contexts[place])}
        for place, name in enumerate(rounds)
    }


def _told(curve: Curve, steps: str, values: str, reason: str) -> Result:
    whole = curve.steps.astype(np.int64).tolist()
    return {steps: whole, **column(values, curve.values, reason), "ratings": curve.counts.tolist()}


def has_waits(snapshot: Snapshot) -> bool:
    """Return whether some round has two sessions."""
    return any(len(contexts) > 1 for contexts in snapshot.facts.contexts)


def waiting(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the share of people who waited less than each number of hours between sessions, by round (Fig. 4c)."""
    own = snapshot.participations
    return {
        name: _waiting(own.waits[(own.rounds == place) & ~np.isnan(own.waits)])
        for place, name in enumerate(snapshot.facts.rounds)
        if len(snapshot.facts.contexts[place]) > 1
    }


def _waiting(hours: np.ndarray) -> Result:
    limits = np.arange(LONGEST_WAIT + 1)
    result: Result = {"people": len(hours), "hours": np.sort(hours).tolist(), "limits": limits.tolist()}
    if not len(hours):
        return result | {"share": None, "share_reason": NO_WAITS}
    return result | {"share": waiting_share(hours, limits.astype(np.float64)).tolist()}
