"""The files of a release in a folder: the same for the same run, whenever they are made."""

from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.utils import timezone

from annotation.models import AuditEntry, State
from annotation.models.audit_actions import Action
from annotation.models.project import author_names
from scoring.domain.figures.render_figures import write_pictures
from scoring.domain.releases.collecting import changes_of, collected_of
from scoring.domain.releases.demographics import demographics_of
from scoring.domain.releases.files import splitting_of, write_files
from scoring.domain.releases.results import measures_of, results_of, write_results
from scoring.domain.runs.snapshots import one_moment, opened
from scoring.exports import croissant
from scoring.exports.card import FIGURES, FIGURES_FOLDER, PLAN, Card
from scoring.exports.citing import CITATION, DATACITE, citation_file, datacite
from scoring.exports.croissant import describe
from scoring.exports.files import whole_file
from scoring.exports.manifest import NAME, Listed, as_text, list_files, listed, manifest_of
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split
from scoring.models import Release, Run
from scoring.presets.registry import publication_of
from scoring.queries import BY_RULE, among
from scoring.summaries.parts import Parameters, split_half_of_parts

Reasons = dict[str, dict[str, int]]


def make_files(release: Release, folder: Path) -> dict[str, Any]:
    """Write all files of a release into an empty folder, and return the manifest. Raise Refusal if the scores cannot be
    split as requested; ValueError if the run's snapshot was changed."""
    run = release.run
    with opened(run) as snapshot:
        view = SnapshotView.read(release.project, run.as_of, snapshot)
    splitting = splitting_of(release.project, release.options)
    with one_moment():
        written = write_files(view, folder, splitting, measures_of(run))
        demographics = demographics_of(view)
    parts = _reliability_of(written.split, view, run)
    write_results(run, folder / "results.json")
    if plans := view["registered.plans"]:
        _write(folder / PLAN, plans[0])
    write_pictures(run, folder / FIGURES_FOLDER)
    card = Card(
        view=view,
        publication=publication_of(release.project.protocol),
        title=release.title,
        licence=release.licence,
        rows=written.rows,
        tallies=written.tallies,
        reasons=reasons_of(view),
        changes=changes_of(release.project.protocol),
        collected=collected_of(view),
        results=results_of(run, FIGURES),
        figures=tuple(run.figures.order_by("pk").values_list("name", "title", "description")),
        notes=written.notes,
        parts=parts,
        demographics=demographics,
        run=run.number,
        seed=run.seed,
        code_version=release.code_version,
    )
    _write(folder / "README.md", card.text())
    about = {**_about(release), "notes": written.notes} | ({"split_half": parts} if parts else {})
    if registration := card.results.get("registration"):
        about["registration"] = {
            name: registration[name] for name in ("number", "registered_at", "sha256", "deviations")
        }
    if looks := {key: [asdict(look) for look in own.looks] for key, own in card.collected.items() if own.looks}:
        about["waves"] = looks
    manifest = manifest_of(about, _described(card, folder))
    _write(folder / NAME, as_text(manifest))
    return manifest


def _described(card: Card, folder: Path) -> dict[str, Listed]:
    """Write the descriptions for programs, and return all files of the folder."""
    _write(folder / CITATION, citation_file(card.dataset))
    _write(folder / DATACITE, as_text(datacite(card.dataset)))
    files = list_files(folder, card.rows)
    further = {
        "dataAnnotationProtocol": f"The question: {card.view.project.protocol.question}",
        "dataAnnotationPlatform": f"Semblance {card.code_version}",
    }
    tree = describe(card.dataset, folder, files, card.tables, cite_as=card.bibtex, further=further)
    _write(folder / croissant.NAME, as_text(tree))
    return files | {croissant.NAME: listed(folder / croissant.NAME)}


def _reliability_of(split: Split | None, view: SnapshotView, run: Run) -> dict[str, Any]:
    """Return the split-half reliability of each part of a split, by the halves of the run; nothing without a split."""
    if split is None:
        return {}
    parameters = Parameters.read(run.parameters)
    return split_half_of_parts(view.counted_choices, split.places, parameters, run.seed)


def _write(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text)


def _about(release: Release) -> dict[str, Any]:
    """Return what the manifest says of the run; releases of one run with the same options are the same to the byte."""
    run = release.run
    return {
        "project": release.project.key,
        "title": release.title,
        "protocol": release.project.protocol_json,
        "licence": release.licence,
        "authors": author_names(release.project.authors),
        "contact": release.project.contact,
        "url": release.project.url,
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
    """Return the moment of the run to the microsecond, as stored."""
    moment = timezone.localtime(run.as_of, timezone=timezone.get_fixed_timezone(0))
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def reasons_of(view: SnapshotView) -> Reasons:
    """Return how many people were excluded in each round: by rule, by the managers, or by an imported file.

    A manager's reason may name somebody, so that only its presence is published.
    """
    out = _logged_out(view)
    # The run knows who was excluded from rounds that rate or choose; for selections the log does.
    selecting = {who for who in out if who[1] not in view.facts.rounds}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for who in selecting | view.excluded:
        by_hand = "by the managers" if who in out else "by the imported file"
        found[who[1]]["contradicted known labels" if out.get(who) else by_hand] += 1
    return {key: dict(sorted(counts.items())) for key, counts in sorted(found.items())}


def _logged_out(view: SnapshotView) -> dict[tuple[str, str], bool]:
    """Return who was excluded by the log that the run saw, as pseudonym and round, and whether by rule."""
    out_and_in = (Action.EXCLUDED, Action.REINSTATED)
    entries = AuditEntry.objects.filter(project=view.project, action__in=out_and_in).order_by("pk")
    rows = list(
        entries.values_list("pk", "action", "participation__annotator__pseudonym", "participation__round", "reason")
    )
    out: dict[tuple[str, str], bool] = {}
    for (_, action, *who, reason), seen in zip(
        rows, among(view["sources.entries"], [pk for pk, *_ in rows]), strict=True
    ):
        if seen and action == State.EXCLUDED:
            out[who[0], who[1]] = BY_RULE in reason
        elif seen:
            out.pop((who[0], who[1]), None)
    return out
