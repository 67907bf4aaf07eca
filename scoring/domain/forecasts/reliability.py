"""How reliable the scores of a round will be, by a paper's figures or a run of the project."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.planning.costs import UTTERANCES
from scoring.domain.forecasts.costs import Wish, cost_of, items_judged, with_people
from scoring.forecasting.choices import TupleDesign, fit_noise, forecast_choices, people_for_choices
from scoring.forecasting.forecast import Forecast
from scoring.forecasting.papers import SEMREL, usual_ratings
from scoring.forecasting.pilot import Pilot, populations_of
from scoring.forecasting.population import Population, points_of, population_with
from scoring.forecasting.ratings import forecast_ratings, people_for_ratings
from scoring.models import Run
from scoring.presets.registry import publication_of

Results = Mapping[str, Any]


class RatingReliability:
    """The reliability of means of ratings. populations: the likeliest, then others that the same pilot may be of."""

    def __init__(self, populations: list[Population], source: str, wish: Wish) -> None:
        self.populations, self.source, self.wish = populations, source, wish

    @property
    def units(self) -> int:
        """Return the number of pairs that are judged, each in every session."""
        return items_judged(self.wish) * len(self.wish.round.sessions)

    def forecast(self, people: int) -> Forecast:
        generator = np.random.default_rng([self.wish.seed, people])
        return forecast_ratings(self.populations, items=items_judged(self.wish), people=people, generator=generator)

    def needed(self) -> int | None:
        return people_for_ratings(self.populations, self.wish.target)


class ChoiceReliability:
    """The reliability of best-worst scores of people who err with this noise."""

    def __init__(self, noise: float, source: str, wish: Wish) -> None:
        self.noise, self.source, self.wish = noise, source, wish
        self.design = planned_tuples(wish)

    @cached_property
    def units(self) -> int:
        """Return the number of tuples that are judged."""
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


def reliability_for(wish: Wish) -> RatingReliability | ChoiceReliability:
    """Return the reliability of the round by the requested run, or else by the figures of a paper.

    Raises:
        Refusal: the run does not tell how much people vary.
        PlanningError: there is no such design, or the paper's figures do not fit the scale.
    """
    compares = wish.round.design.compares
    if wish.run is not None:
        return _choices_of_run(wish, wish.run) if compares else _ratings_of_run(wish, wish.run)
    printed = publication_of(wish.protocol).printed
    if compares:
        printed, design = printed or SEMREL, planned_tuples(wish)
        noise = fit_noise(printed.reliability, design, items=printed.items, people=printed.people, seed=wish.seed)
        return ChoiceReliability(noise, printed.source, wish)
    scale = wish.protocol.scale
    printed = printed or usual_ratings(scale)
    return RatingReliability([population_with(printed.variation_on(scale), scale)], printed.source, wish)


def planned_tuples(wish: Wish) -> TupleDesign:
    design = wish.round.design
    return TupleDesign(design.tuple_size, design.factor, UTTERANCES if design.grouped else 0)


def _ratings_of_run(wish: Wish, run: Run) -> RatingReliability:
    table = run.results.get("scores", {}).get(wish.round.key, {}).get(wish.round.sessions[0].value)
    if not table or not table["item"]:
        raise _not_judged(run)
    deviations = np.array([np.nan if sd is None else sd for sd in table["sd"]], dtype=np.float64)
    pilot = Pilot(np.array(table["mean"], dtype=np.float64), deviations, np.array(table["ratings"], dtype=np.int64))
    number = {"number": run.number}
    if np.isnan(pilot.within):
        raise Refusal(
            _(
                "Run %(number)d cannot be used to estimate the variation between annotators: no item was rated by "
                "two annotators."
            )
            % number
        )
    if pilot.within == 0:
        raise Refusal(
            _(
                "Run %(number)d cannot be used to estimate the variation between annotators: all ratings of the same "
                "item are equal."
            )
            % number
        )
    if not pilot.between > 0:
        raise Refusal(
            _("In run %(number)d, ratings of the same item vary as much as ratings of different items.") % number
        )
    populations = populations_of(pilot, points_of(wish.protocol.scale), np.random.default_rng(wish.seed))
    return RatingReliability(populations, _named(run), wish)


def _choices_of_run(wish: Wish, run: Run) -> ChoiceReliability:
    agreement, halves = run.results.get("choice_agreement"), run.results.get("split_half")
    if not agreement or not halves:
        raise _not_judged(run)
    people = round(agreement["judgments"] / agreement["tuples"])
    # A tuple judged once has no halves: there the halves are of all judgments, whatever tuple they belong to.
    by = "tuple" if people > 1 else "judgment"
    tuples = agreement["tuples"] if people > 1 else agreement["judgments"]
    spread = halves[by]["spearman"]
    if spread["mean"] is None:
        raise Refusal(
            _(
                "Run %(number)d cannot be used to estimate the variation between annotators: its split-half "
                "reliability is not defined (%(why)s)."
            )
            % {"number": run.number, "why": spread["mean_reason"]}
        )
    if not 0 < spread["mean"] < 1:
        raise Refusal(
            _("A forecast requires a split-half reliability between 0 and 1, but that of run %(number)d is %(value)s.")
            % {"number": run.number, "value": round(spread["mean"], 3)}
        )
    items = sum(number > 0 for number in run.results["choice_scores"]["appearances"])
    design = _judged_tuples(wish, run.results, Fraction(tuples, items))
    noise = fit_noise(spread["mean"], design, items=items, people=people, seed=wish.seed, by=by)
    return ChoiceReliability(noise, _named(run), wish)


def _judged_tuples(wish: Wish, results: Results, factor: Fraction) -> TupleDesign:
    """Return the design that the run read; imported tuples need not be as many and as large as those planned."""
    planned, certificate = planned_tuples(wish), results.get("design", {}).get("certificate")
    return TupleDesign(certificate["size"] if certificate else planned.size, factor, planned.group)


def _named(run: Run) -> str:
    return _("run %(number)d of this project") % {"number": run.number}


def _not_judged(run: Run) -> Refusal:
    return Refusal(_("Run %(number)d has no judgments from this round.") % {"number": run.number})
