"""The state of a round while it is being planned."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import Participation, Project
from annotation.protocols.spec import Round
from annotation.protocols.terms import BlockKind

Blocks = Sequence[tuple[BlockKind, Sequence[int]]]
Outcome = dict[str, Any]


@dataclass
class Plan:
    """A round being planned: what was asked for, and what has been made so far."""

    project: Project
    round: Round
    people: int | None
    calibration: Sequence[str]
    generator: np.random.Generator
    next_seat: int
    deadline: dict[str, Any]
    """The deadline fields of the round's new places."""
    participations: list[Participation] = field(default_factory=list)
    screens: list[tuple[Participation, Blocks]] = field(default_factory=list)
    incidents: list[tuple[Participation, list[int]]] = field(default_factory=list)
    """The incidents that each new place gets."""
    certificate: dict[str, Any] | None = None
    """The certified quality of a best-worst design."""
    pooled: int = 0
    """The number of items put into the pools of an open round."""
    opened: int = 0
    """The number of judgments that the pool of an open round gets."""

    @property
    def planned_before(self) -> int:
        """Return the number of places that the round had before, without refills."""
        return self.places().filter(replaces__isnull=True).count()

    def places(self) -> QuerySet[Participation]:
        """Return all places of the round, including those of earlier plans."""
        return Participation.objects.filter(project=self.project, round=self.round.key)

    def add(self, blocks: Blocks, **values: Any) -> Participation:
        """Add a place with its blocks of items (in a selection, of sentences)."""
        participation = Participation(
            project=self.project, round=self.round.key, seat=self.next_seat, **self.deadline, **values
        )
        self.next_seat += 1
        self.participations.append(participation)
        self.screens.append((participation, blocks))
        return participation

    def whole_groups(self, people: int, group: int) -> int:
        """Return the number of groups of this size. Raise Refusal if the people do not make whole groups."""
        if people % group:
            raise Refusal(
                _(
                    "Round %(round)s needs %(group)s people for each annotator. Choose a multiple of %(group)s "
                    "instead of %(people)s."
                )
                % {"round": self.round.key, "group": group, "people": self.people}
            )
        return max(people // group, 0)


def count_rows(*models: type[Model]) -> None:
    """Update PostgreSQL's statistics: without them its planner takes the tables for empty when it looks for entries."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(model._meta.db_table for model in models)}")
