"""Ratings by people with levels, stretches and noise of their own: items weighed by who rated them."""

from dataclasses import dataclass
from math import inf, log, pi

import numpy as np

from scoring.stats.choices import Floats, Integers
from scoring.stats.models import minimise
from scoring.stats.raters.mixed import fit_mixed
from scoring.stats.raters.rated import Rated
from scoring.stats.raters.resampling import errors_by_resampling
from scoring.stats.raters.typical import STRETCH_SPREAD, typical_stretch

NOISE_RATINGS = 5.0  # how many ratings with common noise a person's noise is averaged with
SMALLEST_SHARE = 1e-4  # of a variance, as a start
LEAST_NOISE = 0.01  # common noise of one more rating, as a share of all variance: of people who agree exactly


@dataclass(frozen=True)
class Priors:
    """What is assumed of people: shift_spread, stretch_spread, the standard deviations of shifts around 0 and of
    stretches around 1, infinite for none; noise_ratings, how many ratings with common noise are added to a person's."""

    shift_spread: float
    stretch_spread: float = STRETCH_SPREAD
    noise_ratings: float = NOISE_RATINGS


NONE = Priors(inf, inf, 0.0)


@dataclass(frozen=True, eq=False)
class Weighed:
    """The fitted model y = mean + shift_r + stretch_r theta_i + x b + e, e with variance noise_r.

    scores, errors: shape (items,), mean + theta as expected from the ratings: the rating of a person without shift and
    of stretch 1 at the mean of the covariates; NaN without ratings. shifts, stretches, noises (variances): shape
    (raters,), NaN without ratings; the typical stretch is 1, a negative one reverses the scale. effects: of the
    covariates. spread: the standard deviation of theta. log_likelihood: without the priors.
    """

    scores: Floats
    errors: Floats
    shifts: Floats
    stretches: Floats
    noises: Floats
    mean: float
    effects: Floats
    spread: float
    log_likelihood: float
    converged: bool

    @property
    def weights(self) -> Floats:
        """Return how much a rating by each person tells, stretch^2 / noise, with mean 1; shape (raters,)."""
        information = self.stretches**2 / self.noises
        return np.asarray(information / np.nanmean(information))


def fit_weighed(
    rated: Rated,
    generator: np.random.Generator | None = None,
    *,
    replicates: int = 0,
    priors: Priors | None = None,
    slope: float = 1e-4,
) -> Weighed:
    """Fit the model by maximum likelihood of the ratings, with theta integrated out, and priors on people.

    Without priors this is factor analysis with one factor and missing ratings (Joreskog 1971, Psychometrika 36:
    congeneric measures). Shifts are normal with the variance of raters in `fit_mixed`; stretches are normal around 1;
    noise has a scaled inverse chi-squared prior around a common noise, which is estimated.

    Parameters: replicates, of people and items for the errors; 0 gives errors that take people's parameters as known.
        priors, by default as above. slope, the precision of the search, in standard errors.

    Raises:
        ValueError: as `fit_mixed`.
    """
    if priors is None:
        priors = Priors(max(fit_mixed(rated).rater_variance, SMALLEST_SHARE * float(rated.values.var())) ** 0.5)
    model = _Model(rated, priors)
    found, converged = model.maximise(model.start(), slope=slope)

    def replicate(items: Floats, raters: Floats) -> tuple[Floats, Floats]:
        return model.scores(model.reweighed(items, raters).maximise(found, slope=REPLICATE_SLOPE)[0])

    scores, errors = errors_by_resampling(
        model.scores(found), replicate, (model.items, model.raters), generator, replicates
    )
    return model.fitted(found, scores, errors, converged)


REPLICATE_SLOPE = 0.1


