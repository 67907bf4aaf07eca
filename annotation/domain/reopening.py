"""Single items while a project runs: further judgments of some, and some taken out."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.deadlines import deadline_of_new
from annotation.domain.errors import Refusal
from annotation.domain.flow import is_open
from annotation.domain.locking import lock
from annotation.domain.log import require_reason, write_down
from annotation.domain.moving import move_on
from annotation.domain.open_round import place_if_needed
from annotation.models import Assignment, Item, Participation, Project, State, Tuple, TuplePlace, User
from annotation.planning.dealing import draw_order
from annotation.planning.screens import lay_out
from annotation.protocols.spec import BestWorstDesign, BlockKind, CompleteDesign, SelectionDesign
from annotation.queries import open_screens

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
    """So many further judgments of each of these items, by people who have not judged them yet.

    In an open round every tuple of the items goes into the pool so many times more; elsewhere there are so many new
    free places, each with all of the items. Of a withdrawn item what was given counts again.

    Parameters: pool, of several pools of raters the one whose places these are; by default the first.

    Returns: the new places.

    Raises:
        Refusal: no reason, no such item, a round that selects or is not planned, or a number out of range.
    """
    require_reason(reason)
    items = _named(project, keys)
    tuples = _locked(_holding(Item.objects.filter(pk__in=[item.pk for item in items])).filter(round=round_key))
    project = Project.objects.select_for_update().get(pk=project.pk)
    _guard_further(project, round_key, further)
    Item.objects.filter(pk__in=[item.pk for item in items]).update(withdrawn_at=None)
    design = project.round(round_key).design
    if isinstance(design, BestWorstDesign):
        places = _more_choices(project, round_key, design, tuples, further, now)
    else:
        places = _more_ratings(project, round_key, items, further, _pool(design, pool), now)
    details = {"round": round_key, "further": further, "places": [place.seat for place in places]}
    write_down(
        "items reopened", project, reason=reason, actor=actor, now=now, items=[item.key for item in items], **details
    )
    return places


def _guard_further(project: Project, round_key: str, further: int) -> None:
    if not 1 <= further <= MOST_FURTHER:
        raise Refusal(_("Between 1 and %(most)s further judgments can be asked for.") % {"most": MOST_FURTHER})
    if isinstance(project.round(round_key).design, SelectionDesign):
        raise Refusal(_("Sentences of a selection cannot be asked for again: exclude the person instead."))
    if not Participation.objects.filter(project=project, round=round_key).exists():
        raise Refusal(_("This round is not planned yet; its plan will ask for the items."))


def _named(project: Project, keys: Sequence[str]) -> list[Item]:
    found = {item.key: item for item in project.items.filter(key__in=keys)}
    if not keys:
        raise Refusal(_("Please name at least one item."))
    if missing := [key for key in keys if key not in found]:
        raise Refusal(_("There is no item “%(key)s” in this project.") % {"key": missing[0]})
    return [found[key] for key in dict.fromkeys(keys)]


def _pool(design: object, wanted: str) -> str:
    pools = [pool.key for pool in design.pools] if isinstance(design, CompleteDesign) else []
    if wanted and wanted not in pools:
        raise Refusal(_("There is no pool “%(pool)s” in this round.") % {"pool": wanted})
    return wanted or next(iter(pools), "")


def _more_ratings(
    project: Project, round_key: str, items: Sequence[Item], further: int, pool: str, now: datetime
) -> list[Participation]:
    contexts = project.round(round_key).sessions
    places = [_new_place(project, round_key, now, pool) for _ in range(further)]
    Assignment.objects.bulk_create(
        Assignment(
            participation=place,
            session=screen.session,
            context=screen.context,
            block=screen.block,
            position=screen.position,
            item_id=screen.item,
        )
        for place in places
        for screen in lay_out([(BlockKind.MAIN, _shuffled(project, place, [item.pk for item in items]))], contexts)
    )
    return places


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
        raise Refusal(_("The items are in no tuple of this round yet; plan it again instead."))
    chosen = [one.pk for one in tuples if not one.items.filter(withdrawn_at__isnull=False).exists()]
    if not chosen:
        raise Refusal(_("Every tuple of these items holds one that is withdrawn."))
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
    """Takes items out: nobody is shown them any more, and no score is made of what was answered. Tuples go with them.

    What was answered stays stored; `ask_for_more` brings an item back.

    Raises:
        Refusal: no reason, no such item, or withdrawn already.
    """
    require_reason(reason)
    items = Item.objects.filter(pk__in=[item.pk for item in _named(project, keys)])
    waiting = _unanswered(items)
    people = Participation.objects.filter(assignments__in=waiting, annotator__isnull=False).distinct()
    at_work = [lock(pk) for pk in sorted(people.values_list("pk", flat=True))]
    tuples = _locked(_holding(items))
    project = Project.objects.select_for_update().get(pk=project.pk)  # from here on nobody takes a free place
    if items.filter(withdrawn_at__isnull=False).exists():
        raise Refusal(_("One of these items is withdrawn already."))
    before = {place.pk: _present_session(place) for place in at_work}
    items.update(withdrawn_at=now)
    _unanswered(items).update(lapsed_at=now)
    _close_pool(tuples)
    for place in at_work:
        _settle(place, before[place.pk], now)
    write_down(
        "items withdrawn", project, reason=reason, actor=actor, now=now, items=list(items.values_list("key", flat=True))
    )
    return items


def _unanswered(items: QuerySet[Item]) -> QuerySet[Assignment]:
    """The screens of items, and of tuples that hold one, that somebody still has before them."""
    of_items = Q(item__in=items) | Q(tuple__in=_holding(items))
    return Assignment.objects.filter(of_items, answered_at__isnull=True, lapsed_at__isnull=True)


def _holding(items: QuerySet[Item]) -> QuerySet[Tuple]:
    return Tuple.objects.filter(pk__in=TuplePlace.objects.filter(item__in=items).values("tuple"))


def _locked(tuples: QuerySet[Tuple]) -> list[Tuple]:
    """In the order in which everybody locks tuples: after people, before the project, by their ids."""
    return list(tuples.select_for_update().order_by("pk"))


def _close_pool(tuples: list[Tuple]) -> None:
    """No more answers are wanted of these than there are."""
    for one in tuples:
        counting = one.assignments.filter(answered_at__isnull=False).exclude(participation__state=State.EXCLUDED)
        one.given = one.planned = counting.count()
    Tuple.objects.bulk_update(tuples, ["given", "planned"], batch_size=BATCH)


def _present_session(place: Participation) -> int | None:
    present = open_screens(place.assignments.all()).first()
    return present.session if present and place.state == State.ACTIVE and not place.practising else None


def _settle(place: Participation, session: int | None, now: datetime) -> None:
    """Whoever has nothing left of the session, or of the round, gets on as after its last screen."""
    following = open_screens(place.assignments.all()).first()
    if place.state == State.RESTING and following is None:
        move_on(place, 0, None, now)
    elif session is not None and not is_open(place.design) and (following is None or following.session != session):
        move_on(place, session, following, now)
