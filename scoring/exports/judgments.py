"""judgments.csv: every current judgment, under pseudonyms."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from annotation.models import Assignment, Item, Judgment, Participation, Project, State
from annotation.protocols.scale import Scale
from scoring.exports.files import write_csv
from scoring.queries import all_judgments


@dataclass(frozen=True)
class Line:
    """One row: the judgment of one item; a selection has one for each role."""

    judgment: Judgment
    item: Item
    role: str
    value: float
    scale: Scale

    @property
    def assignment(self) -> Assignment:
        return self.judgment.assignment

    @property
    def participation(self) -> Participation:
        return self.judgment.assignment.participation

    @property
    def counts(self) -> bool:
        """Whether figures are made of it: of nobody excluded, and of an incident by its present owner only."""
        sentence = self.assignment.sentence
        given_on = sentence and sentence.document.incident.participation_id != self.participation.pk
        return self.participation.state != State.EXCLUDED and not given_on

    @property
    def thinking_ms(self) -> int | None:
        """By the browser's clock where there was one, else by the server's."""
        if self.judgment.answered_ms is not None:
            return self.judgment.answered_ms
        return _between(self.assignment.shown_at, self.judgment.saved_at)


COLUMNS: dict[str, Callable[[Line], object]] = {
    "item": lambda line: line.item.key,
    "annotator": lambda line: line.participation.annotator.pseudonym,
    "value": lambda line: Decimal(line.scale.write(line.value)),
    "round": lambda line: line.participation.round,
    "context": lambda line: line.assignment.context,
    "block": lambda line: line.assignment.block,
    "session": lambda line: line.assignment.session,
    "position": lambda line: line.assignment.position,
    "role": lambda line: line.role,
    "pool": lambda line: line.participation.pool,
    "counted": lambda line: int(line.counts),
    "refill": lambda line: int(line.participation.replaces_id is not None),
    "shown_at": lambda line: _utc(line.assignment.shown_at),
    "answered_at": lambda line: _utc(line.assignment.answered_at),
    "thinking_ms": lambda line: line.thinking_ms,
    "waiting_ms": lambda line: _between(line.judgment.came_before, line.assignment.shown_at),
    "active_ms": lambda line: line.judgment.active_ms,
    "touched_ms": lambda line: line.judgment.touched_ms,
    "adjustments": lambda line: line.judgment.adjustments,
    "pause_shortened": lambda line: int(line.participation.rest_shortened),
}


def export_judgments(project: Project, folder: Path) -> dict[str, int]:
    return {"judgments.csv": write_csv(folder / "judgments.csv", list(COLUMNS), _rows(project))}


def _rows(project: Project) -> Iterator[list[object]]:
    for judgment in all_judgments(project):
        for line in _lines(judgment, project.protocol.scale):
            yield [column(line) for column in COLUMNS.values()]


def _lines(judgment: Judgment, scale: Scale) -> list[Line]:
    if judgment.value is not None:
        return [Line(judgment, judgment.assignment.item, "", judgment.value, scale)]
    return [Line(judgment, pair.item, pair.role, pair.value, scale) for pair in judgment.pairs.all()]


def _utc(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else ""


def _between(earlier: datetime | None, later: datetime | None) -> int | None:
    """Milliseconds from one server time to another; None where one is missing or the order is not this one."""
    if earlier is None or later is None or later < earlier:
        return None
    return round((later - earlier).total_seconds() * 1000)
