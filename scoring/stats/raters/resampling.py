"""Errors of scores that account for how well people's parameters are known."""

from collections.abc import Callable

import numpy as np

from scoring.stats.choices import Floats

Scores = tuple[Floats, Floats]
"""Mean and variance of every item's score given its ratings and people's parameters, shapes (items,)."""


def errors_by_resampling(
    found: Scores,
    replicate: Callable[[Floats, Floats], Scores],
    numbers: tuple[int, int],
    generator: np.random.Generator | None,
    replicates: int,
) -> Scores:
    """Return scores and their standard errors, by a bootstrap over raters and items.

    A replicate gives every item and every rater a weight, exponential with mean 1 (Rubin 1981, Annals of Statistics 9,
    130-134), estimates the parameters anew and scores every item from all of its ratings. Items have weights in the
    likelihood, raters in the distribution of people: a rater counted twice in the likelihood would seem to agree with
    somebody perfectly. The variance is the mean of the variances given the parameters plus the variance of the scores
    between replicates (Laird and Louis 1987, Journal of the American Statistical Association 82, 739-750).

    Parameters: found, by the data; replicate, the same for weights of items and raters; numbers, of items and raters;
        replicates, 0 for errors that take the parameters as known.
    """
    scores, variances = found
    if not replicates:
        return scores, np.sqrt(variances)
    if generator is None:
        raise ValueError("Resampling needs a generator.")
    between, within = np.zeros_like(scores), np.zeros_like(scores)
    for _ in range(replicates):
        drawn, variance = replicate(*(generator.exponential(size=number) for number in numbers))
        between += np.square(drawn - scores)
        within += variance
    return scores, np.sqrt((between + within) / replicates)
