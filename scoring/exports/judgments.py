"""judgments.csv: every current judgment, under pseudonyms."""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from annotation.models import Judgment, Project, State
from scoring.exports.files import write_csv
from scoring.queries import all_judgments

HEADER = (
    "item",
    "annotator",
    "value",
    "round",
    "context",
    "block",
    "session",
    "position",
    "role",
    "pool",
    "counted",
    "shown_at",
    "answered_at",
    "thinking_ms",
    "waiting_ms",
    "active_ms",
    "touched_ms",
    "adjustments",
    "pause_shortened",
)


def export_judgments(project: Project, folder: Path) -> dict[str, int]:
    return {"judgments.csv": write_csv(folder / "judgments.csv", HEADER, _rows(project))}


def _rows(project: Project) -> Iterator[tuple[object, ...]]:
    scale = project.protocol.scale
    for judgment in all_judgments(project):
        surroundings = _surroundings(judgment)
        participation = judgment.assignment.participation
        for item, role, value in _values(judgment):
            yield (
                item,
                participation.annotator.pseudonym,
                Decimal(scale.write(value)),
                *_place(judgment, role),
                *surroundings,
            )


def _values(judgment: Judgment) -> list[tuple[str, str, float]]:
    """The items with role and value: one of a rating, several of a selection."""
    if judgment.value is not None:
        return [(judgment.assignment.item.key, "", judgment.value)]
    return [(pair.item.key, pair.role, pair.value) for pair in judgment.pairs.all()]


def _place(judgment: Judgment, role: str) -> tuple[object, ...]:
    assignment, participation = judgment.assignment, judgment.assignment.participation
    return (
        participation.round,
        assignment.context,
        assignment.block,
        assignment.session,
        assignment.position,
        role,
        participation.pool,
        int(participation.state != State.EXCLUDED),
    )


def _surroundings(judgment: Judgment) -> tuple[object, ...]:
    assignment = judgment.assignment
    shown, answered = assignment.shown_at, assignment.answered_at
    return (
        _utc(shown),
        _utc(answered),
        judgment.answered_ms if judgment.answered_ms is not None else _between(shown, judgment.saved_at),
        _between(judgment.came_before, shown),
        _known(judgment.active_ms),
        _known(judgment.touched_ms),
        _known(judgment.adjustments),
        int(assignment.participation.rest_shortened),
    )


def _utc(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else ""


def _between(earlier: datetime | None, later: datetime | None) -> object:
    """Milliseconds from one server time to another; empty where one is missing or the order is not this one."""
    if earlier is None or later is None or later < earlier:
        return ""
    return round((later - earlier).total_seconds() * 1000)


def _known(number: int | None) -> object:
    return "" if number is None else number
