"""Deviations from the registered plan: a row for each, and one for each check that found none."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.exports.report.tables import ABSENT, Cell, Table, Tree, marked, printed
from scoring.summaries.registered.analyses import ANALYSES

TITLE = "Deviations from the registered plan"
CHECKS = {
    "time": "Judgments before the registration",
    "versions": "Later registrations",
    "settings": "Settings of the protocol",
    "texts": "Texts that annotators read (SHA-256)",
    "limits": "Limits of flags",
    "items": "Items",
    "people": "Annotators",
    "judgments": "Judgments",
    "exclusions": "Exclusions outside the registered rule",
    "withdrawn": "Withdrawn items",
    "waves": "Waves decided by a manager",
    "interventions": "Interventions of managers",
    "seeds": "Random seeds",
    "parameters": "Parameters of the scoring run",
    "software": "Version of Semblance",
    "analyses": "Statistics",
}
"""The checks in words, by their names in the results."""
ALONE = ("time", "items", "withdrawn")
"""Checks of one number, whose title says all."""
NONE, UNKNOWN = "no deviation", "not checked: the plan does not say"
LONGEST = 80  # characters of a value


def deviations(results: Tree) -> Iterator[Table]:
    """Yield the table of all checks, with what cannot be checked below it; nothing without a registered plan."""
    found = results.get("registration")
    if not found:
        return
    rows = [row for name in CHECKS for row in _rows(name, found["checks"][name])]
    note = (
        f"{in_words(found)} Statistics that are not registered are exploratory. Cannot be checked: "
        f"{'; '.join(found['not_checkable'])}."
    )
    yield marked(TITLE, ("Registered", "Actual"), rows, note)


def in_words(found: Mapping[str, Any]) -> str:
    """Return which plan the comparison is with."""
    return (
        f"Compared with registration {found['number']} of {found['registered_at'][:19].replace('T', ', ')} UTC "
        f"(SHA-256 {found['sha256']})."
    )


def _rows(name: str, own: list[dict[str, Any]] | None) -> Iterator[tuple[str, list[Cell]]]:
    title = CHECKS[name]
    if own is None:
        yield title, [Cell(UNKNOWN), Cell(ABSENT)]
    elif not own:
        yield title, [Cell(NONE), Cell(ABSENT)]
    for deviation in own or ():
        label = title if name in ALONE else f"{title}: {_name(name, deviation['name'])}"
        yield label, [_cell(deviation[side]) for side in ("registered", "actual")]


def _name(check: str, name: str) -> str:
    return ANALYSES[name].title if check == "analyses" else name


def _cell(value: Any) -> Cell:
    if value is None:
        return Cell(ABSENT)
    text = printed(value) if isinstance(value, bool | str) else str(value)
    return Cell(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
