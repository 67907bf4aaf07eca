"""The selections of annotators, for the rounds that validate them."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.planning.plan import Plan
from annotation.models import Participation, SelectedPair, State
from annotation.protocols.designs.news import SequenceDesign, StackDesign
from annotation.queries.counting import counted_pairs


@dataclass(frozen=True)
class Selections:
    """The first (S, A, B, C) tuples of one annotator."""

    participation: Participation
    items: np.ndarray
    """Item ids, shape (tuples, roles), in the order of the annotator's screens and of the roles."""


def first_selections(plan: Plan, design: SequenceDesign | StackDesign) -> list[Selections]:
    """Return the annotators of the source round who are done, with their first selections, if they made enough."""
    roles = len(plan.project.protocol.selection(plan.round).roles)
    participations = Participation.objects.filter(
        project=plan.project, round=design.source, state__in=[State.FINISHED, State.LEFT]
    )
    pairs = SelectedPair.objects.filter(judgment__assignment__participation__in=participations)
    chosen: dict[int, list[int]] = defaultdict(list)
    for owner, item in counted_pairs(pairs).values_list("judgment__assignment__participation", "item"):
        chosen[owner].append(item)
    return [
        Selections(participation, np.array(items[: design.tuples * roles], dtype=np.int64).reshape(-1, roles))
        for participation in participations.order_by("seat")
        if len(items := chosen[participation.pk]) >= design.tuples * roles
    ]


def nobody_ready(design: SequenceDesign | StackDesign) -> str:
    """Return the sentence that says what an annotator must have done to be validated."""
    return _(
        "Annotators of round %(source)s are ready once they have finished or left with at least %(tuples)s selections."
    ) % {
        "source": design.source,
        "tuples": design.tuples,
    }
