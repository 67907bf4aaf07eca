"""The figures of a run, drawn once by a worker and stored, so that every request gets the same bytes."""

from importlib import import_module
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import finish
from annotation.domain.jobs.kinds import Kind, Values, register
from scoring.figures.drawing import draw_svg, rasterise
from scoring.figures.figure import Figure, write_csv
from scoring.models import FigureRendering, Run, RunFigure, State

FORMS = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv"}


def render(rendering: FigureRendering) -> Values | None:
    """Draw and store the figures of a run, unless they were stored in the meantime."""
    if rendering.run.drawn_at is not None:
        return {}
    drawings = _drawn(rendering.run_id)
    with transaction.atomic():
        finish(rendering)
        _keep(rendering.run_id, drawings)
    return None


register(Kind("figures", FigureRendering, gettext_lazy("Figures of a run"), render, project="run__project"))


def stored_figures(run: Run) -> QuerySet[RunFigure]:
    """Return the figures of a run, drawn now if no worker has done it. Raise Refusal if the run has no results, or they
    cannot be drawn."""
    if run.state != State.DONE:
        raise Refusal(_("%(run)s has no results to draw: it is %(state)s.") % {"run": run, "state": run.state})
    if not Run.objects.filter(pk=run.pk, drawn_at__isnull=False).exists():
        _keep(run.pk, _drawn(run.pk))
    return run.figures.order_by("pk")


def write_pictures(run: Run, folder: Path) -> list[str]:
    """Write every figure of a run into a folder in every format, and return the names of the figures. Raise Refusal if
    the run has no results or they cannot be drawn; OSError if the folder cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for drawing in stored_figures(run).iterator(chunk_size=1):
        for form in FORMS:
            (folder / f"{drawing.name}.{form}").write_bytes(content_of(drawing, form))
        names.append(drawing.name)
    return names


def write_figures(run: Run, folder: Path) -> list[str]:
    """Write the figures with their descriptions as texts, and return their names. Raise Refusal if the run has no
    results, or the folder cannot be written."""
    try:
        names = write_pictures(run, folder)
        for drawing in run.figures.only("name", "title", "description"):
            (folder / f"{drawing.name}.txt").write_text(f"{drawing.title}\n\n{drawing.description}\n", encoding="utf-8")
    except OSError as error:
        raise Refusal(
            _("%(folder)s cannot be written: %(reason)s.") % {"folder": folder, "reason": error.strerror}
        ) from error
    return names


def content_of(drawing: RunFigure, form: str) -> bytes:
    """Return the bytes of a figure in one of FORMS."""
    content = getattr(drawing, form)
    return content.encode() if isinstance(content, str) else bytes(content)


def _drawn(run_id: int) -> list[RunFigure]:
    run = Run.objects.select_related("project").defer("results").get(pk=run_id)
    # The plotting modules are loaded only if something is drawn.
    figures = import_module("scoring.domain.figures.figures_of_run").figures_of(run)
    return [_picture(run, figure) for figure in figures]


def _picture(run: Run, figure: Figure) -> RunFigure:
    svg = draw_svg(figure)
    return RunFigure(
        run=run,
        name=figure.name,
        title=figure.title,
        description=figure.description,
        svg=svg,
        png=rasterise(svg),
        csv=write_csv(figure),
    )


@transaction.atomic
def _keep(run_id: int, drawings: list[RunFigure]) -> bool:
    """Store the figures of the first worker that finishes; others have drawn the same."""
    open_ = Run.objects.filter(pk=run_id, drawn_at__isnull=True)
    kept = bool(open_.update(drawn_at=timezone.now()))
    if kept:
        RunFigure.objects.bulk_create(drawings)
    return kept
