"""Best-worst scaling: how reliable scores by counting will be."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples import Factor, design_groups, design_tuples
from scoring.forecasting.forecast import MOST_JUDGMENTS, Floats, Forecast, Range
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.correlation import spearman
from scoring.stats.reliability import split_half

COLLECTIONS = 12
SPLITS = 10
MOST_ITEMS = 300
"""Reliability hardly depends on the number of items; beyond this it is forecast for so many."""
LEAST_NOISE, MOST_NOISE = 0.02, 40.0
HALVINGS = 12
NORMAL = 1.959963984540054


@dataclass(frozen=True)
class TupleDesign:
    """size: items in a tuple. factor: tuples for each item. group: items in a group, 0 where all may meet all."""

    size: int
    factor: Factor
    group: int = 0

    def simulated(self, items: int) -> int:
        """How many items are simulated for so many: whole groups."""
        number = min(items, MOST_ITEMS)
        return max(number // self.group, 1) * self.group if self.group else number


@lru_cache(maxsize=64)
def tuples_of(design: TupleDesign, items: int) -> NDArray[np.int64]:
    """Tuples of so many items, shape (tuples, size): one design for all that is forecast of it.

    What items are worth is drawn anew each time, so that another design of the same kind would tell the same; and
    for a few items the search of one takes most of a second.

    Raises:
        PlanningError: there is no such design of so many items.
    """
    generator = np.random.default_rng(items)
    if design.group:
        groups = np.arange(items) // design.group
        drawn = design_groups(groups, size=design.size, factor=design.factor, generator=generator)
    else:
        drawn = design_tuples(items, size=design.size, factor=design.factor, generator=generator)
    return np.asarray(drawn, np.int64)


def forecast_choices(
    noise: float,
    design: TupleDesign,
    *,
    items: int,
    people: int,
    generator: np.random.Generator,
    collections: int = COLLECTIONS,
) -> Forecast:
    """What `people` answers to each tuple will reach.

    What an item is worth is drawn from a standard normal distribution; a person sees each item of a tuple with an
    error of standard deviation `noise`, and takes the greatest for best and the least for worst (Thurstone's law of
    comparative judgment, case V).

    Raises:
        ValueError: no people or a negative noise.
        PlanningError: there is no such design of so many items.
    """
    if people < 1 or noise < 0:
        raise ValueError("A forecast needs at least one person, and a noise from 0 on.")
    number = design.simulated(items)
    drawn = [_collect(noise, design, number, people, generator) for _ in range(collections)]
    reliability, truth, squares = (np.array(column) for column in zip(*drawn, strict=True))
    half_width = NORMAL * float(np.sqrt(np.mean(squares)))
    return Forecast(people, Range.of(reliability), Range.of(truth), half_width)


def _collect(
    noise: float, design: TupleDesign, items: int, people: int, generator: np.random.Generator
) -> tuple[float, float, float]:
    """Of one collection: split-half reliability, correlation with the truth, and the variance of a score's error."""
    tuples = tuples_of(design, items)
    worth = generator.normal(size=items)
    answers = [_answer(noise, tuples, worth, people, generator) for _ in range(2)]
    scores = [best_worst_scores(count_choices(one)) for one in answers]
    halves = split_half(answers[0], generator, splits=SPLITS).spearman if people > 1 else np.full(1, np.nan)
    return _mean(halves), spearman(scores[0], worth), float(np.nanmean((scores[0] - scores[1]) ** 2) / 2)


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _answer(
    noise: float, tuples: NDArray[np.int64], worth: Floats, people: int, generator: np.random.Generator
) -> Choices:
    shown = np.repeat(tuples, people, axis=0)
    seen = worth[shown] + noise * generator.normal(size=shown.shape)
    rows = np.arange(len(shown))
    return Choices(
        items=shown,
        best=shown[rows, seen.argmax(axis=1)],
        worst=shown[rows, seen.argmin(axis=1)],
        tuples=np.repeat(np.arange(len(tuples)), people),
        annotators=None,
        number=len(worth),
    )


def noise_of(reliability: float, design: TupleDesign, *, items: int, people: int, seed: int) -> float:
    """The noise with which `people` answers to each tuple reach this split-half reliability, by halving an interval.

    Raises:
        ValueError: fewer than two people, who have no halves, or a reliability that lies not between 0 and 1.
    """
    if people < 2 or not 0 < reliability < 1:
        raise ValueError("A reliability between 0 and 1, of at least two people, tells how noisy they are.")
    low, high = np.log([LEAST_NOISE, MOST_NOISE])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        reached = _reached(float(np.exp(middle)), design, items=items, people=people, seed=seed)
        low, high = (middle, high) if reached > reliability else (low, middle)
    return float(np.exp((low + high) / 2))


def _reached(noise: float, design: TupleDesign, *, items: int, people: int, seed: int) -> float:
    """With the same seed always the same people and items, so that more noise means less reliability."""
    forecast = forecast_choices(
        noise, design, items=items, people=people, generator=np.random.default_rng(seed), collections=4
    )
    return forecast.reliability.mean


def people_for_choices(noise: float, design: TupleDesign, target: float, *, items: int, seed: int) -> int | None:
    """The fewest answers to each tuple that reach the target; None where even `MOST_JUDGMENTS` do not."""
    reached = partial(_reached, noise, design, items=items, seed=seed)
    low, high = 1, 2
    while not reached(people=high) >= target:  # also where it is not defined
        low, high = high, high * 2
        if high > MOST_JUDGMENTS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(people=middle) >= target else (middle, high)
    return high
