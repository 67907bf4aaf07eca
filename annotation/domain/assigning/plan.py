"""A round on its way to being planned."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import Participation, Project
from annotation.protocols.spec import BlockKind, Round

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
    """What its places have of the day that the round was given."""
    participations: list[Participation] = field(default_factory=list)
    screens: list[tuple[Participation, Blocks]] = field(default_factory=list)
    given: list[tuple[Participation, list[int]]] = field(default_factory=list)
    """Incidents that a place takes for itself."""
    certificate: dict[str, Any] | None = None
    """Of a best-worst design: what it is worth."""

    @property
    def planned_before(self) -> int:
        """Places of the round that were there already, refills not counted."""
        return self.places().filter(replaces__isnull=True).count()

    def places(self) -> QuerySet[Participation]:
        """All places of the round, those of earlier plans included."""
        return Participation.objects.filter(project=self.project, round=self.round.key)

    def add(self, blocks: Blocks, **values: Any) -> Participation:
        """One more place, with its blocks of items (or, in a selection, of sentences)."""
        participation = Participation(
            project=self.project, round=self.round.key, seat=self.next_seat, **self.deadline, **values
        )
        self.next_seat += 1
        self.participations.append(participation)
        self.screens.append((participation, blocks))
        return participation

    def whole_groups(self, people: int, group: int) -> int:
        """How many groups that many people make.

        Raises:
            Refusal: they do not make whole groups.
        """
        if people % group:
            raise Refusal(
                _("%(round)s needs %(group)s people for each annotator; %(people)s is no multiple of it.")
                % {"round": self.round.key, "group": group, "people": self.people}
            )
        return max(people // group, 0)
