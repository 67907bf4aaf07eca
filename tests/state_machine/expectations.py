"""Where somebody must be, told from their row and their screens, and what they must not be able to answer."""

from datetime import datetime

from annotation.domain.participation.flow import Consent, Ended, Finished, Idle, Paused, Place, Practice, Rest, Screen
from annotation.models import Assignment, Participation, State
from annotation.queries.people import ENDED
from annotation.queries.screens import open_screens


def place_by_hand(participation: Participation, shown: Place, now: datetime) -> Place:
    """Return the place that a page must show.

    Parameters: shown, the place that it shows: its texts and, in a selection, its screen of the present incident.
    """
    project, state = participation.project, participation.state
    if state == State.FINISHED:
        return Finished(participation.finished_at)
    due = participation.due_closes and participation.due_at is not None and participation.due_at <= now
    paused = project.paused_at is not None and project.paused_at <= now
    if state in ENDED or (project.closed_at is not None and project.closed_at <= now) or (due and not paused):
        return Ended(shown.reason) if isinstance(shown, Ended) else Ended("")
    if paused:
        return Paused()
    if participation.consented_at is None:
        return Consent()
    if participation.practising:
        return Practice()
    if state == State.RESTING:
        enforced = project.round(participation.round).pause_enforced
        return Rest(participation.rest_until, enforced, over=now >= participation.rest_until)
    ahead = open_screens(participation.assignments.all()).first()
    if ahead is None:
        return Idle() if participation.design.is_open else Ended("")
    return Screen(ahead, shown.following if isinstance(shown, Screen) else None)


def may_not_be_answered(participation: Participation, screen: Assignment, *, again: bool, now: datetime) -> bool:
    """Return whether an answer to a screen is certainly refused: it is another person's, it is answered and the new
    answer does not say that it replaces one, or in a round planned ahead it comes later or was taken away."""
    if screen.participation_id != participation.pk:
        return True
    if screen.answered_at is not None:
        return not again
    if participation.design.is_open or screen.sentence_id is not None:
        return again
    present = open_screens(participation.assignments.all()).first()
    return again or present is None or present.pk != screen.pk
