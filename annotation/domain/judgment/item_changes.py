"""The reinstatement and the replacement of items of a running project."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.domain.judgment.extra_judgments import (
    MOST_FURTHER,
    ask_for_more,
    locked_entries,
    named_items,
    tuples_holding,
    unanswered_screens,
    withdraw_items,
)
from annotation.domain.material.editing import EDITED, with_texts
from annotation.domain.participation.locking import lock
from annotation.domain.participation.open_round import place_if_needed
from annotation.models import Assignment, Item, Judgment, Participation, PooledItem, Project, State, Tuple, User
from annotation.models.audit_actions import Action
from annotation.queries.counting import counted
from annotation.queries.screens import open_screens

AT_WORK = (State.INVITED, State.ACTIVE, State.RESTING)


@transaction.atomic
def reinstate_items(*, project: Project, keys: Sequence[str], reason: str, actor: User, now: datetime) -> int:
    """Reinstate withdrawn items: their judgments count again, and annotators who have not passed the position of their
    screens see them again. Return the number of these screens.

    In an open round the items want as many answers as the protocol says.

    Raises:
        Refusal: no reason, an unknown item, or one that is not withdrawn.
    """
    require_reason(reason)
    items = Item.objects.filter(pk__in=[item.pk for item in named_items(project, keys)])
    people = Participation.objects.filter(assignments__in=_withdrawn_screens(items), annotator__isnull=False)
    at_work = {pk: lock(pk) for pk in sorted(set(people.values_list("pk", flat=True)))}
    tuples, pooled = locked_entries(tuples_holding(items)), locked_entries(PooledItem.objects.filter(item__in=items))
    project = Project.objects.select_for_update().get(pk=project.pk)
    if items.filter(withdrawn_at__isnull=True).exists():
        raise Refusal(_("One of these items is not withdrawn."))
    screens = [screen for screen in _withdrawn_screens(items) if _is_ahead(screen, at_work)]
    items.update(withdrawn_at=None)
    Assignment.objects.filter(pk__in=[screen.pk for screen in screens]).update(lapsed_at=None)
    for screen in screens:
        if screen.tuple_id:
            again = {"planned": F("planned") + 1, "given": F("given") + 1}
            Tuple.objects.filter(pk=screen.tuple_id).update(**again)
    Project.objects.filter(pk=project.pk).update(layout=F("layout") + 1)
    _open_pools(project, [*tuples, *pooled], now)
    write_down(Action.ITEMS_REINSTATED, project, reason=reason, actor=actor, now=now, items=sorted(keys))
    return len(screens)


def _withdrawn_screens(items: QuerySet[Item]) -> QuerySet[Assignment]:
    """Return the screens of planned rounds that went when the items were withdrawn, of people who can still answer."""
    places = Q(participation__state__in=AT_WORK, lent_until__isnull=True, answered_at__isnull=True)
    alone = Q(item__in=items, lapsed_at=F("item__withdrawn_at"))
    together = Q(
        tuple__in=tuples_holding(items).exclude(
            items__in=Item.objects.filter(withdrawn_at__isnull=False).exclude(pk__in=items)
        ),
        lapsed_at__in=items.values("withdrawn_at"),
    )
    return Assignment.objects.filter(places, alone | together).select_related("participation__project")


def _is_ahead(screen: Assignment, people: Mapping[int, Participation]) -> bool:
    """Return whether the place is free or its person has not finished the session of the screen."""
    place = people.get(screen.participation_id, screen.participation)
    if place.state not in AT_WORK or place.design.is_open:
        return False
    following = open_screens(place.assignments.all()).first()
    return place.annotator_id is None or (following is not None and following.session <= screen.session)


def _open_pools(project: Project, entries: Sequence[Tuple | PooledItem], now: datetime) -> None:
    """Set the number of answers that entries of common pools need to that of the protocol."""
    opened: set[tuple[str, str]] = set()
    for entry in entries:
        design, pool = project.round(entry.round).design, getattr(entry, "pool", "")
        wanted = design.ratings_by_pool[pool] if isinstance(entry, PooledItem) else design.answers_each
        if design.is_open and entry.planned < wanted:
            type(entry)._default_manager.filter(pk=entry.pk).update(planned=wanted)
            opened.add((entry.round, pool))
    for round_key, pool in sorted(opened):
        place_if_needed(project, round_key, now, raters=pool)


@dataclass(frozen=True)
class Cost:
    """What replacing an item does: judgments that no longer count, and screens that show the new text."""

    judgments: int
    screens: int


def cost_of_replacing(item: Item) -> Cost:
    """Return what replacing an item does to its judgments and its screens."""
    judgments = counted(Judgment.objects.filter(assignment__item=item)).count()
    return Cost(judgments, _unseen(Item.objects.filter(pk=item.pk)).count())


def _unseen(items: QuerySet[Item]) -> QuerySet[Assignment]:
    """Return the open screens of planned rounds that nobody has been shown."""
    return unanswered_screens(items).filter(item__in=items, shown_at__isnull=True, pooled__isnull=True)


@transaction.atomic
def replace_item(
    *, item: Item, values: Mapping[str, str], again: bool, reason: str, actor: User, now: datetime
) -> Item:
    """Withdraw an item and return a new one with other texts, which takes over the screens that nobody has been shown.

    Parameters: values, of the fields in `EDITED`; again, whether further judgments are asked for, as many as are lost.

    Raises:
        Refusal: no reason, a malformed text, an item that is withdrawn, was selected by people or is in tuples.
    """
    require_reason(reason)
    rows = Item.objects.filter(pk=item.pk)
    waiting = Participation.objects.filter(assignments__in=unanswered_screens(rows), annotator__isnull=False)
    for pk in sorted(set(waiting.values_list("pk", flat=True))):
        lock(pk)
    locked_entries(PooledItem.objects.filter(item__in=rows))
    project = Project.objects.select_for_update().get(pk=item.project_id)
    item = Item.objects.select_related("project").get(pk=item.pk)
    _guard_replaceable(item)
    lost = _judgments_by_round(item) if again else {}
    new = _successor(item, with_texts(item, values))
    _unseen(rows).update(item=new)
    _into_pools(project, item, new)
    withdraw_items(project=project, keys=[item.key], reason=reason, actor=actor, now=now)
    for round_key, number in lost.items():
        asked = {"round_key": round_key, "keys": [new.key], "further": min(number, MOST_FURTHER)}
        ask_for_more(project=project, reason=reason, actor=actor, now=now, **asked)
    details = {"items": [item.key], "to": new.key}
    write_down(Action.ITEM_REPLACED, project, reason=reason, actor=actor, now=now, **details)
    return new


def _guard_replaceable(item: Item) -> None:
    if item.withdrawn_at:
        raise Refusal(_("One of these items is already withdrawn."))
    if item.summary_sentence_id is not None:
        raise Refusal(_("Annotators selected this pair, so it can’t be replaced. Withdraw it instead."))
    if item.places.exists():
        raise Refusal(_("This item is in tuples with other items. Withdraw it, import the new text and plan again."))


def _judgments_by_round(item: Item) -> dict[str, int]:
    """Return the number of people whose judgments are lost, by round, where pools do not ask for new ones anyway."""
    lost = counted(Judgment.objects.filter(assignment__item=item, assignment__pooled__isnull=True))
    by = "assignment__participation__round"
    people = lost.order_by(by).values_list(by, "assignment__participation").distinct()
    numbers: dict[str, int] = {}
    for round_key, _person in people:
        numbers[round_key] = numbers.get(round_key, 0) + 1
    return numbers


def _successor(item: Item, checked: Item) -> Item:
    taken = set(item.project.items.filter(key__startswith=item.key).values_list("key", flat=True))
    key = next(name for number in count(2) if (name := f"{item.key}-{number}") not in taken)
    kept = {name: getattr(item, name) for name in ("project", "group", "position", "gold", "extra")}
    order = item.calibration_order
    Item.objects.filter(pk=item.pk).update(calibration_order=None)
    texts = {name: getattr(checked, name) for name in EDITED}
    return Item.objects.create(key=key, calibration_order=order, **kept, **texts)


def _into_pools(project: Project, item: Item, new: Item) -> None:
    """Put the new item into the pools of the old one, with all of its answers still wanted."""
    for entry in PooledItem.objects.filter(item=item):
        last = PooledItem.objects.filter(project=project, round=entry.round, pool=entry.pool)
        position = (last.aggregate(last=Max("position"))["last"] or 0) + 1
        values = {"round": entry.round, "pool": entry.pool, "rank": entry.rank, "planned": entry.planned}
        PooledItem.objects.create(project=project, item=new, position=position, **values)
