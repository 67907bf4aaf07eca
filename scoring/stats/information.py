"""Variances of utilities from the information of a model of comparisons."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, triu
from scipy.sparse.csgraph import connected_components

from scoring.stats.choices import Floats

MOST_INVERTED = 1000
DRAWS, DRAWS_AT_ONCE = 128, 16
TOLERANCE = 1e-6
MOST_STEPS = 2000


@dataclass(frozen=True, eq=False)
class CentredVariances:
    """values: shape (items,), the variance of each utility less the mean utility of the items that it is connected to;
    NaN for an item without comparisons. relative_error: the greatest standard error of a variance that was
    estimated, as a share of it; 0 where all are exact. solved: whether the equations of all items could be solved; if
    not, the values of those concerned and relative_error are NaN."""

    values: Floats
    relative_error: float
    solved: bool = True

    @property
    def errors(self) -> Floats:
        """Standard errors of the utilities, in logits, shape (items,)."""
        return np.sqrt(self.values)


def centred_variances(weights: Any, ridge: float, generator: np.random.Generator) -> CentredVariances:
    """The diagonal of P H^-1 P, with H = diag(row sums + ridge) - weights and P taking off the mean of each component.

    Comparisons only tell differences, so the level of a component is known from the ridge alone and no error of its
    items. Components of up to 1,000 items are inverted; for larger ones the diagonal is estimated, from 128 draws.

    Parameters: weights, sparse, symmetric, not negative, zero on the diagonal, shape (items, items).
    """
    weights = weights.tocsr()
    components, labels = connected_components(weights, directed=False)
    order = np.argsort(labels, kind="stable")
    values, error = np.full(len(labels), np.nan), 0.0
    for members in np.split(order, np.cumsum(np.bincount(labels, minlength=components))[:-1]):
        if len(members) == 1:
            continue
        part = weights if components == 1 else weights[members][:, members]
        if len(members) <= MOST_INVERTED:
            values[members] = _invert(part, ridge)
        else:
            values[members], part_error = _estimate(part, ridge, generator)
            error = float(np.maximum(error, part_error))  # NaN stays NaN
    return CentredVariances(values, error, solved=not np.isnan(error))


def _invert(weights: Any, ridge: float) -> Floats:
    number = weights.shape[0]
    diagonal = np.asarray(weights.sum(axis=1)) + ridge
    information = np.diag(diagonal) - weights.toarray()
    # Every row sums to the ridge, so the constant vector may be given a harmless size and taken off again.
    level = float(diagonal.mean())
    inverse = np.linalg.inv(information + level / number)
    return np.asarray(np.diag(inverse) - 1 / (number * (ridge + level)))


def _estimate(weights: Any, ridge: float, generator: np.random.Generator) -> tuple[Floats, float]:
    """The diagonal of C = P H^-1 P from draws of utilities x with the covariance C.

    As H C = P, with d the diagonal of H and n items,

        C_ii = (1 - 2 / n + ridge / (n d_i)) / d_i + Var(sum over j of w_ij x_j) / d_i^2,

    what is not known of an item even if all others are, and what is not known of these (Siden, Lindgren, Bolin and
    Villani 2018). Only the second is estimated, as a mean of squares: no variance falls below the first, and whatever
    the comparisons, its standard error is about the square root of 2 / 128 of it at the most; mostly it is a hundredth.

    Returns: the variances, and the greatest standard error as a share of its variance; NaN where a draw was not solved.
    """
    number = weights.shape[0]
    diagonal = np.asarray(weights.sum(axis=1)) + ridge
    upper = csr_array(triu(weights, 1))
    moments = np.zeros((2, number))
    for _ in range(0, DRAWS, DRAWS_AT_ONCE):
        slopes = np.stack([_slopes(upper, ridge, generator) for _ in range(DRAWS_AT_ONCE)], axis=1)
        utilities, solved = _solve(weights, diagonal[:, None], slopes - slopes.mean(axis=0))
        if not solved:
            return np.full(number, np.nan), float("nan")
        squares = np.square(weights @ (utilities - utilities.mean(axis=0)) / diagonal[:, None])
        moments += squares.sum(axis=1), np.square(squares).sum(axis=1)
    means, fourth = moments / DRAWS
    variances = (1 - 2 / number + ridge / (number * diagonal)) / diagonal + means
    errors = np.sqrt(np.maximum(fourth - means**2, 0) / DRAWS)
    return variances, float((errors / variances).max())


def _slopes(upper: Any, ridge: float, generator: np.random.Generator) -> Floats:
    """A draw with covariance H, shape (items,): every comparison pulls its two items apart by chance, or together.

    Parameters: upper, the weights above the diagonal.
    """
    pulls = np.sqrt(upper.data) * _signs(len(upper.data), generator)
    signed = csr_array((pulls, upper.indices, upper.indptr), upper.shape)
    return np.asarray(signed.sum(axis=1) - signed.sum(axis=0) + np.sqrt(ridge) * _signs(upper.shape[0], generator))


def _signs(number: int, generator: np.random.Generator) -> Any:
    """1 or -1, shape (number,)."""
    return 2 * generator.integers(0, 2, number, dtype=np.int8) - 1


def _solve(weights: Any, diagonal: Floats, right: Floats) -> tuple[Floats, bool]:
    """(diagonal - weights)^-1 right by conjugate gradients, preconditioned by the diagonal; right (items, systems).

    Returns: the solution, and whether it came within the tolerance.
    """
    solution, residual = np.zeros_like(right), right.copy()
    direction = residual / diagonal
    size = np.einsum("ij,ij->j", residual, direction)
    target = TOLERANCE**2 * size
    for _ in range(MOST_STEPS):
        if (size <= target).all():
            return solution, True
        image = diagonal * direction - weights @ direction
        length = _divided(size, np.einsum("ij,ij->j", direction, image))
        solution += length * direction
        residual -= length * image
        scaled = residual / diagonal
        before, size = size, np.einsum("ij,ij->j", residual, scaled)
        direction = scaled + _divided(size, before) * direction
    return solution, False


def _divided(size: Floats, by: Floats) -> Floats:
    """0 where nothing is left of a system, which waits for the others."""
    return np.asarray(np.divide(size, by, out=np.zeros_like(size), where=by > 0))
