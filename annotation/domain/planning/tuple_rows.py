"""Tuples of a round as rows: stored with their items, after those that the round has already."""

from collections.abc import Iterator, Sequence
from functools import partial

from django.db import transaction
from django.db.models import Max

from annotation.domain.planning.plan import count_rows
from annotation.models import Project, Tuple, TuplePlace
from annotation.planning.dealing import draw_rank

BATCH = 2000
Rows = Sequence[Sequence[int]]


def store_tuples(
    project: Project, round_key: str, rows: Rows, *, planned: int, given: int = 0, wave: int | None = None
) -> list[Tuple]:
    """Store tuples of items and return them in order.

    Parameters: rows, the ids of the items of each tuple, by position; planned and given, the answers of each; wave, the
    number of the adaptive wave that they were chosen for.
    """
    stored = Tuple.objects.filter(project=project, round=round_key)
    last = stored.aggregate(last=Max("position"))["last"] or 0
    tuples = [
        Tuple(
            project=project,
            round=round_key,
            position=position,
            planned=planned,
            given=given,
            rank=draw_rank(project.seed, position, 0),
            wave=wave,
        )
        for position in range(last + 1, last + 1 + len(rows))
    ]
    Tuple.objects.bulk_create(tuples, batch_size=BATCH)
    TuplePlace.objects.bulk_create(_places(tuples, rows), batch_size=BATCH)
    transaction.on_commit(partial(count_rows, Tuple, TuplePlace))
    return tuples


def _places(tuples: Sequence[Tuple], rows: Rows) -> Iterator[TuplePlace]:
    for stored, row in zip(tuples, rows, strict=True):
        for position, item in enumerate(row, start=1):
            yield TuplePlace(tuple_id=stored.pk, item_id=item, position=position)
