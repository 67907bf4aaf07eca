"""Simulated rounds of honest people and an odd one, to count the false alarms and the power of flags."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.stats.choices import Choices
from scoring.stats.correlation import pearson
from scoring.stats.flags import PeopleFigures
from scoring.stats.limits import Thresholds
from scoring.stats.reliability import split_half
from scoring.summaries.monitoring import people_figures
from scoring.summaries.work import NONE, Answers, Work

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PEOPLE = 32  # stacks of two and of four come out even
SIZE = 4
TOP = 6  # of the rating scale, from 0
SPREAD = 1.5  # standard deviation of the pairs on that scale
RATERS = {"choices": 2, "ratings": 4}
PRACTICE = 10  # first answers of practice and check
NOISE: dict[str, dict[float, float]] = {
    # The standard deviation of the pairs' strengths in the best-worst model, two people a tuple: found by trying.
    "choices": {0.6: 0.83, 0.7: 1.05, 0.8: 1.4, 0.9: 2.4},
    # r of the means of two and two ratings is 2 r / (1 + r) of single ones, and r = pairs / (pairs + noise).
    "ratings": {shr: SPREAD * np.sqrt((2 - shr) / shr - 1) for shr in (0.6, 0.7, 0.8, 0.9)},
}
HONEST, CARELESS, CONTRARY = 1.0, 0.0, -1.0
PAPER_RMSE = 1.396  # Czech News, table 1, intra
LIMITS = Thresholds()


def stacks(answers: int, raters: int, generator: np.random.Generator) -> Integers:
    """Return who judges each unit, shape (units, raters); everybody judges so many."""
    everybody = [generator.permutation(PEOPLE) for _ in range(answers)]
    return np.concatenate(everybody).reshape(-1, raters)


def behaviours(odd: float) -> Floats:
    """Return everybody's behaviour: the first person's is odd."""
    return np.array([odd] + [HONEST] * (PEOPLE - 1))


@dataclass(frozen=True, eq=False)
class BestWorstRound:
    """choices: by the best-worst model. strengths: of the items, shape (items,)."""

    choices: Choices
    strengths: Floats

    @cached_property
    def answers(self) -> Answers:
        own = self.choices
        return answers_of(own.annotators, tuples=own.tuples, shown=own.items, best=own.best, worst=own.worst)

    def figures(self, gold: Floats | None = None, practice_right: Floats | None = None) -> PeopleFigures:
        return figures_of(self.answers, self.choices.number, SIZE, gold=gold, practice_right=practice_right)


@dataclass(frozen=True, eq=False)
class RatedRound:
    """people, values: who rated each pair, and the ratings, shapes (pairs, raters). truth: shape (pairs,)."""

    people: Integers
    values: Floats
    truth: Floats

    @cached_property
    def answers(self) -> Answers:
        pairs = np.repeat(np.arange(len(self.people)), self.people.shape[1])
        return answers_of(self.people.ravel(), items=pairs, values=self.values.ravel())

    def figures(self, gold: Floats | None = None, practice_right: Floats | None = None) -> PeopleFigures:
        return figures_of(self.answers, len(self.people), 1, gold=gold, practice_right=practice_right)


def best_worst_round(answers: int, spread: float, odd: float, generator: np.random.Generator) -> BestWorstRound:
    """Return a round of the best-worst model, in which an odd person feels nothing, or the opposite."""
    people = stacks(answers, RATERS["choices"], generator)
    items = max(SIZE * 2, len(people) // 2 // SIZE * SIZE)
    decks = [generator.permutation(items) for _ in range(len(people) * SIZE // items + 1)]
    shown = np.concatenate(decks)[: len(people) * SIZE].reshape(-1, SIZE)
    tuples, rows = np.repeat(np.arange(len(people)), people.shape[1]), np.arange(people.size)
    shown, strengths = shown[tuples], generator.normal(0, spread, items)
    felt = strengths[shown] * behaviours(odd)[people.ravel()][:, None]
    best = np.argmax(felt + generator.gumbel(size=felt.shape), axis=1)
    against = generator.gumbel(size=felt.shape) - felt
    against[rows, best] = -np.inf
    worst = np.argmax(against, axis=1)
    return BestWorstRound(
        Choices(shown, shown[rows, best], shown[rows, worst], tuples, people.ravel(), items), strengths
    )


def rated_round(answers: int, noise: float, odd: float, generator: np.random.Generator) -> RatedRound:
    """Return a rated round; careless people rate anything."""
    people = stacks(answers, RATERS["ratings"], generator)
    truth = generator.normal(TOP / 2, SPREAD, (len(people), 1))
    values = rated(truth, noise, behaviours(odd)[people], generator)
    return RatedRound(people, values, truth[:, 0])


def rated(truth: Floats, noise: float, behaviour: Floats, generator: np.random.Generator) -> Floats:
    """Return ratings of pairs by people of these behaviours, in the shape of the behaviours."""
    felt = truth + generator.normal(0, noise, behaviour.shape)
    felt = np.where(behaviour == CONTRARY, TOP - felt, felt)
    felt = np.where(behaviour == CARELESS, generator.uniform(0, TOP, behaviour.shape), felt)
    return np.clip(np.round(felt), 0, TOP)


def answers_of(people: Integers, **columns: NDArray) -> Answers:
    """Return answers with these columns, a person's rows together, and nothing in the others."""
    rows = len(people)
    nothing, none = np.full(rows, np.nan), np.full(rows, NONE)
    usual = {
        **dict.fromkeys(("values", "expected", "earlier", "seconds", "active_ms"), nothing),
        **dict.fromkeys(("items", "tuples", "best", "worst"), none),
        "contexts": np.zeros(rows, np.int64),
        "shown": np.full((rows, SIZE), NONE),
        "main": np.ones(rows, np.bool_),
        **dict.fromkeys(("counted", "countable"), np.ones(rows, np.bool_)),
    }
    return Answers(people=people, **(usual | columns)).keep(np.argsort(people, kind="stable"))


