"""The way from a stored answer to the person's next place, in one transaction."""

from datetime import datetime

from annotation.domain.judgment.saving import Saved
from annotation.domain.participation.flow import Next, Place, where_now
from annotation.domain.participation.leasing import lease_next


def place_after(saved: Saved, now: datetime) -> Place:
    """Return the person's place after an answer, in its transaction; in an open round, lease the next entry."""
    participation = saved.judgment.assignment.participation
    place = where_now(participation, now, saved.coming)
    return lease_next(participation, now) if isinstance(place, Next) else place
