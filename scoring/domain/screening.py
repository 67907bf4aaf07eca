"""Raters screened as their protocol says: the one thing that scoring sends back to annotation."""

from datetime import datetime

import numpy as np
from django.db import transaction

from annotation.domain.locking import lock
from annotation.domain.participation import exclude
from annotation.models import Participation, State
from annotation.protocols.spec import CompleteDesign, Pool
from scoring.queries import labelled_ratings, unscreened
from scoring.stats.filtering import contradiction_share


def screen_finished(now: datetime, participations=None) -> int:
    """Screens who finished and was not screened yet. Returns how many people were excluded."""
    waiting = unscreened(Participation.objects.all() if participations is None else participations)
    return sum(screen(participation_id=pk, now=now) for pk in waiting.values_list("pk", flat=True))


@transaction.atomic
def screen(*, participation_id: int, now: datetime) -> bool:
    """Excludes one rater who contradicts the known labels too often (DSCS 4.1); a new place takes over.

    Screening twice changes nothing. Returns whether the rater was excluded.
    """
    participation = lock(participation_id)
    if participation.screened_at is not None or participation.state != State.FINISHED:
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
    values, labels = labelled_ratings(participation)
    if not values:
        return ""
    scale = participation.project.protocol.scale
    share = contradiction_share(np.array(values), np.array(labels), float(scale.midpoint))
    if share <= pool.contradictions_above:
        return ""
    return (
        f"{share:.0%} of {len(values)} answers contradict the known labels; "
        f"more than {pool.contradictions_above:.0%} is too much."
    )


def _pool(participation: Participation) -> Pool | None:
    design = participation.project.round(participation.round).design
    pools = design.pools if isinstance(design, CompleteDesign) else ()
    return next((pool for pool in pools if pool.key == participation.pool), None)
