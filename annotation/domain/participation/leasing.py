"""The pool of an open round: people lease the next entry, and no entry collects more answers than planned.

An entry is a tuple, or an item of a round of ratings. Its `given` counts leases and answers. It is leased by an update
that succeeds only while `given` is below `planned`. An unanswered entry stays with its person until nothing else is
left for others; then it is passed on.
"""

from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.errors import WrongScreen
from annotation.domain.participation.flow import Finished, Idle, Next, Place, Screen, where_now
from annotation.domain.participation.free_entries import count_given, not_met, take_free
from annotation.domain.participation.locking import lock
from annotation.domain.participation.open_round import (
    WITH_SOMEBODY,
    CommonPool,
    Entry,
    entry_of,
    place_if_needed,
    pool_of,
)
from annotation.domain.participation.progress import count, tally_of
from annotation.domain.participation.waves import is_in_wave
from annotation.models import Assignment, Participation, State, Tuple
from annotation.planning.dealing import draw_order
from annotation.prepared import Prepared
from annotation.protocols.terms import BlockKind

SESSION = 1  # an open round has one
RENEWAL = 0.1  # of a lease: a lease that is younger than this is not renewed


def next_place(participation: Participation, now: datetime) -> Place:
    """Return the person's place; in an open round a free person is leased the next entry first, if there is one."""
    place = where_now(participation, now)
    return take_next(participation_id=participation.pk, now=now) if isinstance(place, Next) else place


@transaction.atomic
def take_next(*, participation_id: int, now: datetime) -> Place:
    """Lock the participation, and lease a free person the next entry."""
    participation = lock(participation_id)
    place = where_now(participation, now)
    return lease_next(participation, now) if isinstance(place, Next) else place


def lease_next(participation: Participation, now: datetime) -> Place:
    """Lease the person an entry with the fewest answers; a tuple if possible without an item of the tuple before.

    If all entries are taken, one whose lease has run out is passed on. If none can come back, and no further wave may
    open some, the round is finished.
    The participation is locked.
    """
    pool, last = pool_of(participation), _last_screen(participation)
    lent = (
        _lend(participation, pool, last, now)
        or _pass_on(participation, pool, last, now)
        or _lend_again(participation, pool, now)
    )
    if lent is not None:
        if lent.tally is None:
            lent.tally = count(lent).to_json()
            Assignment.objects.filter(pk=lent.pk).update(tally=lent.tally)
        return Screen(lent)
    unmet = not_met(participation.pk, pool)
    if unmet.filter(pool.is_leased()).exists():
        return Idle()
    adaptive = participation.project.round(participation.round).design.adaptive
    if is_in_wave(participation.project, participation.round) and (adaptive or unmet.exists()):
        return Idle()  # the next wave may open them, or others
    return _finish(participation, now)


@Prepared
def _last(participation: int) -> QuerySet[Assignment]:
    return Assignment.objects.filter(participation=participation).order_by("-position")[:1]


def _last_screen(participation: Participation) -> Assignment | None:
    for last in _last(participation=participation.pk):
        last.participation = participation
        return last
    return None


def _lend(participation: Participation, pool: CommonPool, last: Assignment | None, now: datetime) -> Assignment | None:
    found = take_free(participation, pool, last.tuple_id if last else None)
    return _assign(participation, found, last, now) if found else None


def _assign(participation: Participation, found: Entry, last: Assignment | None, now: datetime) -> Assignment:
    # How far the person is was stored with their last screen when they answered it.
    tally = tally_of(last) if last is not None and last.answered_at and last.block == BlockKind.MAIN else None
    return Assignment.objects.create(
        participation=participation,
        session=SESSION,
        context=participation.project.round(participation.round).sessions[0],
        block=BlockKind.MAIN,
        position=last.position + 1 if last else 1,
        lent_until=now + timedelta(minutes=participation.design.lease_minutes),
        shown_at=now,
        tally=tally.to_json() if tally else None,
        **_shown(participation, found),
    )


def _shown(participation: Participation, found: Entry) -> dict[str, Any]:
    """Return the fields of an assignment for what its screen shows; a tuple in an order drawn for this person."""
    if not isinstance(found, Tuple):
        return {"pooled": found, "item": found.item}
    generator = np.random.default_rng([participation.project.seed, participation.seat, found.position])
    return {"tuple": found, "order": draw_order(participation.design.tuple_size, generator)}


def _pass_on(
    participation: Participation, pool: CommonPool, last: Assignment | None, now: datetime
) -> Assignment | None:
    """Pass an entry with a lapsed lease on to this person; its number of given answers does not change."""
    wanted = not_met(participation.pk, pool)
    lying = Assignment.objects.filter(WITH_SOMEBODY, lent_until__lte=now, **{f"{pool.field}__in": wanted})
    while found := lying.select_related("tuple", "pooled__item").order_by("lent_until").first():
        if lying.filter(pk=found.pk).update(lapsed_at=now):
            return _assign(participation, entry_of(found), last, now)
    return None


