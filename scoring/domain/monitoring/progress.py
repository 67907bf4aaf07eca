"""The answers that a project's rounds have and need: counted with its statistics, not on each request."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from annotation.models import Project
from annotation.queries.progress import Block, blocks_of, shared_counts
from scoring.models import ProjectStatistics

FORM = 4
"""Of the statistics that are stored: those of an earlier form are computed again."""
SHARED = ("tuples", "wanted", "answers")


@dataclass(frozen=True)
class RoundProgress:
    """The answers of a round. shared: wanted and counted answers to tuples or to items of a common pool, and the number
    of tuples; empty for rounds that are counted place by place."""

    blocks: Sequence[Block]
    shared: Mapping[str, int]

    @property
    def answered(self) -> int:
        return sum(block.answered for block in self.blocks)

    @property
    def wanted(self) -> int:
        return sum(block.wanted for block in self.blocks)


@dataclass(frozen=True)
class Progress:
    """The answers of a project at a moment, by round."""

    at: datetime
    rounds: Mapping[str, RoundProgress]


def progress_of(project: Project, now: datetime) -> Progress:
    """Return the progress as of the last statistics, in one query; before there are any, as of now."""
    last = ProjectStatistics.objects.filter(project=project, at__isnull=False, basis__form=FORM)
    at, figures = last.values_list("at", "figures").first() or (now, count_progress(project))
    return Progress(
        at, {round_.key: stored_progress(figures.get(round_.key, {})) for round_ in project.protocol.rounds}
    )


def count_progress(project: Project) -> dict[str, dict[str, Any]]:
    """Return the progress of each round that has any, counted now, as `blocks` and `shared` of the statistics."""
    shared = shared_counts(project)
    rounds: dict[str, dict[str, Any]] = {
        key: {"blocks": [asdict(block) for block in blocks]} for key, blocks in blocks_of(project, shared).items()
    }
    for key, row in shared.items():
        rounds.setdefault(key, {})["shared"] = {name: row[name] for name in SHARED if name in row}
    return rounds


def stored_progress(figures: Mapping[str, Any]) -> RoundProgress:
    """Return the progress of a round from its stored statistics; empty ones say nothing."""
    return RoundProgress([Block(**block) for block in figures.get("blocks", ())], figures.get("shared", {}))
