"""The stopping rule of a round in words, and what each look at its judgments found."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.protocols.spec import Design, Protocol
from annotation.protocols.stopping import TargetKind
from scoring.figures.wording import counted, number

FIGURES = {
    TargetKind.SPLIT_HALF: "split-half reliability",
    TargetKind.ICC: "ICC",
    TargetKind.WIDTH: "widest 95 % interval",
}
REASONS = {
    "target": "its target was reached",
    "budget": "its budget was spent",
    "looks": "the maximum number of waves was reached",
    "room": "no item could get more judgments",
    "manager": "a manager stopped it",
}


@dataclass(frozen=True)
class Look:
    """What was found after a wave. opened: judgments of the wave. judgments: those that counted by then, for `items`
    items, of which `closed` needed no more. estimate: the figure of the target, with its interval; None if undefined.
    decision: what followed. further: judgments that a manager opened whatever was found."""

    wave: int
    seed: int
    opened: int
    judgments: int
    items: int
    closed: int
    estimate: float | None
    low: float | None
    high: float | None
    decision: str
    further: int | None


def stopping_rule(design: Design, protocol: Protocol) -> str:
    """Return in two or three sentences when a round in waves ends, and which items are judged next."""
    stopping, thing = design.stopping, "tuple" if design.compares else "item"
    kind = stopping.target
    if kind is None:
        raise ValueError("The round has no target.")
    value, most = number(stopping.targets[kind]), number(design.budget_each)
    if kind is TargetKind.WIDTH:
        aim = f"the 95 % interval of every score is at most {value} wide"
    else:
        limit = "the lower limit of the 95 % interval of " if stopping.lower_limit else ""
        aim = f"{limit}the {FIGURES[kind]} of the scores is at least {value}"
        if not protocol.knows_interval_of(design):
            aim += f" (with a margin: it is estimated to be {number(protocol.goal_of(design), 3)} or higher)"
    text = (
        f"The pool is opened in waves until {aim}, with at most {most} judgments per {thing} on average and "
        f"{counted(stopping.looks, 'wave')}. The first wave has {counted(stopping.first, 'judgment')} of each {thing}; "
    )
    if design.adaptive:
        return text + _adaptively(design)
    return text + f"later waves go to the {thing}s that reduce the mean error variance of the scores the most."


def _adaptively(design: Design) -> str:
    """Return how the tuples of later waves are chosen, and which scores are valid with them."""
    appearances = (
        "Items that have many others near them appear more often."
        if design.uneven
        else "All items appear equally often, or one time more."
    )
    return (
        "the tuples of later waves are chosen adaptively. Items are sorted by utilities that are drawn from the "
        "best-worst model, with half of their standard errors, and neighbors form a tuple, which one annotator judges. "
        f"No two items share more than {counted(design.together, 'tuple')}. {appearances} Because items mostly meet "
        "items like themselves, scores by counting are biased towards the middle and do not compare items; the scores "
        "of this round are the utilities of the best-worst model (`utility`), with a normal prior whose variance is "
        "estimated from all items. The reliability that ends the round is that of these utilities."
    )


def looks_in_words(design: Design, protocol: Protocol, looks: Sequence[Look]) -> str:
    """Return what was found after each wave, and why the round ended; empty before the first look."""
    if not looks:
        return ""
    figure = FIGURES[design.stopping.target] if design.stopping.target else ""
    found = "; ".join(_found(look) for look in looks)
    last = looks[-1]
    text = f"{figure[:1].upper()}{figure[1:]} after each wave{_of_interval(design, protocol)}: {found}."
    if not design.adaptive:
        items = counted(last.items, "item")
        text += f" After the last of these waves, {last.closed:,} of {items} needed no more judgments."
    by_hand = [str(look.wave) for look in looks if look.further]
    if by_hand:
        text += f" A manager continued the round after wave {', '.join(by_hand)}."
    if last.decision in REASONS:
        text += f" The round ended because {REASONS[last.decision]}."
    return text


def _of_interval(design: Design, protocol: Protocol) -> str:
    """Return what is said of the interval of the figure: it is printed where it covers about as often as it says."""
    if design.stopping.target is TargetKind.WIDTH:
        return ""
    if protocol.knows_interval_of(design):
        return ", with its 95 % interval"
    return " (no interval: for comparisons and on coarse scales, it would contain the true value too seldom)"


def _found(look: Look) -> str:
    if look.estimate is None:
        return f"{look.judgments:,} judgments, not defined"
    interval = ""
    if look.low is not None and look.high is not None and look.low < look.high:
        interval = f" [{number(look.low, 3)}, {number(look.high, 3)}]"
    return f"{look.judgments:,} judgments, {number(look.estimate, 3)}{interval}"
