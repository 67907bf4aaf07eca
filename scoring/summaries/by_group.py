"""Reliability and agreement by what is known of the items: by domain and by the number of turns of their dialogues
(GiCCS, table of inter-annotator agreement, which is by data set and turns), and by language, source and heuristic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from scoring.stats.choices import NO_ITEM, Choices
from scoring.summaries import choice_scores, halves, rating_scores
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.tables import Integers
from scoring.summaries.undefined import Result, told

KINDS = (("language",), ("source",), ("heuristic",))
"""Kinds of items; each is only a grouping where there are several."""
ATTRIBUTES = (("domain",), ("turns",), ("domain", "turns"), ("source", "turns"), *KINDS)
"""What items are grouped by. In GiCCS a source is one of the two data sets."""
MOST_GROUPS = 50
TOO_MANY = f"there are more than {MOST_GROUPS} groups"
UNKNOWN = {
    "domain": "no item belongs to a dialogue with a domain",
    "turns": "no item belongs to a dialogue with a known number of turns",
}
NO_CHOICES = "no counted choice is among items of this group only"
ATTRIBUTES_OF = {"_".join(attributes): attributes for attributes in ATTRIBUTES}
Label = tuple[str | int, ...]
Chances = Sequence[tuple[int, np.random.Generator]]


@dataclass(frozen=True, eq=False)
class Grouping:
    """labels: of the groups, in order. places: the group of each item, -1 for none, shape (items,). reason: why there
    are no groups; empty if there are."""

    attributes: tuple[str, ...]
    labels: tuple[Label, ...]
    places: Integers
    reason: str = ""

    @property
    def name(self) -> str:
        return "_".join(self.attributes)

    def named(self, group: int) -> dict[str, str | int]:
        """Return the attributes of a group."""
        return dict(zip(self.attributes, self.labels[group], strict=True))


@lru_cache(maxsize=1)  # every slice of the splits asks for them
def groupings(snapshot: Snapshot) -> tuple[Grouping, ...]:
    """Return the ways in which the items can be grouped.

    Where items only meet others of their dialogue, domain and turns are among them even if no item has any. An item
    without one of the attributes is in no group. A kind of which there is only one, or too many, is no grouping.
    """
    none = [""] * len(snapshot.items.keys)
    known: dict[str, Sequence[Any]] = {
        "domain": domains_of_items(snapshot),
        "turns": turns_of_items(snapshot),
        "language": snapshot.items.language,
        "source": snapshot.origins.sources or none,
        "heuristic": snapshot.origins.heuristics or none,
    }
    found = [_grouping(attributes, known) for attributes in ATTRIBUTES]
    return tuple(one for one in found if _is_shown(one, snapshot.facts.grouped))


def _is_shown(grouping: Grouping, grouped: bool) -> bool:
    """Parameters: grouped, whether items only meet others of their group."""
    if grouping.attributes in KINDS:
        return 1 < len(grouping.labels) <= MOST_GROUPS
    return bool(grouping.labels) or (grouped and len(grouping.attributes) == 1)


def domains_of_items(snapshot: Snapshot) -> list[str]:
    """Return the domain of each item's group, empty without one."""
    domains = (*snapshot.groups.domains, "")  # -1 is the last
    return [domains[group] for group in snapshot.items.groups.tolist()]


def turns_of_items(snapshot: Snapshot) -> list[int]:
    """Return the number of turns of each item's dialogue, 0 where there is none, or it is not known."""
    turns = [*(snapshot.dialogues.turns.tolist() or [0] * len(snapshot.groups.keys)), 0]
    return [turns[group] for group in snapshot.items.groups.tolist()]  # -1 is the last


def _grouping(attributes: tuple[str, ...], known: Mapping[str, Sequence[Any]]) -> Grouping:
    each = list(zip(*(known[name] for name in attributes), strict=True))
    labels = tuple(sorted({label for label in each if all(label)}))
    numbers = {label: place for place, label in enumerate(labels)}
    places = np.array([numbers.get(label, -1) for label in each], dtype=np.int64)
    reason = TOO_MANY if len(labels) > MOST_GROUPS else "" if labels else UNKNOWN.get(attributes[0], "")
    return Grouping(attributes, labels, places, reason)


def has_groups(snapshot: Snapshot) -> bool:
    return bool(groupings(snapshot))


def of_each(snapshot: Snapshot, compute: Callable[[Grouping, int], Result]) -> Result:
    """Return {attributes: a list with the result of each group}, null with the reason where there are no groups."""
    result: Result = {}
    for grouping in groupings(snapshot):
        if grouping.reason:
            result |= told({grouping.name: None}, grouping.reason)
        else:
            groups = range(len(grouping.labels))
            result[grouping.name] = [grouping.named(group) | compute(grouping, group) for group in groups]
    return result


def choices_of(choices: Choices, grouping: Grouping, group: int) -> Choices:
    """Return the choices among items of this group alone."""
    places = np.append(grouping.places, -1)[choices.items]
    return choices.keep(((places == group) | (choices.items == NO_ITEM)).all(axis=1))


def choice_agreement(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the agreement of the choices of each group, as `choice_scores.choice_agreement` does of all."""

    def compute(grouping: Grouping, group: int) -> Result:
        own = choices_of(snapshot.counted_choices, grouping, group)
        items = {"items": int((grouping.places == group).sum())}
        if not own.judgments:
            figures = dict.fromkeys(("alpha", "strong"))
            return items | {"tuples": 0, "tuples_judged_once": 0, "judgments": 0} | told(figures, NO_CHOICES)
        return items | choice_scores.agreement_of(snapshot, own)

    return of_each(snapshot, compute)


def split_half(snapshot: Snapshot, parameters: Parameters, chances: Chances) -> Result:
    """Compute some blocks of splits of each group, dealing the judgments of each tuple to the halves."""

    def compute(grouping: Grouping, group: int) -> Result:
        own = choices_of(snapshot.counted_choices, grouping, group)
        return {"by": "tuple", **halves.correlations(own, "tuple", parameters, chances)}

    return of_each(snapshot, compute)


def join(slices: Sequence[Result]) -> Result:
    """Return the split-half reliability of each group, without the single splits."""
    result: Result = {}
    for name, groups in slices[0].items():
        if isinstance(groups, list):
            each = zip(*(own[name] for own in slices), strict=True)
            result[name] = [_joined(parts, ATTRIBUTES_OF[name]) for parts in each]
        else:
            result[name] = groups
    return result


def _joined(parts: Sequence[Result], attributes: Sequence[str]) -> Result:
    whole = halves.join(parts)
    del whole["values"]
    return {name: parts[0][name] for name in attributes} | whole


def agreement(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the agreement of the raters on the pairs of each group, as `rating_scores.agreement` does on all."""

    def of_stacks(stacks: Stacks) -> Result:
        def compute(grouping: Grouping, group: int) -> Result:
            rows = grouping.places[stacks.ratings.items] == group
            own = replace(stacks, ratings=stacks.ratings.keep(rows))
            return rating_scores.agreement_of(own, parameters, generator)

        return of_each(snapshot, compute)

    return by_round_and_context(snapshot, of_stacks)
