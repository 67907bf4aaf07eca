"""The pool of an open round: who asks is lent the next tuple, and no tuple collects more answers than planned.

A tuple counts what is given of it, lent or answered. It is lent by an update that only succeeds while less is given
than planned. A tuple that somebody does not answer stays with them until nothing else is left for others; then it is
passed on.
"""

from datetime import datetime, timedelta

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.errors import WrongScreen
from annotation.domain.flow import Finished, Idle, Next, Place, Screen, choosing_design, is_open, where_now
from annotation.domain.locking import lock
from annotation.domain.open_round import FREE, WITH_SOMEBODY, place_if_needed, pool, tuples_out
from annotation.models import Assignment, Participation, State, Tuple, TuplePlace
from annotation.planning.dealing import draw_order, draw_rank
from annotation.protocols.spec import BlockKind

SESSION = 1  # an open round has one
RENEWAL = 0.1  # of a lease: with less of it gone it is not written anew


def next_place(participation: Participation, now: datetime) -> Place:
    """Where the person is; in an open round with the next tuple lent to them, if there is one."""
    here = where_now(participation, now)
    return take_next(participation_id=participation.pk, now=now) if isinstance(here, Next) else here


@transaction.atomic
def take_next(*, participation_id: int, now: datetime) -> Place:
    """Lends the person a tuple: of those with the fewest answers one that shares no item with the one before.

    Where every tuple is given away, one that somebody has left lying is passed on. Where nothing can come back any
    more, the round is finished for the person.
    """
    participation = lock(participation_id)
    here = where_now(participation, now)
    if not isinstance(here, Next):
        return here
    last = participation.assignments.order_by("-position").first()
    lent = _lend(participation, last, now) or _pass_on(participation, last, now) or _lend_again(participation, now)
    if lent is not None:
        return Screen(lent)
    if _not_met(participation, tuples_out(participation.project, participation.round)).exists():
        return Idle()
    return _finish(participation, now)


def _not_met(participation: Participation, tuples: QuerySet[Tuple]) -> QuerySet[Tuple]:
    """Without the tuples that the person has or had."""
    own = Assignment.objects.filter(participation=participation.pk, tuple=OuterRef("pk"))
    return tuples.filter(~Exists(own))


def _lend(participation: Participation, last: Assignment | None, now: datetime) -> Assignment | None:
    free = _not_met(participation, pool(participation.project, participation.round).filter(FREE))
    apart = _sharing_nothing(last, free)
    seed = participation.project.seed
    found = _take_unlocked(apart, seed) or _take(apart, seed) or _take(free, seed)
    return _assign(participation, found, last, now) if found else None


def _sharing_nothing(last: Assignment | None, tuples: QuerySet[Tuple]) -> QuerySet[Tuple]:
    """Without the tuples that share an item with the one that the person had last."""
    if last is None:
        return tuples
    items = TuplePlace.objects.filter(tuple=last.tuple_id).values("item")
    return tuples.filter(~Exists(TuplePlace.objects.filter(tuple=OuterRef("pk"), item__in=items)))


def _take_unlocked(tuples: QuerySet[Tuple], seed: int) -> Tuple | None:
    """The first that nobody else is taking in this moment: without it, all who ask at once would wait for the same."""
    found = tuples.select_for_update(of=("self",), skip_locked=True).order_by("given", "rank").first()
    return found if found is not None and _count_given(found, seed) else None


def _take(tuples: QuerySet[Tuple], seed: int) -> Tuple | None:
    """The first, waited for; who comes too late for it looks again until there is none."""
    while found := tuples.order_by("given", "rank").first():
        if _count_given(found, seed):
            return found
    return None


def _count_given(found: Tuple, seed: int) -> bool:
    """Counts one more of the tuple as given, if it may be, and draws its rank among its equals anew."""
    rank = draw_rank(seed, found.position, found.given + 1)
    return bool(Tuple.objects.filter(FREE, pk=found.pk).update(given=F("given") + 1, rank=rank))


def _assign(participation: Participation, found: Tuple, last: Assignment | None, now: datetime) -> Assignment:
    design = choosing_design(participation)
    generator = np.random.default_rng([participation.project.seed, participation.seat, found.position])
    return Assignment.objects.create(
        participation=participation,
        session=SESSION,
        context=participation.project.round(participation.round).sessions[0],
        block=BlockKind.MAIN,
        position=last.position + 1 if last else 1,
        tuple=found,
        order=draw_order(design.tuple_size, generator),
        lent_until=now + timedelta(minutes=design.lease_minutes),
        shown_at=now,
    )