def figures_of(
    answers: Answers, items: int, on_screen: int, *, gold: Floats | None = None, practice_right: Floats | None = None
) -> PeopleFigures:
    """Return everybody's figures. practice_right: the share of right answers of `PRACTICE`, shape (people,)."""
    unknown = np.full(PEOPLE, np.nan)
    labels = np.full(items, np.nan) if gold is None else gold
    practised = 0 * np.ones(PEOPLE) if practice_right is None else np.full(PEOPLE, float(PRACTICE))
    right = unknown if practice_right is None else practice_right
    nobody = np.zeros(PEOPLE, np.bool_)
    work = Work(answers, nobody, labels, practised, right, np.zeros(0), 0.0, TOP, 1.0, on_screen)
    return people_figures(work, LIMITS)


def any_round(
    kind: str, answers: int, noise: float, odd: float, generator: np.random.Generator
) -> BestWorstRound | RatedRound:
    return (best_worst_round if kind == "choices" else rated_round)(answers, noise, odd, generator)


def simulated(kind: str, answers: int, noise: float, odd: float, generator: np.random.Generator) -> PeopleFigures:
    """Return everybody's figures in one round."""
    return any_round(kind, answers, noise, odd, generator).figures()


def labelled_round(kind: str, answers: int, noise: float, odd: float, generator: np.random.Generator) -> PeopleFigures:
    """Return everybody's figures in a round in which it is known of every item on which side of the middle it lies, and
    which begins with a practice that people answer as rightly as honest people do the round."""
    own = any_round(kind, answers, noise, odd, generator)
    truth, middle = (own.truth, TOP / 2) if isinstance(own, RatedRound) else (own.strengths, 0.0)
    gold = (truth > middle).astype(np.float64)
    right = 1 - float(np.nanmean(own.figures(gold).contradictions[1:]))
    rates = np.select([behaviours(odd) == HONEST, behaviours(odd) == CARELESS], [right, 0.5], 1 - right)
    return own.figures(gold, generator.binomial(PRACTICE, rates) / PRACTICE)


def calibrated_round(pairs: int, noise: float, odd: float, generator: np.random.Generator) -> PeopleFigures:
    """Return everybody's figures in a round in which all rate the same pairs, whose true values are expected."""
    truth = np.clip(np.round(generator.normal(TOP / 2, SPREAD, pairs)), 0, TOP)
    behaviour = np.repeat(behaviours(odd)[:, None], pairs, axis=1)
    values = rated(truth, noise, behaviour, generator)
    columns = {"items": np.tile(np.arange(pairs), PEOPLE), "values": values.ravel(), "expected": np.tile(truth, PEOPLE)}
    people = np.repeat(np.arange(PEOPLE), pairs)
    return figures_of(answers_of(people, main=np.zeros(len(people), bool), **columns), pairs, 1)


