"""Metrics for Prometheus. Those of requests are counted in shared files, so that all web processes give the same."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from annotation.domain.jobs.backlog import backlog
from annotation.domain.jobs.worker import living_workers
from config.operation.queue import waiting_messages
from config.operation.readiness import readiness

__all__ = ["CONTENT_TYPE", "count_answer", "count_request", "exposition"]
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
OWN = CollectorRegistry()
REQUESTS = Counter(
    "semblance_requests", "Number of requests by route name.", ("route", "method", "status"), registry=OWN
)
DURATIONS = Histogram(
    "semblance_request_seconds", "Duration of requests in seconds.", ("route",), buckets=SECONDS, registry=OWN
)
ANSWERS = Counter("semblance_answers", "Number of answers saved.", registry=OWN)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    REQUESTS.labels(route, method, status).inc()
    DURATIONS.labels(route).observe(seconds)


def count_answer(sender: type, created: bool, **_signal: Any) -> None:
    """Count an answer once it is committed; called after each judgment that is saved."""
    if created:
        transaction.on_commit(ANSWERS.inc)


def exposition() -> bytes:
    """Return all metrics in the text form of Prometheus."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)
    else:
        registry.register(OWN)
    registry.register(Installation())
    return generate_latest(registry)


class Installation(Collector):
    """Metrics that are read from the database and the broker at each request, so that all processes give the same."""

    def collect(self) -> Iterator[Metric]:
        checks = readiness().checks
        up = GaugeMetricFamily("semblance_up", "Whether a component of the installation works.", labels=["part"])
        for check in checks:
            up.add_metric([check.name], 0 if check.problem else 1)
        yield up
        yield from _disk()
        working = {check.name for check in checks if not check.problem}
        if "broker" in working:
            yield GaugeMetricFamily(
                "semblance_queued_messages", "Number of messages in the broker.", value=waiting_messages()
            )
        if "database" in working:
            yield from _jobs()


def _disk() -> Iterator[Metric]:
    free = shutil.disk_usage(settings.DATA_DIR).free
    yield GaugeMetricFamily("semblance_data_free_bytes", "Free disk space at DATA_DIR.", value=free)


def _jobs() -> Iterator[Metric]:
    now = timezone.now()
    try:
        found, workers = backlog(now), living_workers(now)
    except DatabaseError:  # it went away just now
        return
    waiting = GaugeMetricFamily("semblance_jobs_waiting", "Number of jobs waiting for a worker.", labels=["kind"])
    running = GaugeMetricFamily("semblance_jobs_running", "Number of jobs in progress.", labels=["kind"])
    oldest = GaugeMetricFamily(
        "semblance_jobs_oldest_seconds", "Age of the oldest waiting job in seconds.", labels=["kind"]
    )
    for each in found:
        waiting.add_metric([each.kind.key], each.waiting)
        running.add_metric([each.kind.key], each.running)
        oldest.add_metric([each.kind.key], each.oldest_seconds(now))
    yield from (waiting, running, oldest)
    yield GaugeMetricFamily("semblance_workers", "Number of workers that responded recently.", value=workers)
