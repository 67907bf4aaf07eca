"""Variances of utilities from the information of a model of comparisons."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from scoring.stats.choices import Floats

MOST_INVERTED = 1000
SIGNS, SIGNS_AT_ONCE = 128, 16
TOLERANCE = 1e-4
MOST_STEPS = 500


@dataclass(frozen=True, eq=False)
class CentredVariances:
    """values: shape (items,), the variance of each utility less the mean utility of the items that it is connected to;
    NaN for an item without comparisons. relative_error: the greatest standard error of a variance that was
    estimated, as a share of it; 0 where all are exact."""

    values: Floats
    relative_error: float

    @property
    def errors(self) -> Floats:
        """Standard errors of the utilities, in logits, shape (items,)."""
        return np.sqrt(self.values)


def centred_variances(weights: Any, ridge: float, generator: np.random.Generator) -> CentredVariances:
    """The diagonal of P H^-1 P, with H = diag(row sums + ridge) - weights and P taking off the mean of each component.

    Comparisons only tell differences, so the level of a component is known from the ridge alone and no error of its
    items. Components of up to 1,000 items are inverted; for larger ones the diagonal is estimated, from 128 solutions.

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
            error = max(error, part_error)
    return CentredVariances(values, error)


def _invert(weights: Any, ridge: float) -> Floats:
    number = weights.shape[0]
    diagonal = np.asarray(weights.sum(axis=1)) + ridge
    information = np.diag(diagonal) - weights.toarray()
    # Every row sums to the ridge, so the constant vector may be given a harmless size and taken off again.
    level = float(diagonal.mean())
    inverse = np.linalg.inv(information + level / number)
    return np.asarray(np.diag(inverse) - 1 / (number * (ridge + level)))


def _estimate(weights: Any, ridge: float, generator: np.random.Generator) -> tuple[Floats, float]:
    """The diagonal as the mean of z * (P H^-1 P z) over random signs z (Bekas, Kokiopoulou and Saad 2007).

    What the first terms of H^-1 = D^-1 + D^-1 W D^-1 + D^-1 W D^-1 W D^-1 + ... add off the diagonal is taken off the
    estimate, as their diagonals are known: that leaves about a tenth of its error.
    """
    diagonal = (np.asarray(weights.sum(axis=1)) + ridge)[:, None]
    known = (1 + np.asarray(weights.multiply(weights) @ (1 / diagonal)) / diagonal) / diagonal
    moments = np.zeros((2, len(diagonal)))
    for _ in range(0, SIGNS, SIGNS_AT_ONCE):
        signs = generator.choice([-1.0, 1.0], (len(diagonal), SIGNS_AT_ONCE))
        solved = _solve(weights, diagonal, signs - signs.mean(axis=0))
        once = signs / diagonal
        twice = weights @ once / diagonal
        rest = signs * (solved - solved.mean(axis=0) - once - twice - weights @ twice / diagonal)
        moments += rest.sum(axis=1), np.square(rest).sum(axis=1)
    means, squares = moments / SIGNS
    variances = known.ravel() + means
    errors = np.sqrt(np.maximum(squares - means**2, 0) / SIGNS)
    return variances, float((errors / variances).max())


def _solve(weights: Any, diagonal: Floats, right: Floats) -> Floats:
    """(diagonal - weights)^-1 right by conjugate gradients, preconditioned by the diagonal; right (items, systems)."""
    solution, residual = np.zeros_like(right), right.copy()
    direction = residual / diagonal
    size = np.einsum("ij,ij->j", residual, direction)
    target = TOLERANCE**2 * size
    for _ in range(MOST_STEPS):
        if (size <= target).all():
            break
        image = diagonal * direction - weights @ direction
        length = size / np.einsum("ij,ij->j", direction, image)
        solution += length * direction
        residual -= length * image
        scaled = residual / diagonal
        before, size = size, np.einsum("ij,ij->j", residual, scaled)
        direction = scaled + size / before * direction
    return solution
