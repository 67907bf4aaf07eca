"""Plans of an incomplete design: each pair is rated by some of the raters, and each of them rates some of the pairs."""

from collections.abc import Iterator, Sequence

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.calibration import keys_of
from annotation.domain.planning.complete import items_to_rate
from annotation.domain.planning.plan import Outcome, Plan
from annotation.models import Assignment
from annotation.planning.amounts import people_needed
from annotation.planning.dealing import deal_tuples
from annotation.protocols.designs.rating import PartialDesign
from annotation.protocols.terms import BlockKind


def plan_incomplete(plan: Plan, design: PartialDesign) -> Outcome:
    """Deal the pairs that nobody has yet to new places, so that each pair is rated by as many people as it needs."""
    calibration, main = items_to_rate(plan)
    new = new_pairs(plan, main)
    for hand in deal_pairs(plan, design, new):
        plan.add([(BlockKind.CALIBRATION, calibration), (BlockKind.MAIN, hand)])
    return {
        "pairs": len(main),
        "new pairs": len(new),
        "ratings a pair": design.ratings,
        "calibration pairs": keys_of(calibration),
    }


def new_pairs(plan: Plan, main: Sequence[int]) -> list[int]:
    """Return the pairs that no place of the round has yet, in order."""
    planned = set(Assignment.objects.filter(participation__in=plan.places()).values_list("item", flat=True))
    return [item for item in main if item not in planned]


def deal_pairs(plan: Plan, design: PartialDesign, new: Sequence[int]) -> Iterator[list[int]]:
    """Yield the pairs of each new place, in the order of its screens; none if there are no new pairs."""
    if new:
        people = _new_places(plan, design, len(new))
        singles = np.arange(len(new))[:, np.newaxis]
        for hand in deal_tuples(singles, people=people, answers=design.ratings, generator=plan.generator):
            yield [new[place] for place in hand]


def _new_places(plan: Plan, design: PartialDesign, items: int) -> int:
    """Return the number of new places, as asked for or as the new pairs need. Raise Refusal if it is out of range."""
    ratings = items * design.ratings
    if plan.people is None:
        return people_needed(items, design.ratings, design.most_a_person)
    people = plan.people - plan.planned_before
    if not design.ratings <= people <= ratings:
        raise Refusal(
            _(
                "Wrong number of people (%(people)s): each new pair is rated by %(each)s different people in new "
                "places. Plan %(least)s to %(most)s people in all."
            )
            % {
                "each": design.ratings,
                "least": plan.planned_before + design.ratings,
                "most": plan.planned_before + ratings,
                "people": plan.people,
            }
        )
    return people
