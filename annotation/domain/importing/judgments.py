"""Ratings that were collected elsewhere, with their annotators."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from annotation.domain.errors import Refusal
from annotation.domain.importing.rows import LONGEST_KEY, Problems, Row, number_of, read_rows, text_of
from annotation.domain.recruiting import annotator_for
from annotation.models import Assignment, Item, Judgment, Participation, Project, State
from annotation.protocols.errors import OffScale, ProtocolError
from annotation.protocols.scale import Scale
from annotation.protocols.spec import BlockKind, Round, SelectionDesign

REQUIRED = ("item", "annotator", "value")
BATCH = 2000


@dataclass(frozen=True)
class Rating:
    """One row, checked."""

    line: int
    item: Item
    annotator: str
    value: float
    round: str
    session: int
    answered_at: datetime
    active_ms: int | None


@transaction.atomic
def import_judgments(*, project: Project, path: Path, round_key: str | None, now: datetime) -> int:
    """Stores the ratings of a file as finished participations of outside annotators. Returns how many.

    Parameters: round_key, the round of rows that name none (default: the only round).

    Raises:
        FileRefused: with every bad row; nothing was stored.
        Refusal: a closed project, an unknown round, or no rows.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.closed_at is not None:
        raise Refusal("The project is closed: it takes no more judgments.")
    problems = Problems()
    reader = _Reader(project, _default_round(project, round_key), now, problems)
    ratings = [
        rating
        for line, row in read_rows(path, required=REQUIRED, problems=problems)
        if (rating := reader.read(line, row))
    ]
    problems.refuse()
    if not ratings:
        raise Refusal("The file has no judgments.")
    grouped: dict[tuple[str, str], list[Rating]] = defaultdict(list)
    for rating in ratings:
        grouped[rating.annotator, rating.round].append(rating)
    for (annotator, name), own in grouped.items():
        _store(project, annotator, name, own)
    return len(ratings)


def _default_round(project: Project, round_key: str | None) -> str | None:
    rounds = project.protocol.rounds
    if round_key is not None:
        try:
            return project.round(round_key).key
        except ProtocolError as error:
            raise Refusal(str(error)) from error
    return rounds[0].key if len(rounds) == 1 else None


class _Reader:
    """Checks rows one after the other; remembers what it has seen."""

    def __init__(self, project: Project, default_round: str | None, now: datetime, problems: Problems) -> None:
        self.project, self.default_round, self.now, self.problems = project, default_round, now, problems
        self.planned = set(project.plans.values_list("round", flat=True))
        self.items = {item.key: item for item in project.items.only("pk", "key", "calibration_order")}
        self.seen = {
            (item, annotator, name, session)
            for item, annotator, name, session in Assignment.objects.filter(
                participation__project=project, item__isnull=False
            ).values_list("item__key", "participation__annotator__external_id", "participation__round", "session")
        }

    def read(self, line: int, row: Row) -> Rating | None:
        before = len(self.problems.found)
        key, annotator = (
            text_of(row, name, line, self.problems, longest=LONGEST_KEY) for name in ("item", "annotator")
        )
        item = self.items.get(key)
        if key and item is None:
            self.problems.add(line, "item", f"the project has no item “{key}”.")
        value = self._value(row, line)
        round_ = self._round(row, line)
        session = self._session(row, line, round_) if round_ else 0
        answered_at = self._time(row, line)
        active_ms = number_of(row, "active_ms", line, self.problems, needed=False)
        if len(self.problems.found) > before or item is None or round_ is None or value is None:
            return None
        if (key, annotator, round_.key, session) in self.seen:
            self.problems.add(line, "item", f"{annotator} has judged “{key}” in this round and context before.")
            return None
        self.seen.add((key, annotator, round_.key, session))
        return Rating(line, item, annotator, value, round_.key, session, answered_at, active_ms)

    def _value(self, row: Row, line: int) -> float | None:
        scale: Scale | None = self.project.protocol.scale
        try:
            return scale.read(str(row.get("value", ""))) if scale else None
        except OffScale as error:
            self.problems.add(line, "value", str(error))
            return None

    def _round(self, row: Row, line: int) -> Round | None:
        name = text_of(row, "round", line, self.problems, needed=False) or self.default_round
        known = {one.key: one for one in self.project.protocol.rounds if not isinstance(one.design, SelectionDesign)}
        if name not in known:
            self.problems.add(
                line, "round", f"“{name or ''}” is not a round of ratings; these are: {', '.join(known)}."
            )
        elif name in self.planned:
            reason = f"{name} is planned and collected here; more judgments than planned are not taken."
            self.problems.add(line, "round", reason)
        return known.get(name or "")

    def _session(self, row: Row, line: int, round_: Round) -> int:
        context = text_of(row, "context", line, self.problems, needed=False) or round_.sessions[0].value
        contexts = [session.value for session in round_.sessions]
        if context not in contexts:
            self.problems.add(line, "context", f"“{context}” is not a context of {round_.key}: {', '.join(contexts)}.")
            return 0
        return contexts.index(context) + 1

    def _time(self, row: Row, line: int) -> datetime:
        text = text_of(row, "answered_at", line, self.problems, needed=False)
        if not text:
            return self.now
        try:
            moment = parse_datetime(text)
        except ValueError:
            moment = None
        if moment is None:
            self.problems.add(line, "answered_at", f"“{text}” is not a time such as 2026-03-01T12:30:00Z.")
            return self.now
        if not timezone.is_aware(moment):
            moment = timezone.make_aware(moment, timezone.get_default_timezone())
        if moment > self.now:
            self.problems.add(line, "answered_at", f"{text} has not come yet.")
        return moment


def _store(project: Project, external_id: str, round_key: str, ratings: list[Rating]) -> None:
    participation = _participation(project, external_id, round_key, ratings)
    contexts = project.round(round_key).sessions
    taken = Counter(dict(participation.assignments.values_list("session").annotate(Max("position")).order_by()))
    assignments = []
    for rating in ratings:
        taken[rating.session] += 1
        block = BlockKind.MAIN if rating.item.calibration_order is None else BlockKind.CALIBRATION
        assignments.append(
            Assignment(
                participation=participation,
                session=rating.session,
                context=contexts[rating.session - 1],
                block=block,
                position=taken[rating.session],
                item=rating.item,
                answered_at=rating.answered_at,
            )
        )
    Assignment.objects.bulk_create(assignments, batch_size=BATCH)
    Judgment.objects.bulk_create(
        (
            Judgment(
                assignment=assignment,
                key=uuid4(),
                value=rating.value,
                saved_at=rating.answered_at,
                active_ms=rating.active_ms,
            )
            for assignment, rating in zip(assignments, ratings, strict=True)
        ),
        batch_size=BATCH,
    )


def _participation(project: Project, external_id: str, round_key: str, ratings: list[Rating]) -> Participation:
    annotator = annotator_for(project, external_id=external_id)
    times = [rating.answered_at for rating in ratings]
    seats = Participation.objects.filter(project=project, round=round_key)
    values = {
        "seat": (seats.aggregate(last=Max("seat"))["last"] or 0) + 1,
        "state": State.FINISHED,
        "consented_at": min(times),
        "finished_at": max(times),
    }
    return Participation.objects.get_or_create(project=project, round=round_key, annotator=annotator, defaults=values)[
        0
    ]
