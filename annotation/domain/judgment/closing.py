"""The end of a screen that was answered, and with it the beginning of the next one of the block."""

from datetime import datetime
from typing import Any

from django.db import connection

from annotation.domain.errors import WrongScreen
from annotation.domain.judgment.answers import Answer
from annotation.domain.judgment.turns import GONE, Turn
from annotation.domain.participation import flow
from annotation.domain.participation.progress import Tally, tally_of
from annotation.models import Assignment

# One statement for both screens. Django would write the same, and take longer for it than the database for all of it.
ANSWER_AND_SHOW = f"""
    UPDATE {Assignment._meta.db_table} SET
        answered_at = CASE WHEN id = %s THEN %s ELSE answered_at END,
        shown_at = CASE WHEN id = %s THEN %s ELSE shown_at END,
        tally = CASE WHEN id = %s THEN %s ELSE NULL END
    WHERE id IN (%s, %s) AND answered_at IS NULL AND lapsed_at IS NULL
"""


def close(turn: Turn, answer: Answer, now: datetime) -> None:
    """Store that the screen is answered, how far the person is then, and that the next screen is shown if it is.

    Raises:
        WrongScreen: a tuple of an open round went to somebody else in this very moment.
    """
    assignment = turn.assignment
    assignment.answered_at = max(now, assignment.shown_at or now)
    before = _tally_before(turn)
    tally = before.after(answer.timing.answered_ms).to_json() if before else None
    following = _next_counted(turn, answer, now) if tally else None
    if following is None:
        open_still = Assignment.objects.filter(pk=assignment.pk, lapsed_at=None)
        closed = open_still.update(answered_at=assignment.answered_at, tally=tally) == 1
    else:
        following.tally = tally
        closed = _answer_and_show(assignment, following)
    if not closed:
        raise WrongScreen(GONE)


def _tally_before(turn: Turn) -> Tally | None:
    """Return how far the person was. It is stored with the present screen: in a selection not always the answered."""
    if turn.assignment.sentence_id is None or turn.following is None:
        return tally_of(turn.assignment)
    return tally_of(turn.assignment) or tally_of(turn.following)


def _next_counted(turn: Turn, answer: Answer, now: datetime) -> Assignment | None:
    """Return the next screen of the block if it gets the tally: in a selection always, else if it is shown now."""
    following = turn.following
    if following is None or not flow.same_block(turn.assignment, following):
        return None
    if turn.assignment.sentence_id is not None:
        return following
    first = answer.goes_on and following.shown_at is None
    if not first or flow.where_now(turn.participation, now, [following]) != flow.Screen(following):
        return None
    following.shown_at = now
    return following


def _answer_and_show(answered: Assignment, following: Assignment) -> bool:
    times = _stored(answered, "answered_at"), _stored(following, "shown_at")
    values = [answered.pk, times[0], following.pk, times[1], following.pk, _stored(following, "tally")]
    with connection.cursor() as cursor:
        cursor.execute(ANSWER_AND_SHOW, [*values, answered.pk, following.pk])
        return cursor.rowcount == 2


def _stored(screen: Assignment, name: str) -> Any:
    """Return a field of a screen as the database takes it."""
    return Assignment._meta.get_field(name).get_db_prep_save(getattr(screen, name), connection)
