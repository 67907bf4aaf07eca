"""The items of a project as a table: searched, filtered and sorted by their figures in one round and context."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, CharField, F, FilteredRelation, Q, QuerySet, Value, When
from django.db.models import TextChoices as Choices
from django.utils.translation import gettext_lazy as _

from annotation.keyset import KeysetPage, keyset_page, ordering
from annotation.models import Item, Project
from annotation.models.items import LABEL_NAMES

PAGE = 50


class ItemState(Choices):
    """How far the judging of an item has come."""

    NOT_PLANNED = "not-planned", _("Not planned")
    PLANNED = "planned", _("Planned")
    STARTED = "started", _("In progress")
    COMPLETE = "complete", _("Complete")
    WITHDRAWN = "withdrawn", _("Withdrawn")


DISPUTED = "disputed"
LIVE = Q(withdrawn_at__isnull=True)
STATES = {
    ItemState.WITHDRAWN: Q(withdrawn_at__isnull=False),
    ItemState.COMPLETE: LIVE & Q(part__answers__gt=0, part__answers__gte=F("part__wanted")),
    ItemState.STARTED: LIVE & Q(part__answers__gt=0, part__answers__lt=F("part__wanted")),
    ItemState.PLANNED: LIVE & Q(part__answers=0),
    ItemState.NOT_PLANNED: LIVE & Q(part__isnull=True),
}
SORTS = {
    "order": "position",
    "id": "key",
    "answers": "part__answers",
    "value": "part__value",
    "deviation": "part__deviation",
}
"""What the table is sorted by; a minus before the name reverses the order."""
FIGURES = ("wanted", "answers", "value", "deviation", "low", "high", "disputed")
TEXTS = ("key", "sentence1", "sentence2", "language", "source", "gold", "calibration_order")


@dataclass(frozen=True)
class Part:
    """A round and context in which items are judged."""

    round: str
    context: str
    title: str
    compares: bool
    several: bool
    """Whether the round has more than one context."""

    @property
    def key(self) -> str:
        return f"{self.round}.{self.context}"


def parts_of(project: Project) -> list[Part]:
    """Return the parts of the project's rounds in which items are judged, the first context of the last round first."""
    judging = [round_ for round_ in project.protocol.rounds if not round_.design.selects]
    return [
        Part(round_.key, str(context), round_.title, round_.design.compares, len(contexts) > 1)
        for round_ in reversed(judging)
        for contexts in [list(dict.fromkeys(round_.sessions))]
        for context in contexts
    ]


def items_of(
    project: Project, part: Part, *, find: str = "", state: str = "", language: str = "", source: str = ""
) -> QuerySet[Item]:
    """Return the items, each with its figures as the relation `part`; unknown states are ignored.

    Parameters: find, an ID or a part of a text; source, a part of the source.
    """
    own = Q(figures__round=part.round, figures__context=part.context)
    items = Item.objects.filter(project=project).annotate(part=FilteredRelation("figures", condition=own))
    if find:
        texts = Q(sentence1__icontains=find) | Q(sentence2__icontains=find)
        items = items.filter(Q(key__icontains=find) | texts)
    if language:
        items = items.filter(language="" if language == project.language else language)
    if source:
        items = items.filter(source__icontains=source)
    if state == DISPUTED:
        items = items.filter(LIVE, part__disputed=True)
    elif state in STATES:
        items = items.filter(STATES[ItemState(state)])
    return items


def item_page(items: QuerySet[Item], sort: str, cursor: str) -> tuple[list[dict[str, Any]], KeysetPage]:
    """Return the rows of a page and its cursor; two queries."""
    by, descending = _order(sort)
    page = keyset_page(items, by, descending=descending, cursor=cursor, size=PAGE)
    found = {row["pk"]: row for row in with_figures(items.filter(pk__in=page.ids))}
    return [found[pk] for pk in page.ids if pk in found], page


def all_rows(items: QuerySet[Item], sort: str) -> QuerySet:
    """Return all rows in their order, to be streamed."""
    by, descending = _order(sort)
    return with_figures(items).order_by(*ordering(items, by, descending=descending))


def _order(sort: str) -> tuple[str, bool]:
    return SORTS.get(sort.removeprefix("-"), SORTS["order"]), sort.startswith("-")


def with_figures(items: QuerySet[Item]) -> QuerySet:
    """Return the items as dictionaries of their texts, figures and state."""
    states = [When(condition, then=Value(str(state))) for state, condition in STATES.items()]
    state = Case(*states, default=Value(str(ItemState.NOT_PLANNED)), output_field=CharField())
    return items.order_by().values("pk", *TEXTS, state=state, **{name: F(f"part__{name}") for name in FIGURES})


def languages_of(project: Project) -> list[str]:
    """Return the languages of the items, the project's for items that name none."""
    tags = project.items.order_by().values_list("language", flat=True).distinct()
    return sorted({tag or project.language for tag in tags} - {""})


COLUMNS = (
    *("item", "text1", "text2", "language", "source", "gold", "calibration", "state", "round", "context"),
    *("wanted", "answers", "value", "sd", "low", "high", "disputed"),
)


def written(rows: Sequence[dict[str, Any]], project: Project, part: Part) -> Iterator[dict[str, Any]]:
    """Yield the rows as they are exported."""
    for row in rows:
        yield {
            "item": row["key"],
            "text1": row["sentence1"],
            "text2": row["sentence2"],
            "language": row["language"] or project.language,
            "source": row["source"],
            "gold": LABEL_NAMES[row["gold"]],
            "calibration": int(row["calibration_order"] is not None),
            "state": row["state"],
            "round": part.round,
            "context": part.context,
            "wanted": row["wanted"] or 0,
            "answers": row["answers"] or 0,
            "sd": row["deviation"],
            **{name: row[name] for name in ("value", "low", "high")},
            "disputed": int(bool(row["disputed"])),
        }
