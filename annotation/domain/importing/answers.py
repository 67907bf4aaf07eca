"""What ratings and choices from elsewhere have in common: of which round they are, of whom, and when."""

from collections.abc import Container, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from annotation.domain.importing.rows import Problems, Row
from annotation.domain.importing.values import number_of, text_of
from annotation.models import Project
from annotation.protocols.spec import CompleteDesign, Round
from annotation.queries import done_plans

NUMBERS = {
    "thinking_ms": "answered_ms",
    "active_ms": "active_ms",
    "touched_ms": "touched_ms",
    "adjustments": "adjustments",
}
"""Columns of a file, with the fields of a judgment."""
YES_OR_NO = {"1": True, "0": False, "true": True, "false": False}
Place = tuple[str, str]
"""A person's outside id, and a round."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a row tells about its judgment besides the judgment. measured: by fields of the judgment."""

    shown_at: datetime | None
    answered_at: datetime
    measured: dict[str, int]
    pool: str
    counted: bool


@dataclass(frozen=True, slots=True)
class Given:
    """A judgment from elsewhere. thing: what was judged by whom; shown, answered: the fields of its two rows."""

    thing: Hashable
    annotator: str
    round: str
    session: int
    circumstances: Circumstances
    shown: dict[str, Any]
    answered: dict[str, Any]

    @property
    def place(self) -> Place:
        return self.annotator, self.round


class Rounds:
    """Finds the round of a row, among those that take such judgments and are not planned here."""

    def __init__(self, project: Project, kind: str, known: Iterable[Round], default: str | None) -> None:
        self.kind, self.default = kind, default
        self.known = {one.key: one for one in known}
        self.planned = set(done_plans(project).values_list("round", flat=True))

    def read(self, row: Row, line: int, problems: Problems) -> Round | None:
        name = text_of(row, "round", line, problems, needed=False) or self.default
        if name not in self.known:
            reason = f"“{name or ''}” is not a round of {self.kind}; these are: {', '.join(self.known)}."
            problems.add(line, "round", reason)
        elif name in self.planned:
            reason = f"{name} is planned and collected here; more judgments than planned are not taken."
            problems.add(line, "round", reason)
        return self.known.get(name or "")


def read_circumstances(row: Row, line: int, round_: Round | None, now: datetime, problems: Problems) -> Circumstances:
    """Times, measurements, pool, and whether the person counts; a file may tell none of these."""
    shown_at = _time(row, "shown_at", line, now, problems)
    answered_at = _time(row, "answered_at", line, now, problems) or now
    if shown_at and shown_at > answered_at:
        problems.add(line, "shown_at", "this is after answered_at.")
    numbers = _numbers(row, line, problems)
    counted = read_flag(row, "counted", line, problems, default=True)
    return Circumstances(shown_at, answered_at, dict(numbers), _pool(row, line, round_, problems), counted)


def as_known(key: str, items: Container[str]) -> str:
    """An item's key without the apostrophe that keeps spreadsheets from running it, as releases write it."""
    return key[1:] if key.startswith("'") and key not in items and key[1:] in items else key


def read_flag(row: Row, column: str, line: int, problems: Problems, *, default: bool = False) -> bool:
    """Yes or no; the default where the row does not tell."""
    value = row.get(column)
    text = "" if value is None else str(value).strip().lower()
    if text and text not in YES_OR_NO:
        problems.add(line, column, f"“{text[:40]}” is neither 1 nor 0.")
    return YES_OR_NO.get(text, default)


def _numbers(row: Row, line: int, problems: Problems) -> Iterator[tuple[str, int]]:
    for column, field in NUMBERS.items():
        if row.get(column) is None:
            continue
        number = number_of(row, column, line, problems, needed=False)
        if number is not None:
            yield field, number


def _pool(row: Row, line: int, round_: Round | None, problems: Problems) -> str:
    pool = text_of(row, "pool", line, problems, needed=False)
    pools = [one.key for one in round_.design.pools] if round_ and isinstance(round_.design, CompleteDesign) else []
    if pool and round_ and pool not in pools:
        problems.add(line, "pool", f"“{pool}” is not a pool of {round_.key}; these are: {', '.join(pools) or 'none'}.")
    return pool


def _time(row: Row, column: str, line: int, now: datetime, problems: Problems) -> datetime | None:
    text = text_of(row, column, line, problems, needed=False)
    if not text:
        return None
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        problems.add(line, column, f"“{text}” is not a time such as 2026-03-01T12:30:00Z.")
        return None
    if not timezone.is_aware(moment):
        moment = timezone.make_aware(moment, timezone.get_default_timezone())
    if moment > now:
        problems.add(line, column, f"{text} has not come yet.")
    return moment
