"""Judgments that were collected elsewhere, with their annotators: ratings, or best-worst choices."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from django.db import transaction
from django.db.models import Max

from annotation.domain.errors import Refusal, translated
from annotation.domain.material.answers import Collected
from annotation.domain.material.choices import read_choices
from annotation.domain.material.finished import store_judgments
from annotation.domain.material.imported_files import fingerprint, guard_same_file, log_imported_file
from annotation.domain.material.named_texts import import_named_texts
from annotation.domain.material.policy import ImportCounts, Imported, ImportPolicy, JudgmentImport, Repeated
from annotation.domain.material.ratings import read_ratings
from annotation.domain.material.rows import Problems
from annotation.domain.material.selections import import_selections, selecting_rounds
from annotation.domain.material.tuples import Choice, guard_imported_before, store_tuples
from annotation.models import Item, Project, User
from annotation.protocols.errors import ProtocolError
from annotation.protocols.terms import BlockKind
from annotation.unknown import is_unknown

AS_USUAL = ImportPolicy()
Judged = TypeVar("Judged", Collected, Choice)


@transaction.atomic
def import_judgments(
    *,
    project: Project,
    path: Path,
    round_key: str | None,
    now: datetime,
    handling: ImportPolicy = AS_USUAL,
    actor: User | None = None,
) -> Imported:
    """Store the judgments of a file as finished participations of outside annotators. Return what was stored.

    Where the project compares tuples the file holds choices, and tuples that are not there yet are stored, too. A
    project of single texts that has none yet takes them from the file: each with its ID as its text.
    Where people select, the file may hold selections besides ratings, and the pairs selected become items.

    Parameters: round_key, the round of rows that name none (default: the only round); actor, who asked for it on a
    page.

    Raises:
        FileRefused: with every bad row; nothing was stored.
        Refusal: a closed project, an unknown round, no rows, a handling that such judgments do not take, a file
            that was imported before, or choices that the project holds already.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.closed_at is not None:
        raise Refusal("The project is closed, so judgments can't be imported.")
    default_round = _default_round(project, round_key)
    sha256 = fingerprint(path)
    if not handling.again:
        guard_same_file(project, sha256, round_key)
    compares = project.protocol.compares
    _guard_handling(handling, compares=compares)
    under_way = JudgmentImport(project, default_round, now, handling, ImportCounts(), Problems())
    named = import_named_texts(project, path)
    selected, judgments = ([], _read_choices(path, under_way)) if compares else _read_ratings(path, under_way)
    if not judgments and not selected:
        raise Refusal("The file contains no judgments.")
    store_judgments(project, judgments)
    log_imported_file(project, sha256, round_key, judgments=len(selected) + len(judgments), actor=actor, now=now)
    if selecting_rounds(project):
        _mark_calibration(project, judgments)
    people = [judgment.annotator for judgment in (*selected, *judgments)]
    return Imported(len(people), len({person for person in people if not is_unknown(person)}), under_way.counts, named)


def _read_choices(path: Path, under_way: JudgmentImport) -> list[Collected]:
    """Return the choices of a file, with their tuples stored."""
    choices = _without_replaced(read_choices(path, under_way), under_way.policy)
    under_way.problems.refuse()
    if not under_way.policy.again:
        guard_imported_before(under_way.project, choices)
    return store_tuples(under_way.project, choices)


def _read_ratings(path: Path, under_way: JudgmentImport) -> tuple[list[Collected], list[Collected]]:
    """Return the selections of a file, stored with the items that they make, and its ratings."""
    selected = import_selections(path, under_way)
    judgments = _without_replaced(read_ratings(path, under_way), under_way.policy)
    under_way.problems.refuse()
    return selected, judgments


def _mark_calibration(project: Project, judgments: Sequence[Collected]) -> None:
    """Mark the pairs in a block of calibration; selected pairs cannot be marked in a file of items."""
    shown = [judgment.shown["item"] for judgment in judgments if judgment.shown["block"] is BlockKind.CALIBRATION]
    items = list({item.pk: item for item in shown if item.calibration_order is None}.values())
    last = project.items.aggregate(last=Max("calibration_order"))["last"] or 0
    for order, item in enumerate(items, start=last + 1):
        item.calibration_order = order
    Item.objects.bulk_update(items, ["calibration_order"])


def _guard_handling(handling: ImportPolicy, *, compares: bool) -> None:
    if compares and handling.wide:
        raise Refusal("Only ratings can be in a wide table. This project compares tuples.")
    if not compares and handling.repeated is Repeated.KEEP:
        raise Refusal("Only choices can all be kept if they are repeated. Of ratings, keep the first or the last.")


def _without_replaced(judgments: Iterable[Judged], handling: ImportPolicy) -> list[Judged]:
    """Return only the last of a person's judgments of the same, where the policy is that it replaces the others."""
    if handling.repeated is not Repeated.LAST:
        return list(judgments)
    return list({judgment.thing: judgment for judgment in judgments}.values())


def _default_round(project: Project, round_key: str | None) -> str | None:
    rounds = project.protocol.rounds
    if round_key is not None:
        try:
            return project.round(round_key).key
        except ProtocolError as error:
            raise Refusal(translated(error)) from error
    return rounds[0].key if len(rounds) == 1 else None
