"""What is asked of a forecast, and what a round costs with so many people."""

from dataclasses import dataclass, replace
from decimal import Decimal

from annotation.planning.costs import Material, RoundCost, round_costs
from annotation.protocols.spec import BestWorstDesign, CompleteDesign, Protocol, Round, StackDesign
from scoring.forecasting.papers import PAPERS
from scoring.models import Run


@dataclass(frozen=True)
class Wish:
    """What is asked. run: whose judgments tell how much people vary; None for the paper's figures. target: the
    split-half reliability to reach. seconds: of one judgment. pay: for an hour; fee: of a platform, 0.3 for 30 %."""

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
    """How many people judge the same item or tuple of the round."""
    match round_.design:
        case StackDesign(stack_size=people) | BestWorstDesign(people=people):
            return people
        case CompleteDesign(pools=pools):
            return sum(pool.people for pool in pools)
        case _:
            return 1


def supposed_seconds(protocol: Protocol, round_: Round) -> float:
    """What a judgment of the round takes, with everything around it: the paper's figure, or else a usual one."""
    printed = PAPERS.get(protocol.key)
    if printed and printed.seconds and judged_by(round_) > 1:
        return printed.seconds
    [cost] = [one for one in round_costs(protocol, Material()) if one.round.key == round_.key]
    return cost.seconds


def items_judged(wish: Wish) -> int:
    """How many items the round judges."""
    design = wish.round.design
    if isinstance(design, StackDesign):
        return design.annotators * design.tuples * len(wish.protocol.selection(wish.round).roles)
    return wish.material.items


def with_people(round_: Round, people: int) -> Round:
    """The round with so many judgments of an item, or answers to a tuple."""
    design = round_.design
    match design:
        case StackDesign():
            return replace(round_, design=replace(design, stack_size=people))
        case BestWorstDesign():
            return replace(round_, design=replace(design, people=people))
        case CompleteDesign(pools=(first, *_)):
            return replace(round_, design=replace(design, pools=(replace(first, people=people),)))
    raise ValueError(f"Every item of {round_.key} is judged once.")


def cost_of(wish: Wish, round_: Round) -> RoundCost:
    """What the round costs among the others of the protocol, with the seconds of a judgment that were asked for."""
    rounds = tuple(round_ if one.key == round_.key else one for one in wish.protocol.rounds)
    costs = round_costs(replace(wish.protocol, rounds=rounds), wish.material)
    [cost] = [one for one in costs if one.round.key == round_.key]
    return replace(cost, seconds=wish.seconds or cost.seconds)


def money_for(wish: Wish, hours: float) -> Decimal | None:
    """Pay and fee for so many hours; None where no pay was named."""
    if wish.pay is None:
        return None
    return (Decimal(repr(hours)) * wish.pay * (1 + wish.fee)).quantize(Decimal("0.01"))
