"""The stopping rule of a round in words, and what each look at its judgments found."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.protocols.spec import Design, TargetKind
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


def stopping_rule(design: Design) -> str:
    """Return in two or three sentences when a round in waves ends, and which items are judged next."""
    stopping, thing = design.stopping, "tuple" if design.compares else "item"
    kind = stopping.target
    if kind is None:
        raise ValueError("The round has no target.")
    value, most = number(stopping.targets[kind]), number(design.budget_each)
    if kind is TargetKind.WIDTH:
        aim = f"the 95 % interval of every score is at most {value} wide"
    else:
        figure = f"the {FIGURES[kind]} of the scores"
        if stopping.lower_limit:
            figure = f"the lower limit of the 95 % interval of {figure}"
        aim = (
            f"{'the lower limit of the 95 % interval of ' if stopping.lower_limit else ''}{figure} is at least {value}"
        )
    return (
        f"The pool is opened in waves until {aim}, with at most {most} judgments per {thing} on average and "
        f"{counted(stopping.looks, 'wave')}. The first wave has {counted(stopping.first, 'judgment')} of each {thing}; "
        f"later waves go to the {thing}s that reduce the mean error variance of the scores the most."
    )


def looks_in_words(design: Design, looks: Sequence[Look]) -> str:
    """Return what was found after each wave, and why the round ended; empty before the first look."""
    if not looks:
        return ""
    kind = design.stopping.target
    found = "; ".join(_found(look) for look in looks)
    last = looks[-1]
    text = (
        f"{FIGURES[kind].capitalize() if kind else ''} after each wave, with its 95 % interval: {found}. After the "
        f"last of these waves, {last.closed:,} of {counted(last.items, 'item')} needed no more judgments."
    )
    by_hand = [str(look.wave) for look in looks if look.further]
    if by_hand:
        text += f" A manager continued the round after wave {', '.join(by_hand)}."
    if last.decision in REASONS:
        text += f" The round ended because {REASONS[last.decision]}."
    return text


def _found(look: Look) -> str:
    if look.estimate is None or look.low is None or look.high is None:
        return f"{look.judgments:,} judgments, not defined"
    interval = f" [{number(look.low, 3)}, {number(look.high, 3)}]" if look.low < look.high else ""
    return f"{look.judgments:,} judgments, {number(look.estimate, 3)}{interval}"
