"""Plans of a complete design: every pair for every rater of every pool (STSS-131; DSCS 4.1)."""

from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.calibration import keys_of
from annotation.domain.planning.plan import Outcome, Plan
from annotation.planning.sharing import shared_out
from annotation.protocols.designs.rating import CompleteDesign
from annotation.protocols.terms import BlockKind


def plan_complete(plan: Plan, design: CompleteDesign) -> Outcome:
    calibration, main = items_to_rate(plan)
    planned = plan.places().filter(replaces__isnull=True).order_by().values_list("pool")
    present = dict(planned.annotate(places=Count("pk")))
    for pool, people in pool_sizes(design, plan.people).items():
        for _place in range(people - present.get(pool, 0)):
            order = plan.generator.permutation(main).tolist() if design.shuffled else main
            plan.add([(BlockKind.CALIBRATION, calibration), (BlockKind.MAIN, order)], pool=pool)
    return {"pairs a person": len(main), "calibration pairs": keys_of(calibration)}


def items_to_rate(plan: Plan) -> tuple[list[int], list[int]]:
    """Return the ids of the calibration pairs and of all others, in order. Raise Refusal if there are no others."""
    items = plan.project.items.filter(withdrawn_at__isnull=True)
    calibration = items.filter(calibration_order__isnull=False).order_by("calibration_order")
    main = items.filter(calibration_order__isnull=True).order_by("position", "pk")
    if not main:
        raise Refusal(_("There are no pairs yet. Import pairs first."))
    return list(calibration.values_list("pk", flat=True)), list(main.values_list("pk", flat=True))


def pool_sizes(design: CompleteDesign, people: int | None) -> dict[str, int]:
    """Return the number of people for each pool; a total other than the protocol's is shared proportionally."""
    planned = {pool.key: pool.people for pool in design.pools}
    return planned if people is None else shared_out(people, planned)
