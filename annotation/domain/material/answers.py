"""What ratings and choices from elsewhere have in common: of which round they are, of whom, and when."""

from collections.abc import Container, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from annotation.domain.material.policy import ImportCounts
from annotation.domain.material.rows import Problem, Problems, Row
from annotation.domain.material.values import number_of, read_flag, text_of
from annotation.domain.moments import in_every_zone
from annotation.models import Project
from annotation.protocols.counting import NotCounted
from annotation.protocols.spec import Round
from annotation.queries.projects import done_plans

NUMBERS = {"thinking_ms": "answered_ms"} | {name: name for name in ("active_ms", "touched_ms", "adjustments")}
"""Columns of a file, with the fields of a judgment."""
OF_PEOPLE = ("", NotCounted.EXCLUDED)
"""Reasons in a row that does not count because of its person; releases of earlier versions give none."""
LEFT_OUT = (NotCounted.SUPERSEDED, NotCounted.WITHDRAWN, NotCounted.REASSIGNED, NotCounted.PARTIAL)
UNKNOWN_ITEMS = "The project does not have these items: %(names)s (%(number)s in all; lines affected: %(rows)s)."
JUDGED_BEFORE = "The same annotator has already judged these: %(names)s (%(number)s in all; lines affected: %(rows)s)."
"""Problems of several rows; a file of another project, or one imported before, has them in all."""
Place = tuple[str, str]
"""A person's outside id, and a round."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a row says about its judgment besides the judgment. measured: by fields of the judgment."""

    shown_at: datetime | None
    answered_at: datetime
    measured: dict[str, int]
    pool: str
    counted: bool


@dataclass(frozen=True, slots=True)
class Collected:
    """A judgment collected elsewhere. thing: what was judged by whom; shown, answered: the fields of its two rows."""

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
    """The rounds that take such judgments and are not planned here."""

    def __init__(self, project: Project, kind: str, known: Iterable[Round], default: str | None) -> None:
        self.kind, self.default = kind, default
        self.known = {round_.key: round_ for round_ in known}
        self.planned = set(done_plans(project).values_list("round", flat=True))

    def read(self, row: Row, line: int, problems: Problems) -> Round | None:
        name = text_of(row, "round", line, problems, needed=False) or self.default
        if name not in self.known:
            reason = f"“{name or ''}” is not a round with {self.kind}. Use one of: {', '.join(self.known)}."
            problems.add(line, "round", reason)
        elif name in self.planned:
            reason = f"Round {name} is planned and collected in this project, so judgments can't be imported into it"
            problems.add_alike(Problem(line, "round", f"{reason}."), str(name), f"{reason} (lines affected: %(rows)s).")
        return self.known.get(name or "")


def read_circumstances(row: Row, line: int, round_: Round | None, now: datetime, problems: Problems) -> Circumstances:
    """Return times, measurements, pool, and whether the person counts; a file may have none of these."""
    shown_at = _time(row, "shown_at", line, now, problems)
    answered_at = _time(row, "answered_at", line, now, problems) or now
    if shown_at and shown_at > answered_at:
        problems.add(line, "shown_at", "The time is later than answered_at.")
    numbers = _numbers(row, line, problems)
    if (reason := reason_in(row)) and reason not in list(NotCounted):
        problems.add(
            line, "not_counted_because", f"“{reason}” is not a known reason. Use one of: {', '.join(NotCounted)}."
        )
    counted = read_flag(row, "counted", line, problems, default=True) or reason_in(row) not in OF_PEOPLE
    return Circumstances(shown_at, answered_at, dict(numbers), _pool(row, line, round_, problems), counted)


def reason_in(row: Row) -> str:
    """Return why the judgment did not count where it was collected; "" for none, or if the file does not say."""
    return str(row.get("not_counted_because") or "").strip().lower()


def is_left_out(row: Row, counts: ImportCounts) -> bool:
    """Return whether a row of a release is not imported, and count it: nothing here would keep it from counting.

    A selection is imported with all its pairs, also with those that are withdrawn.
    """
    reason = reason_in(row)
    left_out = reason in LEFT_OUT and not (reason == NotCounted.WITHDRAWN and row.get("role"))
    counts.uncounted += left_out
    return left_out


def as_known(key: str, items: Container[str]) -> str:
    """Return an item's key without the apostrophe with which releases keep spreadsheets from running it."""
    return key[1:] if key.startswith("'") and key not in items and key[1:] in items else key


def add_unknown_item(problems: Problems, line: int, column: str, key: str) -> None:
    """Add that the project does not have an item."""
    reason = f"The project has no item “{key}”."
    problems.add_alike(Problem(line, column, reason), f"“{key}”", UNKNOWN_ITEMS)


def _numbers(row: Row, line: int, problems: Problems) -> Iterator[tuple[str, int]]:
    for column, field in NUMBERS.items():
        if row.get(column) is None:
            continue
        number = number_of(row, column, line, problems, needed=False)
        if number is not None:
            yield field, number


def _pool(row: Row, line: int, round_: Round | None, problems: Problems) -> str:
    pool = text_of(row, "pool", line, problems, needed=False)
    pools = [rater_pool.key for rater_pool in round_.design.rater_pools] if round_ else []
    if pool and round_ and pool not in pools:
        problems.add(
            line, "pool", f"“{pool}” is not a pool of round {round_.key}. Its pools: {', '.join(pools) or 'none'}."
        )
    return pool


def _time(row: Row, column: str, line: int, now: datetime, problems: Problems) -> datetime | None:
    text = text_of(row, column, line, problems, needed=False)
    if not text:
        return None
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None or not in_every_zone(moment):
        problems.add(line, column, f"“{text}” is not a valid time. Write it like 2026-03-01T12:30:00Z.")
        return None
    if not timezone.is_aware(moment):
        moment = timezone.make_aware(moment, timezone.get_default_timezone())
    if moment > now:
        problems.add(line, column, f"{text} is in the future.")
    return moment
