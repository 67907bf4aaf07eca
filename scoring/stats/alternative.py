"""The alternative annotator test: may a model answer in place of people (Calderon, Reichart and Dror 2025)?

Each person is left out in turn. The model f and the person h_j are both compared with everybody else who judged the
same item; the model wins against the person if it is at least as close to the others, less a bonus epsilon for its
lower cost. The letters are those of the paper, https://arxiv.org/abs/2501.10970.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.context import benjamini_hochberg
from scoring.stats.missing import rows_of_each

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Closeness = Callable[[Integers, Floats, Floats], tuple[Floats, Floats]]
"""Of items, values and the model's values, row by row: the closeness of the model and of the person to the others."""

EPSILON = 0.15
"""The bonus of the model where people are skilled annotators; the paper has .2 for experts and .1 for crowd workers."""
FALSE_DISCOVERIES = 0.05
PASSING = 0.5
T_TEST_FROM = 30
"""Items from which the t-test is used; with fewer, Wilcoxon's signed-rank test, as the paper advises."""
FEWEST_ITEMS = 10
"""Items below which a person is not compared, because so few tell little; the paper advises 50 to 100."""
DIGITS = 9  # in which equal distances are equal


@dataclass(frozen=True, eq=False)
class AlternativeTest:
    """The test against each person, shapes (people,), and over all of them; NaN without any person to compare with.

    people: who was compared, ascending. items: judged by the person, somebody else and the model. model, person: the
    advantage probabilities rho_j of f and of h_j, how often each is at least as close to the others as the other one.
    p: of the one-sided test of H0_j, that the model is worse than the person by epsilon or more. signed_rank: whether
    it is Wilcoxon's. won: whether H0_j is rejected at the rate of false discoveries. winning_rate: omega, the share of
    people won. advantage: rho, the mean of the model's advantage probabilities.
    """

    people: Integers
    items: Integers
    model: Floats
    person: Floats
    p: Floats
    signed_rank: Booleans
    won: Booleans
    winning_rate: float
    advantage: float

    @property
    def passed(self) -> bool:
        """Return whether the model wins against at least half of the people."""
        return self.winning_rate >= PASSING


def alternative_test(
    items: Integers,
    people: Integers,
    values: Floats,
    model: Floats,
    closeness: Closeness,
    *,
    epsilon: float = EPSILON,
    rate: float = FALSE_DISCOVERIES,
    fewest: int = FEWEST_ITEMS,
) -> AlternativeTest:
    """Return the test of a model against the people who judged the same items.

    Parameters: items, people and values, a row for each judgment, one of each person and item; model, shape (items,),
    NaN for an item that it did not judge; closeness, `by_error` for numbers or `by_match` for labels; epsilon, the
    bonus, from 0 to 1; rate, of false discoveries; fewest, items below which a person is left out.
    """
    known = ~np.isnan(model[items])
    items, people, values = items[known], people[known], values[known]
    shared = np.bincount(items, minlength=len(model))[items] > 1
    items, people, values = items[shared], people[shared], values[shared]
    own = [(person, rows) for person, rows in rows_of_each(people).items() if len(rows) >= fewest]
    ours, theirs = closeness(items, values, model[items])
    ours, theirs = np.round(ours, DIGITS), np.round(theirs, DIGITS)
    wins, losses = (ours >= theirs).astype(np.float64), (theirs >= ours).astype(np.float64)
    p = np.array([worse_by(losses[rows] - wins[rows], epsilon) for _, rows in own], dtype=np.float64)
    won = false_discoveries_controlled(p, rate)
    advantages = np.array([wins[rows].mean() for _, rows in own], dtype=np.float64)
    return AlternativeTest(
        people=np.array([person for person, _ in own], dtype=np.int64),
        items=np.array([len(rows) for _, rows in own], dtype=np.int64),
        model=advantages,
        person=np.array([losses[rows].mean() for _, rows in own], dtype=np.float64),
        p=p,
        signed_rank=np.array([len(rows) < T_TEST_FROM for _, rows in own], dtype=np.bool_),
        won=won,
        winning_rate=float(won.mean()) if own else nan,
        advantage=float(advantages.mean()) if own else nan,
    )


def by_error(items: Integers, values: Floats, model: Floats) -> tuple[Floats, Floats]:
    """Return minus the root mean squared error of the model, and of each person, against the others (S, RMSE)."""
    centre = float(values.mean()) if len(values) else 0.0
    values, model = values - centre, model - centre  # the squares of large values would lose digits
    others, sums, squares = (
        np.bincount(items, weights=weights)[items] - weights for weights in (np.ones(len(items)), values, values**2)
    )
    ours, theirs = (
        -np.sqrt(np.maximum(squares - 2 * own * sums + others * own**2, 0) / others) for own in (model, values)
    )
    return ours, theirs


def by_match(items: Integers, values: Floats, model: Floats) -> tuple[Floats, Floats]:
    """Return the share of the others who gave the label of the model, and of each person (S, ACC)."""
    labels = np.unique(np.concatenate([values, model]))
    given, said = np.searchsorted(labels, values), np.searchsorted(labels, model)
    known, counts = np.unique(items * len(labels) + given, return_counts=True)
    others = np.bincount(items)[items] - 1
    alike = said == given
    place = np.minimum(np.searchsorted(known, items * len(labels) + said), max(len(known) - 1, 0))
    found = known[place] == items * len(labels) + said
    same = np.where(found, counts[place], 0) - alike
    own = counts[np.searchsorted(known, items * len(labels) + given)] - 1
    return same / others, own / others


def worse_by(differences: Floats, epsilon: float) -> float:
    """Return the p-value of the mean being epsilon or more, against less: Student's t or the signed ranks.

    t_j = (mean d - epsilon) / (s / sqrt(n)), of which p_j is the lower tail.

    Parameters: differences, of one person and the model on each item: 1 if the person is closer, -1 if the model is, 0
    if both are equally close.
    """
    number = len(differences)
    if number < T_TEST_FROM:
        return signed_rank_p(differences - epsilon)
    distance = float(differences.mean()) - epsilon
    error = float(differences.std(ddof=1)) / sqrt(number) if np.ptp(differences) > 0 else 0.0
    if not error:
        return 0.0 if distance < 0 else 1.0
    return float(scipy.special.stdtr(number - 1, distance / error))


def signed_rank_p(values: Floats) -> float:
    """Return the exact p-value of Wilcoxon's signed-rank test that the values are below 0; 1 if all are 0.

    Values of the same size share their mean rank; every combination of signs is equally likely. Zeros are left out.
    """
    sizes = np.round(np.abs(values[values != 0]), DIGITS)
    signs = np.sign(values[values != 0])
    if not len(sizes):
        return 1.0
    _, codes, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(counts) - counts + 1)[codes]  # whole numbers: twice the mean ranks
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        ways[rank:] += ways[:-rank].copy()
    positive = int(doubled[signs > 0].sum())
    return float(ways[: positive + 1].sum() / ways.sum())


def false_discoveries_controlled(p_values: Floats, rate: float) -> Booleans:
    """Return which hypotheses are rejected by Benjamini and Yekutieli's procedure (2001, theorem 1.3).

    The k smallest of m p-values, for the greatest k with p(k) <= k / m * rate / (1 + 1/2 + ... + 1/m). It holds the
    rate for p-values that depend on each other in any way, as those of people who judged the same items do.
    """
    steps = np.arange(1, len(p_values) + 1)
    return np.asarray(benjamini_hochberg(p_values) * (1 / steps).sum() <= rate)
