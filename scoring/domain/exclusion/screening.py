"""Screening of raters by their protocol: the only thing that scoring sends back to annotation."""

from datetime import datetime

import numpy as np
from django.db import transaction

from annotation.domain.participation.lifecycle import exclude
from annotation.domain.participation.locking import lock
from annotation.models import Participation, State
from annotation.protocols.designs.common import Pool
from scoring.queries import labelled_ratings, unscreened
from scoring.stats.filtering import contradicting_ratings


def screen_ended(now: datetime, participations=None) -> int:
    """Screen everybody who finished or left and was not screened yet, and return how many people were excluded."""
    waiting = unscreened(Participation.objects.all() if participations is None else participations)
    return sum(screen(participation_id=pk, now=now) for pk in waiting.values_list("pk", flat=True))


@transaction.atomic
def screen(*, participation_id: int, now: datetime) -> bool:
    """Exclude a rater who contradicts the known labels too often (DSCS 4.1), and return whether that happened.

    Annotators who left are screened if they gave as many answers as their pool requires. A replacement place is
    opened; screening twice changes nothing.
    """
    participation = lock(participation_id)
    if participation.screened_at is not None or participation.state not in (State.FINISHED, State.LEFT):
        return False
    participation.screened_at = now
    participation.save(update_fields=["screened_at"])
    reason = _fault(participation)
    if reason:
        exclude(participation_id=participation_id, reason=reason, actor=None, now=now)
    return bool(reason)


def _fault(participation: Participation) -> str:
    pool = _pool(participation)
    if pool is None or pool.contradictions_above is None:
        return ""
    values, labels = np.array(labelled_ratings(participation), dtype=np.float64).reshape(-1, 2).T
    against = contradicting_ratings(values, labels, float(participation.project.protocol.scale.midpoint))
    if participation.state == State.LEFT and len(against) < pool.screening_minimum:
        return ""
    share = float(against.mean()) if len(against) else 0.0
    if share <= pool.contradictions_above:
        return ""
    return (
        f"{share:.0%} of {len(against)} answers contradict the known labels; the limit is "
        f"{pool.contradictions_above:.0%}."
    )


def _pool(participation: Participation) -> Pool | None:
    pools = participation.design.rater_pools
    return next((pool for pool in pools if pool.key == participation.pool), None)
