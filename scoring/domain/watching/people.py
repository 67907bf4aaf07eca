"""The people of a project as a list, and one of them alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.db.models import Count, F, Max, Min, OrderBy, Q, QuerySet

from annotation.models import Annotator, Assignment, Judgment, Membership, Participation, Project, State
from annotation.protocols.spec import BlockKind, StackDesign
from annotation.queries import current
from scoring.domain.watching import board
from scoring.queries import milliseconds_between
from scoring.stats.limits import Kind
from scoring.summaries.bars import bars

SORTS = {
    "place": ("round", "seat"),
    "answered": ("pulse__answered",),
    "active": ("pulse__active_ms",),
    "median": ("pulse__median_ms",),
    "last": ("pulse__last_at",),
    "flags": ("pulse__open_flags",),
}
"""What the list can be sorted by; a minus before the name turns it round."""
NUMBERS = ("answered", "active", "median")
"""Columns of the list that are aligned as numbers."""
SECONDS = (0, 1, 2, 4, 8, 16, 32, 64, 128)


def name_of(annotator: Annotator | None, role: str) -> str:
    """Researchers know people by their pseudonym only; managers by their address, or the id that they came with."""
    if annotator is None:
        return ""
    if role == Membership.Role.RESEARCHER:
        return annotator.pseudonym
    return annotator.name


def people_of(
    project: Project,
    *,
    now: datetime,
    round_key: str = "",
    state: str = "",
    only: str = "",
    sort: str = "place",
    find: str = "",
    role: str = Membership.Role.RESEARCHER,
) -> QuerySet[Participation]:
    """The places that somebody has taken, as asked for. What is not known is not filtered by.

    Parameters: only, flagged, overdue or silent people, or a kind of flag; sort, see `SORTS`; find, a name of somebody
    such as the reader's role knows people by.
    """
    people = Participation.objects.filter(project=project, annotator__isnull=False)
    people = people.select_related("annotator__user", "pulse")
    if round_key:
        people = people.filter(round=round_key)
    if state in State.values:
        people = people.filter(state=state)
    if find:
        people = people.filter(_called(find, role))
    wanted = {"flagged": board.flagged(), "overdue": board.overdue(now), "silent": board.silent(now)}
    if only in wanted:
        people = people.filter(wanted[only])
    elif only in list(Kind):
        people = people.filter(pulse__flags__has_key=only)
    return people.order_by(*_order(sort), "pk")


def _called(name: str, role: str) -> Q:
    """By a pseudonym; for others than researchers also by a part of an address, or of the id of a crowd platform."""
    named = Q(annotator__pseudonym__iexact=name)
    if role == Membership.Role.RESEARCHER:
        return named
    return named | Q(annotator__external_id__icontains=name) | Q(annotator__user__email__icontains=name)


def _order(sort: str) -> list[OrderBy]:
    fields, down = SORTS.get(sort.lstrip("-"), SORTS["place"]), sort.startswith("-")
    return [F(name).desc(nulls_last=True) if down else F(name).asc(nulls_last=True) for name in fields]


@dataclass(frozen=True)
class Sitting:
    """A session of somebody's work."""

    session: int
    context: str
    answered: int
    screens: int
    begun: datetime | None
    ended: datetime | None
    waited: timedelta | None
    """Since the end of the session before."""


def sittings(participation: Participation) -> list[Sitting]:
    """The sessions of one person, in their order; one query."""
    screens = participation.assignments.filter(lapsed_at__isnull=True).order_by("session", "context")
    rows = screens.values_list("session", "context").annotate(
        Count("answered_at"), Count("pk"), Min("shown_at"), Max("answered_at")
    )
    found: list[Sitting] = []
    for session, context, answered, number, begun, ended in rows:
        before = found[-1].ended if found else None
        waited = begun - before if begun and before and begun > before else None
        found.append(Sitting(session, context, answered, number, begun, ended, waited))
    return found


@dataclass(frozen=True)
class Compared:
    """A rating beside the one that it is held against."""

    item: int
    key: str
    context: str
    value: float
    reference: float | None


def calibration(participation: Participation) -> list[Compared]:
    """The answers of the calibration blocks beside what the protocol expects; it may expect nothing."""
    design = participation.design
    expected = [float(value) for value in design.calibration] if isinstance(design, StackDesign) else []
    return [
        Compared(row.item_id, row.item.key, row.context, value, expected[place] if place < len(expected) else None)
        for row, value in _ratings(participation, BlockKind.CALIBRATION)
        for place in [row.position - 1]
    ]


def repeats(participation: Participation) -> list[Compared]:
    """The answers to pairs that came again beside the person's own earlier ones, in the same context."""
    again = _ratings(participation, BlockKind.INTRA)
    earlier = current(Judgment.objects.all()).filter(
        assignment__participation__project=participation.project_id,
        assignment__participation__annotator=participation.annotator_id,
        assignment__block=BlockKind.MAIN,
        assignment__item__in=[row.item_id for row, _ in again],
        value__isnull=False,
    )
    before = {
        (item, context): value
        for item, context, value in earlier.exclude(assignment__participation=participation).values_list(
            "assignment__item", "assignment__context", "value"
        )
    }
    return [
        Compared(row.item_id, row.item.key, row.context, value, before.get((row.item_id, row.context)))
        for row, value in again
    ]


def _ratings(participation: Participation, block: BlockKind) -> list[tuple[Assignment, float]]:
    """The current ratings of a block, in the order of the screens."""
    rows = current(Judgment.objects.filter(assignment__participation=participation, value__isnull=False))
    rows = rows.filter(assignment__block=block, assignment__item__isnull=False)
    rows = rows.select_related("assignment__item").order_by("assignment__session", "assignment__position")
    return [(row.assignment, row.value) for row in rows]


def thinking_times(participation: Participation) -> list[dict[str, float]]:
    """How often somebody thought for how long, in bars whose width doubles; the last one has no end."""
    answers = current(Judgment.objects.filter(assignment__participation=participation))
    rows = answers.values_list("answered_ms", "assignment__shown_at", "saved_at")
    milliseconds = [
        milliseconds_between(shown, saved) if measured is None else measured for measured, shown, saved in rows
    ]
    seconds = [one / 1000 for one in milliseconds if one is not None]
    return bars(np.minimum(np.array(seconds, dtype=np.float64), SECONDS[-1]), np.array(SECONDS)) if seconds else []


def flags_of(participation: Participation) -> Sequence[str]:
    """The kinds of flags that are up and that nobody has settled."""
    pulse = getattr(participation, "pulse", None)
    return [kind for kind in pulse.flags if kind not in pulse.settled] if pulse else []
