"""How many ratings the pairs of a round have (Czech News 6)."""

import numpy as np

from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.undefined import Result, told

ENOUGH = (7, 9)
"""Czech News 6: 21 of 1,200 pairs have fewer than seven of nine ratings. The same share of any number of ratings."""
NOT_KNOWN = "the judgments were read by an earlier version, which did not store the number of ratings in the protocol"


def coverage(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return how many pairs have how many ratings that count, in each round and context.

    The pairs are those that the round asks to be rated, without calibration pairs and withdrawn ones.
    """
    return by_round_and_context(snapshot, lambda stacks: _coverage(snapshot, stacks))


def _coverage(snapshot: Snapshot, stacks: Stacks) -> Result:
    facts, place = snapshot.facts, snapshot.facts.rounds.index(stacks.round)
    rated = np.unique(snapshot.rated.items[snapshot.rated.rounds == place])
    numbers = np.bincount(stacks.ratings.items, minlength=len(snapshot.items.keys))[rated]
    unrated = max(facts.pairs[place] - len(rated), 0) if facts.pairs else 0
    ratings, pairs = np.unique(np.append(numbers, np.zeros(unrated, dtype=np.int64)), return_counts=True)
    wanted = facts.wanted[place] if facts.wanted else None
    enough = enough_of(wanted) if wanted is not None else None
    below = int(pairs[ratings < enough].sum()) if enough is not None else None
    return {
        "pairs": int(pairs.sum()),
        "ratings": ratings.tolist(),
        "number": pairs.tolist(),
        **told({"wanted": wanted, "enough": enough, "below": below}, NOT_KNOWN),
    }


def enough_of(wanted: int) -> int:
    """Return the number of ratings below which a pair has few, seven of nine, rounded up; 1 of 1."""
    part, whole = ENOUGH
    return -(-wanted * part // whole)
