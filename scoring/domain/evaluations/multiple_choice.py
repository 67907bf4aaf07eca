"""How often a model finds the best item of a group (GiCCS, multiple-choice STS)."""

from collections.abc import Mapping
from math import nan
from typing import Any

import numpy as np

from scoring.stats.evaluation import multiple_choice_accuracy
from scoring.summaries.by_group import turns_of_items
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import NONE
from scoring.summaries.undefined import told

NO_CHOICE = "no group has predictions and scores for all its items"
NO_TURNS = "no item belongs to a dialogue with a known number of turns"
Values = Mapping[str, float]
Figures = dict[str, Any]


def multiple_choice(scores: Values, snapshot: Snapshot, predictions: Values) -> Figures | None:
    """Return how often the highest prediction has the highest score, over complete groups; None without groups.

    "turns" has the same for the dialogues of each number of turns, as GiCCS prints it of 3-turn and 5-turn dialogues.
    """
    if not snapshot.facts.grouped:
        return None
    groups: dict[int, list[str]] = {}
    lengths: dict[int, int] = {}
    rows = zip(snapshot.items.keys, snapshot.items.groups.tolist(), turns_of_items(snapshot), strict=True)
    for item, group, turns in rows:
        if group != NONE:
            groups.setdefault(group, []).append(item)
            lengths[group] = turns
    known = sorted({turns for turns in lengths.values() if turns})
    by_turns = {
        str(turns): _accuracy([own for group, own in groups.items() if lengths[group] == turns], scores, predictions)
        for turns in known
    }
    return _accuracy(list(groups.values()), scores, predictions) | told({"turns": by_turns or None}, NO_TURNS)


def _accuracy(groups: list[list[str]], scores: Values, predictions: Values) -> Figures:
    defined = predictions.keys() & scores.keys()
    complete = [members for members in groups if defined.issuperset(members)]
    items = [item for members in complete for item in members]
    places = np.array([place for place, members in enumerate(complete) for _ in members], dtype=np.int64)
    figures = {"accuracy": nan, "by_chance": nan}
    if complete:
        columns = (np.array([values[item] for item in items], dtype=np.float64) for values in (predictions, scores))
        figures["accuracy"] = multiple_choice_accuracy(*columns, places)
        figures["by_chance"] = float(np.mean([1 / len(members) for members in complete]))
    return {"groups": len(complete), "left_out": len(groups) - len(complete)} | told(figures, NO_CHOICE)
