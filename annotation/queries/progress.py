"""How many answers are wanted, and how many are given."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import Aggregate, Count, Exists, F, OuterRef, QuerySet, Sum

from annotation.models import Assignment, Judgment, Project, State
from annotation.models.tuples import PooledItem, Tuple, TuplePlace
from annotation.protocols.counting import NotCounted
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import counted, none_of, reasons_of_screens, withdrawn_places
from annotation.queries.judgments import CHUNK

WANTED = (NotCounted.EXCLUDED, NotCounted.REASSIGNED, NotCounted.WITHDRAWN, NotCounted.PARTIAL)
OF_SCREENS = {reason: conditions for reason, conditions in reasons_of_screens().items() if reason in WANTED}


def tuple_counts(project: Project) -> list[dict[str, Any]]:
    """Return the tuples, the wanted answers, and the answers that count, a row for each best-worst round.

    Tuples that hold a withdrawn item are left out.
    """
    tuples = _tuples(project)
    return _with_answers(tuples, "assignment__tuple", tuples=Count("pk"))


def pool_counts(project: Project) -> list[dict[str, Any]]:
    """Return the wanted ratings and the ratings that count, a row for each open round of ratings.

    Withdrawn items are left out. Ratings that were not given to items from the pool, such as imported ones, are not
    among these.
    """
    return _with_answers(_pooled_items(project), "assignment__pooled")


def _tuples(project: Project) -> QuerySet[Tuple]:
    """Return the tuples without those that hold a withdrawn item."""
    return project.tuples.filter(~Exists(withdrawn_places(OuterRef("pk"))))


def _pooled_items(project: Project) -> QuerySet[PooledItem]:
    """Return the entries of common pools without withdrawn items."""
    return project.pooled_items.filter(item__withdrawn_at__isnull=True)


def _with_answers(entries: QuerySet, path: str, **figures: Aggregate) -> list[dict[str, Any]]:
    """Return the wanted answers to the entries, those that count and further figures of the entries, by round; two
    queries, as a database joins all answers at once much faster than it counts those of each entry."""
    rows = list(entries.order_by("round").values("round").annotate(wanted=Sum("planned"), **figures))
    if not rows:
        return []
    answers = counted(Judgment.objects.filter(**{f"{path}__in": entries}))
    numbers = dict(answers.order_by().values_list(f"{path}__round").annotate(Count("pk")))
    return [row | {"answers": numbers.get(row["round"], 0)} for row in rows]


def shared_counts(project: Project) -> dict[str, dict[str, Any]]:
    """Return wanted and counted answers of every round of which the answers are counted together, not by place."""
    return {row["round"]: row for row in chain(tuple_counts(project), pool_counts(project))}


def still_to_give(project: Project, round_key: str) -> bool:
    """Return whether somebody can still get a tuple, or an item of an open round; quicker than counting answers."""
    tuples = _tuples(project)
    pool = _pooled_items(project)
    return any(rows.filter(round=round_key, given__lt=F("planned")).exists() for rows in (tuples, pool))


@dataclass(frozen=True)
class Block:
    """The screens of a block of a session: how many are answered, of how many that are to be answered."""

    session: int
    context: str
    block: str
    answered: int
    wanted: int


def blocks_of(project: Project, counts: Mapping[str, dict[str, Any]] | None = None) -> dict[str, list[Block]]:
    """Return the progress of each round by session and block.

    Screens of free places are wanted too; of people who left only the answered ones that their refill does not repeat;
    of excluded people, of withdrawn items, and of an incident that was reassigned, of its former owner, none. In an
    open round, what its pool wants is wanted of all people together.

    Parameters: counts, what `shared_counts` returns, if it is known.
    """
    screens = Assignment.objects.filter(none_of(OF_SCREENS), participation__project=project, lapsed_at__isnull=True)
    wanted = screens.exclude(participation__state=State.LEFT, answered_at__isnull=True)
    by = ("participation__round", "session", "context", "block")
    blocks: dict[str, list[Block]] = defaultdict(list)
    for round_key, *values in wanted.order_by(*by).values_list(*by).annotate(Count("answered_at"), Count("pk")):
        blocks[round_key].append(Block(*values))
    shared = {round_.key: round_ for round_ in project.protocol.rounds if round_.design.is_open}
    for key, row in (shared_counts(project) if counts is None else counts).items() if shared else ():
        if key in shared:
            first, own = shared[key].sessions[0].value, [one for one in blocks[key] if one.block != BlockKind.MAIN]
            blocks[key] = [*own, Block(1, first, str(BlockKind.MAIN), row["answers"], row["wanted"])]
    return blocks


def answers_wanted(project: Project) -> dict[tuple[int, str, str], int]:
    """Return how many answers are planned of each item, by item, round and context; in three queries.

    Screens are counted as in `blocks_of`; of items of a common pool, and of all tuples with an item, the planned
    answers. Withdrawn items are left out.
    """
    first = {round_.key: str(round_.sessions[0]) for round_ in project.protocol.rounds}
    screens = Assignment.objects.filter(none_of(OF_SCREENS), participation__project=project, lapsed_at__isnull=True)
    alone = screens.filter(item__isnull=False, pooled__isnull=True, block=BlockKind.MAIN)
    alone = alone.exclude(participation__state=State.LEFT, answered_at__isnull=True).order_by()
    rows = alone.values_list("item", "participation__round", "context").annotate(Count("pk"))
    wanted = {(item, round_key, context): number for item, round_key, context, number in rows.iterator(CHUNK)}
    pooled = _pooled_items(project).order_by()
    entries = pooled.values_list("item", "round").annotate(Sum("planned"))
    whole = _tuples(project)
    places = TuplePlace.objects.filter(tuple__in=whole).order_by()
    together = places.values_list("item", "tuple__round").annotate(Sum("tuple__planned"))
    for item, round_key, number in chain(entries.iterator(CHUNK), together.iterator(CHUNK)):
        key = item, round_key, first[round_key]
        wanted[key] = wanted.get(key, 0) + number
    return wanted
