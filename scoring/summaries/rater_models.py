"""Models of raters in addition to the plain means: scores by mixed, weighed, ordinal and categorical models."""

from functools import partial
from math import nan
from typing import Any

import numpy as np

from scoring.stats.raters.categories import Answers, expected_values
from scoring.stats.raters.dawid_skene import fit_dawid_skene
from scoring.stats.raters.mace import fit_mace
from scoring.stats.raters.mixed import Mixed, fit_mixed
from scoring.stats.raters.ordinal import MOST_CATEGORIES, TOO_MANY, fit_ordinal
from scoring.stats.raters.rated import Comparable, Rated, comparable
from scoring.stats.raters.weighed import Weighed, fit_weighed
from scoring.summaries.parameters import Parameters
from scoring.summaries.screened import compared_with_screening
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import DEPENDENT, Stacks, by_round_and_context
from scoring.summaries.tables import BLOCKS, CONTEXTS, Booleans, Floats, Ratings
from scoring.summaries.undefined import Result, column, told

MOST_REPLICATES = 20  # of people's parameters, a small part of the errors
NOT_COMPARED = "no annotator who rated the item shares an item with another annotator"
NO_PERSON = "the annotator shares no item with others"
SEVERAL = "all ratings of the round were made in one context"
SAME_PLACE = "all ratings were made at the same place of a session"
EFFECTS = {"screen": SAME_PLACE, "context": SEVERAL}


