"""Judgments as rows of columns."""

from collections import namedtuple
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import ExpressionWrapper, F, Q, QuerySet
from django.db.models.fields import BooleanField

from annotation.models import Item, Judgment, Project
from annotation.protocols.counting import NotCounted
from annotation.queries.counting import COUNTABLE, COUNTED, REASONS, first_of

CHUNK = 2000
JudgmentRow = Any
"""A named tuple of the columns that `judgment_rows` was asked for."""
COLUMNS = {
    "participation": F("assignment__participation"),
    "round": F("assignment__participation__round"),
    "pool": F("assignment__participation__pool"),
    "replaces": F("assignment__participation__replaces"),
    "pause_shortened": F("assignment__participation__rest_shortened"),
    "annotator": F("assignment__participation__annotator__pseudonym"),
    "annotator_id": F("assignment__participation__annotator"),
    "context": F("assignment__context"),
    "block": F("assignment__block"),
    "session": F("assignment__session"),
    "position": F("assignment__position"),
    "shown_at": F("assignment__shown_at"),
    "answered_at": F("assignment__answered_at"),
    "item": F("assignment__item__key"),
    "item_id": F("assignment__item"),
    "gold": F("assignment__item__gold"),
    "tuple": F("assignment__tuple__position"),
    "tuple_id": F("assignment__tuple"),
    "order": F("assignment__order"),
    "best_key": F("best__key"),
    "worst_key": F("worst__key"),
    "incident": F("assignment__sentence__document__incident__key"),
    "sentence": F("assignment__sentence__position"),
    "counted": ExpressionWrapper(COUNTED, BooleanField()),
    "countable": ExpressionWrapper(COUNTABLE, BooleanField()),
    "not_counted_because": first_of(REASONS),
    "withdrawn": ExpressionWrapper(reduce(or_, REASONS[NotCounted.WITHDRAWN], Q()), BooleanField()),
}
"""The columns in which judgments are read, by name, in addition to the fields of `Judgment`."""


def judgment_rows(judgments: QuerySet[Judgment], *columns: str) -> Iterator[JudgmentRow]:
    """Yield the judgments as named tuples of these columns, streamed."""
    rows = judgments.values_list(*(COLUMNS.get(name, name) for name in columns)).iterator(chunk_size=CHUNK)
    return map(namedtuple("JudgmentRow", columns)._make, rows)


def judgments_of(project: Project) -> QuerySet[Judgment]:
    return Judgment.objects.filter(assignment__participation__project=project)


def about_item(project: Project, key: str) -> Q:
    """Return the condition for judgments of an item: rated, shown in a tuple, or selected.

    Each kind is looked up through its own index; for alternatives a database would read all judgments.
    """
    item = Item.objects.filter(project=project, key=key)
    judgments = Judgment.objects.order_by().values("pk")
    rated = judgments.filter(assignment__item__in=item)
    compared = judgments.filter(assignment__tuple__places__item__in=item)
    return Q(pk__in=rated.union(compared, judgments.filter(pairs__item__in=item)))
