"""Changes to single items of a running project: further judgments, and withdrawal."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.domain.participation.advancing import advance
from annotation.domain.participation.deadlines import deadline_of_new
from annotation.domain.participation.locking import lock
from annotation.domain.participation.open_round import Entry, laid_out, place_if_needed
from annotation.models import Assignment, Item, Participation, PooledItem, Project, State, Tuple, TuplePlace, User
from annotation.models.audit_actions import Action
from annotation.planning.dealing import draw_order
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.spec import Design
from annotation.protocols.terms import BlockKind
from annotation.queries.screens import open_screens

MOST_FURTHER = 100
BATCH = 2000


@transaction.atomic
def ask_for_more(
    *,
    project: Project,
    round_key: str,
    keys: Sequence[str],
    further: int,
    reason: str,
    actor: User,
    now: datetime,
    pool: str = "",
) -> list[Participation]:
    """Request further judgments of these items, from annotators who have not judged them yet, and return the new
    places.

    In an open round the items, or all tuples with one of them, need that many more answers from the pool; in other
    rounds there are that many new free places, each with all of the items. The earlier judgments of a withdrawn item
    count again.

    Parameters: pool, in a round with several pools of raters, the pool of the new places; by default the first.

    Raises:
        Refusal: no reason, an unknown item, a round that selects or is not planned, or a number out of range.
    """
    require_reason(reason)
    items = named_items(project, keys)
    places = _further_places(project, round_key, items, further, pool, now)
    seats, named = [place.seat for place in places], [item.key for item in items]
    details = {"round": round_key, "further": further, "places": seats, "items": named}
    write_down(Action.ITEMS_REOPENED, project, reason=reason, actor=actor, now=now, **details)
    return places


def _further_places(
    project: Project, round_key: str, items: Sequence[Item], further: int, pool: str, now: datetime
) -> list[Participation]:
    rows = Item.objects.filter(pk__in=[item.pk for item in items])
    tuples = locked_entries(tuples_holding(rows).filter(round=round_key))
    pooled = locked_entries(PooledItem.objects.filter(item__in=rows, round=round_key))
    project = Project.objects.select_for_update().get(pk=project.pk)
    _guard_further(project, round_key, further)
    rows.update(withdrawn_at=None)
    design = project.round(round_key).design
    if design.compares:
        return _more_choices(project, round_key, design, tuples, further, now)
    if design.is_open:
        return _more_from_pool(project, round_key, pooled, further, _pool(design, pool), now)
    return _more_ratings(project, round_key, items, further, _pool(design, pool), now)


def _guard_further(project: Project, round_key: str, further: int) -> None:
    if not 1 <= further <= MOST_FURTHER:
        raise Refusal(_("You can request 1 to %(most)s further judgments.") % {"most": MOST_FURTHER})
    if project.round(round_key).design.selects:
        raise Refusal(_("You can’t request further judgments in a selection round. Exclude the annotator instead."))
    if not Participation.objects.filter(project=project, round=round_key).exists():
        raise Refusal(_("This round is not planned yet. Its plan will include the items."))


def named_items(project: Project, keys: Sequence[str]) -> list[Item]:
    """Return the items with these keys, each once. Raise Refusal where there is none, or no key."""
    found = {item.key: item for item in project.items.filter(key__in=keys)}
    if not keys:
        raise Refusal(_("Enter at least one item."))
    if missing := [key for key in keys if key not in found]:
        raise Refusal(_("There is no item “%(key)s” in this project.") % {"key": missing[0]})
    return [found[key] for key in dict.fromkeys(keys)]


def _pool(design: Design, wanted: str) -> str:
    pools = [pool.key for pool in design.rater_pools]
    if wanted and wanted not in pools:
        raise Refusal(_("There is no pool “%(pool)s” in this round.") % {"pool": wanted})
    return wanted or next(iter(pools), "")


def _more_ratings(
    project: Project, round_key: str, items: Sequence[Item], further: int, pool: str, now: datetime
) -> list[Participation]:
    places, ids = [_new_place(project, round_key, now, pool) for _ in range(further)], [item.pk for item in items]
    shuffled = [(place, [(BlockKind.MAIN, _shuffled(project, place, ids))]) for place in places]
    Assignment.objects.bulk_create(screen for place, blocks in shuffled for screen in laid_out(place, blocks))
    return places


def _more_from_pool(
    project: Project, round_key: str, pooled: Sequence[PooledItem], further: int, pool: str, now: datetime
) -> list[Participation]:
    chosen = [entry.pk for entry in pooled if entry.pool == pool]
    if not chosen:
        raise Refusal(_("These items are not in this round’s pool yet. Plan the round again instead."))
    PooledItem.objects.filter(pk__in=chosen).update(planned=F("planned") + further)
    made = place_if_needed(project, round_key, now, raters=pool)
    return [made] if made else []


def _new_place(project: Project, round_key: str, now: datetime, pool: str = "") -> Participation:
    seats = Participation.objects.filter(project=project, round=round_key)
    last = seats.aggregate(last=Max("seat"))["last"] or 0
    values = {"seat": last + 1, "pool": pool} | deadline_of_new(project, round_key, now)
    return Participation.objects.create(project=project, round=round_key, **values)


def _shuffled(project: Project, place: Participation, things: Sequence[int]) -> list[int]:
    return np.random.default_rng([project.seed, place.seat]).permutation(things).tolist()


def _more_choices(
    project: Project, round_key: str, design: BestWorstDesign, tuples: Sequence[Tuple], further: int, now: datetime
) -> list[Participation]:
    if not tuples:
        raise Refusal(_("These items are not in any tuple of this round yet. Plan the round again instead."))
    chosen = [row.pk for row in tuples if not row.items.filter(withdrawn_at__isnull=False).exists()]
    if not chosen:
        raise Refusal(_("Every tuple with these items contains a withdrawn item."))
    again = Tuple.objects.filter(pk__in=chosen)
    again.update(planned=F("planned") + further)
    if design.open:
        made = place_if_needed(project, round_key, now)
        return [made] if made else []
    again.update(given=F("given") + further)
    places = [_new_place(project, round_key, now) for _ in range(further)]
    context = project.round(round_key).sessions[0]
    Assignment.objects.bulk_create(
        Assignment(
            participation=place,
            session=1,
            context=context,
            block=BlockKind.MAIN,
            position=position,
            tuple_id=pk,
            order=draw_order(design.tuple_size, np.random.default_rng([project.seed, place.seat, position])),
        )
        for place in places
        for position, pk in enumerate(_shuffled(project, place, chosen), start=1)
    )
    return places


@transaction.atomic
def withdraw_items(*, project: Project, keys: Sequence[str], reason: str, actor: User, now: datetime) -> QuerySet[Item]:
    """Withdraw items and their tuples: they are no longer shown, and they have no scores.

    Their judgments stay stored; `ask_for_more` reinstates an item.

    Raises:
        Refusal: no reason, an unknown item, or an item that is withdrawn already.
    """
    require_reason(reason)
    items = Item.objects.filter(pk__in=[item.pk for item in named_items(project, keys)])
    waiting = unanswered_screens(items)
    people = Participation.objects.filter(assignments__in=waiting, annotator__isnull=False).distinct()
    at_work = [lock(pk) for pk in sorted(people.values_list("pk", flat=True))]
    tuples, pooled = locked_entries(tuples_holding(items)), locked_entries(PooledItem.objects.filter(item__in=items))
    project = Project.objects.select_for_update().get(pk=project.pk)  # from here on nobody takes a free place
    if items.filter(withdrawn_at__isnull=False).exists():
        raise Refusal(_("One of these items is already withdrawn."))
    before = {place.pk: _present_session(place) for place in at_work}
    items.update(withdrawn_at=now)
    unanswered_screens(items).update(lapsed_at=now)
    Project.objects.filter(pk=project.pk).update(layout=F("layout") + 1)
    _close_pool(Tuple, tuples)
    _close_pool(PooledItem, pooled)
    for place in at_work:
        _settle(place, before[place.pk], now)
    keys = list(items.values_list("key", flat=True))
    write_down(Action.ITEMS_WITHDRAWN, project, reason=reason, actor=actor, now=now, items=keys)
    return items


def unanswered_screens(items: QuerySet[Item]) -> QuerySet[Assignment]:
    """Return the open screens of the items, and of tuples that hold one of them."""
    of_items = Q(item__in=items) | Q(tuple__in=tuples_holding(items))
    return Assignment.objects.filter(of_items, answered_at__isnull=True, lapsed_at__isnull=True)


def tuples_holding(items: QuerySet[Item]) -> QuerySet[Tuple]:
    """Return the tuples with one of these items."""
    return Tuple.objects.filter(pk__in=TuplePlace.objects.filter(item__in=items).values("tuple"))


def locked_entries(entries: QuerySet[Any]) -> list[Any]:
    """Lock entries of a pool in the order that prevents deadlocks: after people, before the project, by id."""
    return list(entries.select_for_update().order_by("pk"))


def _close_pool(kind: type[Entry], entries: Sequence[Entry]) -> None:
    """Set the number of wanted answers of the entries to the number of answers that count."""
    for entry in entries:
        counting = entry.assignments.filter(answered_at__isnull=False).exclude(participation__state=State.EXCLUDED)
        entry.given = entry.planned = counting.count()
    kind._default_manager.bulk_update(entries, ["given", "planned"], batch_size=BATCH)


def _present_session(place: Participation) -> int | None:
    present = open_screens(place.assignments.all()).first()
    return present.session if present and place.state == State.ACTIVE and not place.practising else None


def _settle(place: Participation, session: int | None, now: datetime) -> None:
    """Advance a person who has nothing left of the session, or of the round."""
    if place.design.is_open:
        return
    following = open_screens(place.assignments.all()).first()
    if following is None and place.state in (State.ACTIVE, State.RESTING):
        advance(place, 0, None, now)
    elif following is not None and session is not None and following.session != session:
        advance(place, session, following, now)
