"""The figures of a run, drawn once by a worker and kept: whoever asks for one later gets the same bytes."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from scoring.figures.drawing import draw_svg, rasterise
from scoring.figures.figure import Figure, write_csv
from scoring.models import Drawing, Run, State

logger = logging.getLogger(__name__)
FORMS = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv"}
MOST_ATTEMPTS = 3
PATIENCE = timedelta(minutes=1)
"""After which whoever began to draw is taken for lost. Drawing twice does no harm."""


def illustrate(run_id: int, now: datetime) -> bool:
    """Draws and keeps the figures of a run that is done and has none yet. Returns whether this call kept them."""
    due = Run.objects.filter(pk=run_id, state=State.DONE, drawn_at__isnull=True, drawing_attempts__lt=MOST_ATTEMPTS)
    if not due.update(drawing_attempts=F("drawing_attempts") + 1, heartbeat_at=now):
        return False
    try:
        return _keep(run_id, _drawn(run_id))
    except Exception as error:
        logger.exception("The figures of run %s could not be drawn.", run_id)
        Run.objects.filter(pk=run_id).update(drawing_error=f"{type(error).__name__}: {error}")
        return False


def drawings_of(run: Run) -> QuerySet[Drawing]:
    """The figures of a run, drawn now if no worker has done it yet.

    Raises:
        Refusal: the run has no results, or they cannot be drawn.
    """
    if run.state != State.DONE:
        raise Refusal(_("%(run)s has no results to draw: it is %(state)s.") % {"run": run, "state": run.state})
    if not Run.objects.filter(pk=run.pk, drawn_at__isnull=False).exists():
        _keep(run.pk, _drawn(run.pk))
    return run.drawings.order_by("pk")


def undrawn(now: datetime) -> Iterator[int]:
    """The runs whose figures nobody has drawn, because the message was lost or the worker; for the sweep.

    What is given out counts as taken up, so that the next sweep leaves it alone.
    """
    silent = Q(heartbeat_at__isnull=True) | Q(heartbeat_at__lt=now - PATIENCE)
    waiting = Run.objects.filter(silent, state=State.DONE, drawn_at__isnull=True, drawing_attempts__lt=MOST_ATTEMPTS)
    for pk in waiting.order_by("pk").values_list("pk", flat=True):
        if waiting.filter(pk=pk).update(heartbeat_at=now):
            yield pk


def write_pictures(run: Run, folder: Path) -> list[str]:
    """Writes every figure of a run into a folder, in every form. Returns their names.

    Raises:
        Refusal: the run has no results, or they cannot be drawn.
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for drawing in drawings_of(run).iterator(chunk_size=1):
        for form in FORMS:
            (folder / f"{drawing.name}.{form}").write_bytes(content_of(drawing, form))
        names.append(drawing.name)
    return names


def write_figures(run: Run, folder: Path) -> list[str]:
    """The same for people: each figure also has its description as a text.

    Raises:
        Refusal: the run has no results, or the folder cannot be written.
    """
    try:
        names = write_pictures(run, folder)
        for drawing in run.drawings.only("name", "title", "description"):
            (folder / f"{drawing.name}.txt").write_text(f"{drawing.title}\n\n{drawing.description}\n", encoding="utf-8")
    except OSError as error:
        raise Refusal(
            _("%(folder)s cannot be written: %(reason)s.") % {"folder": folder, "reason": error.strerror}
        ) from error
    return names


def content_of(drawing: Drawing, form: str) -> bytes:
    """The bytes of a figure in one of FORMS."""
    content = getattr(drawing, form)
    return content.encode() if isinstance(content, str) else bytes(content)


def _drawn(run_id: int) -> list[Drawing]:
    run = Run.objects.select_related("project").defer("results").get(pk=run_id)
    # Whoever only reads what was drawn before does without all that draws.
    figures = import_module("scoring.domain.drawing").figures_of(run)
    return [_picture(run, figure) for figure in figures]


def _picture(run: Run, figure: Figure) -> Drawing:
    svg = draw_svg(figure)
    return Drawing(
        run=run,
        name=figure.name,
        title=figure.title,
        description=figure.description,
        svg=svg,
        png=rasterise(svg),
        csv=write_csv(figure),
    )


@transaction.atomic
def _keep(run_id: int, drawings: list[Drawing]) -> bool:
    """The first who comes to the end is kept; others have drawn the same."""
    open_ = Run.objects.filter(pk=run_id, drawn_at__isnull=True)
    kept = bool(open_.update(drawn_at=timezone.now(), drawing_error=""))
    if kept:
        Drawing.objects.bulk_create(drawings)
    return kept
