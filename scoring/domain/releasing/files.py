"""Datasets written as the papers publish them, and as programs read them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import Project
from scoring.exports.czech_news import export_czech_news
from scoring.exports.frozen import Frozen
from scoring.exports.giccs import export_giccs
from scoring.exports.items import export_items
from scoring.exports.judgments import Tallies, export_judgments
from scoring.exports.ratings import export_dscs, export_stss131
from scoring.exports.scores import export_scores
from scoring.exports.semrel import export_semrel
from scoring.exports.splits import PARTS, USUAL_SIZES, Split, Splitting, draw_split
from scoring.stats.splitting import SplitError, read_sizes

Rows = dict[str, int]
Told = dict[str, Any]

RATING_FILES: dict[str, Callable[[Frozen, Path], Rows]] = {
    "czech_news": export_czech_news,
    "stss131": export_stss131,
    "dscs": export_dscs,
}
CHOICE_FILES: dict[str, Callable[[Frozen, Any, Path], Rows]] = {
    "semrel": export_semrel,
    "giccs": export_giccs,
}
ALWAYS_SPLIT = {"semrel"}
OPTIONS = {"sizes", "apart", "seed"}


def can_be_split(project: Project) -> bool:
    """Whether the scores are those of best-worst choices, which can be dealt to train, dev and test."""
    return project.protocol.key in CHOICE_FILES


def splitting_of(project: Project, options: dict[str, Any]) -> Splitting | None:
    """How best-worst scores are split: as asked for, with SemRel2024's sizes and the project's seed by default.

    Raises:
        Refusal: options that no release has, sizes that make no sense, or a paper whose files are not split.
    """
    key = project.protocol.key
    if unknown := options.keys() - OPTIONS:
        raise Refusal(
            _("A release has no option “%(unknown)s”; there are: %(options)s.")
            % {"unknown": min(unknown), "options": ", ".join(sorted(OPTIONS))}
        )
    given = {name: value for name, value in options.items() if value is not None and value is not False}
    if given and not can_be_split(project):
        raise Refusal(
            _("The files of %(key)s are as its paper has them; only best-worst scores are split.") % {"key": key}
        )
    if not given and key not in ALWAYS_SPLIT:
        return None
    splitting = Splitting(
        sizes=given.get("sizes", USUAL_SIZES), apart=given.get("apart", False), seed=given.get("seed", project.seed)
    )
    _check(splitting)
    return splitting


def _check(splitting: Splitting) -> None:
    if not isinstance(splitting.sizes, str) or splitting.apart not in (True, False):
        raise Refusal(_("Sizes are a text such as train=0.8,dev=0.1,test=0.1, and apart is true or false."))
    if not isinstance(splitting.seed, int) or isinstance(splitting.seed, bool) or splitting.seed < 0:
        raise Refusal(_("A seed is a whole number from 0 on."))
    try:
        read_sizes(splitting.sizes, PARTS)
    except SplitError as error:
        raise Refusal(str(error)) from error


def write_files(frozen: Frozen, folder: Path, splitting: Splitting | None) -> tuple[Rows, Told, Tallies]:
    """Writes judgments, items, scores and the files of the project's paper into a folder.

    Returns: the rows of each file, what else is to be told, and how many judgments each round has.

    Raises:
        Refusal: the scores cannot be split like that; then nothing was written.
    """
    write_own = _own_files(frozen, splitting)
    folder.mkdir(parents=True, exist_ok=True)
    rows, tallies = export_judgments(frozen, folder)
    rows |= export_items(frozen, folder)
    own, told = write_own(folder)
    return rows | own, told, tallies


def _own_files(frozen: Frozen, splitting: Splitting | None) -> Callable[[Path], tuple[Rows, Told]]:
    key = frozen.project.protocol.key
    if key in CHOICE_FILES:
        return partial(_write_choices, frozen, splitting and _split(frozen, splitting))
    return partial(_write_ratings, frozen)


def _split(frozen: Frozen, splitting: Splitting) -> Split:
    try:
        return draw_split(frozen, frozen.shown.nonzero()[0].tolist(), splitting)
    except SplitError as error:
        raise Refusal(str(error)) from error


def _write_ratings(frozen: Frozen, folder: Path) -> tuple[Rows, Told]:
    return export_scores(frozen, folder) | RATING_FILES[frozen.project.protocol.key](frozen, folder), {}


def _write_choices(frozen: Frozen, split: Split | None, folder: Path) -> tuple[Rows, Told]:
    rows = export_scores(frozen, folder)
    rows |= CHOICE_FILES[frozen.project.protocol.key](frozen, split, folder)
    unshown = int((~frozen.shown).sum())
    told = {"items never shown, without a score": unshown} if unshown else {}
    return rows, told | (split.told if split else {})
