"""Datasets in the papers' formats, and in machine-readable ones."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal, translated
from annotation.models import Project
from scoring.exports.distributions import export_distributions
from scoring.exports.items import export_items
from scoring.exports.judgments import Tallies, export_judgments
from scoring.exports.machines import export_machines
from scoring.exports.scores import Measures, export_scores
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import PARTS, USUAL_SIZES, Split, Splitting, draw_split
from scoring.presets.registry import publication_of
from scoring.stats.splitting import SplitError, read_sizes

Rows = dict[str, int]
Notes = dict[str, Any]


@dataclass(frozen=True)
class WrittenFiles:
    """The rows of each file, notes, the number of judgments of each round, and the split, if the scores were split."""

    rows: Rows
    notes: Notes
    tallies: Tallies
    split: Split | None


OPTIONS = {"sizes", "apart", "seed"}


def can_be_split(project: Project) -> bool:
    """Return whether the project has best-worst scores, which can be split into train, dev and test."""
    return any(round_.design.compares for round_ in project.protocol.rounds)


def splitting_of(project: Project, options: dict[str, Any]) -> Splitting | None:
    """Return how best-worst scores are split: as requested, with SemRel2024's sizes and the project's seed by default.
    Raise Refusal for unknown options, invalid sizes, or a project without best-worst scores."""
    if unknown := options.keys() - OPTIONS:
        raise Refusal(
            _("There is no release option “%(unknown)s”. Use one of: %(options)s.")
            % {"unknown": min(unknown), "options": ", ".join(sorted(OPTIONS))}
        )
    chosen = {name: value for name, value in options.items() if value is not None and value is not False}
    if chosen and not can_be_split(project):
        raise Refusal(_("This project collects ratings. Only best-worst scores can be split."))
    if not chosen and not publication_of(project.protocol).always_split:
        return None
    splitting = Splitting(
        sizes=chosen.get("sizes", USUAL_SIZES), apart=chosen.get("apart", False), seed=chosen.get("seed", project.seed)
    )
    _check(splitting)
    return splitting


def _check(splitting: Splitting) -> None:
    if not isinstance(splitting.sizes, str) or splitting.apart not in (True, False):
        raise Refusal(_("“sizes” must be text such as train=0.8,dev=0.1,test=0.1, and “apart” must be true or false."))
    if not isinstance(splitting.seed, int) or isinstance(splitting.seed, bool) or splitting.seed < 0:
        raise Refusal(_("The random seed must be a whole number of 0 or more."))
    try:
        read_sizes(splitting.sizes, PARTS)
    except SplitError as error:
        raise Refusal(translated(error)) from error


def write_files(
    view: SnapshotView, folder: Path, splitting: Splitting | None, measures: Measures | None = None
) -> WrittenFiles:
    """Write judgments, items, scores and the files of the project's preset into a folder.

    Parameters: measures, of the scores, that a run computed.

    Raises: Refusal if the scores cannot be split like that; then nothing was written.
    """
    split = _split(view, splitting) if splitting else None
    folder.mkdir(parents=True, exist_ok=True)
    rows, tallies = export_judgments(view, folder)
    rows |= export_items(view, folder) | export_scores(view, folder, measures or {}) | export_machines(view, folder)
    rows |= export_distributions(view, folder, measures or {})
    rows |= publication_of(view.project.protocol).write(view, split, folder)
    return WrittenFiles(rows, _unshown(view) | (split.told if split else {}), tallies, split)


def _split(view: SnapshotView, splitting: Splitting) -> Split:
    try:
        return draw_split(view, view.shown.nonzero()[0].tolist(), splitting)
    except SplitError as error:
        raise Refusal(translated(error)) from error


def _unshown(view: SnapshotView) -> Notes:
    unshown = int((~view.shown).sum()) if can_be_split(view.project) else 0
    return {"items without a choice that counts, so without a score": unshown} if unshown else {}