def _lend_again(participation: Participation, pool: CommonPool, now: datetime) -> Assignment | None:
    """Return an entry that the person had, did not answer, and that is free again; None if there is none."""
    wanted = {f"{pool.field}__given__lt": F(f"{pool.field}__planned")}
    had = participation.assignments.filter(lapsed_at__isnull=False, **wanted)
    for assignment in had.select_related("tuple", "pooled__item").order_by("position"):
        if take_back(assignment, now):
            return assignment
    return None


def take_back(assignment: Assignment, now: datetime) -> bool:
    """Give a lapsed entry back to its person if an answer is still missing, and return whether it was."""
    seed, entry = assignment.participation.project.seed, entry_of(assignment)
    if assignment.lapsed_at is None or entry is None or not count_given(entry, seed):
        return False
    lent_until = now + timedelta(minutes=assignment.participation.design.lease_minutes)
    assignment.participation.assignments.filter(tally__isnull=False).update(tally=None)  # its place is an earlier one
    assignment.lapsed_at, assignment.lent_until = None, lent_until
    assignment.save(update_fields=["lapsed_at", "lent_until"])
    return True


def keep_lent(assignment: Assignment, now: datetime) -> None:
    """Renew the lease of a screen that is being looked at."""
    if assignment.lent_until is None or assignment.answered_at is not None:
        return
    whole = timedelta(minutes=assignment.participation.design.lease_minutes)
    lent_until = now + whole
    if lent_until - assignment.lent_until > RENEWAL * whole:
        Assignment.objects.filter(WITH_SOMEBODY, pk=assignment.pk).update(lent_until=lent_until)
        assignment.lent_until = lent_until


def end_if_enough(participation: Participation, now: datetime) -> None:
    """Finish the round for a person who has answered their maximum number of tuples or items."""
    if participation.most is None:
        return
    answered = participation.assignments.filter(block=BlockKind.MAIN, answered_at__isnull=False)
    if answered.count() >= participation.most:
        _give_back_lent(participation, now)
        _finish(participation, now)


@transaction.atomic
def stop(*, participation_id: int, now: datetime) -> Participation:
    """Finish the round for a person who decides that they have done enough.

    Raises:
        WrongScreen: the person has not answered anything, or has a maximum number and still something to answer.
    """
    participation = lock(participation_id)
    place = where_now(participation, now)
    if isinstance(place, Next) and participation.most is not None:
        place = take_next(participation_id=participation_id, now=now)
    if not may_stop(participation, place):
        raise WrongScreen(_("You can’t finish this round early, but you can leave it."))
    _give_back_lent(participation, now)
    _finish(participation, now)
    return participation


def may_stop(participation: Participation, place: Place) -> bool:
    """Return whether the person may end the round: their number of tuples or items is free, or none is left."""
    if not participation.design.is_open:
        return False
    if not isinstance(place, Idle) and not (isinstance(place, Screen | Next) and participation.most is None):
        return False
    if isinstance(place, Screen) and (tally := tally_of(place.assignment)):
        return tally.done > 0
    return participation.assignments.filter(answered_at__isnull=False).exists()


def _finish(participation: Participation, now: datetime) -> Finished:
    participation.state, participation.finished_at = State.FINISHED, now
    participation.save(update_fields=["state", "finished_at"])
    place_if_needed(participation.project, participation.round, now, raters=participation.pool)
    return Finished(now)


def give_back(participation: Participation, now: datetime) -> Participation | None:
    """Return open screens to the pool, for an excluded person also answered ones; return a new free place if needed."""
    _give_back_lent(participation, now)
    if participation.state == State.EXCLUDED:
        pool = pool_of(participation)
        # Locked in order: two people who are excluded at once have answered some of the same entries.
        entries = pool.locked(pool.held(participation.assignments.filter(answered_at__isnull=False)))
        entries.update(given=F("given") - 1)
        withdrawn = entries.filter(**{f"{pool.withdrawn}__isnull": False})
        withdrawn.update(planned=F("given"))  # no more answers are needed for these
    return place_if_needed(
        participation.project, participation.round, now, raters=participation.pool, instead_of=participation
    )


def _give_back_lent(participation: Participation, now: datetime) -> None:
    pool = pool_of(participation)
    for assignment in participation.assignments.filter(WITH_SOMEBODY):
        if Assignment.objects.filter(WITH_SOMEBODY, pk=assignment.pk).update(lapsed_at=now):
            pool.entries.filter(pk=getattr(assignment, f"{pool.field}_id")).update(given=F("given") - 1)
