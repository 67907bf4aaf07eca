"""Plans of stacks that rate imported pairs, between a calibration and an intra block (after Czech News 4.2.2)."""

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.calibration import chosen_calibration, keys_of, mark_calibration, require_places
from annotation.domain.planning.complete import items_to_rate
from annotation.domain.planning.incomplete import deal_pairs, new_pairs
from annotation.domain.planning.plan import Outcome, Plan
from annotation.models import Assignment
from annotation.planning.people import draw_calibration, draw_repeats
from annotation.protocols.designs.rating import PairStackDesign
from annotation.protocols.terms import BlockKind


def plan_pair_stacks(plan: Plan, design: PairStackDesign) -> Outcome:
    """Deal the pairs that nobody has yet to new places, and give every place a calibration and an intra block.

    Raises:
        Refusal: there are no pairs, the calibration pairs do not fit the protocol, or the people are too few or many.
        PlanningError: too few pairs have an earlier value that calibration needs.
    """
    drawn = _choose_calibration(plan, design)
    calibration, main = items_to_rate(plan)
    new = new_pairs(plan, main)
    for hand in deal_pairs(plan, design, new):
        intra = draw_repeats(np.array(hand, dtype=np.int64), design.intra, plan.generator).tolist()
        plan.add([(BlockKind.CALIBRATION, calibration), (BlockKind.MAIN, hand), (BlockKind.INTRA, intra)])
    return {
        "pairs": len(main),
        "new pairs": len(new),
        "ratings a pair": design.ratings,
        "calibration pairs": keys_of(calibration),
        "calibration drawn by seed": drawn,
    }


def _choose_calibration(plan: Plan, design: PairStackDesign) -> bool:
    """Mark the calibration pairs where they are not marked yet. Return whether they were drawn by random seed."""
    _require_same_calibration(plan)
    chosen = [item for item in chosen_calibration(plan) if item.withdrawn_at is None]
    expected = [float(value) for value in design.calibration]
    if not chosen:
        mark_calibration(_drawn_calibration(plan, expected))
        return True
    main = Assignment.objects.filter(participation__in=plan.places(), block=BlockKind.MAIN)
    require_places(chosen, expected, set(main.values_list("item", flat=True)))
    scale = plan.project.protocol.scale
    for item, value in zip(chosen, expected, strict=True):
        if item.earlier_value is not None and scale.nearest(item.earlier_value) != value:
            raise Refusal(
                _(
                    "The calibration pair %(key)s has the earlier value %(earlier)s, but its position requires a "
                    "value near %(value)s. Choose another pair."
                )
                % {"key": item.key, "earlier": f"{item.earlier_value:g}", "value": f"{value:g}"}
            )
    return False


def _require_same_calibration(plan: Plan) -> None:
    """Raise Refusal if the existing places have other calibration pairs than requested; withdrawn ones may change."""
    if not plan.calibration or not plan.planned_before:
        return
    marked = plan.project.items.filter(calibration_order__isnull=False, withdrawn_at__isnull=True)
    for order, key in marked.values_list("calibration_order", "key"):
        if list(plan.calibration[order - 1 : order]) != [key]:
            raise Refusal(
                _(
                    "%(key)s is already calibration pair %(order)s of round %(round)s and can't be changed. List "
                    "it in the same position."
                )
                % {"round": plan.round.key, "key": key, "order": order}
            )


def _drawn_calibration(plan: Plan, expected: list[float]) -> list[int]:
    """Draw pairs with exactly the expected earlier values, of those that no place has."""
    free = plan.project.items.filter(withdrawn_at__isnull=True, assignments__isnull=True).order_by("position", "pk")
    rows = [(item.pk, item.earlier_value) for item in free.only("project", "extra").iterator()]
    known = [(pk, value) for pk, value in rows if value is not None]
    values = np.array([value for _pk, value in known], dtype=np.float64)
    return [known[index][0] for index in draw_calibration(values, expected, plan.generator)]
