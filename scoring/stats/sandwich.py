"""Variances of Bradley-Terry utilities if the pairs that one judgment implies depend on each other."""

from typing import Any

import numpy as np
import scipy

from scoring.stats import information
from scoring.stats.choices import NO_ITEM, Choices, Floats, Integers
from scoring.stats.information import CentredVariances, components, inverse_information, signs, solve
from scoring.stats.missing import rows_of_each

ROWS_AT_ONCE, CHANGES_AT_ONCE = 20_000, 2_000


def leave_one_out_variances(
    choices: Choices, utilities: Floats, weights: Any, ridge: float, generator: np.random.Generator
) -> CentredVariances:
    """Return the variances of utilities as sums over judgments of the squared changes without each of them.

    The sandwich H^-1 (sum over judgments of s s') H^-1 takes no account of how far each judgment has drawn the
    utilities to itself. Its slopes s are therefore (1 - H_c C_c)^-1 s, with the judgment's own part H_c of the
    information H and the covariances C_c of its items by the model: one Newton step from the utilities without the
    judgment (CR3 of Bell and McCaffrey 2002, with judgments as clusters). An item that always won has hardly any
    slopes: no variance is below that of the information. In components of more than 1,000 items C_c is
    D^-1 + D^-1 W D^-1 with the diagonal D of H = D - W, the first terms of its series, the bound is D^-1, and the
    variances are estimated from 128 draws.

    Parameters: choices, valid; utilities, shape (items,), without NaN; weights, the information off the diagonal, with
        the sign reversed, sparse, shape (items, items).
    """
    weights = weights.tocsr()
    component = np.full(choices.number, NO_ITEM)
    place = np.zeros(choices.number, np.int64)
    parts = list(components(weights))
    for number, (members, _) in enumerate(parts):
        component[members], place[members] = number, np.arange(len(members))
    values, error = np.full(choices.number, np.nan), 0.0
    rows = rows_of_each(component[choices.best])
    for number, (members, part) in enumerate(parts):
        own = choices if len(rows[number]) == choices.judgments else choices.keep(rows[number])
        items = np.where(own.items == NO_ITEM, NO_ITEM, place[own.items])
        local = Choices(items, place[own.best], place[own.worst], own.tuples, None, len(members))
        if len(members) <= information.INVERSION_LIMIT:
            values[members] = _exact(local, utilities[members], part, ridge)
        else:
            values[members], part_error = _estimated(local, utilities[members], part, ridge, generator)
            error = float(np.maximum(error, part_error))  # NaN stays NaN
    return CentredVariances(values, error, solved=not np.isnan(error))


def _exact(choices: Choices, utilities: Floats, weights: Any, ridge: float) -> Floats:
    covariance = inverse_information(weights, ridge)
    slopes = _slopes(choices, utilities, lambda first, second: covariance[first, second])
    changes = np.zeros(choices.number)
    for start in range(0, choices.judgments, CHANGES_AT_ONCE):
        changes += np.square(slopes[start : start + CHANGES_AT_ONCE] @ covariance).sum(axis=0)
    return np.maximum(changes, np.diag(covariance))


def _estimated(
    choices: Choices, utilities: Floats, weights: Any, ridge: float, generator: np.random.Generator
) -> tuple[Floats, float]:
    """Return the variances from draws, in which every judgment pulls to one side or the other.

    An item's utility x mostly follows the pulls v of its own judgments, whose variance is known: x^2 is estimated as a
    share of v^2. Returns: the variances, and the greatest standard error as a share; NaN if a draw was not solved.
    """
    diagonal = np.asarray(weights.sum(axis=1)) + ridge
    slopes = _slopes(choices, utilities, lambda first, second: _first_terms(weights, diagonal, first, second))
    known = np.bincount(slopes.indices, slopes.data**2, choices.number)
    moments = np.zeros((5, choices.number))
    for _ in range(information.DRAWS):
        pulls = slopes.T @ signs(choices.judgments, generator)
        moved, solved = solve(weights, diagonal, pulls)
        if not solved:
            return np.full(choices.number, np.nan), float("nan")
        x, v = np.square(moved - moved.mean()), np.square(pulls)
        for moment, part in zip(moments, (x, v, x * x, v * v, x * v), strict=True):
            moment += part
    x, v, xx, vv, xv = moments / information.DRAWS
    pulled = (v > 0) & (x > 0)
    x, v, xx, vv, xv = (np.where(pulled, part, 1.0) for part in (x, v, xx, vv, xv))
    shares = np.maximum(xx / x**2 + vv / v**2 - 2 * xv / (x * v), 0) / information.DRAWS
    alone = (1 - 2 / choices.number) / diagonal
    return np.maximum(np.where(pulled, known * x / v, 0), alone), float(np.sqrt(shares).max())


def _first_terms(weights: Any, diagonal: Floats, first: Integers, second: Integers) -> Floats:
    """Return entries of D^-1 + D^-1 W D^-1, which is never above the covariance: no judgment gets too much weight."""
    shape = np.broadcast_shapes(first.shape, second.shape)
    first, second = np.broadcast_to(first, shape), np.broadcast_to(second, shape)
    near = np.asarray(weights[first.ravel(), second.ravel()]).reshape(shape)
    return np.asarray((near / diagonal[second] + (first == second)) / diagonal[first])


def _slopes(choices: Choices, utilities: Floats, covariance: Any) -> Any:
    """Return the slopes of each judgment's pairs with its own pull taken off: sparse, shape (judgments, items)."""
    parts = [
        _adjusted(choices.keep(np.arange(start, min(start + ROWS_AT_ONCE, choices.judgments))), utilities, covariance)
        for start in range(0, choices.judgments, ROWS_AT_ONCE)
    ]
    rows, shown = choices.shown()
    slopes = np.concatenate(parts)[choices.items != NO_ITEM]
    return scipy.sparse.csr_array((slopes, (rows, shown)), (choices.judgments, choices.number))


def _adjusted(choices: Choices, utilities: Floats, covariance: Any) -> Floats:
    """Return (1 - H_c C_c)^-1 s for each judgment, shape (judgments, size); 0 for no item."""
    shown, items = choices.items != NO_ITEM, np.maximum(choices.items, 0)
    best, worst = (choices.items == chosen[:, None] for chosen in (choices.best, choices.worst))
    identity = np.eye(items.shape[1])
    compared = _either(best | worst) & shown[:, :, None] & shown[:, None, :] & (identity == 0)
    likely = scipy.special.expit(utilities[items][:, :, None] - utilities[items][:, None, :])
    won = best[:, :, None] | worst[:, None, :]
    slopes = np.where(compared, won - likely, 0).sum(axis=2)
    shared = np.where(compared, likely * (1 - likely), 0)
    own = shared.sum(axis=2)[:, :, None] * identity - shared
    left = identity - own @ covariance(items[:, :, None], items[:, None, :])
    return np.asarray(np.linalg.solve(left, slopes[:, :, None])[:, :, 0])


def _either(chosen: Any) -> Any:
    """Return whether one of two places was chosen, shape (judgments, size, size)."""
    return chosen[:, :, None] | chosen[:, None, :]
