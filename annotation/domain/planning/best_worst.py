"""Tuples for a best-worst choice: designed, stored, and dealt to people or put into a pool (SemRel2024 3.2; GiCCS)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.planning.plan import Outcome, Plan
from annotation.domain.planning.tuple_rows import store_tuples
from annotation.models import Tuple, TuplePlace
from annotation.planning.amounts import people_needed
from annotation.planning.dealing import deal_tuples
from annotation.planning.tuples import certificate, design_groups, design_tuples, extend_design, extend_groups
from annotation.planning.tuples.pairs import Tuples
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.terms import BlockKind


@dataclass(frozen=True)
class Design:
    """The items of a round in order, their groups, and tuples of their indexes: the stored ones, then new ones."""

    items: list[int]
    groups: list[str] | None
    before: Tuples
    tuples: Tuples

    @property
    def new(self) -> Tuples:
        return self.tuples[len(self.before) :]


def plan_best_worst(plan: Plan, design: BestWorstDesign) -> Outcome:
    made = _design(plan, design)
    stored = _store(plan, design, made)
    if stored:
        plan.certificate = asdict(certificate(made.tuples, len(made.items), plan.project.seed, made.groups))
    give = _open_places if design.open else _deal
    give(plan, design, made, stored)
    return {
        "items": len(made.items),
        "tuples": len(made.tuples),
        "new tuples": len(stored),
        "answers a tuple": design.people,
    }


def _design(plan: Plan, design: BestWorstDesign) -> Design:
    """Return the design with its stored tuples, and after them new ones for the items that are in none yet."""
    rows = list(
        plan.project.items.filter(calibration_order__isnull=True, withdrawn_at__isnull=True)
        .order_by("position", "pk")
        .values_list("pk", "group__key")
    )
    if not rows:
        raise Refusal(_("There are no items yet. Import items first."))
    items, groups = [pk for pk, _ in rows], [key for _, key in rows]
    if design.grouped and None in groups:
        raise Refusal(_("Only utterances of dialogues have groups, and these items have none. Set `grouped` to false."))
    before = _tuples_before(plan, design, items)
    if len(np.unique(before)) == len(items):
        return Design(items, groups if design.grouped else None, before, before)
    if design.grouped:
        return Design(items, groups, before, _design_groups(plan, design, groups, before))
    return Design(items, None, before, _design_items(plan, design, len(items), before))


def _design_groups(plan: Plan, design: BestWorstDesign, groups: Sequence[str], before: Tuples) -> Tuples:
    numbers = {"size": design.tuple_size, "factor": design.factor, "generator": plan.generator}
    return extend_groups(before, groups, **numbers) if len(before) else design_groups(groups, **numbers)


def _design_items(plan: Plan, design: BestWorstDesign, items: int, before: Tuples) -> Tuples:
    if len(before):
        return extend_design(before, items, size=design.tuple_size, generator=plan.generator)
    return design_tuples(items, size=design.tuple_size, factor=design.factor, generator=plan.generator)


def _tuples_before(plan: Plan, design: BestWorstDesign, items: Sequence[int]) -> Tuples:
    index = {pk: number for number, pk in enumerate(items)}
    places = TuplePlace.objects.filter(tuple__project=plan.project, tuple__round=plan.round.key)
    withdrawn = places.filter(item__withdrawn_at__isnull=False).values("tuple")
    ordered = places.exclude(tuple__in=withdrawn).order_by("tuple__position", "position").values_list("item", flat=True)
    return np.array([index[pk] for pk in ordered], dtype=np.int64).reshape(-1, design.tuple_size)


def _store(plan: Plan, design: BestWorstDesign, made: Design) -> list[Tuple]:
    rows = [[made.items[index] for index in row] for row in made.new.tolist()]
    given = 0 if design.open else design.people
    return store_tuples(plan.project, plan.round.key, rows, planned=design.first_answers, given=given)


def _deal(plan: Plan, design: BestWorstDesign, made: Design, stored: Sequence[Tuple]) -> None:
    """Deal every new tuple to as many people as it needs answers, each with a new place."""
    if not stored:
        return
    people = _new_places(plan, design, len(stored))
    if people < design.people:
        raise Refusal(
            _(
                "Too few people (%(people)s): each new tuple goes to %(needed)s different new places. Plan "
                "at least %(least)s people in all."
            )
            % {"needed": design.people, "people": plan.people, "least": plan.planned_before + design.people}
        )
    hands = deal_tuples(made.new, people=people, answers=design.people, generator=plan.generator)
    for hand in hands:
        plan.add([(BlockKind.MAIN, [stored[index].pk for index in hand])])


def _open_places(plan: Plan, design: BestWorstDesign, made: Design, stored: Sequence[Tuple]) -> None:
    """Add free places; the people who take them lease tuples from the pool, one after the other."""
    plan.opened = len(stored) * design.first_answers
    answers = len(made.tuples) * design.people
    if plan.people is not None and plan.people < design.first_answers:
        raise Refusal(
            _("Too few people (%(people)s): each tuple is answered by %(needed)s different people.")
            % {"needed": design.first_answers, "people": plan.people}
        )
    if plan.people is not None and plan.people > answers:
        raise Refusal(
            _("Too many people (%(people)s): the plan needs only %(answers)s answers in all.")
            % {"answers": answers, "people": plan.people}
        )
    most = _most(design, len(made.tuples), plan.people)
    for _place in range(_new_places(plan, design, len(stored))):
        plan.add([], most=most)


def _most(design: BestWorstDesign, tuples: int, people: int | None) -> int | None:
    """Return the maximum of tuples for one person: the usual share, or more if so few people could not do all."""
    if not design.tuples_a_person:
        return None
    share = ceil(tuples * design.people / people) if people else 0
    return max(design.tuples_a_person, min(share, tuples))


def _new_places(plan: Plan, design: BestWorstDesign, tuples: int) -> int:
    """Return the number of new places: up to the number asked for, or as many as the new tuples need."""
    if plan.people is not None:
        return max(plan.people - plan.planned_before, 0)
    return people_needed(tuples, design.first_answers, design.most_a_person)
