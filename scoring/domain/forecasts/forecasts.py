"""Forecasts of a round's cost and reliability, from a paper's figures or from a run of the project."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from annotation.domain.errors import Refusal, translated
from annotation.planning.costs import RoundCost
from annotation.protocols.spec import Round
from scoring.domain.forecasts.costs import Wish, cost_of, judged_by, money_for, with_people
from scoring.domain.forecasts.reliability import ChoiceReliability, RatingReliability, reliability_for
from scoring.forecasting.forecast import Forecast
from scoring.models import Run

PEOPLE = (2, 4, 8)


@dataclass(frozen=True)
class Line:
    """The forecast of the round with a number of judgments of an item, or answers to a tuple."""

    people: int
    planned: bool
    cost: RoundCost
    money: Decimal | None
    forecast: Forecast | None


@dataclass(frozen=True)
class Missing:
    """What the target needs. people: judgments of an item in all; None if no number reaches it. judgments, hours,
    money: in addition to what a run read."""

    people: int | None
    judgments: int | None = None
    hours: float | None = None
    money: Decimal | None = None


@dataclass(frozen=True)
class Outlook:
    """A forecast. source: where the variation of people is known from; None if every item gets one judgment only."""

    source: str | None
    lines: list[Line]
    missing: Missing | None


def outlook(wish: Wish) -> Outlook:
    """Return the cost of the round for several numbers of people, and the reliability where they judge the same. Raise
    Refusal if the run or paper does not tell how much people vary, or no design has so few items."""
    planned = judged_by(wish.round)
    if wish.round.design.judged_once:
        cost = cost_of(wish, wish.round)
        return Outlook(None, [Line(1, True, cost, money_for(wish, cost.hours), None)], None)
    try:
        reliability = reliability_for(wish)
        lines = [_line(wish, people, people == planned, reliability) for people in sorted({*PEOPLE, planned})]
        return Outlook(reliability.source, lines, _missing(wish, reliability))
    except ValueError as error:
        raise Refusal(translated(error)) from error


def _line(wish: Wish, people: int, planned: bool, reliability: RatingReliability | ChoiceReliability) -> Line:
    cost = cost_of(wish, with_people(wish.round, people))
    return Line(people, planned, cost, money_for(wish, cost.hours), reliability.forecast(people))


def _missing(wish: Wish, reliability: RatingReliability | ChoiceReliability) -> Missing:
    people = reliability.needed()
    if people is None or wish.run is None:
        return Missing(people)
    judgments = max(0, people * reliability.units - sum(_read(wish.run, wish.round)))
    hours = judgments * wish.seconds / 3600
    return Missing(people, judgments, hours, money_for(wish, hours))


def _read(run: Run, round_: Round) -> Iterator[int]:
    """Yield how many counted judgments of the round the run read."""
    if round_.design.compares:
        yield run.results["choice_agreement"]["judgments"]
    else:
        yield from (agreement["ratings"] for agreement in run.results["agreement"][round_.key].values())
