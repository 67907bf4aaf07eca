"""The pulse of a project: taken by a worker when somebody watches, at most every minute, and only read by pages."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Count, Q

from annotation.models import Assignment, Participation, PracticeAnswer, Project
from annotation.unknown import is_unknown
from scoring.domain.watching.board import blocks_of
from scoring.domain.watching.reading import RoundWork, read_rounds
from scoring.models import PersonPulse, Pulse, WatchOptions
from scoring.queries import seen_of
from scoring.stats.flags import raise_flags
from scoring.stats.limits import Kind, Thresholds
from scoring.summaries.watching import people_figures, reports, round_figures

EVERY = timedelta(minutes=1)
BATCH = 500
KEPT = ("screens", "answered", "active_ms", "median_ms", "last_at", "figures", "flags", "open_flags")
Flags = dict[Kind, dict[str, float | None]]


def options_of(project: Project) -> WatchOptions:
    """What the project has, or the defaults, not stored."""
    return WatchOptions.objects.filter(project=project).first() or WatchOptions(project=project)


def thresholds(options: WatchOptions) -> Thresholds:
    return Thresholds(**{one.name: getattr(options, one.name) for one in fields(Thresholds)})


def ask_for_pulse(project: Project, now: datetime) -> bool:
    """Whether the pulse is to be taken now: nobody asked within the last minute. Only one of many askers is told so."""
    Pulse.objects.get_or_create(project=project)
    waiting = Pulse.objects.filter(project=project).filter(Q(asked_at__isnull=True) | Q(asked_at__lte=now - EVERY))
    return bool(waiting.update(asked_at=now))


def take_pulse(project_id: int, now: datetime) -> bool:
    """Measures a project and everybody in it. Returns whether there was anything new.

    Twice does no harm; what was measured earlier never replaces what was measured later.
    """
    project = Project.objects.get(pk=project_id)
    options = options_of(project)
    basis = _basis(project, options)
    if Pulse.objects.filter(project=project, basis=basis).update(at=now):
        return False
    figures: dict[str, Any] = {}
    people: list[PersonPulse] = []
    for one in read_rounds(project):
        generator = np.random.default_rng([project.seed % 2**63, len(figures)])
        figures[one.round.key] = _round_figures(one, generator)
        people += _people(one, thresholds(options))
    for round_key, blocks in blocks_of(project).items():
        figures.setdefault(round_key, {})["blocks"] = [asdict(block) for block in blocks]
    return _store(project, now, {"basis": basis, "figures": figures}, people)


def _basis(project: Project, options: WatchOptions) -> dict[str, Any]:
    """All that figures depend on: rows that are only ever added, by their number, and the few that change."""
    practice = PracticeAnswer.objects.filter(participation__project=project)
    states = Participation.objects.filter(project=project).order_by("state").values_list("state").annotate(Count("pk"))
    judgments, entries = seen_of(project)
    return {
        "judgments": judgments,
        "entries": entries,
        "plans": project.plans.count(),
        "practice": practice.count(),
        "states": dict(states),
        "items": project.items.count(),
        "limits": {one.name: getattr(options, one.name) for one in fields(Thresholds)},
    }


def _round_figures(one: RoundWork, generator: np.random.Generator) -> dict[str, Any]:
    """The figures of a round, with items by their ids."""
    figures = round_figures(one.work, generator)
    return figures | {
        "disputes": [dispute | {"item": one.items[dispute["item"]]} for dispute in figures["disputes"]],
    }


def _people(one: RoundWork, limits: Thresholds) -> list[PersonPulse]:
    """A row for everybody of a round, not stored yet. Of people whom nobody knows only the answers are counted."""
    figures, report = people_figures(one.work), reports(one.work)
    flags = raise_flags(figures, limits)
    screens = _screens(one)
    return [
        PersonPulse(
            participation_id=person.pk,
            screens=screens.get(person.pk, 0),
            answered=int(figures.answers[place]),
            active_ms=_whole(report["active_ms"][place]),
            median_ms=_whole(report["median_ms"][place]),
            last_at=one.last_at.get(person.pk),
            figures={name: None if unknown else value for name, value in measured.items()},
            flags={} if unknown else flags[place],
        )
        for place, person in enumerate(one.people)
        for unknown in [is_unknown(person.annotator__pseudonym)]
        for measured in [figures.of(place) | {name: _number(column[place]) for name, column in report.items()}]
    ]


def _screens(one: RoundWork) -> dict[int, int]:
    """How many screens everybody has, without those that went back to a pool."""
    rows = Assignment.objects.filter(participation__in=[person.pk for person in one.people], lapsed_at__isnull=True)
    return dict(rows.order_by().values_list("participation").annotate(Count("pk")))


def _whole(value: float) -> int | None:
    return None if np.isnan(value) else round(value)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


@transaction.atomic
def _store(project: Project, now: datetime, values: Mapping[str, Any], people: list[PersonPulse]) -> bool:
    Pulse.objects.get_or_create(project=project)
    pulse = Pulse.objects.select_for_update().get(project=project)
    if pulse.at is not None and pulse.at > now:
        return False
    settled = dict(_rows_of(project).values_list("participation", "settled"))
    for person in people:
        person.open_flags = len(set(person.flags) - set(settled.get(person.participation_id, ())))
    PersonPulse.objects.bulk_create(
        people, batch_size=BATCH, update_conflicts=True, unique_fields=["participation"], update_fields=KEPT
    )
    pulse.at, pulse.basis, pulse.figures = now, values["basis"], values["figures"]
    pulse.save(update_fields=["at", "basis", "figures"])
    return True


def _rows_of(project: Project):
    return PersonPulse.objects.filter(participation__project=project)