def effects(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the linear mixed model of each round, with items, annotators, the place of the screen and the context."""
    rated = snapshot.rated
    return {
        name: _effects(snapshot, rated.keep(rated.rounds == place)) for place, name in enumerate(snapshot.facts.rounds)
    }


def _effects(snapshot: Snapshot, own: Ratings) -> Result:
    columns = {"screen": own.position.astype(np.float64), "context": (own.contexts == DEPENDENT).astype(np.float64)}
    varied = {name: values for name, values in columns.items() if len(values) and np.ptp(values) > 0}
    found = comparable(rated_of(snapshot, own, varied))
    reason, fitted = found.reason, None
    if not reason:
        try:
            fitted = fit_mixed(found.rated)
        except ValueError as refusal:
            reason = str(refusal)
    return _of_mixed(fitted, list(varied), reason) | {"ratings": len(found.rated.values), "groups": found.groups}


def _of_mixed(fitted: Mixed | None, names: list[str], reason: str) -> Result:
    figures = ("intercept", "intercept_error", "item_variance", "rater_variance", "residual_variance")
    result = told({name: getattr(fitted, name) if fitted else nan for name in figures}, reason)
    for name, missing in EFFECTS.items():
        own = {"estimate": nan, "error": nan}
        if fitted and name in names:
            place = names.index(name)
            own = {"estimate": float(fitted.effects[place]), "error": float(fitted.effect_errors[place])}
        result[name] = told(own, reason or missing)
    return result | {"converged": bool(fitted and fitted.converged)}


def ratings(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return scores that weigh people, in each round and context, and what weighing changes against excluding."""
    return by_round_and_context(snapshot, partial(_weighed, snapshot, parameters, generator))


def _weighed(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator, stacks: Stacks) -> Result:
    everyone = with_excluded(snapshot, stacks)
    found, all_found = (comparable(rated_of(snapshot, own, _places(own))) for own in (stacks.ratings, everyone))
    result: Result = {"item": list(snapshot.items.keys)} | _size(found)
    replicates = min(parameters.replicates, MOST_REPLICATES)
    try:
        if found.reason:
            raise ValueError(found.reason)
        mixed = fit_mixed(found.rated)
        weighed = fit_weighed(found.rated, generator, replicates=replicates)
        same = len(everyone.values) == len(stacks.ratings.values)
        whole = weighed if same else fit_weighed(all_found.rated)
    except ValueError as refusal:
        return result | _undefined(str(refusal))
    columns = {"mixed": mixed.scores, "weighed": weighed.scores}
    columns |= {"mixed_error": mixed.errors, "weighed_error": weighed.errors}
    for name, values in columns.items():
        result |= column(name, values, NOT_COMPARED)
    people = people_of(snapshot, whole, np.unique(everyone.raters[~np.isin(everyone.raters, stacks.ratings.raters)]))
    changes = compared_with_screening(snapshot, stacks, everyone, weighed.scores, whole.scores, people)
    return result | {"converged": mixed.converged and weighed.converged, "people": people, "screening": changes}


def _undefined(reason: str) -> Result:
    names = ("mixed", "mixed_error", "weighed", "weighed_error", "people", "screening")
    return told(dict.fromkeys(names), reason) | {"converged": False}


def _size(found: Comparable) -> Result:
    return {"ratings": len(found.rated.values), "groups": found.groups}


def people_of(snapshot: Snapshot, fitted: Weighed, excluded: Any) -> Result:
    """Return everybody's shift, stretch, noise and weight, as fitted to the ratings of all, excluded people too."""
    known = np.flatnonzero(~np.isnan(fitted.shifts))
    columns = {
        "shift": fitted.shifts,
        "stretch": fitted.stretches,
        "noise": np.sqrt(fitted.noises),
        "weight": fitted.weights,
    }
    result: Result = {"annotator": [snapshot.raters.pseudonyms[rater] for rater in known.tolist()]}
    for name, values in columns.items():
        result |= column(name, values[known], NO_PERSON)
    return result | {"excluded": np.isin(known, excluded).tolist()}


def ordinal(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return scores by the cumulative logit model, in each round and context."""
    return by_round_and_context(snapshot, partial(_ordinal, snapshot, parameters, generator))


def _ordinal(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator, stacks: Stacks) -> Result:
    found = comparable(rated_of(snapshot, stacks.ratings, {}))
    result: Result = {"item": list(snapshot.items.keys)} | _size(found)
    try:
        if reason := found.reason or _too_many(found.rated):
            raise ValueError(reason)
        fitted = fit_ordinal(found.rated, generator, replicates=min(parameters.replicates, MOST_REPLICATES))
    except ValueError as refusal:
        return result | told(dict.fromkeys(("ordinal", "ordinal_error", "thresholds")), str(refusal))
    result |= column("ordinal", fitted.scores, NOT_COMPARED) | column("ordinal_error", fitted.errors, NOT_COMPARED)
    thresholds = {"category": fitted.categories.tolist(), "thresholds": fitted.thresholds.tolist()}
    return result | thresholds | {"spread": fitted.spread, "converged": fitted.converged}


def _too_many(rated: Rated) -> str:
    return TOO_MANY if len(np.unique(rated.values)) > MOST_CATEGORIES else ""


def categories(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the most probable value of each item by Dawid and Skene and by MACE, in each round and context."""
    return by_round_and_context(snapshot, partial(_categories, snapshot, generator))


def _categories(snapshot: Snapshot, generator: np.random.Generator, stacks: Stacks) -> Result:
    found = comparable(rated_of(snapshot, stacks.ratings, {}))
    result: Result = {"item": list(snapshot.items.keys)} | _size(found)
    if reason := found.reason or _too_many(found.rated):
        names = ("dawid_skene", "dawid_skene_category", "mace", "mace_category", "accuracy", "competence")
        return result | told(dict.fromkeys(names), reason)
    answers, values = Answers.of(found.rated)
    dawid_skene, mace = fit_dawid_skene(answers), fit_mace(answers, generator)
    for name, probabilities in {"dawid_skene": dawid_skene.probabilities, "mace": mace.probabilities}.items():
        result |= column(name, expected_values(probabilities, values, answers.answered), NOT_COMPARED)
        likeliest = np.full(len(probabilities), np.nan)
        likeliest[answers.answered] = values[probabilities[answers.answered].argmax(axis=1)]
        result |= column(f"{name}_category", likeliest, NOT_COMPARED)
    known = np.flatnonzero(found.rated.ratings_of_raters)
    result["annotator"] = [snapshot.raters.pseudonyms[rater] for rater in known.tolist()]
    result |= column("accuracy", dawid_skene.accuracies[known], NO_PERSON)
    result |= column("competence", mace.competences[known], NO_PERSON)
    return result | {"converged": dawid_skene.converged and mace.converged}


def rated_of(snapshot: Snapshot, own: Ratings, effects: dict[str, Floats]) -> Rated:
    """Return ratings for the models, with covariates by name."""
    numbers = len(snapshot.items.keys), len(snapshot.raters.pseudonyms)
    covariates = np.column_stack(list(effects.values())) if effects else np.empty((0, 0))
    return Rated(own.items, own.raters, own.values, *numbers, covariates)


def _places(own: Ratings) -> dict[str, Floats]:
    """Return the place of the screen, where it varies."""
    varies = len(own.values) and np.ptp(own.position) > 0
    return {"screen": own.position.astype(np.float64)} if varies else {}


def with_excluded(snapshot: Snapshot, stacks: Stacks) -> Ratings:
    """Return the ratings of a round and context that count, or would count if nobody were excluded."""
    own = snapshot.ratings
    main = (own.blocks == BLOCKS.index("main")) & ~np.isnan(own.values) & ~snapshot.items.calibration[own.items]
    place = snapshot.facts.rounds.index(stacks.round), CONTEXTS.index(stacks.context)
    here = (own.rounds == place[0]) & (own.contexts == place[1])
    wanted: Booleans = here & main & (own.counted | snapshot.excluded)
    return own.keep(wanted)
