"""Splitting scored items into train, dev and test."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from zlib import crc32

import numpy as np

from annotation.corpora.cleaning.repetition import as_compared
from annotation.models import Item
from annotation.protocols.terms import Material
from scoring.exports.files import Row, plain_csv
from scoring.exports.snapshot_view import SnapshotView
from scoring.stats.choices import Integers
from scoring.stats.splitting import SplitError, connect, read_sizes, sizes_for, split_items
from scoring.summaries.tables import NONE

PARTS = ("train", "dev", "test")
TOGETHER = {"train and dev": ("train", "dev")}
"""Parts for which one split-half reliability is given (SemRel2024, table 3)."""
HEADER, HEADER_OF_TEXTS = ("item", "sentence1", "sentence2", "score"), ("id", "text", "score")
USUAL_SIZES = "train=0.68,dev=0.06,test=0.26"
"""SemRel2024, table 4, the nine languages with all three parts: 15,123, 1,390 and 5,800 of 22,313 pairs."""


@dataclass(frozen=True)
class Splitting:
    """How scored items are split: sizes as in `read_sizes`; apart, whether a sentence may be in one part only."""

    sizes: str = USUAL_SIZES
    apart: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Split:
    """The part of each item, by its place, and notes about the split."""

    parts: dict[int, str]
    told: dict[str, str]

    @property
    def places(self) -> dict[str, Integers]:
        """Return the places of the items of each part that has some, ascending; also of train and dev together."""
        by_part = {part: [place for place, own in sorted(self.parts.items()) if own == part] for part in PARTS}
        together = {name: [by_part[part] for part in parts] for name, parts in TOGETHER.items()}
        by_part |= {name: sorted(chain(*lists)) for name, lists in together.items() if all(lists)}
        return {name: np.array(places, dtype=np.int64) for name, places in by_part.items() if places}


def draw_split(view: SnapshotView, scored: Collection[int], splitting: Splitting) -> Split:
    """Split the items that have a score; utterances of one dialogue stay in one part.

    Raises:
        SplitError: sizes make no sense, or are not those of the items that have a score; or the seed is negative.
    """
    if splitting.seed < 0:
        raise SplitError("The random seed must be a whole number of 0 or more.")
    places = sorted(scored)
    sizes = sizes_for(read_sizes(splitting.sizes, PARTS), len(places))
    generator = np.random.default_rng([splitting.seed, crc32(b"split")])
    marks = _marks(view, places, apart=splitting.apart)
    clusters = connect(marks) if any(marks) else None
    keys = view["items.keys"]
    dealt = split_items([keys[place] for place in places], list(sizes.values()), generator, clusters)
    parts = {place: PARTS[part] for place, part in zip(places, dealt.tolist(), strict=True)}
    return Split(parts, {} if clusters is None else _told(sizes, dealt, clusters))


def _marks(view: SnapshotView, places: Sequence[int], *, apart: bool) -> list[list[Hashable]]:
    """Return what each item shares with those that must be in the same part: its group, and its sentences."""
    groups = view["items.groups"].tolist()
    marks: dict[int, list[Hashable]] = {place: [] if groups[place] == NONE else [groups[place]] for place in places}
    if apart:
        for place, item in view.items():
            if place in marks:
                marks[place] += map(as_compared, item.texts)
    return list(marks.values())


def _told(sizes: dict[str, int], dealt: Integers, clusters: Integers) -> dict[str, str]:
    """Return the requested sizes if whole clusters did not allow them, and a cluster that fits nowhere."""
    told: dict[str, str] = {}
    given = Counter(dealt.tolist())
    if [given[part] for part in range(len(PARTS))] != list(sizes.values()):
        told["sizes asked for"] = ", ".join(f"{name} {size}" for name, size in sizes.items())
    numbers = np.bincount(clusters)
    largest = int(numbers.max())
    if largest > max(sizes.values()):
        part = PARTS[dealt[clusters == np.argmax(numbers)][0]]
        told["too large for any part"] = (
            f"{largest} of {len(dealt)} items are connected by shared texts, so all of them are in {part}"
        )
    return told


def export_split(view: SnapshotView, split: Split | None, folder: Path) -> dict[str, int]:
    """Write train.csv, dev.csv and test.csv with the texts and scores from 0 to 1, and return the rows of each.

    Without a split nothing is written.
    """
    if split is None:
        return {}

    def row(place: int, item: Item) -> Row:
        return item.key, *item.texts, float(view.unit_score(place))

    single = view.project.protocol.material == Material.TEXTS
    return export_parts(view, split, folder, HEADER_OF_TEXTS if single else HEADER, row)


def export_parts(
    view: SnapshotView, split: Split, folder: Path, header: Row, row: Callable[[int, Item], Row]
) -> dict[str, int]:
    """Write a file for each part, also for an empty one, with its items in order."""
    with ExitStack() as stack:
        files = {part: stack.enter_context(plain_csv(folder / f"{part}.csv", header)) for part in PARTS}
        for place, item in view.items("group"):
            if place in split.parts:
                files[split.parts[place]].add(row(place, item))
    return {f"{part}.csv": file.rows for part, file in files.items()}
