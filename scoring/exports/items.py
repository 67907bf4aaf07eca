"""items.csv: every item as it was brought in or selected, its further columns included."""

from collections.abc import Iterator
from pathlib import Path

from annotation.models import Item, Project
from scoring.exports.files import write_csv
from scoring.queries import items_in_order

HEADER = ("item", "sentence1", "sentence2", "context1", "context2", "language", "gold", "calibration", "source")
GOLD = {True: "similar", False: "dissimilar", None: ""}


def export_items(project: Project, folder: Path) -> dict[str, int]:
    further = _further_columns(project)
    # A further column that has the name of one of ours comes out beside it, under a name of its own.
    header = (*HEADER, *(f"further_{name}" if name in HEADER else name for name in further))
    return {"items.csv": write_csv(folder / "items.csv", header, _rows(project, further))}


def _further_columns(project: Project) -> list[str]:
    """The names of all further columns, in the order in which they came up."""
    names: dict[str, None] = {}
    for extra in items_in_order(project).exclude(extra={}).values_list("extra", flat=True).iterator():
        names.update(dict.fromkeys(extra))
    return list(names)


def _rows(project: Project, further: list[str]) -> Iterator[tuple[object, ...]]:
    for item in items_in_order(project).iterator(chunk_size=2000):
        yield (*_own(item), *(item.extra.get(name, "") for name in further))


def _own(item: Item) -> tuple[object, ...]:
    return (
        item.key,
        item.sentence1,
        item.sentence2,
        item.context1,
        item.context2,
        item.language,
        GOLD[item.gold],
        int(item.calibration_order is not None),
        item.source,
    )
