"""The statistics of a project: computed by a worker while its page is open, at most once a minute."""

from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from annotation.domain.jobs.engine import finish, queue_again
from annotation.domain.jobs.kinds import Kind as JobKind
from annotation.domain.jobs.kinds import Values, register
from annotation.models import Assignment, Participation, PracticeAnswer, Project
from annotation.queries.projects import open_projects
from annotation.unknown import is_unknown
from scoring.domain.monitoring.item_figures import measured_items, store_item_figures
from scoring.domain.monitoring.options import options_of
from scoring.domain.monitoring.progress import FORM, count_progress
from scoring.domain.monitoring.reading import RoundWork, read_rounds
from scoring.domain.notifications.events import emit_measured
from scoring.models import MonitoringOptions, PersonStatistics, ProjectStatistics
from scoring.queries import seen_of
from scoring.stats.flags import raise_flags
from scoring.stats.limits import Kind, Thresholds
from scoring.summaries.monitoring import people_figures, reports, round_figures

EVERY = timedelta(minutes=1)
BATCH = 500
KEPT = ("screens", "answered", "active_ms", "median_ms", "last_at", "figures", "flags", "open_flags")
Flags = dict[Kind, dict[str, float | None]]


def thresholds(options: MonitoringOptions) -> Thresholds:
    return Thresholds(**{field.name: getattr(options, field.name) for field in fields(Thresholds)})


def request_statistics(project: Project, now: datetime) -> bool:
    """Return whether statistics are to be computed now: true for the first request within a minute."""
    row, created = ProjectStatistics.objects.get_or_create(project=project, defaults={"created_at": now})
    if not created and row.created_at > now - EVERY:
        return False
    old = ProjectStatistics.objects.filter(project=project, created_at__lte=now - EVERY)
    return created or bool(queue_again(old, created_at=now))


def measure(statistics: ProjectStatistics) -> Values | None:
    """Measure a project and everybody in it; if nothing is new, only update the time."""
    project, options = statistics.project, options_of(statistics.project)
    basis = _basis(project, options)
    if statistics.basis == basis:
        return {"at": statistics.started_at}
    figures: dict[str, Any] = {}
    people: list[PersonStatistics] = []
    items: dict[Any, Any] = {}
    for data in read_rounds(project):
        generator = np.random.default_rng([project.seed % 2**63, len(figures)])
        figures[data.round.key] = _round_figures(data, generator)
        items |= measured_items(data, figures[data.round.key]["disputes"])
        people += _people(data, thresholds(options))
    for round_key, progress in count_progress(project).items():
        figures[round_key] = figures.get(round_key, {}) | progress
    store_item_figures(project, items)
    with transaction.atomic():
        _store(project, people)
        finish(statistics, at=statistics.started_at, basis=basis, figures=figures)  # which tells of the people's flags
    return None


register(JobKind("statistics", ProjectStatistics, _("Statistics of a project"), measure, ended=emit_measured))


def request_of_running(now: datetime) -> list[int]:
    """Request statistics of every running project, so that its managers learn of flags without opening its page.
    Return the ids of the statistics to compute."""
    return [project.statistics.pk for project in open_projects() if request_statistics(project, now)]


def _basis(project: Project, options: MonitoringOptions) -> dict[str, Any]:
    """Return all that figures depend on: the numbers of rows that are only ever added, and the values that change."""
    practice = PracticeAnswer.objects.filter(participation__project=project)
    states = Participation.objects.filter(project=project).order_by("state").values_list("state").annotate(Count("pk"))
    judgments, entries = seen_of(project)
    return {
        "form": FORM,
        "judgments": judgments,
        "entries": entries,
        "plans": project.plans.count(),
        "practice": practice.count(),
        "states": dict(states),
        "items": project.items.count(),
        "limits": {field.name: getattr(options, field.name) for field in fields(Thresholds)},
    }


def _round_figures(data: RoundWork, generator: np.random.Generator) -> dict[str, Any]:
    """Return the figures of a round, with items by their ids."""
    figures = round_figures(data.work, generator)
    return figures | {"disputes": [dispute | {"item": data.items[dispute["item"]]} for dispute in figures["disputes"]]}


def _people(data: RoundWork, limits: Thresholds) -> list[PersonStatistics]:
    """Return an unsaved row for everybody in a round; for unknown people only the answers are counted."""
    figures, report = people_figures(data.work, limits), reports(data.work)
    flags = raise_flags(figures, limits)
    screens = _screens(data)
    return [
        PersonStatistics(
            participation_id=person.pk,
            screens=screens.get(person.pk, 0),
            answered=int(figures.answers[place]),
            active_ms=_whole(report["active_ms"][place]),
            median_ms=_whole(report["median_ms"][place]),
            last_at=data.last_at.get(person.pk),
            figures={name: None if unknown else value for name, value in measured.items()},
            flags={} if unknown else flags[place],
        )
        for place, person in enumerate(data.people)
        for unknown in [is_unknown(person.annotator__pseudonym)]
        for measured in [figures.of(place) | {name: _number(column[place]) for name, column in report.items()}]
    ]


def _screens(data: RoundWork) -> dict[int, int]:
    """Return how many screens each person has, without those that went back to a pool."""
    rows = Assignment.objects.filter(participation__in=[person.pk for person in data.people], lapsed_at__isnull=True)
    return dict(rows.order_by().values_list("participation").annotate(Count("pk")))


def _whole(value: float) -> int | None:
    return None if np.isnan(value) else round(value)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _store(project: Project, people: list[PersonStatistics]) -> None:
    settled = dict(_rows_of(project).values_list("participation", "settled"))
    for person in people:
        person.open_flags = len(set(person.flags) - set(settled.get(person.participation_id, ())))
    PersonStatistics.objects.bulk_create(
        people, batch_size=BATCH, update_conflicts=True, unique_fields=["participation"], update_fields=KEPT
    )


def _rows_of(project: Project):
    return PersonStatistics.objects.filter(participation__project=project)
