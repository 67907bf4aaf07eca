"""Errors of best-worst utilities with annotators of different reliability."""

from typing import Any

import numpy as np
import scipy

from scoring.stats.choices import NO_ITEM, Choices, Floats
from scoring.stats.information import components, solve
from scoring.stats.models import RIDGE
from scoring.stats.reliabilities import AnnotatorUtilities

DRAWS = 128
ROWS_AT_ONCE = 20_000


def annotator_errors(
    choices: Choices,
    fitted: AnnotatorUtilities,
    generator: np.random.Generator,
    *,
    draws: int = DRAWS,
    ridge: float = RIDGE,
) -> Floats:
    """Return standard errors of the utilities by resampling annotators with all their judgments, shape (items,).

    Each draw counts annotators as often as they are drawn with replacement and takes one Newton step from the fitted
    utilities, with the reliabilities as fitted (the score bootstrap of Kline and Santos 2012, Journal of Econometric
    Methods 1, 23-41). The errors are multiplied by the root of n / (n - 1) for n annotators, as those of scores by
    counting. They are NaN for items without comparisons and where the equations could not be solved.

    Raises:
        ValueError: there are no annotators.
    """
    if choices.annotators is None:
        raise ValueError("Errors by annotator need the annotator of every judgment.")
    slopes, weights = _information(choices, fitted)
    people = slopes.shape[0]
    weights = weights.tocsr()
    squares = np.zeros(choices.number)
    parts = list(components(weights))
    errors = np.full(choices.number, np.nan)
    drawn = generator.multinomial(people, np.full(people, 1 / people), size=draws) - 1.0
    pulls = drawn @ slopes
    for members, part in parts:
        diagonal = np.asarray(part.sum(axis=1)) + ridge
        for pull in pulls[:, members]:
            moved, solved = solve(part, diagonal, pull)
            squares[members] += np.square(moved - moved.mean()) if solved else np.nan
        errors[members] = np.sqrt(squares[members] / draws * people / max(people - 1, 1))
    return errors


def _information(choices: Choices, fitted: AnnotatorUtilities) -> tuple[Any, Any]:
    """Return everybody's slopes of the log-likelihood, sparse, shape (people, items), and minus the second derivatives
    off the diagonal, sparse, shape (items, items)."""
    people, codes = np.unique(choices.annotators, return_inverse=True)  # type: ignore[call-overload]
    utilities = np.nan_to_num(fitted.utilities.values)
    shape = choices.number, choices.number
    slopes, weights = scipy.sparse.csr_array((len(people), choices.number)), scipy.sparse.csr_array(shape)
    for start in range(0, choices.judgments, ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, choices.judgments))
        own = choices.keep(rows)
        scale = fitted.reliabilities[own.annotators]
        slope, product = _of_rows(own, utilities, scale)
        items = np.maximum(own.items, 0)
        who = np.repeat(codes[rows], items.shape[1])
        slopes = slopes + scipy.sparse.coo_array((slope.ravel(), (who, items.ravel())), slopes.shape).tocsr()
        one, other = (np.broadcast_to(part, product.shape).ravel() for part in (items[:, :, None], items[:, None, :]))
        weights = weights + scipy.sparse.coo_array((product.ravel(), (one, other)), shape).tocsr()
    weights.setdiag(0)
    weights.eliminate_zeros()
    return slopes, weights


def _of_rows(choices: Choices, utilities: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Return the slopes of each judgment, shape (judgments, size), and r^2 p p', shape (judgments, size, size)."""
    absent = choices.items == NO_ITEM
    stretched = scale[:, None] * utilities[np.maximum(choices.items, 0)]
    slope, product = np.zeros(stretched.shape), np.zeros((*stretched.shape, stretched.shape[1]))
    for sign, chosen, left_out in ((1.0, choices.best, absent), (-1.0, choices.worst, absent | _is(choices, "best"))):
        shares = np.where(left_out, -np.inf, sign * stretched)
        shares = np.exp(shares - shares.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        slope += sign * scale[:, None] * ((choices.items == chosen[:, None]) - shares)
        product += np.square(scale)[:, None, None] * shares[:, :, None] * shares[:, None, :]
    return slope, product


def _is(choices: Choices, name: str) -> Any:
    return choices.items == getattr(choices, name)[:, None]
