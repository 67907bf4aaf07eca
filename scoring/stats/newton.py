"""The minimum of a convex function of many variables by Newton's method, its steps by conjugate gradients."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np

from scoring.stats.choices import Floats

MAXIMUM_STEPS = 200
MAXIMUM_DIRECTIONS = 500
MAXIMUM_HALVINGS = 40
TOLERANCE = 1e-7  # the greatest change of a variable in the last step; the remaining error is far smaller
COARSEST = 0.1  # relative precision of the first steps; later ones are more and more exact
DESCENT = 1e-4  # the share of the predicted descent that a step must achieve (Armijo)
ROUNDING = 1e-13  # relative to a value: the rounding error of sums of logarithms


@dataclass(frozen=True, eq=False)
class Curvature:
    """Second derivatives: the diagonal, shape (variables,), and the product with a vector."""

    diagonal: Floats
    times: Callable[[Floats], Floats]


class Convex(Protocol):
    """A convex function."""

    def loss(self, at: Floats) -> tuple[float, Floats]:
        """Return the value, and the slopes, shape (variables,)."""

    def curvature(self, at: Floats) -> Curvature: ...


def minimise_convex(function: Convex, ridge: float, variables: int, start: Floats | None = None) -> tuple[Floats, bool]:
    """Minimise function + ridge / 2 times the sum of squares, by default from zero (Nocedal and Wright 2006, 7.1).

    A step solves second derivatives times step = - slopes, the more exactly the nearer the minimum, and is halved until
    it descends. A handful of steps ends within 1e-7, where a search by slopes alone stops some ten-thousandths short.

    Returns: the place, shape (variables,), and whether the steps converged there.
    """
    at = np.zeros(variables) if start is None else start
    value, slopes = _with_ridge(function, ridge, at)
    first = float(np.linalg.norm(slopes))
    for _ in range(MAXIMUM_STEPS):
        if not slopes.any():
            return at, True
        share = min(COARSEST, sqrt(float(np.linalg.norm(slopes)) / first))
        step, solved = _solve(function.curvature(at), ridge, -slopes, share)
        moved = _descend(function, ridge, at, value, step, float(slopes @ step))
        if moved is None:
            break
        at, value, slopes = moved
        if solved and np.abs(step).max() <= TOLERANCE:
            return at, True
    return at, False


def _with_ridge(function: Convex, ridge: float, at: Floats) -> tuple[float, Floats]:
    value, slopes = function.loss(at)
    return value + ridge / 2 * float(at @ at), slopes + ridge * at


def _descend(
    function: Convex, ridge: float, at: Floats, value: float, step: Floats, promised: float
) -> tuple[Floats, float, Floats] | None:
    """Return the end of the longest repeated half step that descends, its value and slopes; None if none does."""
    length = 1.0
    for _ in range(MAXIMUM_HALVINGS):
        place = at + length * step
        reached, slopes = _with_ridge(function, ridge, place)
        if reached <= value + DESCENT * length * promised + ROUNDING * abs(value):
            return place, reached, slopes
        length /= 2
    return None


def _solve(curvature: Curvature, ridge: float, right: Floats, share: float) -> tuple[Floats, bool]:
    """Return conjugate gradients, preconditioned by the diagonal, until the residual is that share of the right side.

    Returns: the solution, and whether it is that exact.
    """
    diagonal = np.maximum(curvature.diagonal, 0) + ridge
    solution, residual = np.zeros_like(right), right.copy()
    direction = residual / diagonal
    size = float(residual @ direction)
    target = share**2 * size
    for _ in range(MAXIMUM_DIRECTIONS):
        if size <= target:
            return solution, True
        image = curvature.times(direction) + ridge * direction
        length = size / float(direction @ image)
        solution += length * direction
        residual -= length * image
        scaled = residual / diagonal
        before, size = size, float(residual @ scaled)
        direction = scaled + size / before * direction
    return solution, False
