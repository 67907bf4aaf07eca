"""Assigning validators to the pairs of each tuple (S, A, B, C): the sequences of R2 and the stacks of R3.

A tuple has one pair for each role (A, B, C). An array of roles has shape (validators, tuples): the role, from 0, of the
pair that a validator rates in each tuple. By its shape a validator gets one pair of a tuple.
"""

from collections import Counter
from math import comb

import numpy as np
import scipy
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError

Roles = NDArray[np.int64]
Forbidden = NDArray[np.bool_]
DRAWS = 30  # more draws would hardly find what 30 have not found


def disjoint_sequences(*, tuples: int, validators: int, roles: int, generator: np.random.Generator) -> Roles:
    """Draw sequences for groups of as many validators as a tuple has pairs (Czech News 4.2, Fig. 2).

    The sequences of a group never overlap, and together they cover every pair of every tuple.

    Returns: roles, shape (validators, tuples).

    Raises:
        PlanningError: the validators do not form whole groups.
    """
    if validators % roles:
        raise PlanningError(
            "The number of validators (%(validators)s) must be a multiple of %(roles)s: each pair of a "
            "tuple has its own validator.",
            validators=validators,
            roles=roles,
        )
    ordered = np.broadcast_to(np.arange(roles), (validators // roles, tuples, roles))
    shuffled = generator.permuted(ordered, axis=2)
    return shuffled.transpose(0, 2, 1).reshape(validators, tuples)


def overlapping_roles(
    chosen: Roles, *, overlap: int, roles: int, generator: np.random.Generator
) -> tuple[NDArray[np.int64], Roles]:
    """Draw the tuples in which every pair is rated by a second validator (Czech News 4.2.1, overlapping block).

    There each validator also rates the pair of the next one of the group.

    Parameters: chosen, as `disjoint_sequences` returns it; overlap, the number of tuples; roles, at least two if
        there is an overlap.
    Returns: the tuples in order, shape (overlap,), and the roles there, shape (validators, overlap).
    """
    validators, tuples = chosen.shape
    drawn = np.sort(generator.choice(tuples, size=overlap, replace=False))
    groups = chosen[:, drawn].reshape(validators // roles, roles, overlap)
    return drawn, np.roll(groups, -1, axis=1).reshape(validators, overlap)


def random_stacks(
    *,
    tuples: int,
    stack_size: int,
    roles: int,
    forbidden: Forbidden | None = None,
    generator: np.random.Generator,
) -> Roles:
    """Split all validators of each tuple at random into one stack per role (Czech News 4.2.2, main block).

    Each split is drawn again, up to 30 times, until none of its stacks was used before; if no such split is found, the
    one whose stacks were used least often is kept. The whole assignment is drawn again, up to 30 times, while more
    stacks are identical than the numbers force: there are C(validators, stack_size) different ones.

    Parameters: forbidden, shape (validators, tuples, roles), true where a validator must not get that pair.
    Returns: roles, shape (validators, tuples); every role of a tuple has stack_size validators.

    Raises:
        PlanningError: the forbidden pairs leave no split for some tuple.
    """
    validators = stack_size * roles
    if forbidden is None:
        forbidden = np.zeros((validators, tuples, roles), dtype=bool)
    forced = max(roles * tuples - comb(validators, stack_size), 0)
    best = _splits(forbidden, stack_size, generator)
    for _ in range(DRAWS):
        if identical_stacks(best, roles) <= forced:
            break
        candidate = _splits(forbidden, stack_size, generator)
        best = min(best, candidate, key=lambda chosen: identical_stacks(chosen, roles))
    return best


def identical_stacks(chosen: Roles, roles: int) -> int:
    """Return how many stacks repeat an earlier one: 0 if all stacks are different."""
    stacks = Counter(stack for column in chosen.T for stack in _stacks(column, roles))
    return sum(stacks.values()) - len(stacks)


def _splits(forbidden: Forbidden, stack_size: int, generator: np.random.Generator) -> Roles:
    """Return a split of every tuple, drawn one after the other."""
    validators, tuples, roles = forbidden.shape
    used: Counter[bytes] = Counter()
    chosen = np.empty((validators, tuples), dtype=np.int64)
    for column in range(tuples):
        split = _least_used_split(forbidden[:, column], stack_size, used, generator)
        used.update(_stacks(split, roles))
        chosen[:, column] = split
    return chosen


def _least_used_split(
    forbidden: Forbidden, stack_size: int, used: Counter[bytes], generator: np.random.Generator
) -> Roles:
    roles = forbidden.shape[1]
    best = _random_split(forbidden, stack_size, generator)
    for _ in range(DRAWS):
        if not _uses(best, roles, used):
            break
        candidate = _random_split(forbidden, stack_size, generator)
        best = min(best, candidate, key=lambda split: _uses(split, roles, used))
    return best


def _random_split(forbidden: Forbidden, stack_size: int, generator: np.random.Generator) -> Roles:
    """Return a random split that gives nobody a forbidden pair: by drawing, or by matching if drawing fails."""
    validators, roles = forbidden.shape
    places = np.repeat(np.arange(roles), stack_size)
    for _ in range(DRAWS):
        split = generator.permutation(places)
        if not forbidden[np.arange(validators), split].any():
            return split
    return _matched_split(forbidden, places, generator)


def _matched_split(forbidden: Forbidden, places: Roles, generator: np.random.Generator) -> Roles:
    order, shuffled = generator.permutation(len(places)), generator.permutation(places)
    allowed = scipy.sparse.csr_array(~forbidden[order][:, shuffled])
    matched = scipy.sparse.csgraph.maximum_bipartite_matching(allowed, perm_type="column")
    if (matched < 0).any():
        raise PlanningError(
            "The pairs can't be split into stacks because too many validators have already seen pairs of "
            "the same tuple. Choose other people or other annotators."
        )
    split = np.empty(len(places), dtype=np.int64)
    split[order] = shuffled[matched]
    return split


def _stacks(split: Roles, roles: int) -> list[bytes]:
    return [np.packbits(split == role).tobytes() for role in range(roles)]


def _uses(split: Roles, roles: int, used: Counter[bytes]) -> int:
    return sum(used[stack] for stack in _stacks(split, roles))
