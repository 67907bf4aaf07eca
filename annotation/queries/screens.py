"""Screens that are still to be answered, and what they show."""

from collections.abc import Sequence
from functools import partial
from itertools import chain

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from annotation.models import Assignment, Participation
from annotation.models.tuples import Tuple, TuplePlace
from annotation.prepared import Prepared
from annotation.protocols.terms import JudgmentKind
from annotation.queries.counting import withdrawn_places


def open_screens(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return the assignments that are still to be answered, in order; only the partial index is read."""
    return assignments.filter(answered_at__isnull=True, lapsed_at__isnull=True).order_by("session", "position")


def with_texts(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Add what screens show: an item, a sentence in its incident, or a tuple with its items in the designed order."""
    return assignments.select_related(*chain.from_iterable(TEXTS.values())).prefetch_related(places_of_tuples())


def places_of_tuples() -> Prefetch:
    return Prefetch("tuple__places", _designed())


def _designed() -> QuerySet[TuplePlace]:
    """Return the places of tuples with their items, in the designed order."""
    return TuplePlace.objects.select_related("item__group").order_by("position")


TEXTS = {
    JudgmentKind.RATING: ("item",),
    JudgmentKind.SELECTION: ("sentence__document__incident",),
    JudgmentKind.CHOICE: ("tuple",),
}
"""What the screens of a round show, as relations of an assignment."""


def _two_open(relations: Sequence[str], participation: int) -> QuerySet[Assignment]:
    return open_screens(Assignment.objects.filter(participation=participation).select_related(*relations))[:2]


NEXT_SCREENS = {kind: Prepared(partial(_two_open, relations)) for kind, relations in TEXTS.items()}


def next_screens(participation: Participation) -> list[Assignment]:
    """Return the person's next two open screens, with what they show."""
    kind = participation.design.judgment
    screens = NEXT_SCREENS[kind](participation=participation.pk)
    for screen in screens:
        screen.participation = participation
    if kind == JudgmentKind.CHOICE:
        add_places([screen.tuple for screen in screens if screen.tuple])
    return screens


@Prepared
def _places(first: int, second: int) -> QuerySet[TuplePlace]:
    return _designed().filter(tuple__in=[first, second])


def add_places(tuples: Sequence[Tuple]) -> None:
    """Add the items of one or two tuples that lack them: `places_of_tuples`, by a query that is made once."""
    missing = [shown for shown in tuples if "places" not in getattr(shown, "_prefetched_objects_cache", {})]
    if not missing:
        return
    found = _places(first=missing[0].pk, second=missing[-1].pk)
    for shown in missing:
        places = shown.places.all()
        places._result_cache = [place for place in found if place.tuple_id == shown.pk]
        places._prefetch_done = True
        shown._prefetched_objects_cache = {"places": places}


def offered(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return the assignments without withdrawn items, and without tuples that hold one."""
    return assignments.exclude(item__withdrawn_at__isnull=False).filter(~Exists(withdrawn_places(OuterRef("tuple"))))
