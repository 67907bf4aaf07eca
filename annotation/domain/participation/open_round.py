"""The common pool of an open round: what is free, what is leased, and whether the round needs another place.

Annotators take tuples, or items to rate, from the pool. Each group of raters has its own pool.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotation.domain.participation.deadlines import deadline_of_new
from annotation.models import Assignment, Item, Participation, PooledItem, Project, State, Tuple
from annotation.planning.screens import lay_out
from annotation.protocols.terms import BlockKind
from annotation.queries.people import free_seats

WITH_SOMEBODY = Q(answered_at__isnull=True, lapsed_at__isnull=True, lent_until__isnull=False)
FREE = Q(given__lt=F("planned"))
Entry = Tuple | PooledItem


@dataclass(frozen=True)
class CommonPool:
    """The entries that the annotators of a round judge together.

    entries: its tuples or items. field: of an assignment, for its entry. withdrawn: the lookup of an entry for the time
    when an item of it was withdrawn.
    """

    entries: QuerySet[Any]
    field: str
    withdrawn: str

    def held(self, assignments: QuerySet[Assignment]) -> QuerySet[Any]:
        """Return the entries that these assignments show."""
        return self.entries.filter(pk__in=assignments.filter(**{f"{self.field}__isnull": False}).values(self.field))

    def without(self, assignments: QuerySet[Assignment]) -> QuerySet[Any]:
        """Return the entries that none of these assignments shows."""
        return self.entries.filter(~Exists(assignments.filter(**{self.field: OuterRef("pk")})))

    def is_leased(self) -> Exists:
        """Return the condition of an entry that it is leased and not answered yet."""
        return Exists(Assignment.objects.filter(WITH_SOMEBODY, **{self.field: OuterRef("pk")}))

    def locked(self, entries: QuerySet[Any]) -> QuerySet[Any]:
        """Lock entries in the order that prevents deadlocks, after people and before the project; return them."""
        ids = entries.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True)
        return self.entries.filter(pk__in=list(ids))

    def is_missing_answers(self) -> bool:
        """Return whether answers are still missing, leased ones among them."""
        return self.entries.filter(FREE).exists() or self.entries.filter(self.is_leased()).exists()


def common_pool(project: Project, round_key: str, raters: str = "") -> CommonPool:
    """Return the pool of a round. Parameters: raters, the group that rates its items."""
    if project.round(round_key).design.compares:
        return pool_of_tuples(project.pk, round_key)
    items = PooledItem.objects.filter(project=project, round=round_key, pool=raters)
    return CommonPool(items, "pooled", "item__withdrawn_at")


def pool_of_tuples(project: int, round_key: str) -> CommonPool:
    return CommonPool(Tuple.objects.filter(project=project, round=round_key), "tuple", "items__withdrawn_at")


def pool_of(participation: Participation) -> CommonPool:
    """Return the pool that the person takes screens from."""
    return common_pool(participation.project, participation.round, participation.pool)


def entry_of(assignment: Assignment) -> Entry | None:
    """Return what the screen shows of a pool; None for a screen that was not taken from one."""
    return assignment.tuple or assignment.pooled


def place_if_needed(
    project: Project,
    round_key: str,
    now: datetime,
    *,
    raters: str = "",
    instead_of: Participation | None = None,
) -> Participation | None:
    """Return a new free place of an open round if answers are missing and nobody is there to give them, else None.

    People are there if they have not begun yet, or if the lease of their last screen has not run out. A person who ends
    before answering anything, such as after the check, is always replaced, once.

    Parameters: raters, the group that the place is for; by default the first that needs one.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    design, deadline = project.round(round_key).design, deadline_of_new(project, round_key, now)
    if not design.is_open or (deadline and deadline["due_at"] <= now):
        return None
    groups = [raters] if raters else list(design.ratings_by_pool)
    made = (_place_for(project, round_key, group, instead_of, deadline, now) for group in groups)
    return next((place for place in made if place is not None), None)


def _place_for(
    project: Project,
    round_key: str,
    raters: str,
    instead_of: Participation | None,
    deadline: dict[str, Any],
    now: datetime,
) -> Participation | None:
    round_places = Participation.objects.filter(project=project, round=round_key)
    places = round_places.filter(pool=raters)
    last, highest = places.order_by("-seat").first(), round_places.order_by("-seat").first()
    if last is None or highest is None:
        return None
    unreplaced = instead_of if instead_of is not None and instead_of.refill is None else None
    untouched = unreplaced is not None and not _main(unreplaced).filter(answered_at__isnull=False).exists()
    missing = common_pool(project, round_key, raters).is_missing_answers()
    if not missing or not (untouched or people_there(places, now) == 0):
        return None
    return _new_place(last, highest.seat + 1, replaces=unreplaced, **deadline)


def _new_place(last: Participation, seat: int, **values: Any) -> Participation:
    """Store a further place like the last one of its group."""
    design = last.design
    # Where few people were planned for many tuples, everybody may answer more of them than the design says.
    values["most"] = last.most if design.compares else design.most_a_person
    place = Participation.objects.create(project=last.project, round=last.round, pool=last.pool, seat=seat, **values)
    if design.rates_all:
        Assignment.objects.bulk_create(laid_out(place, [(BlockKind.CALIBRATION, list(_calibration(last.project)))]))
    return place


def add_places(project: Project, round_key: str, number: int, now: datetime) -> None:
    """Store free places until so many people are there or can come. The project is locked."""
    places = Participation.objects.filter(project=project, round=round_key)
    last, deadline = places.order_by("-seat").first(), deadline_of_new(project, round_key, now)
    if last is None or (deadline and deadline["due_at"] <= now):
        return
    for seat in range(number - people_there(places, now)):
        _new_place(last, last.seat + 1 + seat, **deadline)


def _calibration(project: Project) -> QuerySet[Item, int]:
    items = project.items.filter(withdrawn_at__isnull=True, calibration_order__isnull=False)
    return items.order_by("calibration_order").values_list("pk", flat=True)


def laid_out(place: Participation, blocks: Sequence[tuple[BlockKind, Sequence[int]]]) -> list[Assignment]:
    """Return the screens of a place, not stored yet. Parameters: blocks, with the ids of their items."""
    return [
        Assignment(
            participation=place,
            session=screen.session,
            context=screen.context,
            block=screen.block,
            position=screen.position,
            item_id=screen.item,
        )
        for screen in lay_out(blocks, place.project.round(place.round).sessions)
    ]


def _main(participation: Participation) -> QuerySet[Assignment]:
    return participation.assignments.filter(block=BlockKind.MAIN)


def people_there(places: QuerySet[Participation], now: datetime) -> int:
    """Return how many of the places are free, or have people who are at work."""
    leased = Assignment.objects.filter(participation=OuterRef("pk"), lent_until__isnull=False)
    people = places.filter(annotator__isnull=False, state__in=[State.INVITED, State.ACTIVE])
    at_work = people.filter(~Exists(leased) | Exists(leased.filter(lent_until__gt=now)))
    return free_seats(places).count() + at_work.count()
