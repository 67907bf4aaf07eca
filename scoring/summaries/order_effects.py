"""Effects of position and order: of places on the screen, of the time within a session, and of the item before."""

import numpy as np

from scoring.stats.order import Evenness, Slope, evenness, preceding, slope, within
from scoring.summaries.choice_scores import has_choices
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.tables import NONE, Ratings
from scoring.summaries.undefined import Result, column, told

NO_SLOPE = "fewer than five annotators, or all judged the same items in the same order"
NO_CHOICES = "there are no choices"
NO_RATINGS = "no rating in this part of the session"
PARTS_OF_SESSION = 10


def has_answers(snapshot: Snapshot) -> bool:
    return len(snapshot.rated.values) > 0 or has_choices(snapshot)


def order_effects(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return `ratings`: drift, assimilation and time by round and context; `choices`: by position, of each round."""
    result: Result = {}
    if len(snapshot.rated.values):
        result["ratings"] = by_round_and_context(snapshot, _of_ratings)
    if has_choices(snapshot):
        result["choices"] = _of_choices(snapshot)
    return result


def _of_ratings(stacks: Stacks) -> Result:
    own = stacks.ratings
    steps = own.position.astype(np.float64)
    seconds = np.where(own.thinking_ms > 0, own.thinking_ms, np.nan) / 1000
    before = preceding(own.values, own.items, own.raters, own.session, own.position)
    slopes = {
        "drift": slope(own.values, steps, own.items, own.raters),
        "assimilation": slope(own.values, before, own.items, own.raters),
        "time": slope(np.log(seconds), steps, own.items, own.raters),
    }
    told_slopes = {name: _told(found) for name, found in slopes.items()}
    return told_slopes | {"session": _by_part(own, known=not np.isnan(slopes["drift"].estimate))}


def _told(found: Slope) -> Result:
    figures = {"estimate": found.estimate, "error": found.error, "p": found.test.p, "p_degrees": found.test.degrees}
    return told(figures, NO_SLOPE) | {"ratings": found.rows, "people": found.people}


def _by_part(own: Ratings, *, known: bool) -> Result:
    """Return the mean deviation in each tenth of the session from what the item and the person lead to expect.

    Parameters: known, whether order and item can be told apart; otherwise no deviation is defined.
    """
    last = int(own.position.max(initial=1))
    part = np.maximum(own.position - 1, 0) * PARTS_OF_SESSION // last
    deviation = within(own.values, own.items, own.raters)
    counts = np.bincount(part, minlength=PARTS_OF_SESSION)
    means = np.full(PARTS_OF_SESSION, np.nan)
    sums = np.bincount(part, weights=deviation, minlength=PARTS_OF_SESSION)
    np.divide(sums, counts, out=means, where=(counts > 0) & known)
    ends = [last * (place + 1) // PARTS_OF_SESSION for place in range(PARTS_OF_SESSION)]
    return {
        "to_screen": ends,
        **column("deviation", means, NO_RATINGS if known else NO_SLOPE),
        "ratings": counts.tolist(),
    }


def _of_choices(snapshot: Snapshot) -> Result:
    """Return the test of each round; where screens differ in size, of those of the most frequent size."""
    rows, counted = snapshot.every_choice, snapshot.choices.counted
    sizes = (snapshot.choices.items != NONE).sum(axis=1)
    known = len(snapshot.screens.rounds) > 0
    rounds = snapshot.screens.rounds if known else np.zeros(len(sizes), dtype=np.int64)
    result: Result = {}
    for place in np.unique(rounds[counted]).tolist():
        own = counted & (rounds == place)
        size = int(np.bincount(sizes[own]).argmax())
        kept = own & (sizes == size)
        found = {"best": rows.best_position[kept], "worst": rows.worst_position[kept]}
        name = snapshot.facts.rounds[place] if known else snapshot.facts.rounds[0]
        result[name] = {mark: even(evenness(positions, size)) for mark, positions in found.items()}
    return result


def even(found: Evenness) -> Result:
    """Return a test of positions, as results have it."""
    figures = {"chi_squared": found.statistic, "p": found.p, "p_degrees": found.degrees}
    return {"choices": int(found.counts.sum()), "counts": found.counts.tolist(), **told(figures, NO_CHOICES)}
