"""Everybody who chose, beside the others who chose from the same tuples."""

import numpy as np

from scoring.stats.filtering import contradicting_choices
from scoring.stats.people import (
    Habits,
    above_chance,
    counts_of_each,
    means_of_each,
    medians_of_each,
    position_habits,
    same_choice_shares,
)
from scoring.summaries.parameters import Parameters
from scoring.summaries.people import identity
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import NONE, Booleans, Floats, Integers
from scoring.summaries.undefined import UNSIGNED, Result, told

NO_CHOICES = "no choice was made"
NO_SHARED = "nobody else chose from the same tuples"
NO_LABELS = "no choice among items whose label is known tells"
NO_TIMES = "no times were measured"
REASONS = {
    **dict.fromkeys(("best_same", "worst_same", "agreement"), NO_SHARED),
    "contradictions": NO_LABELS,
    "median_seconds": NO_TIMES,
}
COUNTS = ("choices", "hard_to_say", "shared", "labelled")
Figures = dict[str, Floats | Integers]


def has_screens(snapshot: Snapshot) -> bool:
    """Whether it is known in which round each choice was made."""
    return len(snapshot.screens.rounds) > 0


def choice_people(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """The report of everybody who takes part in a round of choices, against those whose choices count:
    {round: [report]}. Somebody who was excluded is held against the others too, who are not held against them. Of
    people whom nobody knows nothing is told."""
    names = snapshot.facts.rounds
    return {names[place]: _of_round(snapshot, place) for place in np.unique(snapshot.screens.rounds).tolist()}


def _of_round(snapshot: Snapshot, round_: int) -> list[Result]:
    figures = _figures(snapshot, snapshot.screens.rounds == round_)
    people = snapshot.participations
    return [
        identity(snapshot, place) | (_nothing(figures) if unknown else _report(figures, int(people.raters[place])))
        for place in np.flatnonzero(people.rounds == round_).tolist()
        for unknown in [snapshot.raters.unknown[people.raters[place]]]
    ]


def _report(figures: Figures, person: int) -> Result:
    own = {name: column[person].item() for name, column in figures.items()}
    return told(own, REASONS | {name: NO_CHOICES for name in own if name not in REASONS})


def _nothing(figures: Figures) -> Result:
    return told(dict.fromkeys(figures), UNSIGNED)


def _figures(snapshot: Snapshot, rows: Booleans) -> Figures:
    """Of every person, shapes (raters,); rows, shape (choices,): those of the round."""
    choices, counted = snapshot.every_choice.keep(rows), snapshot.choices.counted[rows]
    people, number = snapshot.choices.annotators[rows], len(snapshot.raters.pseudonyms)
    size = int((choices.items != NONE).sum(axis=1).min())
    best, worst = (same_choice_shares(choices.tuples, chosen, counted) for chosen in (choices.best, choices.worst))
    both = (best + worst) / 2
    habits = {"best": choices.best_position, "worst": choices.worst_position}
    found: Figures = {
        "choices": counts_of_each(people, number),
        "hard_to_say": counts_of_each(people[snapshot.choices.hard_to_say[rows]], number),
        "shared": counts_of_each(people[~np.isnan(both)], number),
        "best_same": means_of_each(people, best, number),
        "worst_same": means_of_each(people, worst, number),
        "agreement": above_chance(means_of_each(people, both, number), 1 / size),
    }
    for name, positions in habits.items():
        found |= _habit(name, position_habits(people, positions, size, number))
    seconds = snapshot.screens.thinking_ms[rows] / 1000
    return found | _labelled(snapshot, rows) | {"median_seconds": medians_of_each(people, seconds, number)}


def _habit(name: str, habits: Habits) -> Figures:
    """The position chosen the most often, from 1 on, in which share of the choices, and how likely by chance."""
    position = np.where(np.isnan(habits.share), np.nan, habits.position + 1.0)
    return {f"{name}_position": position, f"{name}_position_share": habits.share, f"{name}_chance": habits.chance}


def _labelled(snapshot: Snapshot, rows: Booleans) -> Figures:
    """How many choices of a best or a worst the known labels speak of, and the share of those that contradict them."""
    own, number = snapshot.choices, len(snapshot.raters.pseudonyms)
    gold = np.append(snapshot.items.gold, np.nan)  # so that -1, for no item, finds NaN
    shown = gold[own.items[rows]]
    against = [
        contradicting_choices(shown, gold[chosen[rows]], label) for label, chosen in ((1.0, own.best), (0.0, own.worst))
    ]
    people, every = np.tile(own.annotators[rows], 2), np.concatenate(against)
    told_ = ~np.isnan(every)
    return {
        "labelled": counts_of_each(people[told_], number),
        "contradictions": means_of_each(people, every, number),
    }
