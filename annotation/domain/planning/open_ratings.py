"""Plans of open rounds of ratings: the items go into a common pool, and people take them from there as they come."""

from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.calibration import keys_of
from annotation.domain.planning.complete import items_to_rate
from annotation.domain.planning.plan import Outcome, Plan, count_rows
from annotation.models import PooledItem
from annotation.planning.amounts import people_needed
from annotation.planning.dealing import draw_rank
from annotation.planning.sharing import shared_out
from annotation.protocols.designs.rating import CompleteDesign, IncompleteDesign
from annotation.protocols.terms import BlockKind

BATCH = 2000


def plan_open_ratings(plan: Plan, design: CompleteDesign | IncompleteDesign) -> Outcome:
    """Put the items that are in no pool yet into that of each group of raters, and add free places."""
    calibration, main = items_to_rate(plan)
    _require_people(plan, design, len(main))
    groups = design.ratings_by_pool
    if design.in_waves:
        groups = dict.fromkeys(groups, design.first_answers)
    places = shared_out(plan.people, groups) if plan.people is not None else {}
    for raters, ratings in groups.items():
        new = _pool_items(plan, raters, main, ratings)
        present = plan.places().filter(replaces__isnull=True, pool=raters).count()
        needed = people_needed(len(new), ratings, design.most_a_person)
        for _place in range(places[raters] - present if places else needed):
            plan.add([(BlockKind.CALIBRATION, calibration)], pool=raters, most=design.most_a_person)
    plan.opened = plan.pooled * design.first_answers
    return {
        "pairs": len(main),
        "new pairs": plan.pooled // len(groups),
        "ratings a pair": design.answers_each,
        "calibration pairs": keys_of(calibration),
    }


def _pool_items(plan: Plan, raters: str, items: list[int], ratings: int) -> list[int]:
    """Store and return the items that the group's pool does not have yet."""
    stored = PooledItem.objects.filter(project=plan.project, round=plan.round.key, pool=raters)
    present = set(stored.values_list("item", flat=True))
    new = [item for item in items if item not in present]
    PooledItem.objects.bulk_create(
        (
            PooledItem(
                project=plan.project,
                round=plan.round.key,
                pool=raters,
                item_id=item,
                position=position,
                planned=ratings,
                rank=draw_rank(plan.project.seed, position, 0),
            )
            for position, item in enumerate(new, start=len(present) + 1)
        ),
        batch_size=BATCH,
    )
    transaction.on_commit(partial(count_rows, PooledItem))
    plan.pooled += len(new)
    return new


def _require_people(plan: Plan, design: CompleteDesign | IncompleteDesign, items: int) -> None:
    """Raise Refusal if that number of people cannot give each item its ratings, or would leave somebody without any."""
    least, most = design.first_answers, design.answers_each * items
    if plan.people is not None and not least <= plan.people <= most:
        raise Refusal(
            _(
                "Wrong number of people (%(people)s): each pair is rated by %(each)s different people. Plan "
                "%(least)s to %(most)s people."
            )
            % {"each": design.first_answers, "least": least, "most": most, "people": plan.people}
        )
