"""The progress page of a project: where everybody is now, and the statistics as last computed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from annotation.models import Participation, Project, State
from annotation.protocols.spec import Round
from annotation.queries.people import round_counts
from scoring.domain.monitoring.progress import RoundProgress, stored_progress
from scoring.models import MonitoringOptions
from scoring.summaries.tables import CONTEXTS

OVERDUE = timedelta(hours=24)
"""Time after the end of a pause; somebody who has not returned by then may have forgotten."""
SILENT = timedelta(hours=48)
"""Time without an answer in the middle of a session."""
HOUR_MS = 3_600_000
CENT = Decimal("0.01")
RESTING_SHOWN = 10


@dataclass(frozen=True)
class Pay:
    """The cost of the round so far, and the pay for an hour of active time; None where nothing is known yet."""

    cost: Decimal | None
    an_hour: Decimal | None
    too_little: bool


@dataclass(frozen=True)
class RoundBoard(RoundProgress):
    """The present state of a round."""

    round: Round
    people: dict[str, int]
    active_ms: int
    pay: Pay | None
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def states(self) -> list[tuple[str, int]]:
        """Return the number of people in each state that somebody is in."""
        return [(state, number) for state in State.values if (number := self.people[state])]


def boards(project: Project, options: MonitoringOptions, figures: dict[str, Any], now: datetime) -> list[RoundBoard]:
    """Return every planned round: its people as of now, everything else as of the statistics; one query.

    Parameters: figures, of the statistics.
    """
    people = {row.pop("round"): row for row in people_counts(project, now)}
    return [
        RoundBoard(
            **vars(stored_progress(figures.get(round_.key, {}))),
            round=round_,
            people=people[round_.key],
            active_ms=people[round_.key]["active_ms"] or 0,
            pay=_pay(options, people[round_.key]),
            figures=figures.get(round_.key, {}),
        )
        for round_ in project.protocol.rounds
        if round_.key in people
    ]


def name_disputes(project: Project, found: Sequence[RoundBoard]) -> None:
    """Add the `key` of its item to every dispute, and its `context_name` if a round has several; one query."""
    items = {dispute["item"] for board in found for dispute in board.figures.get("disputes", ())}
    keys = dict(project.items.filter(pk__in=items).values_list("pk", "key"))
    for board in found:
        several = len(set(board.round.sessions)) > 1
        for dispute in board.figures.get("disputes", ()):
            dispute["key"] = keys.get(dispute["item"], "")
            dispute["context_name"] = CONTEXTS[dispute["context"]] if several and "context" in dispute else ""


def people_counts(project: Project, now: datetime) -> QuerySet:
    """Return the number of people in each state, a row for each round, with their active time."""
    return round_counts(Participation.objects.filter(project=project)).annotate(
        flagged=Count("pk", filter=flagged()),
        overdue=Count("pk", filter=overdue(now)),
        silent=Count("pk", filter=silent(now)),
        active_ms=Sum("statistics__active_ms"),
        finished_ms=Sum("statistics__active_ms", filter=Q(state=State.FINISHED)),
    )


def flagged() -> Q:
    """Return the filter for people whose answers need review."""
    return Q(statistics__open_flags__gt=0) & ~Q(state=State.EXCLUDED)


def overdue(now: datetime) -> Q:
    return Q(state=State.RESTING, rest_until__lt=now - OVERDUE)


def silent(now: datetime) -> Q:
    return Q(state=State.ACTIVE, statistics__last_at__lt=now - SILENT)


def resting(project: Project) -> QuerySet[Participation]:
    """Return the resting people, ordered by the end of their pause."""
    people = Participation.objects.filter(project=project, state=State.RESTING, rest_until__isnull=False)
    return people.select_related("annotator__user").order_by("rest_until", "pk")


def _pay(options: MonitoringOptions, row: dict[str, Any]) -> Pay | None:
    if options.pay is None:
        return None
    if options.pay_for == MonitoringOptions.PayFor.HOUR:
        cost = options.pay * Decimal(row["active_ms"] or 0) / HOUR_MS
        return _rounded(options, cost, options.pay)
    finished, spent = row["finished"], row["finished_ms"]
    return _rounded(options, options.pay * finished, options.pay * finished * HOUR_MS / spent if spent else None)


def _rounded(options: MonitoringOptions, cost: Decimal, an_hour: Decimal | None) -> Pay:
    too_little = an_hour is not None and options.least_pay is not None and an_hour < options.least_pay
    shown = None if an_hour is None else an_hour.quantize(CENT, ROUND_HALF_UP)
    return Pay(cost.quantize(CENT, ROUND_HALF_UP), shown, too_little)
