"""The entries of a common pool that a person can take: the queries of each answer in an open round, made once."""

from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.domain.participation.open_round import FREE, CommonPool, Entry, pool_of_tuples
from annotation.models import Assignment, Participation, Tuple, TuplePlace
from annotation.planning.dealing import draw_rank
from annotation.prepared import Prepared


def take_free(participation: Participation, pool: CommonPool, last_tuple: int | None) -> Entry | None:
    """Take the entry with the fewest answers, if possible one that shares no item with the person's last tuple.

    Returns: the entry, whose `given` counts this person now; None if none is free.
    """
    seed = participation.project.seed
    found = _lock_free(participation, pool, last_tuple)
    if found is not None and count_given(found, seed):
        return found
    free = not_met(participation.pk, pool).filter(FREE)
    return _take(_sharing_nothing(last_tuple, free), seed) or _take(free, seed)


def not_met(participation: int, pool: CommonPool) -> QuerySet[Any]:
    """Return the entries that the person has never had."""
    return pool.without(Assignment.objects.filter(participation=participation))


def count_given(found: Entry, seed: int) -> bool:
    """Add one to the entry's number of leases if allowed, and draw a new rank; return whether it was allowed."""
    rank = draw_rank(seed, found.position, found.given + 1)
    free = type(found)._default_manager.filter(FREE, pk=found.pk)
    return bool(free.update(given=F("given") + 1, rank=rank))


def _lock_free(participation: Participation, pool: CommonPool, last_tuple: int | None) -> Entry | None:
    """Lock the first entry that nobody else is taking now, so that simultaneous requests do not wait for it."""
    if last_tuple is None:
        return _unlocked(participation.pk, pool, None).first()
    round_ = {"project": participation.project_id, "round_key": participation.round}
    found = _unlocked_tuple(**round_, participation=participation.pk, last_tuple=last_tuple)
    return found[0] if found else None


@Prepared
def _unlocked_tuple(project: int, round_key: str, participation: int, last_tuple: int) -> QuerySet[Tuple]:
    return _unlocked(participation, pool_of_tuples(project, round_key), last_tuple)[:1]


def _unlocked(participation: int, pool: CommonPool, last_tuple: int | None) -> QuerySet[Any]:
    """Return free entries that nobody else is taking now, in the order in which they are taken."""
    free = _sharing_nothing(last_tuple, not_met(participation, pool).filter(FREE))
    return free.select_for_update(of=("self",), skip_locked=True).order_by("given", "rank")


def _sharing_nothing(last_tuple: int | None, entries: QuerySet[Any]) -> QuerySet[Any]:
    """Return the tuples that share no item with the person's last one; pooled items are all different."""
    if last_tuple is None:
        return entries
    items = TuplePlace.objects.filter(tuple=last_tuple).values("item")
    return entries.filter(~Exists(TuplePlace.objects.filter(tuple=OuterRef("pk"), item__in=items)))


def _take(entries: QuerySet[Any], seed: int) -> Entry | None:
    """Take the first entry, waiting for its lock; try again while somebody else was faster, until none is left."""
    while found := entries.order_by("given", "rank").first():
        if count_given(found, seed):
            return found
    return None
