"""Everybody who chose, compared with the others who chose from the same tuples."""

import numpy as np

from scoring.stats.choices import Choices
from scoring.stats.filtering import contradicting_choices
from scoring.stats.people import (
    above_chance,
    counts_of_each,
    means_of_each,
    medians_of_each,
    position_habits,
    same_choice_shares,
)
from scoring.summaries.parameters import Parameters
from scoring.summaries.people import Figures, identity, report_of
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import NONE, Booleans, Floats, Integers
from scoring.summaries.undefined import UNSIGNED, Result, told

NO_CHOICES = "there are no choices"
NO_SHARED = "no other annotator judged the same tuples"
NO_LABELS = "no choice involves items with known labels"
NO_TIMES = "no times were recorded"
HABITS = ("position", "position_share", "chance")
REASONS = {
    **dict.fromkeys((f"{name}_{figure}" for name in ("best", "worst") for figure in HABITS), NO_CHOICES),
    **dict.fromkeys(("best_same", "worst_same", "agreement"), NO_SHARED),
    "contradictions": NO_LABELS,
    "median_seconds": NO_TIMES,
}


def has_screens(snapshot: Snapshot) -> bool:
    """Return whether it is known in which round each choice was made."""
    return len(snapshot.screens.rounds) > 0


def choice_people(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the report of everybody who takes part in a round of choices, compared with those whose choices count:
    {round: [report]}. An excluded person is compared with the others too, but not the others with them. Unknown people
    have no report."""
    names = snapshot.facts.rounds
    return {names[place]: _of_round(snapshot, place) for place in np.unique(snapshot.screens.rounds).tolist()}


def _of_round(snapshot: Snapshot, round_: int) -> list[Result]:
    figures = _figures(snapshot, snapshot.screens.rounds == round_)
    people, nothing = snapshot.participations, told(dict.fromkeys(figures), UNSIGNED)
    return [
        identity(snapshot, place) | (nothing if unknown else report_of(figures, person, REASONS))
        for place in np.flatnonzero(people.rounds == round_).tolist()
        for person in [int(people.raters[place])]
        for unknown in [snapshot.raters.unknown[person]]
    ]


def _figures(snapshot: Snapshot, rows: Booleans) -> Figures:
    """Return the figures of every person, shapes (raters,); rows, shape (choices,): those of the round."""
    choices, counted = snapshot.every_choice.keep(rows), snapshot.choices.counted[rows]
    people, number = snapshot.choices.annotators[rows], len(snapshot.raters.pseudonyms)
    size = int((choices.items != NONE).sum(axis=1).min())
    seconds = snapshot.screens.thinking_ms[rows] / 1000
    own = counted | snapshot.choices_of_excluded[rows]  # all but the invalid that are marked only
    return {
        "choices": counts_of_each(people, number),
        "hard_to_say": counts_of_each(people[snapshot.choices.hard_to_say[rows]], number),
        **choice_figures(choices, people, counted, size, number),
        **contradictions(np.tile(people[own], 2), contradicting(choices.keep(own), snapshot.items.gold), number),
        "median_seconds": medians_of_each(people, seconds, number),
    }


def choice_figures(choices: Choices, people: Integers, counted: Booleans, size: int, number: int) -> Figures:
    """Return each annotator's choices and those of the others, and the position each chose most often, from 1.

    Parameters: people, who made each choice, and counted, whether others are compared with it, shape (choices,); size,
        items on a screen; number, of people.
    """
    best, worst = (same_choice_shares(choices.tuples, chosen, counted) for chosen in (choices.best, choices.worst))
    both = (best + worst) / 2
    found: Figures = {
        "shared": counts_of_each(people[~np.isnan(both)], number),
        "best_same": means_of_each(people, best, number),
        "worst_same": means_of_each(people, worst, number),
        "agreement": above_chance(means_of_each(people, both, number), 1 / size),
    }
    for name, positions in (("best", choices.best_position), ("worst", choices.worst_position)):
        habits = position_habits(people, positions, size, number)
        found[f"{name}_position"] = np.where(np.isnan(habits.share), np.nan, habits.position + 1.0)
        found |= {f"{name}_position_share": habits.share, f"{name}_chance": habits.chance}
    return found


def contradicting(choices: Choices, gold: Floats) -> Floats:
    """Return whether choices contradict the known labels, NaN where these cannot tell: of every best, then worst."""
    shown = np.append(gold, np.nan)[choices.items]  # so that -1, for no item, finds NaN
    labels = ((1.0, choices.best), (0.0, choices.worst))
    return np.concatenate([contradicting_choices(shown, gold[chosen], label) for label, chosen in labels])


def contradictions(people: Integers, against: Floats, number: int) -> Figures:
    """Return how many answers of each person the known labels speak of, and the share of them that contradicts."""
    return {
        "labelled": counts_of_each(people[~np.isnan(against)], number),
        "contradictions": means_of_each(people, against, number),
    }
