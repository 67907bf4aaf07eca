"""The people of a project as a list, and the details of one person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.db.models import Count, F, Max, Min, OrderBy, Q, QuerySet

from annotation.models import Annotator, Assignment, Judgment, Membership, Participation, Project, State
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import current
from annotation.queries.judgments import judgment_rows
from scoring.domain.monitoring import board
from scoring.domain.monitoring.answers import called
from scoring.queries import thinking_ms
from scoring.stats.limits import Kind
from scoring.summaries.bars import bars

SORTS = {
    "place": ("round", "seat"),
    "answered": ("statistics__answered",),
    "active": ("statistics__active_ms",),
    "median": ("statistics__median_ms",),
    "last": ("statistics__last_at",),
    "flags": ("statistics__open_flags",),
}
"""The sort orders of the list; a minus before the name reverses the order."""
PROGRESS = {
    "none": Q(statistics__isnull=True) | Q(statistics__answered=0),
    "half": Q(statistics__answered__gt=0, statistics__answered__lt=F("statistics__screens") / 2),
    "most": Q(
        statistics__answered__gte=F("statistics__screens") / 2, statistics__answered__lt=F("statistics__screens")
    ),
    "all": Q(statistics__screens__gt=0, statistics__answered__gte=F("statistics__screens")),
}
"""How far people are: nothing answered, less than half, half or more, everything."""
NUMBERS = ("answered", "active", "median")
"""Columns of the list that are aligned as numbers."""
SECONDS = (0, 1, 2, 4, 8, 16, 32, 64, 128)


def name_of(annotator: Annotator | None, role: str) -> str:
    """Return a person's name for a role: researchers see the pseudonym, managers the address or platform id."""
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
    pool: str = "",
    progress: str = "",
    role: str = Membership.Role.RESEARCHER,
) -> QuerySet[Participation]:
    """Return the taken places, filtered as requested; unknown values are ignored.

    Parameters: only, flagged, overdue or silent people, or a kind of flag; sort, see `SORTS`; find, a person's name as
    the reader's role knows it; progress, see `PROGRESS`.
    """
    people = Participation.objects.filter(project=project, annotator__isnull=False)
    people = people.select_related("annotator__user", "statistics")
    if round_key:
        people = people.filter(round=round_key)
    if state in State.values:
        people = people.filter(state=state)
    if pool:
        people = people.filter(pool=pool)
    if progress in PROGRESS:
        people = people.filter(PROGRESS[progress])
    if find:
        people = people.filter(called(find, role))
    wanted = {"flagged": board.flagged(), "overdue": board.overdue(now), "silent": board.silent(now)}
    wanted["attention"] = wanted["flagged"] | wanted["overdue"] | wanted["silent"]
    if only in wanted:
        people = people.filter(wanted[only])
    elif only in list(Kind):
        people = people.filter(statistics__flags__has_key=only)
    return people.order_by(*_order(sort), "pk")


def _order(sort: str) -> list[OrderBy]:
    fields, down = SORTS.get(sort.lstrip("-"), SORTS["place"]), sort.startswith("-")
    return [F(name).desc(nulls_last=True) if down else F(name).asc(nulls_last=True) for name in fields]


@dataclass(frozen=True)
class Sitting:
    """One person's session."""

    session: int
    context: str
    answered: int
    screens: int
    begun: datetime | None
    ended: datetime | None
    waited: timedelta | None
    """Time since the end of the previous session."""


def sittings(participation: Participation) -> list[Sitting]:
    """Return the sessions of one person in their order; one query."""
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
    """A rating and its reference value."""

    item: int
    key: str
    context: str
    value: float
    reference: float | None


def calibration(participation: Participation) -> list[Compared]:
    """Return the answers of the calibration blocks with the values that the protocol expects, if it does."""
    expected = [float(value) for value in participation.design.calibration_values]
    return [
        Compared(row.item_id, row.item.key, row.context, value, expected[place] if place < len(expected) else None)
        for row, value in _ratings(participation, BlockKind.CALIBRATION)
        for place in [row.position - 1]
    ]


def repeats(participation: Participation) -> list[Compared]:
    """Return the answers to repeated pairs with the person's earlier ones, in the same context."""
    again = _ratings(participation, BlockKind.INTRA)
    earlier = current(Judgment.objects.all()).filter(
        assignment__participation__project=participation.project_id,
        assignment__participation__annotator=participation.annotator_id,
        assignment__block=BlockKind.MAIN,
        assignment__item__in=[row.item_id for row, _ in again],
        value__isnull=False,
    )
    rows = judgment_rows(earlier, "item_id", "context", "value")
    before = {(item, context): value for item, context, value in rows}
    return [
        Compared(row.item_id, row.item.key, row.context, value, before.get((row.item_id, row.context)))
        for row, value in again
    ]


def _ratings(participation: Participation, block: BlockKind) -> list[tuple[Assignment, float]]:
    """Return the current ratings of a block, in the order of the screens."""
    rows = current(Judgment.objects.filter(assignment__participation=participation, value__isnull=False))
    rows = rows.filter(assignment__block=block, assignment__item__isnull=False)
    rows = rows.select_related("assignment__item").order_by("assignment__session", "assignment__position")
    return [(row.assignment, row.value) for row in rows]


def thinking_times(participation: Participation) -> list[dict[str, float]]:
    """Return a histogram of thinking times, in bars whose width doubles; the last one is open-ended."""
    answers = current(Judgment.objects.filter(assignment__participation=participation))
    milliseconds = map(thinking_ms, judgment_rows(answers, "answered_ms", "shown_at", "saved_at"))
    seconds = [time / 1000 for time in milliseconds if time is not None]
    return bars(np.minimum(np.array(seconds, dtype=np.float64), SECONDS[-1]), np.array(SECONDS)) if seconds else []


def flags_of(participation: Participation) -> Sequence[str]:
    """Return the kinds of flags that nobody has marked as reviewed; of excluded people none."""
    statistics = getattr(participation, "statistics", None) if participation.state != State.EXCLUDED else None
    return [kind for kind in statistics.flags if kind not in statistics.settled] if statistics else []


COLUMNS = (
    *("person", "round", "pool", "seat", "state", "answered", "screens", "active_ms", "median_ms", "last_at", "flags"),
)


def written(people: Sequence[Participation], role: str) -> list[dict[str, object]]:
    """Return the rows of the list as they are exported."""
    return [
        {
            "person": name_of(person.annotator, role),
            **{name: getattr(person, name) for name in ("round", "pool", "seat", "state")},
            **{name: getattr(statistics, name, None) for name in MEASURED},
            "flags": " ".join(flags_of(person)),
        }
        for person in people
        for statistics in [getattr(person, "statistics", None)]
    ]


MEASURED = ("answered", "screens", "active_ms", "median_ms", "last_at")
