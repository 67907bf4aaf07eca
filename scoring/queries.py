"""Stored judgments read for figures and files: few columns, one query each, streamed where they are many."""

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet, Window
from django.db.models.functions import Lag

from annotation.models import Assignment, Item, Judgment, Participation, Project, SelectedPair
from annotation.protocols.spec import BlockKind, Context
from annotation.queries import counted, counted_pairs, current, judgments_of

CHUNK = 2000
Values = dict[int, list[float]]


def ratings_by_item(project: Project, round_key: str, context: Context) -> Values:
    """The counted ratings of the main block: values by item id, in the order of seats."""
    rows = counted(judgments_of(project)).filter(
        assignment__participation__round=round_key,
        assignment__context=context,
        assignment__block=BlockKind.MAIN,
        value__isnull=False,
    )
    values: Values = defaultdict(list)
    for item, value in rows.order_by("assignment__participation__seat", "pk").values_list("assignment__item", "value"):
        values[item].append(value)
    return values


def selected_values(project: Project) -> dict[int, float]:
    """The value that each selected pair got where it was selected, by item id."""
    pairs = counted_pairs(SelectedPair.objects.filter(item__project=project))
    return dict(pairs.values_list("item", "value"))


def unvalidated_pairs(project: Project) -> QuerySet[SelectedPair]:
    """Selected pairs that no later round used, calibration included (Czech News, Fig. 1: the training dataset)."""
    used = Assignment.objects.filter(item=OuterRef("item"))
    pairs = SelectedPair.objects.filter(item__project=project, item__calibration_order__isnull=True)
    return counted_pairs(pairs).filter(~Exists(used))


def items_in_order(project: Project) -> QuerySet[Item]:
    return project.items.order_by("position", "pk")


def all_judgments(project: Project) -> Iterator[Judgment]:
    """Every current judgment with its surroundings, in the order of rounds, seats and screens; streamed.

    `came_before` is the server's time of the person's answer before this one, in this round.
    """
    judgments = (
        current(judgments_of(project))
        .select_related(
            "assignment__participation__annotator",
            "assignment__item",
            "assignment__sentence__document__incident",
        )
        .prefetch_related(Prefetch("pairs", SelectedPair.objects.select_related("item")))
        .annotate(
            came_before=Window(
                Lag("assignment__answered_at"),
                partition_by=F("assignment__participation"),
                order_by=[F("assignment__session"), F("assignment__position")],
            )
        )
        .order_by(
            "assignment__participation__round",
            "assignment__participation__seat",
            "assignment__session",
            "assignment__position",
        )
    )
    return judgments.iterator(chunk_size=CHUNK)


def unscreened(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    return participations.filter(finished_at__isnull=False, screened_at__isnull=True, state="finished")


def labelled_ratings(participation: Participation) -> tuple[list[float], list[bool]]:
    """A person's values of pairs whose label is known, with the labels."""
    rows = current(Judgment.objects.filter(assignment__participation=participation)).filter(
        assignment__item__gold__isnull=False, assignment__block=BlockKind.MAIN, value__isnull=False
    )
    pairs = list(rows.values_list("value", "assignment__item__gold"))
    return [value for value, _ in pairs], [gold for _, gold in pairs]
