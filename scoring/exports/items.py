"""items.csv: every item as it was brought in or selected, its further columns included."""

from collections.abc import Iterator
from pathlib import Path

from annotation.models import Item
from annotation.protocols.spec import Material
from scoring.exports.files import write_csv
from scoring.exports.frozen import Frozen

HEADER = ("item", "sentence1", "sentence2", "context1", "context2", "language", "gold", "calibration", "source")
GROUP = "group"
GOLD = {True: "similar", False: "dissimilar", None: ""}


def export_items(frozen: Frozen, folder: Path) -> dict[str, int]:
    """Of items in groups, such as the utterances of a dialogue, also the group."""
    grouped = frozen.project.protocol.material == Material.DIALOGUES
    own = (*HEADER, GROUP) if grouped else HEADER
    further = _further_columns(frozen)
    # A further column that has the name of one of ours comes out beside it, under a name of its own.
    header = (*own, *(f"further_{name}" if name in own else name for name in further))
    return {"items.csv": write_csv(folder / "items.csv", header, _rows(frozen, further, grouped=grouped))}


def _further_columns(frozen: Frozen) -> list[str]:
    """The names of all further columns, in the order in which they came up."""
    names: dict[str, None] = {}
    for extra in frozen.extras():
        names.update(dict.fromkeys(extra))
    return list(names)


def _rows(frozen: Frozen, further: list[str], *, grouped: bool) -> Iterator[tuple[object, ...]]:
    calibration = frozen["items.calibration"]
    for place, item in frozen.items("group"):
        group = (item.group.key if item.group else "",) if grouped else ()
        yield (*_own(item, bool(calibration[place])), *group, *(item.extra.get(name, "") for name in further))


def _own(item: Item, calibrates: bool) -> tuple[object, ...]:
    return (
        item.key,
        item.sentence1,
        item.sentence2,
        item.context1,
        item.context2,
        item.language,
        GOLD[item.gold],
        int(calibrates),
        item.source,
    )
