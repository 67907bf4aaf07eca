"""Deviations from a registered plan: the plan and what happened in, the differences of each check out.

Both are JSON; `docs/results.md` and `docs/registering.md` describe them. A check that needs something that the plan
does not say gives None.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from annotation.protocols.settings import SILENT
from scoring.summaries.registered.analyses import ANALYSES
from scoring.summaries.undefined import Result

Tree = Mapping[str, Any]
Deviation = dict[str, Any]
"""`name`: what differs; `registered` and `actual`: numbers, texts, true or false, or null if there is none."""


def compare(plan: Tree, happened: Tree) -> Result:
    """Return the outcome of every check: its `deviations`, or null if it could not be made.

    Parameters: plan, a registered plan; happened, what was done, as `scoring.domain.registrations.happened` reads it.
    """
    return {name: check(plan, happened) for name, check in CHECKS.items()}


def _different(registered: Tree, actual: Tree) -> list[Deviation]:
    """Return the names whose values differ; a value that is missing on one side is null."""
    names = [*registered, *(name for name in actual if name not in registered)]
    pairs = ((name, registered.get(name), actual.get(name)) for name in names)
    return [_deviation(name, planned, found) for name, planned, found in pairs if planned != found]


def _deviation(name: str, registered: Any, actual: Any) -> Deviation:
    return {"name": name, "registered": registered, "actual": actual}


def flat(node: Any, name: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every setting of a stored protocol with its value, under the names that `with_settings` uses."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from flat(value, name if key in SILENT else (*name, key))
    elif isinstance(node, list) and any(isinstance(part, Mapping) for part in node):
        for place, part in enumerate(node):
            own = str(part.get("key", part.get("value", place))) if isinstance(part, Mapping) else str(place)
            yield from flat(part, (*name, own))
    else:
        yield ".".join(name), ", ".join(map(str, node)) if isinstance(node, list) else node


def _settings(plan: Tree, happened: Tree) -> list[Deviation]:
    return _different(dict(flat(plan["protocol"])), dict(flat(happened["protocol"])))


def _same(name: str) -> Callable[[Tree, Tree], list[Deviation]]:
    """Return a check of a mapping that is to stay as it is."""
    return lambda plan, happened: _different(plan[name], happened[name])


def _items(plan: Tree, happened: Tree) -> list[Deviation] | None:
    planned = plan["planned"]["items"]
    return None if planned is None else _different({"items": planned}, {"items": happened["items"]})


def _people(plan: Tree, happened: Tree) -> list[Deviation] | None:
    """Return the rounds in which another number of annotators gave judgments that count."""
    planned = {key: own["people"] for key, own in plan["planned"]["rounds"].items() if own["people"] is not None}
    if not planned:
        return None
    return _different(planned, {key: _of_round(happened, key)["people"] for key in planned})


def _judgments(plan: Tree, happened: Tree) -> list[Deviation] | None:
    """Return the rounds with fewer or more judgments than planned; a round in waves has a minimum and a maximum."""
    known = {key: own for key, own in plan["planned"]["rounds"].items() if own["fewest"] is not None}
    if not known:
        return None
    found = {key: _of_round(happened, key)["judgments"] for key in known}
    return [
        _deviation(key, _range(own["fewest"], own["most"]), found[key])
        for key, own in known.items()
        if not own["fewest"] <= found[key] <= own["most"]
    ]


def _of_round(happened: Tree, key: str) -> Tree:
    """Return what happened in a round; nothing if the protocol has no such round any more."""
    found: Tree = happened["rounds"].get(key, {"people": 0, "judgments": 0})
    return found


def _range(fewest: int, most: int) -> int | str:
    return fewest if fewest == most else f"{fewest} to {most}"


def _counts(name: str) -> Callable[[Tree, Tree], list[Deviation]]:
    """Return a check of things of which no plan has any: each that there are is a deviation."""
    return lambda plan, happened: [_deviation(what, 0, number) for what, number in happened[name].items() if number]


def _versions(plan: Tree, happened: Tree) -> list[Deviation]:
    return [_deviation(f"registration {own['number']}", None, own["registered_at"]) for own in happened["later"]]


def _waves(plan: Tree, happened: Tree) -> list[Deviation]:
    return [_deviation(wave, None, outcome) for wave, outcome in happened["waves"].items()]


def _seeds(plan: Tree, happened: Tree) -> list[Deviation]:
    return [_deviation(name, plan["seed"], seed) for name, seed in happened["seeds"].items() if seed != plan["seed"]]


def _analyses(plan: Tree, happened: Tree) -> list[Deviation]:
    """Return the registered statistics that the run does not have, and those that it has in addition."""
    planned, done = set(plan["analyses"]), set(happened["analyses"])
    return [_deviation(name, name in planned, name in done) for name in ANALYSES if (name in planned) != (name in done)]


def _software(plan: Tree, happened: Tree) -> list[Deviation]:
    return _different({"version": plan["software"]}, {"version": happened["software"]})


CHECKS: dict[str, Callable[[Tree, Tree], list[Deviation] | None]] = {
    "time": _counts("before"),
    "versions": _versions,
    "settings": _settings,
    "texts": _same("texts"),
    "limits": _same("limits"),
    "items": _items,
    "people": _people,
    "judgments": _judgments,
    "exclusions": _counts("exclusions"),
    "withdrawn": _counts("withdrawn"),
    "waves": _waves,
    "interventions": _counts("interventions"),
    "seeds": _seeds,
    "parameters": _same("parameters"),
    "software": _software,
    "analyses": _analyses,
}
"""The checks by name, in the order of the report."""

NOT_CHECKABLE: Sequence[str] = (
    "whether the hypotheses and analyses described in words were tested as described",
    "whether anybody looked at the judgments before the analyses were decided",
    "how annotators were recruited and what they were told outside Semblance",
    "analyses outside Semblance",
)
"""What no check can find out, in words."""
