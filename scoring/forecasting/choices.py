"""Best-worst scaling: forecasts of the reliability of scores by counting."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError
from annotation.planning.tuples import Factor, design_groups, design_tuples
from scoring.forecasting.forecast import MAXIMUM_JUDGMENTS, Floats, Forecast, Range, informative_width
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.correlation import spearman
from scoring.stats.reliability import Halves, split_half

COLLECTIONS = 12
SPLITS = 10
MAXIMUM_ITEMS = 300
"""The maximum number of items simulated; reliability hardly depends on it."""
MINIMUM_NOISE, MAXIMUM_NOISE = 0.02, 40.0
HALVINGS = 12
NORMAL = 1.959963984540054


@dataclass(frozen=True)
class TupleDesign:
    """size: items in a tuple. factor: tuples for each item. group: items in a group, 0 if all may meet all."""

    size: int
    factor: Factor
    group: int = 0

    def simulated(self, items: int) -> int:
        """Return how many items are simulated for a number of items: whole groups."""
        number = min(items, MAXIMUM_ITEMS)
        return max(number // self.group, 1) * self.group if self.group else number


@lru_cache(maxsize=64)
def simulated_tuples(design: TupleDesign, items: int) -> NDArray[np.int64]:
    """Return tuples of the items, shape (tuples, size): one design for all that is forecast of it.

    The values of items are drawn again each time, so that another design of the same kind would give the same forecast;
    and for a few items the search for a design takes most of a second.

    Raises:
        PlanningError: there is no such design of this number of items.
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
    by: Halves = "tuple",
) -> Forecast:
    """Return the forecast for `people` answers to each tuple, with the split-half reliability by tuple or by judgment.

    The value of an item is drawn from a standard normal distribution; a person sees each item of a tuple with an
    error of standard deviation `noise`, and takes the greatest for best and the least for worst (Thurstone's law of
    comparative judgment, case V).

    Raises:
        PlanningError: there are no people, the noise is negative, or there is no such design of this number of items.
    """
    if people < 1 or noise < 0:
        raise PlanningError("A forecast needs at least one annotator and a noise level of 0 or more.")
    number = design.simulated(items)
    drawn = [_collect(noise, design, number, people, generator, by) for _ in range(collections)]
    reliability, truth, squares = (np.array(column) for column in zip(*drawn, strict=True))
    half_width = informative_width(NORMAL * float(np.sqrt(np.mean(squares))) / 2, 1)
    return Forecast(people, Range.of(reliability), Range.of(truth), half_width)


def _collect(
    noise: float, design: TupleDesign, items: int, people: int, generator: np.random.Generator, by: Halves
) -> tuple[float, float, float]:
    """Return one collection's split-half reliability, correlation with the truth, and error variance of a score."""
    tuples = simulated_tuples(design, items)
    truth = generator.normal(size=items)
    answers = [_answer(noise, tuples, truth, people, generator) for _ in range(2)]
    scores = [best_worst_scores(count_choices(choices)) for choices in answers]
    dealt = people > 1 or by != "tuple"
    halves = split_half(answers[0], generator, splits=SPLITS, by=by).spearman if dealt else np.full(1, np.nan)
    return _mean(halves), spearman(scores[0], truth), float(np.nanmean((scores[0] - scores[1]) ** 2) / 2)


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _answer(
    noise: float, tuples: NDArray[np.int64], truth: Floats, people: int, generator: np.random.Generator
) -> Choices:
    shown = np.repeat(tuples, people, axis=0)
    perceived = truth[shown] + noise * generator.normal(size=shown.shape)
    rows = np.arange(len(shown))
    return Choices(
        items=shown,
        best=shown[rows, perceived.argmax(axis=1)],
        worst=shown[rows, perceived.argmin(axis=1)],
        tuples=np.repeat(np.arange(len(tuples)), people),
        annotators=None,
        number=len(truth),
    )


def fit_noise(
    reliability: float, design: TupleDesign, *, items: int, people: int, seed: int, by: Halves = "tuple"
) -> float:
    """Return the noise with which `people` answers to each tuple reach this split-half reliability, by bisection.

    By judgment, a single answer to each tuple is enough: the halves hold different tuples.

    Raises:
        PlanningError: by tuple there are fewer than two people, who have no halves, or the reliability is not between
            0 and 1.
    """
    if people < (2 if by == "tuple" else 1) or not 0 < reliability < 1:
        raise PlanningError(
            "The noise can only be estimated from a reliability between 0 and 1 with at least two annotators."
        )
    low, high = np.log([MINIMUM_NOISE, MAXIMUM_NOISE])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        reached = _reached(float(np.exp(middle)), design, items=items, people=people, seed=seed, by=by)
        low, high = (middle, high) if reached > reliability else (low, middle)
    return float(np.exp((low + high) / 2))


def _reached(noise: float, design: TupleDesign, *, items: int, people: int, seed: int, by: Halves = "tuple") -> float:
    """Return the reliability reached; the same seed draws the same people and items, so that it falls with noise."""
    forecast = forecast_choices(
        noise, design, items=items, people=people, generator=np.random.default_rng(seed), collections=4, by=by
    )
    return forecast.reliability.mean


def people_for_choices(noise: float, design: TupleDesign, target: float, *, items: int, seed: int) -> int | None:
    """Return the fewest answers to each tuple that reach the target; None if even `MAXIMUM_JUDGMENTS` do not."""
    reached = partial(_reached, noise, design, items=items, seed=seed)
    low, high = 1, 2
    while not reached(people=high) >= target:  # also if it is not defined
        low, high = high, high * 2
        if high > MAXIMUM_JUDGMENTS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(people=middle) >= target else (middle, high)
    return high
