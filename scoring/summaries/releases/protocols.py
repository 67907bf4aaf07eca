"""Two protocols compared setting by setting, and whether judgments by both can be in one dataset."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.summaries.releases.reading import ReleasedData

SILENT = {"rounds", "design", "pools"}
"""Levels that would only lengthen the names of settings: rounds are named by their key."""
ABSENT = "–"
OF_THE_TASK = ("material", "question", "scale.minimum", "scale.maximum", "scale.step")
"""Settings in which judgments of one dataset must not differ."""
OF_CHOICES = ("best", "worst", "tuple_size")
Differences = list[tuple[str, str, str]]


def protocol_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> Differences:
    """Return the settings in which two protocols differ: the name, and both values as text; “–” for none.

    Names are those of the settings, such as `R3.pause_hours`; lists of labels and roles are compared by their keys or
    values.
    """
    both = dict(_settings(first)), dict(_settings(second))
    names = dict.fromkeys((*both[0], *both[1]))
    values = ((name, *(own.get(name, ABSENT) for own in both)) for name in names)
    return [(name, before, after) for name, before, after in values if before != after]


def reasons_against_merging(first: ReleasedData, second: ReleasedData) -> list[str]:
    """Return, as sentences, why the judgments of two releases cannot be one dataset; empty if they can."""
    reasons = []
    if first.compares != second.compares:
        reasons.append("One release has ratings, the other best-worst choices.")
    task = [dict(_settings(release.protocol)) for release in (first, second)]
    for name in (*OF_THE_TASK, *_of_choices(task)):
        values = [own.get(name, ABSENT) for own in task]
        if values[0] != values[1]:
            reasons.append(f"The protocols differ in {name}: {values[0]} and {values[1]}.")
    labels = [{name: text for name, text in own.items() if name.startswith("scale.labels.")} for own in task]
    if labels[0] != labels[1]:
        reasons.append("The labels of the scale differ.")
    differing = [key for key in first.items if key in second.items and first.texts(key) != second.texts(key)]
    if differing:
        named = ", ".join(f"“{key}”" for key in differing[:5])
        reasons.append(f"Items have the same ID but other texts ({len(differing):,}): {named}.")
    return reasons


def _of_choices(task: list[dict[str, str]]) -> list[str]:
    names = dict.fromkeys(name for own in task for name in own)
    return [name for name in names if name.rpartition(".")[2] in OF_CHOICES]


def _settings(node: Any, name: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of every setting of a protocol as a manifest has it."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key not in ("kind", "key") or not name:
                yield from _settings(value, name if key in SILENT else (*name, str(key)))
    elif isinstance(node, list) and any(isinstance(part, Mapping) for part in node):
        for place, part in enumerate(node):
            own = part.get("key", part.get("value", place)) if isinstance(part, Mapping) else place
            yield from _settings(part, (*name, str(own)))
    elif isinstance(node, list):
        yield ".".join(name), ", ".join(map(_text, node)) or ABSENT
    else:
        yield ".".join(name), _text(node)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ABSENT if value is None or value == "" else str(value)
