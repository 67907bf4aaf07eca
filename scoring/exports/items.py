"""items.csv: every item as it was imported or selected, its further columns included."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from annotation.models import Item
from annotation.models.items import LABEL_NAMES
from annotation.protocols.terms import Material
from scoring.exports.files import write_csv
from scoring.exports.snapshot_view import SnapshotView

PAIR = ("item", "sentence1", "sentence2", "context1", "context2", "language", "gold", "calibration", "source")
TEXT = ("item", "text", "language", "source")
HEADERS = {Material.DIALOGUES: (*PAIR, "group"), Material.TEXTS: TEXT}


def export_items(view: SnapshotView, folder: Path) -> dict[str, int]:
    """Write the items: pairs with both texts, grouped items also with their group, single texts with their text."""
    own = HEADERS.get(view.project.protocol.material, PAIR)
    further = _further_columns(view)
    # A further column with the name of one of ours gets another name and is exported too.
    header = (*own, *(f"further_{name}" if name in own else name for name in further))
    return {"items.csv": write_csv(folder / "items.csv", header, _rows(view, own, further))}


def _further_columns(view: SnapshotView) -> list[str]:
    """Return the names of all further columns, in the order in which they first occur."""
    names: dict[str, None] = {}
    for extra in view.extras():
        names.update(dict.fromkeys(extra))
    return list(names)


def _rows(view: SnapshotView, own: Sequence[str], further: Sequence[str]) -> Iterator[tuple[object, ...]]:
    calibration = view["items.calibration"]
    for place, item in view.items("group"):
        values = _values(item, bool(calibration[place]))
        yield (*(values[name] for name in own), *(item.extra.get(name, "") for name in further))


def _values(item: Item, calibrates: bool) -> dict[str, object]:
    return {
        "item": item.key,
        "text": item.sentence1,
        "sentence1": item.sentence1,
        "sentence2": item.sentence2,
        "context1": item.context1,
        "context2": item.context2,
        "language": item.language,
        "gold": LABEL_NAMES[item.gold],
        "calibration": int(calibrates),
        "source": item.source,
        "group": item.group.key if item.group else "",
    }
