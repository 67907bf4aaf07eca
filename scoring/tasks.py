"""What Celery runs; every task may run twice without harm."""

from collections.abc import Sequence

from celery import chord, shared_task
from django.utils import timezone

from scoring.domain import illustrating, rehearsing, screening, telling
from scoring.domain.releasing import jobs as releasing
from scoring.domain.running import jobs
from scoring.domain.watching import pulse


@shared_task
def screen_raters() -> int:
    return screening.screen_finished(timezone.now())


@shared_task
def begin_run(run_id: int) -> None:
    """Reads the judgments, and shares the parts out among the workers."""
    _share_out(run_id, jobs.begin(run_id, timezone.now()))


def _share_out(run_id: int, parts: Sequence[int]) -> None:
    """Whoever is last puts the results together; where that message is lost, the sweep does."""
    if parts:
        chord([compute_part.s(part) for part in parts])(finish_run.si(run_id))


@shared_task
def compute_part(part_id: int) -> bool:
    return jobs.compute_part(part_id, timezone.now())


@shared_task
def finish_run(run_id: int) -> bool:
    """Figures are drawn afterwards: who waits for the results does not wait for them."""
    ended = jobs.finish(run_id, timezone.now())
    if ended:
        draw_figures.delay(run_id)
    return ended


@shared_task
def draw_figures(run_id: int) -> bool:
    return illustrating.illustrate(run_id, timezone.now())


@shared_task
def draw_what_is_left() -> None:
    """Takes up runs whose figures lost their worker or their message."""
    for run_id in illustrating.undrawn(timezone.now()):
        draw_figures.delay(run_id)


@shared_task
def go_on_with_runs() -> None:
    """Takes up what waits, what lost its worker, and what lost the message that would have ended it."""
    for run_id, parts in jobs.take_up(timezone.now()):
        if parts:
            _share_out(run_id, parts)
        else:
            begin_run.delay(run_id)


@shared_task
def make_release(release_id: int) -> bool:
    return releasing.make_release(release_id, timezone.now())


@shared_task
def go_on_with_releases() -> None:
    """Takes up what waits and what lost its worker."""
    for release_id in releasing.take_up(timezone.now()):
        make_release.delay(release_id)


@shared_task
def tell_finished_rounds() -> int:
    return telling.tell_finished_rounds(timezone.now())


@shared_task
def send_deliveries() -> None:
    """Each in a task of its own, so that a slow address holds up no other."""
    for delivery_id in telling.due_deliveries(timezone.now()):
        send_delivery.delay(delivery_id)


@shared_task
def send_delivery(delivery_id: int) -> bool:
    return telling.send(delivery_id, timezone.now())


@shared_task(expires=60)
def take_pulse(project_id: int) -> bool:
    """Asked for by who watches; a message that nobody took up in time is followed by another."""
    return pulse.take_pulse(project_id, timezone.now())


@shared_task
def rehearse(rehearsal_id: int) -> bool:
    return rehearsing.rehearse(rehearsal_id, timezone.now())


@shared_task
def go_on_with_rehearsals() -> None:
    """Takes up what waits and what lost its worker."""
    for rehearsal_id in rehearsing.due(timezone.now()):
        rehearse.delay(rehearsal_id)
