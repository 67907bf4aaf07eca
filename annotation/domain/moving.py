"""How a person gets from one screen to what comes after it."""

from datetime import UTC, datetime, timedelta

from annotation.domain.flow import is_open
from annotation.domain.leasing import end_if_enough
from annotation.models import Assignment, Participation, State


def move_on(participation: Participation, session: int, following: Assignment | None, now: datetime) -> None:
    """After the last screen of a session the pause begins, after the very last one the round is finished.

    Parameters: session, of the screen that was the present one; following, the next one that is open.
    """
    if following is None and is_open(participation.design):
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
