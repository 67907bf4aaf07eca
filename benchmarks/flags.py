"""`python -m benchmarks.flags [--rounds 500] [--kind gold ...]`: estimate the false-alarm rate and power of flags.

Prints Markdown tables from simulated rounds.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial

import numpy as np

from benchmarks.rounds import (
    CARELESS,
    CONTRARY,
    HONEST,
    LIMITS,
    NOISE,
    again_round,
    calibrated_round,
    labelled_round,
    reliability,
    repeated_round,
    simulated,
    straight_round,
    timed_round,
)
from scoring.stats.flags import PeopleFigures, raise_flags
from scoring.stats.limits import Kind, Thresholds

ANSWERS = (10, 30, 100)
REPEATS = (5, 10, 30)
SPREADS = (0.4, 0.8, 1.2)
FAST = (0.5, 0.25)
STRAIGHT = (0.9, 1.0)
ALONE = Thresholds(
    longest_run=1,
    position_share=0,
    contradictions=0,
    practice_right=1,
    calibration_distance=0,
    repeat_distance=0,
    agreement=1,
)
"""Limits that everybody is beyond: the bounds alone raise flags. Those of speed are part of its bounds."""
CAPTIONS = {
    Kind.APART: ("Low agreement with others", "careless detected", "reversed detected"),
    Kind.REPEATS: ("Inconsistent on repeated pairs", "careless detected", "reversed detected"),
    Kind.GOLD: ("Contradicts known labels", "careless detected", "reversed detected"),
    Kind.CALIBRATION: ("Off on calibration pairs", "careless detected", "reversed detected"),
    Kind.STRAIGHT: ("Straight-lining", "90% detected", "100% detected"),
    Kind.SPEED: ("Too fast", "half the median detected", "a quarter detected"),
}
Draw = Callable[[float, np.random.Generator], PeopleFigures]
"""From the behaviour of the first person to everybody's figures in a new round."""


@dataclass(frozen=True)
class Rates:
    """Shares from 0 to 1: of honest people beyond the limit alone, of rounds of honest people with somebody beyond the
    bound alone, of those with a false alarm, and of two kinds of odd people found."""

    limit_alone: float
    bound_alone: float
    false_alarms: float
    first: float
    second: float


@dataclass(frozen=True)
class Case:
    """A line of a table. honest, odd: the behaviours that `draw` takes."""

    kind: Kind
    data: str
    noise: str
    answers: int
    draw: Draw
    honest: float = HONEST
    odd: tuple[float, float] = (CARELESS, CONTRARY)


def rates(case: Case, rounds: int, generator: np.random.Generator) -> Rates:
    honest = [case.draw(case.honest, generator) for _ in range(rounds)]
    found = [
        np.mean([case.kind in raise_flags(case.draw(odd, generator), LIMITS)[0] for _ in range(max(1, rounds // 4))])
        for odd in case.odd
    ]
    return Rates(
        float(np.mean([_beyond_limit(case.kind, figures) for figures in honest])),
        *(float(np.mean([_anybody(case.kind, figures, limits) for figures in honest])) for limits in (ALONE, LIMITS)),
        *map(float, found),
    )


def _anybody(kind: Kind, figures: PeopleFigures, limits: Thresholds) -> bool:
    return any(kind in flags for flags in raise_flags(figures, limits))


def _beyond_limit(kind: Kind, figures: PeopleFigures) -> np.ndarray:
    """Return who is beyond the limit of one of the figures of a flag, shape (people,)."""
    with np.errstate(invalid="ignore"):
        return {
            Kind.APART: figures.agreement < LIMITS.agreement,
            Kind.REPEATS: figures.repeat_distance > LIMITS.repeat_distance,
            Kind.CALIBRATION: figures.calibration_distance > LIMITS.calibration_distance,
            Kind.GOLD: (figures.contradictions > LIMITS.contradictions)
            | (figures.practice_right < LIMITS.practice_right),
            Kind.STRAIGHT: (figures.longest_run >= LIMITS.longest_run)
            | (figures.position_share >= LIMITS.position_share),
            Kind.SPEED: (figures.median_seconds < LIMITS.median_seconds) | (figures.quick_share > LIMITS.quick_share),
        }[kind]


def cases(generator: np.random.Generator) -> Iterator[Case]:
    """Yield the lines of all tables, by kind."""
    measured = {(data, noise): reliability(data, noise, generator) for data in NOISE for noise in NOISE[data].values()}
    for kind in (Kind.APART, Kind.GOLD, Kind.CALIBRATION, Kind.REPEATS, Kind.STRAIGHT):
        for (data, noise), shr in measured.items():
            for answers in ANSWERS:
                if data == "ratings" or kind not in (Kind.CALIBRATION, Kind.REPEATS):
                    yield _case(kind, data, f"{shr:.2f}", answers, noise)
    for pairs in REPEATS:
        yield Case(Kind.REPEATS, "ratings", "table 1", pairs, partial(repeated_round, pairs))
    for spread in SPREADS:
        for answers in ANSWERS:
            draw = partial(timed_round, answers, spread)
            yield Case(Kind.SPEED, "ratings", f"{spread}", answers, draw, odd=FAST)


def _case(kind: Kind, data: str, shr: str, answers: int, noise: float) -> Case:
    draws: dict[Kind, Draw] = {
        Kind.APART: partial(simulated, data, answers, noise),
        Kind.GOLD: partial(labelled_round, data, answers, noise),
        Kind.CALIBRATION: partial(calibrated_round, answers, noise),
        Kind.REPEATS: partial(again_round, answers, noise),
        Kind.STRAIGHT: partial(straight_round, data, answers, noise),
    }
    if kind == Kind.STRAIGHT:
        return Case(kind, data, shr, answers, draws[kind], honest=0.0, odd=STRAIGHT)
    return Case(kind, data, shr, answers, draws[kind])


def lines(rounds: int, kinds: list[Kind], generator: np.random.Generator) -> Iterator[str]:
    """Yield a table for each kind."""
    every = list(cases(generator))
    for kind in kinds:
        name, *found = CAPTIONS[kind]
        noise = "spread" if kind == Kind.SPEED else "SHR"
        yield f"\n{name}\n"
        yield f"| data | {noise} | answers | limit only | bound only | false alarms | {' | '.join(found)} |"
        yield "| " + " | ".join(["---"] * 8) + " |"
        for case in every:
            if case.kind == kind:
                own = rates(case, rounds, generator)
                shares = [f"{100 * getattr(own, one.name):.1f}%" for one in fields(own)]
                yield "| " + " | ".join([case.data, case.noise, str(case.answers), *shares]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.flags")
    parser.add_argument("--rounds", type=int, default=500, help="rounds of honest annotators per row (default: 500)")
    parser.add_argument("--kind", type=Kind, choices=list(Kind), nargs="+", default=list(CAPTIONS))
    chosen = parser.parse_args()
    for line in lines(chosen.rounds, chosen.kind, np.random.default_rng(0)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
