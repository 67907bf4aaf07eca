"""Items that people disagree about: how many, by which rule, and the most contested ones."""

import numpy as np

from scoring.stats.contested import JudgedItems, RatedItems, Steps, describe_choices, describe_ratings
from scoring.stats.distributions import CHOSEN, FEWEST, LEVEL
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.tables import Booleans, Floats, Integers
from scoring.summaries.undefined import Result, distribution, number, told

MOST_NAMED = 10
CLASSES = 20  # of p-values, each 0.05 wide
NONE_TESTED = f"no item has {FEWEST} judgments"
NO_ENTROPY = "no item was judged twice"


def contested(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the contested items: `ratings` by round and context, and `choices`, as far as there are any."""
    found: Result = {}
    if len(snapshot.rated.values):
        found["ratings"] = by_round_and_context(snapshot, lambda stacks: _of_stacks(snapshot, stacks))
    if snapshot.counted_choices.judgments:
        found["choices"] = _of_choices(snapshot)
    return found


def _of_stacks(snapshot: Snapshot, stacks: Stacks) -> Result:
    facts = snapshot.facts
    scale = Steps(facts.minimum, facts.maximum, facts.step)
    found = describe_ratings(stacks.ratings.items, stacks.ratings.values, scale)
    p_values = found.tested.p_values[~np.isnan(found.tested.p_values)]
    return {
        **_numbers(found),
        "by_spread": int(found.by_spread.sum()),
        "by_modes": int(found.by_modes.sum()),
        "even_sd": scale.even_deviation,
        "modes": {
            "tested": len(p_values),
            **told({"p_at_most_05": _share(p_values <= LEVEL)}, NONE_TESTED),
            "p_counts": np.histogram(p_values, bins=CLASSES, range=(0.0, 1.0))[0].tolist(),
        },
        "most": [_rated(snapshot, found, at) for at in _most(found, found.deviations)],
    }


def _rated(snapshot: Snapshot, found: RatedItems, at: int) -> Result:
    figures = {"mean": found.means, "sd": found.deviations, "entropy": found.entropy, "dip": found.tested.dips}
    figures |= {"p": found.tested.p_values, "p_adjusted": found.tested.adjusted}
    named = {"item": snapshot.items.keys[int(found.places[at])], "judgments": int(found.judgments[at])}
    return named | {name: number(float(values[at])) for name, values in figures.items()}


def _of_choices(snapshot: Snapshot) -> Result:
    found = describe_choices(snapshot.counted_choices)
    extremes = np.minimum(found.counts[:, 0], found.counts[:, 2]) / np.maximum(found.judgments, 1)
    most = [
        {
            "item": snapshot.items.keys[int(found.places[at])],
            "judgments": int(found.judgments[at]),
            **dict(zip(CHOSEN, found.counts[at].tolist(), strict=True)),
            "entropy": number(float(found.entropy[at])),
        }
        for at in _most(found, extremes)
    ]
    return {**_numbers(found), "most": most}


def _numbers(found: JudgedItems) -> Result:
    tested = found.contested[~np.isnan(found.contested)]
    return {
        "items": len(found.places),
        "tested": len(tested),
        "contested": int(tested.sum()),
        **told({"share": _share(tested == 1)}, NONE_TESTED),
        "entropy": distribution(found.entropy, NO_ENTROPY),
    }


def _share(rows: Booleans) -> float:
    return float(rows.mean()) if len(rows) else float("nan")


def _most(found: JudgedItems, by: Floats) -> list[int]:
    """Return the rows of the contested items, those with the largest figure first, up to ten."""
    rows: Integers = np.flatnonzero(found.contested == 1)
    return rows[np.argsort(-by[rows], kind="stable")][:MOST_NAMED].tolist()  # type: ignore[no-any-return]
