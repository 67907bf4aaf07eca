"""What a round will cost and how reliable its scores will be, from a paper's figures or from a run of one's own."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.planning.costs import UTTERANCES, RoundCost
from annotation.planning.errors import PlanningError
from annotation.protocols.spec import BestWorstDesign, CompleteDesign, Round, StackDesign
from scoring.domain.costing import Wish, cost_of, items_judged, judged_by, money_for, with_people
from scoring.forecasting.choices import TupleDesign, forecast_choices, noise_of, people_for_choices
from scoring.forecasting.forecast import Forecast
from scoring.forecasting.papers import PAPERS, Printed
from scoring.forecasting.ratings import Variation, forecast_ratings, people_for_ratings
from scoring.models import Run

PEOPLE = (2, 4, 8)


@dataclass(frozen=True)
class Line:
    """The round with so many judgments of an item, or answers to a tuple."""

    people: int
    planned: bool
    cost: RoundCost
    money: Decimal | None
    forecast: Forecast | None


@dataclass(frozen=True)
class Missing:
    """What the target asks for. people: judgments of an item in all; None where no number reaches it. judgments, hours,
    money: on top of what a run read."""

    people: int | None
    judgments: int | None = None
    hours: float | None = None
    money: Decimal | None = None


@dataclass(frozen=True)
class Outlook:
    """source: whence it is known how much people vary; None where the round gives every item one judgment only."""

    source: str | None
    lines: list[Line]
    missing: Missing | None


def outlook(wish: Wish) -> Outlook:
    """The cost of the round for several numbers of people, and the reliability where they judge the same.

    Raises:
        Refusal: the run or the paper does not tell how much people vary, or there is no design of so few items.
    """
    planned = judged_by(wish.round)
    if planned == 1 and not isinstance(wish.round.design, StackDesign | BestWorstDesign | CompleteDesign):
        cost = cost_of(wish, wish.round)
        return Outlook(None, [Line(1, True, cost, money_for(wish, cost.hours), None)], None)
    reliability = _reliability(wish)
    try:
        lines = [_line(wish, people, people == planned, reliability) for people in sorted({*PEOPLE, planned})]
        return Outlook(reliability.source, lines, _missing(wish, reliability))
    except (PlanningError, ValueError) as error:
        raise Refusal(str(error)) from error


class _Ratings:
    """Reliability of means of ratings."""

    def __init__(self, variation: Variation, source: str, wish: Wish) -> None:
        self.variation, self.source, self.wish = variation, source, wish

    @property
    def units(self) -> int:
        """Pairs that are judged, each in every session."""
        return items_judged(self.wish) * len(self.wish.round.sessions)

    def forecast(self, people: int) -> Forecast:
        generator = np.random.default_rng([self.wish.seed, people])
        return forecast_ratings(self.variation, items=items_judged(self.wish), people=people, generator=generator)

    def needed(self) -> int | None:
        return people_for_ratings(self.variation, self.wish.target)


class _Choices:
    """Reliability of best-worst scores."""

    def __init__(self, reliability: float, people: int, items: int, source: str, wish: Wish) -> None:
        design = wish.round.design
        assert isinstance(design, BestWorstDesign)
        self.source, self.wish = source, wish
        self.design = TupleDesign(design.tuple_size, design.factor, UTTERANCES if design.grouped else 0)
        self.noise = noise_of(reliability, self.design, items=items, people=people, seed=wish.seed)

    @cached_property
    def units(self) -> int:
        """Tuples that are judged."""
        return cost_of(self.wish, with_people(self.wish.round, 1)).judgments

    def forecast(self, people: int) -> Forecast:
        generator = np.random.default_rng([self.wish.seed, people])
        return forecast_choices(
            self.noise, self.design, items=items_judged(self.wish), people=people, generator=generator
        )

    def needed(self) -> int | None:
        return people_for_choices(
            self.noise, self.design, self.wish.target, items=items_judged(self.wish), seed=self.wish.seed
        )


def _reliability(wish: Wish) -> _Ratings | _Choices:
    compares = isinstance(wish.round.design, BestWorstDesign)
    if wish.run is not None:
        return _choices_of_run(wish, wish.run) if compares else _ratings_of_run(wish, wish.run)
    printed = PAPERS.get(wish.protocol.key, Printed(source=""))
    if compares and printed.reliability is not None:
        return _Choices(printed.reliability, printed.people, printed.items, printed.source, wish)
    if not compares and printed.variation is not None:
        return _Ratings(printed.variation, printed.source, wish)
    raise Refusal(_("No paper tells how much people vary here. Take a run of your own, of a pilot for example."))


def _ratings_of_run(wish: Wish, run: Run) -> _Ratings:
    context = wish.round.sessions[0].value
    try:
        icc = run.results["agreement"][wish.round.key][context]["icc"]["icc1"]
        table = run.results["scores"][wish.round.key][context]
        within = _pooled(table["sd"], table["ratings"])
        return _Ratings(Variation(within * math.sqrt(icc / (1 - icc)), within), _named(run), wish)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise _untold(run) from None


def _pooled(deviations: list[float | None], ratings: list[int]) -> float:
    """The deviation of ratings around the means of their items."""
    known = [(sd, number - 1) for sd, number in zip(deviations, ratings, strict=True) if sd is not None]
    return math.sqrt(sum(sd**2 * weight for sd, weight in known) / sum(weight for _, weight in known))


def _choices_of_run(wish: Wish, run: Run) -> _Choices:
    try:
        reliability = run.results["split_half"]["tuple"]["spearman"]["mean"]
        agreement, items = run.results["choice_agreement"], run.results["overview"]["items"]
        people = round(agreement["judgments"] / agreement["tuples"])
        return _Choices(reliability, people, items, _named(run), wish)
    except (KeyError, TypeError, ValueError, ZeroDivisionError, PlanningError):
        raise _untold(run) from None


def _named(run: Run) -> str:
    return _("run %(number)d of this project") % {"number": run.number}


def _untold(run: Run) -> Refusal:
    return Refusal(
        _(
            "Run %(number)d does not tell how much people vary in this round: that takes items which several people "
            "judged, and differences between them."
        )
        % {"number": run.number}
    )


def _line(wish: Wish, people: int, planned: bool, reliability: _Ratings | _Choices) -> Line:
    cost = cost_of(wish, with_people(wish.round, people))
    return Line(people, planned, cost, money_for(wish, cost.hours), reliability.forecast(people))


def _missing(wish: Wish, reliability: _Ratings | _Choices) -> Missing:
    people = reliability.needed()
    if people is None or wish.run is None:
        return Missing(people)
    judgments = max(0, people * reliability.units - sum(_read(wish.run, wish.round)))
    hours = judgments * wish.seconds / 3600
    return Missing(people, judgments, hours, money_for(wish, hours))


def _read(run: Run, round_: Round) -> Iterator[int]:
    """How many judgments of the round the run read that count."""
    if isinstance(round_.design, BestWorstDesign):
        yield run.results["choice_agreement"]["judgments"]
    else:
        yield from (one["ratings"] for one in run.results["agreement"][round_.key].values())