class _Model:
    """Minus the log-posterior of people's parameters; the likelihood has weights of items, the priors weights of raters
    (1 for the data)."""

    def __init__(self, rated: Rated, priors: Priors) -> None:
        self.rated, self.priors = rated, priors
        self.item_keys, self.item = np.unique(rated.items, return_inverse=True)
        self.rater_keys, self.rater = np.unique(rated.raters, return_inverse=True)
        self.items, self.raters = len(self.item_keys), len(self.rater_keys)
        self.level, self.scale = float(rated.values.mean()), float(rated.values.std())
        self.values = (rated.values - self.level) / self.scale
        self.covariates = rated.covariates - rated.covariates.mean(axis=0)
        self.covariate_scales = np.maximum(self.covariates.std(axis=0), 1e-12)
        self.covariates = self.covariates / self.covariate_scales
        self.shift_ridge = (self.scale / priors.shift_spread) ** 2
        self.stretch_ridge = priors.stretch_spread**-2
        self.item_weights, self.rater_weights = np.ones(self.items), np.ones(self.raters)
        self.counts = np.bincount(self.rater, minlength=self.raters)
        many = np.sqrt(self.counts)
        common = [*np.full(self.covariates.shape[1], len(self.values)), len(self.values), self.items, len(self.values)]
        # A person's parameters affect few ratings, common ones all: in these units all are about as certain.
        self.units = 1 / np.concatenate([many, many, many, np.sqrt(common)])

    def reweighed(self, items: Floats, raters: Floats) -> "_Model":
        """Return the model with an item and a rater counted as often as their weights say."""
        model = object.__new__(_Model)
        model.__dict__.update(self.__dict__)
        model.item_weights, model.rater_weights = items, raters
        return model

    def start(self) -> Floats:
        shifts = np.bincount(self.rater, self.values, self.raters) / (self.counts + 1.0)
        means = np.bincount(self.item, self.values, self.items) / np.bincount(self.item, minlength=self.items)
        noise = max(float(np.square(self.values - means[self.item]).mean()), SMALLEST_SHARE)
        spread = max(1 - noise, 0.1)
        ones, zeros = np.ones(self.raters), np.zeros(self.covariates.shape[1] + 1)
        return np.concatenate([shifts, ones, log(noise) * ones, zeros, [log(spread), log(noise)]])

    def maximise(self, start: Floats, *, slope: float) -> tuple[Floats, bool]:
        """Return the parameters of the greatest posterior, and whether the search converged."""

        def scaled(at: Floats) -> tuple[float, Floats]:
            loss, slopes = self.loss(at * self.units)
            return loss, slopes * self.units

        found, converged = minimise(scaled, start / self.units, slope=slope)
        return found * self.units, converged

    def split(self, at: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Return shifts, stretches, logarithms of noise, effects, and mean, log spread^2 and log common noise."""
        number = self.raters
        shifts, stretches, noises, rest = np.split(at, [number, 2 * number, 3 * number])
        return shifts, stretches, noises, rest[:-3], rest[-3:]

    def loss(self, at: Floats) -> tuple[float, Floats]:
        """Return minus the log-posterior and its slopes; with theta known these would be those of a regression, so
        each is the expectation of the regression's (Fisher's identity)."""
        shifts, stretches, log_noises, _, (_, log_spread, log_common) = self.split(at)
        level, spread, left, (stretch, noise) = self._expected(at)
        row_weights = self.item_weights[self.item]
        error = left - stretch * level[self.item]
        weighed = row_weights * error / noise
        squares = np.square(error) + np.square(stretch) * spread[self.item]
        value = 0.5 * float(row_weights @ (log_noises[self.rater] + left**2 / noise))
        value -= 0.5 * float(self.item_weights @ (level**2 / spread + np.log(spread) - log_spread))
        slopes = [
            -self._by_rater(weighed),
            -self._by_rater(weighed * level[self.item] - row_weights * stretch * spread[self.item] / noise),
            0.5 * self._by_rater(row_weights * (1 - squares / noise)),
            -(self.covariates.T @ weighed),
        ]
        variance = np.exp(log_spread)
        of_spread = 0.5 * float(self.item_weights @ (1 - (level**2 + spread) / variance))
        prior, (of_shifts, of_stretches, of_noises, of_common) = self._priors(shifts, stretches, log_noises, log_common)
        slopes[0] += of_shifts
        slopes[1] += of_stretches
        slopes[2] += of_noises
        return value + prior, np.concatenate([*slopes, [-float(weighed.sum()), of_spread, of_common]])

    def _by_rater(self, rows: Floats) -> Floats:
        return np.bincount(self.rater, rows, self.raters).astype(np.float64, copy=False)

    def _expected(self, at: Floats) -> tuple[Floats, Floats, Floats, tuple[Floats, Floats]]:
        """Return mean and variance of each theta given its ratings, and what is left of each rating without theta, with
        stretch and noise of its rater."""
        shifts, stretches, log_noises, effects, (mean, log_spread, _) = self.split(at)
        stretch, noise = stretches[self.rater], np.exp(log_noises)[self.rater]
        left = self.values - mean - shifts[self.rater] - self.covariates @ effects
        information = stretch / noise
        precision = np.exp(-log_spread) + np.bincount(self.item, information * stretch, self.items)
        level = np.bincount(self.item, information * left, self.items) / precision
        return level, 1 / precision, left, (stretch, noise)

    def _priors(
        self, shifts: Floats, stretches: Floats, log_noises: Floats, log_common: float
    ) -> tuple[float, tuple[Floats, Floats, Floats, float]]:
        ratio, weights = np.exp(log_common - log_noises), self.rater_weights
        half = self.priors.noise_ratings / 2
        value = 0.5 * float(weights @ (self.shift_ridge * shifts**2 + self.stretch_ridge * (stretches - 1) ** 2))
        value += half * float(weights @ (log_noises - log_common + ratio))
        floor = LEAST_NOISE * np.exp(-log_common) if half else 1.0
        value += 0.5 * (log_common + floor) if half else 0.0
        slopes = (
            weights * self.shift_ridge * shifts,
            weights * self.stretch_ridge * (stretches - 1),
            half * weights * (1 - ratio),
            half * float(weights @ (ratio - 1)) + 0.5 * (1 - floor),
        )
        return value, slopes

    def scores(self, at: Floats) -> tuple[Floats, Floats]:
        """Return mean and variance of every item's score given its ratings and these parameters, shapes (items,)."""
        level, spread, _, _ = self._expected(at)
        unit = self.scale * self.typical(at)
        return self.level + self.scale * self.split(at)[-1][0] + unit * level, unit**2 * spread

    def typical(self, at: Floats) -> float:
        """Return the stretch that is counted as 1."""
        _, stretches, log_noises, _, _ = self.split(at)
        return typical_stretch(stretches, stretches**2 * np.exp(-log_noises))

    def fitted(self, at: Floats, scores: Floats, errors: Floats, converged: bool) -> Weighed:
        shifts, stretches, log_noises, effects, (mean, log_spread, log_common) = self.split(at)
        prior = self._priors(shifts, stretches, log_noises, log_common)[0]
        likelihood = -(self.loss(at)[0] - prior) - len(self.values) * (0.5 * log(2 * pi) + log(self.scale))
        own, people = (self.item_keys, self.rated.item_number), (self.rater_keys, self.rated.rater_number)
        return Weighed(
            scores=_placed(scores, *own),
            errors=_placed(errors, *own),
            shifts=_placed(self.scale * shifts, *people),
            stretches=_placed(stretches / self.typical(at), *people),
            noises=_placed(self.scale**2 * np.exp(log_noises), *people),
            mean=self.level + self.scale * float(mean),
            effects=self.scale * effects / self.covariate_scales,
            spread=self.scale * self.typical(at) * float(np.exp(log_spread / 2)),
            log_likelihood=likelihood,
            converged=converged,
        )


def _placed(values: Floats, places: Integers, number: int) -> Floats:
    """Return values at their places, NaN elsewhere; shape (number,)."""
    column = np.full(number, np.nan)
    column[places] = values
    return column
