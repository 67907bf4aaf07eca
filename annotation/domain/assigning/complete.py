"""Every pair for every rater of every pool (STSS-131; DSCS 4.1)."""

import numpy as np
from django.db.models import Count
from django.utils.translation import gettext as _

from annotation.domain.assigning.calibration import keys_of
from annotation.domain.assigning.plan import Outcome, Plan
from annotation.domain.errors import Refusal
from annotation.protocols.spec import BlockKind, CompleteDesign


def plan_complete(plan: Plan, design: CompleteDesign) -> Outcome:
    items = plan.project.items.filter(withdrawn_at__isnull=True)
    calibration = list(
        items.filter(calibration_order__isnull=False).order_by("calibration_order").values_list("pk", flat=True)
    )
    main = list(items.filter(calibration_order__isnull=True).order_by("position", "pk").values_list("pk", flat=True))
    if not main:
        raise Refusal(_("There are no pairs yet; import them first."))
    planned = plan.places().filter(replaces__isnull=True).order_by().values_list("pool")
    present = dict(planned.annotate(places=Count("pk")))
    for pool, people in pool_sizes(design, plan.people).items():
        for _place in range(people - present.get(pool, 0)):
            order = plan.generator.permutation(main).tolist() if design.shuffled else main
            plan.add([(BlockKind.CALIBRATION, calibration), (BlockKind.MAIN, order)], pool=pool)
    return {"pairs a person": len(main), "calibration pairs": keys_of(calibration)}


def pool_sizes(design: CompleteDesign, people: int | None) -> dict[str, int]:
    """People for each pool; a total other than the protocol's is shared out in its proportions."""
    planned = np.array([pool.people for pool in design.pools])
    shares = planned if people is None else people * planned / planned.sum()
    sizes = np.floor(shares).astype(int)
    short = (people or sizes.sum()) - sizes.sum()
    sizes[np.argsort(sizes - shares, kind="stable")[:short]] += 1
    return {pool.key: int(size) for pool, size in zip(design.pools, sizes, strict=True)}
