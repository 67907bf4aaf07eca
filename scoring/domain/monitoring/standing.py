"""Where projects stand: progress, people of today and what needs attention; for one project also its next step."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Count, Q

from annotation.models import Participation, Project, ProjectState, State
from annotation.models.jobs import NOT_ENDED
from annotation.queries.projects import done_plans
from scoring.domain.monitoring import board
from scoring.models import ProjectStatistics

TODAY = timedelta(hours=24)


@dataclass(frozen=True)
class Standing:
    """Progress as of the last statistics; people as of now.

    today: people who answered within a day. attention: people with a flag, people who stopped or did not come back.
    measuring: whether the first statistics of a project with places are still to come.
    """

    project: Project
    answered: int
    wanted: int
    people: int
    today: int
    attention: int
    measuring: bool = False

    @property
    def complete(self) -> bool:
        return self.wanted > 0 and self.answered >= self.wanted


def standings(projects: Sequence[Project], now: datetime) -> list[Standing]:
    """Return where each project stands; two queries."""
    measured = ProjectStatistics.objects.filter(project__in=projects, at__isnull=False)
    figures: dict[int, Any] = dict(measured.values_list("project", "figures"))
    counts = {row["project"]: row for row in _counts(projects, now)}
    return [_standing(project, figures.get(project.pk), counts.get(project.pk, {})) for project in projects]


def _counts(projects: Iterable[Project], now: datetime) -> Any:
    people = Participation.objects.filter(project__in=projects, annotator__isnull=False)
    attention = board.flagged() | board.overdue(now) | board.silent(now)
    return (
        people.order_by()
        .values("project")
        .annotate(
            people=Count("pk", filter=~Q(state=State.INVITED)),
            today=Count("pk", filter=Q(statistics__last_at__gte=now - TODAY)),
            attention=Count("pk", filter=attention),
        )
    )


def _standing(project: Project, figures: dict[str, Any] | None, counts: dict[str, int]) -> Standing:
    blocks = [block for measured in (figures or {}).values() for block in measured.get("blocks", ())]
    numbers = [sum(block[name] for block in blocks) for name in ("answered", "wanted")]
    people = [counts.get(name, 0) for name in ("people", "today", "attention")]
    return Standing(project, *numbers, *people, measuring=figures is None and bool(counts.get("people")))


class NextStep(StrEnum):
    """The one thing to do next."""

    SET_UP = "set up"
    LAUNCH = "launch"
    PLAN = "plan"
    RECRUIT = "recruit"
    REVIEW = "review"
    MEASURE = "measure"
    WAIT = "wait"
    COMPUTE = "compute"
    COMPUTING = "computing"
    RELEASE = "release"
    RESUME = "resume"
    NOTHING = "nothing"


def next_step(standing: Standing, *, may_launch: bool) -> tuple[NextStep, str]:
    """Return the next step of a project, and the key of the round to plan if it is that."""
    project = standing.project
    match project.state:
        case ProjectState.DRAFT:
            return (NextStep.LAUNCH if may_launch else NextStep.SET_UP), ""
        case ProjectState.PAUSED:
            return NextStep.RESUME, ""
        case ProjectState.RUNNING:
            return _of_running(standing)
    return _after(project), ""


def _of_running(standing: Standing) -> tuple[NextStep, str]:
    planned = set(done_plans(standing.project).values_list("round", flat=True))
    unplanned = [round_.key for round_ in standing.project.protocol.rounds if round_.key not in planned]
    if not planned or (standing.complete and unplanned):
        return NextStep.PLAN, unplanned[0]
    if not standing.people:
        return NextStep.RECRUIT, ""
    if standing.measuring:
        return NextStep.MEASURE, ""
    if standing.attention:
        return NextStep.REVIEW, ""
    return (_after(standing.project) if standing.complete else NextStep.WAIT), ""


def _after(project: Project) -> NextStep:
    """Return the next step once all answers are in."""
    if project.runs.filter(state__in=NOT_ENDED).exists() or project.releases.filter(state__in=NOT_ENDED).exists():
        return NextStep.COMPUTING
    if project.releases.exists():
        return NextStep.NOTHING
    return NextStep.RELEASE if project.runs.filter(state="done").exists() else NextStep.COMPUTE
