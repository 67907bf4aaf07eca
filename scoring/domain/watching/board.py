"""What the page of a project shows: where everybody stands now, and the pulse as it was last taken."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from annotation.domain.flow import is_open
from annotation.models import Assignment, Participation, Project, State
from annotation.protocols.spec import Round
from scoring.models import WatchOptions
from scoring.summaries.tables import CONTEXTS

OVERDUE = timedelta(hours=24)
"""After the end of a pause: somebody who has not come back by then may have forgotten."""
SILENT = timedelta(hours=48)
"""Without an answer in the middle of a session."""
HOUR_MS = 3_600_000
CENT = Decimal("0.01")
RESTING_SHOWN = 10


@dataclass(frozen=True)
class Block:
    """Screens of a block of a session; `wanted` of an open round is what all people are to answer together."""

    session: int
    context: str
    block: str
    answered: int
    wanted: int


@dataclass(frozen=True)
class Pay:
    """What the round has cost so far, and what an hour of active time came to; None where nothing is known yet."""

    cost: Decimal | None
    an_hour: Decimal | None
    too_little: bool


@dataclass(frozen=True)
class RoundBoard:
    """A round as it stands."""

    round: Round
    people: dict[str, int]
    blocks: Sequence[Block]
    active_ms: int
    pay: Pay | None
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def answered(self) -> int:
        return sum(block.answered for block in self.blocks)

    @property
    def wanted(self) -> int:
        return sum(block.wanted for block in self.blocks)

    @property
    def states(self) -> list[tuple[str, int]]:
        """How many people stand where, without the states that nobody is in."""
        return [(state, number) for state in State.values if (number := self.people[state])]


def boards(project: Project, options: WatchOptions, figures: dict[str, Any], now: datetime) -> list[RoundBoard]:
    """Every round of the protocol that is planned: its people as of now, all else as of the pulse; one query.

    Parameters: figures, of the pulse.
    """
    people = {row.pop("round"): row for row in people_counts(project, now)}
    return [
        RoundBoard(
            one,
            people[one.key],
            [Block(**block) for block in figures.get(one.key, {}).get("blocks", ())],
            active_ms=people[one.key]["active_ms"] or 0,
            pay=_pay(options, people[one.key]),
            figures=figures.get(one.key, {}),
        )
        for one in project.protocol.rounds
        if one.key in people
    ]


def name_disputes(project: Project, found: Sequence[RoundBoard]) -> None:
    """Gives every dispute the `key` of its item, and its `context_name` where a round has several; one query."""
    items = {dispute["item"] for one in found for dispute in one.figures.get("disputes", ())}
    keys = dict(project.items.filter(pk__in=items).values_list("pk", "key"))
    for one in found:
        several = len(set(one.round.sessions)) > 1
        for dispute in one.figures.get("disputes", ()):
            dispute["key"] = keys.get(dispute["item"], "")
            dispute["context_name"] = CONTEXTS[dispute["context"]] if several and "context" in dispute else ""


def people_counts(project: Project, now: datetime) -> QuerySet:
    """How many people stand where, a row a round, with their active time."""
    taken = Q(annotator__isnull=False)
    states = {state.value: Count("pk", filter=Q(state=state) & taken) for state in State}
    return (
        Participation.objects.filter(project=project)
        .order_by("round")
        .values("round")
        .annotate(
            places=Count("pk", filter=~Q(state__in=[State.EXCLUDED, State.LEFT])),
            free=Count("pk", filter=Q(annotator__isnull=True, state=State.INVITED)),
            flagged=Count("pk", filter=flagged()),
            overdue=Count("pk", filter=overdue(now)),
            silent=Count("pk", filter=silent(now)),
            active_ms=Sum("pulse__active_ms"),
            finished_ms=Sum("pulse__active_ms", filter=Q(state=State.FINISHED)),
            **states,
        )
    )


def flagged() -> Q:
    """People whose answers want a look, as nobody has had one yet."""
    return Q(pulse__open_flags__gt=0) & ~Q(state=State.EXCLUDED)


def overdue(now: datetime) -> Q:
    return Q(state=State.RESTING, rest_until__lt=now - OVERDUE)


def silent(now: datetime) -> Q:
    return Q(state=State.ACTIVE, pulse__last_at__lt=now - SILENT)


def resting(project: Project) -> QuerySet[Participation]:
    """Who rests, by the end of their pause."""
    people = Participation.objects.filter(project=project, state=State.RESTING, rest_until__isnull=False)
    return people.select_related("annotator__user").order_by("rest_until", "pk")


def blocks_of(project: Project) -> dict[str, list[Block]]:
    """Screens by round, session and block. Of who left, what they answered; of who was excluded, nothing."""
    screens = Assignment.objects.filter(participation__project=project, lapsed_at__isnull=True)
    counted = screens.exclude(participation__state=State.EXCLUDED).exclude(
        participation__state=State.LEFT, answered_at__isnull=True
    )
    by = ("participation__round", "session", "context", "block")
    rows = counted.order_by(*by).values_list(*by).annotate(Count("answered_at"), Count("pk"))
    blocks: dict[str, list[Block]] = defaultdict(list)
    for round_key, *values in rows:
        blocks[round_key].append(Block(*values))
    shared = {one.key for one in project.protocol.rounds if is_open(one.design)}
    if shared:
        tuples = project.tuples.filter(round__in=shared).order_by().values_list("round").annotate(Sum("planned"))
        for round_key, wanted in tuples:
            done = blocks[round_key][0] if blocks[round_key] else Block(1, "free", "main", 0, 0)
            blocks[round_key] = [Block(done.session, done.context, done.block, done.answered, wanted)]
    return blocks


def _pay(options: WatchOptions, row: dict[str, Any]) -> Pay | None:
    if options.pay is None:
        return None
    if options.pay_for == WatchOptions.PayFor.HOUR:
        cost = options.pay * Decimal(row["active_ms"] or 0) / HOUR_MS
        return _rounded(options, cost, options.pay)
    finished, spent = row["finished"], row["finished_ms"]
    return _rounded(options, options.pay * finished, options.pay * finished * HOUR_MS / spent if spent else None)


def _rounded(options: WatchOptions, cost: Decimal, an_hour: Decimal | None) -> Pay:
    too_little = an_hour is not None and options.least_pay is not None and an_hour < options.least_pay
    shown = None if an_hour is None else an_hour.quantize(CENT, ROUND_HALF_UP)
    return Pay(cost.quantize(CENT, ROUND_HALF_UP), shown, too_little)
