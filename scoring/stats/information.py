"""Variances of utilities from the information of a model of comparisons."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from scoring.stats.choices import Floats, Integers

INVERSION_LIMIT = 1000
DRAWS = 128
TOLERANCE = 1e-6
MAXIMUM_STEPS = 2000


@dataclass(frozen=True, eq=False)
class CentredVariances:
    """values: shape (items,), the variance of each utility less the mean utility of its connected component; NaN for an
    item without comparisons. relative_error: the greatest standard error of an estimated variance, as a share of it; 0
    if all are exact. solved: whether the equations of all items could be solved; if not, the values of those concerned
    and relative_error are NaN."""

    values: Floats
    relative_error: float
    solved: bool = True

    @property
    def errors(self) -> Floats:
        """Return the standard errors of the utilities, in logits, shape (items,)."""
        return np.sqrt(self.values)


def centred_variances(weights: Any, ridge: float, generator: np.random.Generator) -> CentredVariances:
    """Return the diagonal of P H^-1 P: H = diag(row sums + ridge) - weights, P subtracts the mean of each component.

    Comparisons only determine differences, so the level of a component is known from the ridge alone and no error of
    its items. Components of up to 1,000 items are inverted; for larger ones the diagonal is estimated, from 128 draws.

    Parameters: weights, sparse, symmetric, not negative, zero on the diagonal, shape (items, items).
    """
    weights = weights.tocsr()
    values, error = np.full(weights.shape[0], np.nan), 0.0
    for members, part in components(weights):
        if len(members) <= INVERSION_LIMIT:
            values[members] = np.diag(inverse_information(part, ridge))
        else:
            values[members], part_error = _estimate(part, ridge, generator)
            error = float(np.maximum(error, part_error))  # NaN stays NaN
    return CentredVariances(values, error, solved=not np.isnan(error))


def components(weights: Any) -> Iterator[tuple[Integers, Any]]:
    """Yield the items of each connected component of more than one item, ascending, with their own weights."""
    number, labels = scipy.sparse.csgraph.connected_components(weights, directed=False)
    order = np.argsort(labels, kind="stable")
    for members in np.split(order, np.cumsum(np.bincount(labels, minlength=number))[:-1]):
        if len(members) > 1:
            yield members, weights if number == 1 else weights[members][:, members]


def inverse_information(weights: Any, ridge: float) -> Floats:
    """Return P H^-1 P of a connected component, shape (items, items)."""
    number = weights.shape[0]
    diagonal = np.asarray(weights.sum(axis=1)) + ridge
    information = np.diag(diagonal) - weights.toarray()
    # Every row sums to the ridge, so the constant vector may be given a harmless size and taken off again.
    level = float(diagonal.mean())
    inverse = np.linalg.inv(information + level / number)
    return np.asarray(inverse - 1 / (number * (ridge + level)))


def _estimate(weights: Any, ridge: float, generator: np.random.Generator) -> tuple[Floats, float]:
    """Return the diagonal of C = P H^-1 P from draws of utilities x with the covariance C.

    As H C = P, with d the diagonal of H and n items,

        C_ii = (1 - 2 / n + ridge / (n d_i)) / d_i + Var(sum over j of w_ij x_j) / d_i^2,

    the uncertainty of an item if all others are known, and that due to the others (Siden, Lindgren, Bolin and Villani
    2018). Only the second is estimated, as a mean of squares: no variance falls below the first, and whatever the
    comparisons, its standard error is at most about the square root of 2 / 128 of it; mostly it is a hundredth.

    Returns: the variances, and the greatest standard error as a share of its variance; NaN if a draw was not solved.
    """
    number = weights.shape[0]
    diagonal = np.asarray(weights.sum(axis=1)) + ridge
    upper = scipy.sparse.csr_array(scipy.sparse.triu(weights, 1))
    moments = np.zeros((2, number))
    for _ in range(DRAWS):
        slopes = _slopes(upper, ridge, generator)
        utilities, solved = solve(weights, diagonal, slopes - slopes.mean())
        if not solved:
            return np.full(number, np.nan), float("nan")
        squares = np.square(weights @ (utilities - utilities.mean()) / diagonal)
        moments[0] += squares
        moments[1] += np.square(squares)
    means, fourth = moments / DRAWS
    variances = (1 - 2 / number + ridge / (number * diagonal)) / diagonal + means
    errors = np.sqrt(np.maximum(fourth - means**2, 0) / DRAWS)
    return variances, float((errors / variances).max())


def _slopes(upper: Any, ridge: float, generator: np.random.Generator) -> Floats:
    """Return a draw with covariance H, shape (items,): every comparison moves its two items at random.

    Parameters: upper, the weights above the diagonal.
    """
    pulls = np.sqrt(upper.data) * signs(len(upper.data), generator)
    signed = scipy.sparse.csr_array((pulls, upper.indices, upper.indptr), upper.shape)
    return np.asarray(signed.sum(axis=1) - signed.sum(axis=0) + np.sqrt(ridge) * signs(upper.shape[0], generator))


def signs(number: int, generator: np.random.Generator) -> Any:
    """Return 1 or -1 at random, shape (number,)."""
    return 2 * generator.integers(0, 2, number, dtype=np.int8) - 1


def solve(weights: Any, diagonal: Floats, right: Floats) -> tuple[Floats, bool]:
    """Solve (diagonal - weights) x = right by conjugate gradients with preconditioning; shapes (items,).

    A system at a time: its few vectors stay in the processor's cache, those of several do not.

    Returns: the solution, and whether it is within the tolerance.
    """
    solution, residual = np.zeros_like(right), right.copy()
    direction = residual / diagonal
    image, scaled = np.empty_like(right), np.empty_like(right)
    size = float(residual @ direction)
    target = TOLERANCE**2 * size
    for _ in range(MAXIMUM_STEPS):
        if size <= target:
            return solution, True
        np.multiply(diagonal, direction, out=image)
        image -= weights @ direction
        length = size / float(direction @ image)
        solution += np.multiply(length, direction, out=scaled)
        residual -= np.multiply(length, image, out=scaled)
        np.divide(residual, diagonal, out=scaled)
        before, size = size, float(residual @ scaled)
        direction *= size / before
        direction += scaled
    return solution, False
