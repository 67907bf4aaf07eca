"""The agreement of every two people, and the table of items and people of small projects."""

import numpy as np

from scoring.stats.pairwise import Pairwise, grouped, pairwise_choices, pairwise_correlations, principal_order
from scoring.stats.people import means_of_each
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.tables import NONE, Floats, Integers
from scoring.summaries.undefined import UNSIGNED, Result, distribution, number, told

SINGLE_PEOPLE = 30
"""The number of people up to which each has a row of their own; more are joined into so many groups."""
COMPARED_PEOPLE = 2000
"""Beyond, the tables of all pairs of people would take gigabytes."""
SHOWN_ITEMS = 60
FIGURES = ("groups", "overlap", "agreement", "pairs", "matrix")
NO_OVERLAP = "fewer than three items in common, or no variance among the ratings"
NO_COMMON = "no tuple in common"
TOO_MANY_PEOPLE = f"more than {COMPARED_PEOPLE:,} annotators"
TOO_LARGE = f"more than {SINGLE_PEOPLE} annotators or {SHOWN_ITEMS} items"


def pairwise(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return Pearson's r of every two people, with the number of items that both rated, by round and context."""
    return by_round_and_context(snapshot, lambda stacks: _of_stacks(snapshot, stacks))


def choice_pairwise(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return how often every two people chose the same above chance, with the number of tuples that both judged."""
    if snapshot.unsigned:
        return told(dict.fromkeys(FIGURES), UNSIGNED)
    choices = snapshot.counted_choices
    people, places = np.unique(snapshot.choices.annotators[snapshot.choices.counted], return_inverse=True)
    if len(people) > COMPARED_PEOPLE:
        return _too_many()
    size = int((choices.items != NONE).sum(axis=1).min(initial=choices.items.shape[1]))
    placed = type(choices)(choices.items, choices.best, choices.worst, choices.tuples, places, choices.number)
    found = pairwise_choices(placed, size, len(people))
    rows, shown = placed.shown()
    signs = 0.5 + 0.5 * ((shown == placed.best[rows]).astype(float) - (shown == placed.worst[rows]))
    return _result(snapshot, people, found, NO_COMMON, (shown, places[rows], signs))


def _of_stacks(snapshot: Snapshot, stacks: Stacks) -> Result:
    own = stacks.ratings
    people, places = np.unique(own.raters, return_inverse=True)
    if len(people) > COMPARED_PEOPLE:
        return _too_many()
    found = pairwise_correlations(own.items, places, own.values, len(people))
    return _result(snapshot, people, found, NO_OVERLAP, (own.items, places, own.values))


def _too_many() -> Result:
    return told(dict.fromkeys(FIGURES), TOO_MANY_PEOPLE)


def _result(
    snapshot: Snapshot, people: Integers, found: Pairwise, reason: str, answers: tuple[Integers, Integers, Floats]
) -> Result:
    """Return the tables of the people in their principal order; answers: items, places of people, values."""
    order = principal_order(found)
    groups = np.array_split(order, min(SINGLE_PEOPLE, len(order))) if len(order) else []
    tables = grouped(found, groups)
    names = [snapshot.raters.pseudonyms[person] for person in people.tolist()]
    agreement = [[number(value) for value in row] for row in tables.agreement.tolist()]
    return {
        "groups": [[names[place] for place in group.tolist()] for group in groups],
        "overlap": tables.overlap.tolist(),
        "agreement": agreement,
        **({"agreement_reason": reason} if any(None in row for row in agreement) else {}),
        "pairs": distribution(found.agreement[np.tril_indices(len(people), -1)], reason),
        **_matrix(snapshot, names, order, *answers),
    }


def _matrix(
    snapshot: Snapshot, names: list[str], order: Integers, items: Integers, places: Integers, values: Floats
) -> Result:
    """Return the mean answer of everybody to every item, items by ascending mean; null for large projects."""
    shown = np.unique(items)
    if len(order) > SINGLE_PEOPLE or len(shown) > SHOWN_ITEMS:
        return told({"matrix": None}, TOO_LARGE)
    rows, width = np.searchsorted(shown, items), len(names)
    means = means_of_each(rows * width + places, values, len(shown) * width).reshape(len(shown), width)
    by_mean = np.argsort(np.round(means_of_each(rows, values, len(shown)), 9), kind="stable")
    return {
        "matrix": {
            "item": [snapshot.items.keys[item] for item in shown[by_mean].tolist()],
            "annotator": [names[place] for place in order.tolist()],
            "value": [[number(value) for value in row] for row in means[np.ix_(by_mean, order)].tolist()],
        }
    }
