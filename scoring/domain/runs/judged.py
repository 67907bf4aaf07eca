"""The tables of ratings and choices, in the order of people and their screens."""

import numpy as np

from scoring.domain.runs.answers import Answers, Collected, Seats, milliseconds_between
from scoring.domain.runs.columns import MISSING
from scoring.summaries.tables import NONE, ChoiceRows, Integers, Ratings, Screens


def ratings_of(answers: Answers) -> Ratings:
    """Return the current ratings of the rounds that rate, without those of withdrawn items.

    What a person had made before, and the time since, take those of withdrawn items into account: they were made.
    """
    own, seats = answers.ratings, answers.seats
    place, session, position, order = _by_screen(own)
    made = already_made(place)
    shown, answered = own.taken("shown_at")[order], own.taken("answered_at")[order]
    before = np.where(made > 0, np.roll(answered, 1), MISSING)
    every = Ratings(
        items=_wide(own.taken("item")[order]),
        raters=_wide(seats.people[place]),
        rounds=_wide(seats.rounds[place]),
        contexts=_wide(own.taken("context")[order]),
        blocks=_wide(own.taken("block")[order]),
        session=_wide(session),
        position=_wide(position),
        values=own.taken("value")[order],
        thinking_ms=own.taken("thinking")[order],
        waiting_ms=milliseconds_between(before, shown),
        counted=own.taken("counted")[order],
        already_made=made,
    )
    return every.keep(~own.taken("withdrawn")[order])


def _by_screen(own: Collected) -> tuple[Integers, Integers, Integers, Integers]:
    """Return participation, session and position of every answer, ordered by these, and their order."""
    keys = [own.taken(name) for name in ("place", "session", "position")]
    order = np.lexsort(keys[::-1])
    place, session, position = (key[order] for key in keys)
    return place, session, position, order


def already_made(place: Integers) -> Integers:
    """Return for each answer the number of the person's earlier ones in the round; the places ascend."""
    if not len(place):
        return np.empty(0, dtype=np.int64)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    return np.arange(len(place)) - np.repeat(starts, np.diff(starts, append=len(place)))


def choices_of(answers: Answers, shown: Integers) -> tuple[ChoiceRows, Screens]:
    """Return the current choices, with the round and time of each. Parameters: shown, the items of each tuple."""
    own, seats = answers.choices, answers.seats
    place, _, _, order = _by_screen(own)
    tuples = own.taken("tuple")[order]
    made = ChoiceRows(
        tuples=_wide(tuples),
        items=in_order_shown(shown, tuples, own.taken("order")[order]),
        best=_wide(own.taken("best")[order]),
        worst=_wide(own.taken("worst")[order]),
        annotators=_wide(seats.people[place]),
        hard_to_say=own.taken("hard_to_say")[order],
        counted=own.taken("counted")[order],
    )
    return made, Screens(_wide(_rounds(seats, place)), own.taken("thinking")[order])


def _rounds(seats: Seats, place: Integers) -> Integers:
    rounds = seats.rounds[place]
    if (rounds == NONE).any():
        raise KeyError("the round of a choice")
    return rounds


def in_order_shown(shown: Integers, tuples: Integers, orders: Integers) -> Integers:
    """Return the items of each choice as the person saw them; the digits of an order are places in the tuple."""
    seen = np.full((len(tuples), shown.shape[1]), NONE, dtype=np.int64)
    for kind in np.unique(orders).tolist():
        rows = np.flatnonzero(orders == kind)
        digits = [int(digit) - 1 for digit in str(kind)]
        seen[rows, : len(digits)] = shown[tuples[rows]][:, digits]
    return seen


def _wide(column: Integers) -> Integers:
    return column.astype(np.int64)