def again_round(pairs: int, noise: float, odd: float, generator: np.random.Generator) -> PeopleFigures:
    """Return everybody's figures in a round in which they rate pairs twice, with the same noise both times."""
    truth = generator.normal(TOP / 2, SPREAD, (PEOPLE, pairs))
    behaviour = np.repeat(behaviours(odd)[:, None], pairs, axis=1)
    honestly = np.where(behaviour == CONTRARY, HONEST, behaviour)  # contrary the second time only
    earlier, values = (rated(truth, noise, own, generator) for own in (honestly, behaviour))
    return _repeated(np.repeat(np.arange(PEOPLE), pairs), earlier.ravel(), values.ravel())


def repeated_round(pairs: int, odd: float, generator: np.random.Generator) -> PeopleFigures:
    """Return everybody's figures in a round in which they rate pairs again with the paper's noise; careless people rate
    anything, contrary ones the wrong way round."""
    people = np.repeat(np.arange(PEOPLE), pairs)
    earlier = np.clip(np.round(generator.normal(TOP / 2, SPREAD, len(people))), 0, TOP)
    again = earlier + generator.normal(0, PAPER_RMSE, len(people))
    again = np.where(behaviours(odd)[people] == CONTRARY, TOP - earlier, again)
    again = np.where(behaviours(odd)[people] == CARELESS, generator.uniform(0, TOP, len(people)), again)
    return _repeated(people, earlier, np.clip(np.round(again), 0, TOP))


def _repeated(people: Integers, earlier: Floats, values: Floats) -> PeopleFigures:
    own = {"items": np.arange(len(people)), "values": values, "earlier": earlier, "main": np.zeros(len(people), bool)}
    return figures_of(answers_of(people, **own), len(people), 1)


def timed_round(answers: int, spread: float, median: float, generator: np.random.Generator) -> PeopleFigures:
    """Return everybody's figures in a round of ratings in which nobody is faster than the limits, and the median or the
    share of quick answers is at its limit; but the first person's median is `median` times that of the others.

    Parameters: spread, the standard deviation of the logarithms of one person's seconds.
    """
    quick = 0.8416212335729143  # the standard normal deviate of the share of quick answers that is the limit, 0.2
    usual = max(LIMITS.median_seconds, float(np.exp(quick * spread)))
    people = np.repeat(np.arange(PEOPLE), answers)
    seconds = generator.lognormal(np.log(usual), spread, len(people)) * np.where(people == 0, median, 1.0)
    return figures_of(answers_of(people, seconds=seconds), 1, 1)


def straight_round(
    kind: str, answers: int, noise: float, share: float, generator: np.random.Generator
) -> PeopleFigures:
    """Return everybody's figures in a round in which the first person gives this share of the answers without looking:
    the middle of the scale, or the first place on the screen as best."""
    own = any_round(kind, answers, noise, HONEST, generator)
    if isinstance(own, RatedRound):
        lazy = (own.people == 0) & (generator.random(own.people.shape) < share)
        return RatedRound(own.people, np.where(lazy, TOP / 2, own.values), own.truth).figures()
    old = own.choices
    lazy = (old.annotators == 0) & (generator.random(old.judgments) < share)
    best = np.where(lazy, old.items[:, 0], old.best)
    worst = np.where(old.worst == best, np.where(old.items[:, 0] == best, old.items[:, 1], old.items[:, 0]), old.worst)
    return BestWorstRound(
        Choices(old.items, best, worst, old.tuples, old.annotators, old.number), own.strengths
    ).figures()


def reliability(kind: str, noise: float, generator: np.random.Generator) -> float:
    """Return the mean split-half reliability of simulated rounds."""
    if kind == "choices":
        rounds = [best_worst_round(100, noise, HONEST, generator).choices for _ in range(3)]
        return float(np.mean([split_half(one, generator, splits=20).summary()[0].mean for one in rounds]))
    values = rated_round(10_000 // PEOPLE, noise, HONEST, generator).values
    return pearson(values[:, :2].mean(axis=1), values[:, 2:].mean(axis=1))