def _pass_on(participation: Participation, last: Assignment | None, now: datetime) -> Assignment | None:
    """A tuple that was lent to somebody else and lies there; it stays given, only the person changes."""
    lying = Assignment.objects.filter(
        WITH_SOMEBODY,
        lent_until__lte=now,
        tuple__in=_not_met(participation, pool(participation.project, participation.round)),
    )
    while found := lying.select_related("tuple").order_by("lent_until").first():
        if lying.filter(pk=found.pk).update(lapsed_at=now):
            return _assign(participation, found.tuple, last, now)
    return None


def _lend_again(participation: Participation, now: datetime) -> Assignment | None:
    """A tuple that the person had once, did not answer, and that is free again."""
    had = participation.assignments.filter(lapsed_at__isnull=False, tuple__given__lt=F("tuple__planned"))
    for assignment in had.select_related("tuple").order_by("position"):
        if take_back(assignment, now):
            return assignment
    return None


def take_back(assignment: Assignment, now: datetime) -> bool:
    """Gives a lapsed tuple to its person again, if there is still an answer wanting."""
    seed = assignment.participation.project.seed
    if assignment.lapsed_at is None or assignment.tuple is None or not _count_given(assignment.tuple, seed):
        return False
    lent_until = now + timedelta(minutes=choosing_design(assignment.participation).lease_minutes)
    assignment.lapsed_at, assignment.lent_until = None, lent_until
    assignment.save(update_fields=["lapsed_at", "lent_until"])
    return True


def keep_lent(assignment: Assignment, now: datetime) -> None:
    """Who looks at a tuple keeps it for the full time."""
    if assignment.lent_until is None or assignment.answered_at is not None:
        return
    whole = timedelta(minutes=choosing_design(assignment.participation).lease_minutes)
    lent_until = now + whole
    if lent_until - assignment.lent_until > RENEWAL * whole:
        Assignment.objects.filter(WITH_SOMEBODY, pk=assignment.pk).update(lent_until=lent_until)
        assignment.lent_until = lent_until


def end_if_enough(participation: Participation, now: datetime) -> None:
    """Finishes the round for who has answered as many tuples as one person may."""
    if participation.most is None:
        return
    if participation.assignments.filter(answered_at__isnull=False).count() >= participation.most:
        _finish(participation, now)


@transaction.atomic
def stop(*, participation_id: int, now: datetime) -> Participation:
    """The person has done enough, by their own decision: the round is finished for them.

    Raises:
        WrongScreen: they have not answered anything, or were asked for a number of tuples and still have one open.
    """
    participation = lock(participation_id)
    here = where_now(participation, now)
    if isinstance(here, Next) and participation.most is not None:
        here = take_next(participation_id=participation_id, now=now)
    if not may_stop(participation, here):
        raise WrongScreen(_("This round cannot be ended here; you can leave it instead."))
    _give_back_lent(participation, now)
    _finish(participation, now)
    return participation


def may_stop(participation: Participation, here: Place) -> bool:
    """Whether the person may say that it is enough: where as many as they like are asked for, or none is left."""
    if not isinstance(here, Idle) and not (isinstance(here, Screen | Next) and participation.most is None):
        return False
    return is_open(participation.design) and participation.assignments.filter(answered_at__isnull=False).exists()


def _finish(participation: Participation, now: datetime) -> Finished:
    participation.state, participation.finished_at = State.FINISHED, now
    participation.save(update_fields=["state", "finished_at"])
    place_if_needed(participation.project, participation.round, now)
    return Finished(now)


def give_back(participation: Participation, now: datetime) -> Participation | None:
    """Back into the pool: what an ended person has not answered, and of an excluded one all that they answered.

    Returns: a new free place, where one is needed.
    """
    _give_back_lent(participation, now)
    if participation.state == State.EXCLUDED:
        answered = participation.assignments.filter(answered_at__isnull=False).values("tuple")
        # Locked in order: two people who are excluded at once have answered some of the same tuples.
        locked = Tuple.objects.select_for_update().filter(pk__in=answered).order_by("pk").values_list("pk", flat=True)
        tuples = Tuple.objects.filter(pk__in=list(locked))
        tuples.update(given=F("given") - 1)
        tuples.filter(items__withdrawn_at__isnull=False).update(planned=F("given"))  # of these no more is wanted
    return place_if_needed(participation.project, participation.round, now, instead_of=participation)


def _give_back_lent(participation: Participation, now: datetime) -> None:
    for assignment in participation.assignments.filter(WITH_SOMEBODY):
        if Assignment.objects.filter(WITH_SOMEBODY, pk=assignment.pk).update(lapsed_at=now):
            Tuple.objects.filter(pk=assignment.tuple_id).update(given=F("given") - 1)
