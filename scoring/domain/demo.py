"""The results of the demo: statistics of every project, and a scoring run and a release of those with enough answers.

All of this is queued for the worker, so that the demo opens quickly.
"""

from collections.abc import Iterable
from datetime import datetime

from annotation.domain.project.demo import Demo
from annotation.models import Project
from scoring.domain.exclusion.screening import screen_ended
from scoring.domain.monitoring.statistics import request_statistics
from scoring.domain.releases.jobs import release_after
from scoring.domain.runs.starting import start_run

LICENCE = "CC-BY-4.0"


def request_results(made: Iterable[tuple[Demo, Project]], now: datetime) -> None:
    """Screen the raters of new demo projects, and queue their statistics, runs and releases."""
    for demo, project in made:
        screen_ended(now, project.participations.all())
        request_statistics(project, now)
        if demo.has_results:
            run = start_run(project=project, actor=None)
            release_after(run=run, actor=None, licence=LICENCE)
