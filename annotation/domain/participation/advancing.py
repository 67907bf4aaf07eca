"""The step from an answered screen to what comes after it."""

from datetime import UTC, datetime, timedelta

from annotation.domain.participation.leasing import end_if_enough
from annotation.models import Assignment, Participation, State
from annotation.protocols.terms import BlockKind
from annotation.queries.screens import open_screens


def advance(participation: Participation, session: int, following: Assignment | None, now: datetime) -> None:
    """Begin the pause after the last screen of a session, and finish the round after its last screen.

    Parameters: session, the number of the answered screen's session; following, the next open screen, if any.
    """
    if participation.design.is_open:
        # Somebody who got back a screen that had been passed on has another open screen from the pool.
        if following is None or following.block == BlockKind.MAIN:
            end_if_enough(participation, now)
    elif following is None:
        participation.state, participation.finished_at = State.FINISHED, now
        participation.save(update_fields=["state", "finished_at"])
    elif following.session != session:
        pause = timedelta(hours=participation.project.round(participation.round).pause_hours)
        # In UTC, as hours added to a local time would be wall-clock hours, wrong by one over a change of clocks.
        participation.state, participation.rest_until = State.RESTING, now.astimezone(UTC) + pause
        participation.rest_shortened, participation.reminded_at = False, None
        participation.save(update_fields=["state", "rest_until", "rest_shortened", "reminded_at"])


def finish_if_all_is_withdrawn(participation: Participation, now: datetime) -> None:
    """Finish the round of a person whose screens were all withdrawn before they could answer them."""
    screens = participation.assignments.all()
    if not participation.design.is_open and screens.exists() and not open_screens(screens).exists():
        advance(participation, 0, None, now)
