"""What a forecast is computed for, and what a round costs with a number of people."""

from dataclasses import dataclass, replace
from decimal import Decimal

from annotation.planning.costs import Material, RoundCost, round_costs
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.designs.news import StackDesign
from annotation.protocols.designs.rating import CompleteDesign, PartialDesign
from annotation.protocols.spec import Protocol, Round
from scoring.models import Run
from scoring.presets.registry import publication_of


@dataclass(frozen=True)
class Wish:
    """The request for a forecast. run: whose judgments tell how much people vary; None for the paper's figures. target:
    the split-half reliability to reach. seconds: of one judgment. pay: per hour. fee: of a platform, 0.3 for 30 %."""

    protocol: Protocol
    round: Round
    material: Material
    run: Run | None = None
    target: float = 0.9
    seconds: float = 0.0
    pay: Decimal | None = None
    fee: Decimal = Decimal(0)
    seed: int = 0


def judged_by(round_: Round) -> int:
    """Return how many people judge the same item or tuple of the round."""
    match round_.design:
        case StackDesign(stack_size=people) | BestWorstDesign(people=people) | PartialDesign(ratings=people):
            return people
        case CompleteDesign(pools=pools):
            return sum(pool.people for pool in pools)
        case _:
            return 1


def supposed_seconds(protocol: Protocol, round_: Round) -> float:
    """Return the seconds of a judgment of the round, overhead included: the paper's figure, or else a usual one."""
    printed = publication_of(protocol).printed
    if printed and printed.seconds and judged_by(round_) > 1:
        return printed.seconds
    [cost] = [cost for cost in round_costs(protocol, Material()) if cost.round.key == round_.key]
    return cost.seconds


def items_judged(wish: Wish) -> int:
    """Return how many items the round judges."""
    match wish.round.design:
        case StackDesign(annotators=annotators, tuples=tuples):
            return annotators * tuples * len(wish.protocol.selection(wish.round).roles)
        case _:
            return wish.material.items


def with_people(round_: Round, people: int) -> Round:
    """Return the round with this number of judgments of an item, or answers to a tuple."""
    design = round_.design
    if people == judged_by(round_):
        return round_
    match design:
        case StackDesign():
            return replace(round_, design=replace(design, stack_size=people))
        case PartialDesign():
            return replace(round_, design=replace(design, ratings=people))
        case BestWorstDesign():
            return replace(round_, design=replace(design, people=people))
        case CompleteDesign(pools=(first, *_)):
            return replace(round_, design=replace(design, pools=(replace(first, people=people),)))
    raise ValueError(f"Every item of {round_.key} is judged once.")


def cost_of(wish: Wish, round_: Round) -> RoundCost:
    """Return the cost of the round among the others of the protocol, with the requested seconds of a judgment."""
    rounds = tuple(round_ if other.key == round_.key else other for other in wish.protocol.rounds)
    costs = round_costs(replace(wish.protocol, rounds=rounds), wish.material)
    [cost] = [cost for cost in costs if cost.round.key == round_.key]
    return replace(cost, seconds=wish.seconds or cost.seconds)


def money_for(wish: Wish, hours: float) -> Decimal | None:
    """Return pay and fee for a number of hours; None if no pay was named."""
    if wish.pay is None:
        return None
    return (Decimal(repr(hours)) * wish.pay * (1 + wish.fee)).quantize(Decimal("0.01"))
