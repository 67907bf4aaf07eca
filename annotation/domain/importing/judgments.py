"""Judgments that were collected elsewhere, with their annotators: ratings, or best-worst choices."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from django.db import transaction
from django.db.models import Max

from annotation.domain.errors import Refusal
from annotation.domain.importing.answers import Given
from annotation.domain.importing.choices import read_choices
from annotation.domain.importing.finished import store_given
from annotation.domain.importing.handling import Handling, Imported, Met, Repeated
from annotation.domain.importing.ratings import read_ratings
from annotation.domain.importing.rows import Problems
from annotation.domain.importing.selections import import_selections, selecting_rounds
from annotation.domain.importing.tuples import Choice, store_tuples
from annotation.models import Item, Project
from annotation.protocols.errors import ProtocolError
from annotation.protocols.spec import BestWorstDesign, BlockKind
from annotation.unknown import is_unknown

AS_USUAL = Handling()
Judged = TypeVar("Judged", Given, Choice)


@transaction.atomic
def import_judgments(
    *, project: Project, path: Path, round_key: str | None, now: datetime, handling: Handling = AS_USUAL
) -> Imported:
    """Stores the judgments of a file as finished participations of outside annotators.

    Where the project compares tuples the file holds choices, and tuples that are not there yet are stored, too.
    Where people select, the file may hold selections besides ratings, and the pairs selected become items.

    Parameters: round_key, the round of rows that name none (default: the only round).

    Raises:
        FileRefused: with every bad row; nothing was stored.
        Refusal: a closed project, an unknown round, no rows, or a handling that such judgments do not take.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.closed_at is not None:
        raise Refusal("The project is closed: it takes no more judgments.")
    default_round = _default_round(project, round_key)
    compares = any(isinstance(one.design, BestWorstDesign) for one in project.protocol.rounds)
    _guard_handling(handling, compares=compares)
    problems, met, selected = Problems(), Met(), list[Given]()
    if compares:
        choices = _standing(read_choices(project, path, default_round, now, handling, met, problems), handling)
        problems.refuse()
        given = store_tuples(project, choices)
    else:
        selected = import_selections(project, path, default_round, now, problems)
        given = _standing(read_ratings(project, path, default_round, now, handling, met, problems), handling)
        problems.refuse()
    if not given and not selected:
        raise Refusal("The file has no judgments.")
    store_given(project, given)
    if selecting_rounds(project):
        _mark_calibration(project, given)
    every = [*selected, *given]
    known = {one.annotator for one in every if not is_unknown(one.annotator)}
    return Imported(len(every), len(known), met)


def _mark_calibration(project: Project, given: Sequence[Given]) -> None:
    """Selected pairs cannot be marked in a file of items: those calibrate that stand in a block of calibration."""
    shown = [one.shown["item"] for one in given if one.shown["block"] is BlockKind.CALIBRATION]
    items = list({item.pk: item for item in shown if item.calibration_order is None}.values())
    last = project.items.aggregate(last=Max("calibration_order"))["last"] or 0
    for order, item in enumerate(items, start=last + 1):
        item.calibration_order = order
    Item.objects.bulk_update(items, ["calibration_order"])


def _guard_handling(handling: Handling, *, compares: bool) -> None:
    if compares and handling.wide:
        raise Refusal("Only ratings can stand in a column for each annotator; this project compares tuples.")
    if not compares and handling.repeated is Repeated.KEEP:
        raise Refusal(
            "A person's rating of an item counts once: of repeated ratings the first or the last can be kept."
        )


def _standing(judged: Iterable[Judged], handling: Handling) -> list[Judged]:
    """Of what a person judged again the last, where that is what stands."""
    if handling.repeated is not Repeated.LAST:
        return list(judged)
    return list({one.thing: one for one in judged}.values())


def _default_round(project: Project, round_key: str | None) -> str | None:
    rounds = project.protocol.rounds
    if round_key is not None:
        try:
            return project.round(round_key).key
        except ProtocolError as error:
            raise Refusal(str(error)) from error
    return rounds[0].key if len(rounds) == 1 else None
