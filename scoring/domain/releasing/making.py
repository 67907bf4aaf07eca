"""The files of a release, in a folder: the same for the same run, whenever they are made."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from django.utils import timezone

from annotation.models import AuditEntry, State
from scoring.domain.illustrating import write_pictures
from scoring.domain.releasing.files import splitting_of, write_files
from scoring.domain.releasing.results import results_of, write_results
from scoring.domain.running.snapshots import one_moment, opened
from scoring.exports.card import FIGURES, FIGURES_FOLDER, Card
from scoring.exports.files import whole_file
from scoring.exports.frozen import Frozen
from scoring.exports.manifest import NAME, as_text, list_files, manifest_of
from scoring.models import Release, Run
from scoring.queries import among

BY_RULE = "contradict the known labels"
"""What screening says of whom it excludes."""
RESTORED = "restored"
"""What the log says of whom a manager takes back in."""
Reasons = dict[str, dict[str, int]]


def make_files(release: Release, folder: Path) -> dict[str, Any]:
    """Writes all files of a release into an empty folder. Returns the manifest.

    Raises:
        Refusal: the scores cannot be split as asked for.
        ValueError: the run's snapshot is not the one that the run was computed from.
    """
    run = release.run
    with opened(run) as snapshot:
        frozen = Frozen.read(release.project, run.as_of, snapshot)
    splitting = splitting_of(release.project, release.options)
    with one_moment():
        rows, notes, tallies = write_files(frozen, folder, splitting)
    write_results(run, folder / "results.json")
    write_pictures(run, folder / FIGURES_FOLDER)
    card = Card(
        frozen=frozen,
        title=release.title,
        licence=release.licence,
        rows=rows,
        tallies=tallies,
        reasons=reasons_of(frozen),
        results=results_of(run, FIGURES),
        figures=tuple(run.drawings.order_by("pk").values_list("name", "title", "description")),
        notes=notes,
        run=run.number,
        seed=run.seed,
        code_version=release.code_version,
    )
    _write(folder / "README.md", card.text())
    manifest = manifest_of({**_about(release), "notes": notes}, list_files(folder, rows))
    _write(folder / NAME, as_text(manifest))
    return manifest


def _write(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text)


def _about(release: Release) -> dict[str, Any]:
    """Nothing of the release's own: of one run, releases with the same options are the same to the byte."""
    run = release.run
    return {
        "project": release.project.key,
        "title": release.title,
        "protocol": release.project.protocol_json,
        "licence": release.licence,
        "options": release.options,
        "seed": run.seed,
        "code_version": release.code_version,
        "as_of": _utc(run),
        "run": {
            "number": run.number,
            "parameters": run.parameters,
            "code_version": run.code_version,
            "snapshot_sha256": run.snapshot_sha256,
        },
    }


def _utc(run: Run) -> str:
    """To the microsecond, as it is stored."""
    moment = timezone.localtime(run.as_of, timezone=timezone.get_fixed_timezone(0))
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def reasons_of(frozen: Frozen) -> Reasons:
    """How many people had been excluded in each round, and whether by rule or by the managers.

    What a manager wrote may name somebody: only its being there is told.
    """
    out = _logged_out(frozen)
    # Of rounds that rate or choose the run knows who was out; of selections the log does.
    selecting = {who for who in out if who[1] not in frozen.facts.rounds}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for who in selecting | frozen.excluded:
        found[who[1]]["contradicted known labels" if out.get(who) else "by the managers"] += 1
    return {key: dict(sorted(counts.items())) for key, counts in sorted(found.items())}


def _logged_out(frozen: Frozen) -> dict[tuple[str, str], bool]:
    """Who was out by the log that the run saw, as pseudonym and round, and whether by rule."""
    entries = AuditEntry.objects.filter(project=frozen.project, action__in=(State.EXCLUDED, RESTORED)).order_by("pk")
    rows = list(
        entries.values_list("pk", "action", "participation__annotator__pseudonym", "participation__round", "reason")
    )
    out: dict[tuple[str, str], bool] = {}
    for (_, action, *who, reason), seen in zip(
        rows, among(frozen["sources.entries"], [pk for pk, *_ in rows]), strict=True
    ):
        if seen and action == State.EXCLUDED:
            out[who[0], who[1]] = BY_RULE in reason
        elif seen:
            out.pop((who[0], who[1]), None)
    return out
