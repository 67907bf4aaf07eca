"""Scored items split into train, dev and test."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from annotation.corpora.cleaning.repetition import as_compared
from annotation.models import Item
from scoring.exports.files import Row, plain_csv
from scoring.exports.frozen import Frozen
from scoring.stats.choices import Integers
from scoring.stats.splitting import SplitError, connect, read_sizes, sizes_for, split_items
from scoring.summaries.tables import NONE

PARTS = ("train", "dev", "test")
USUAL_SIZES = "train=0.68,dev=0.06,test=0.26"
"""Of SemRel2024 table 4, the nine languages with all three parts: 15,123, 1,390 and 5,800 of 22,313 pairs."""


@dataclass(frozen=True)
class Splitting:
    """How scored items are split: sizes as in `read_sizes`; apart, whether no sentence may be in two parts."""

    sizes: str = USUAL_SIZES
    apart: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Split:
    """The part of each item, by its place, and what is to be told about it."""

    parts: dict[int, str]
    told: dict[str, str]


def draw_split(frozen: Frozen, scored: Collection[int], splitting: Splitting) -> Split:
    """Splits the items that have a score; utterances of one dialogue are never parted.

    Raises:
        SplitError: sizes that make no sense, or are not those of the items that have a score; a negative seed.
    """
    if splitting.seed < 0:
        raise SplitError("A seed is a whole number from 0 on.")
    places = sorted(scored)
    sizes = sizes_for(read_sizes(splitting.sizes, PARTS), len(places))
    generator = np.random.default_rng([splitting.seed, crc32(b"split")])
    marks = _marks(frozen, places, apart=splitting.apart)
    clusters = connect(marks) if any(marks) else None
    keys = frozen["items.keys"]
    dealt = split_items([keys[place] for place in places], list(sizes.values()), generator, clusters)
    parts = {place: PARTS[part] for place, part in zip(places, dealt.tolist(), strict=True)}
    return Split(parts, {} if clusters is None else _told(sizes, dealt, clusters))


def _marks(frozen: Frozen, places: Sequence[int], *, apart: bool) -> list[list[Hashable]]:
    """What each item shares with those that it may not be parted from: its group, and its sentences."""
    groups = frozen["items.groups"].tolist()
    marks: dict[int, list[Hashable]] = {place: [] if groups[place] == NONE else [groups[place]] for place in places}
    if apart:
        for place, item in frozen.items():
            if place in marks:
                marks[place] += [as_compared(item.sentence1), as_compared(item.sentence2)]
    return list(marks.values())


def _told(sizes: dict[str, int], dealt: Integers, clusters: Integers) -> dict[str, str]:
    """The sizes asked for where whole clusters did not allow them, and a cluster that fits nowhere."""
    told: dict[str, str] = {}
    given = Counter(dealt.tolist())
    if [given[part] for part in range(len(PARTS))] != list(sizes.values()):
        told["sizes asked for"] = ", ".join(f"{name} {size}" for name, size in sizes.items())
    numbers = np.bincount(clusters)
    largest = int(numbers.max())
    if largest > max(sizes.values()):
        part = PARTS[dealt[clusters == np.argmax(numbers)][0]]
        told["too large for any part"] = f"{largest} of {len(dealt)} items hang together; all of them are in {part}"
    return told


def export_parts(
    frozen: Frozen, split: Split, folder: Path, header: Row, row: Callable[[int, Item], Row]
) -> dict[str, int]:
    """A file for each part, also for an empty one, with its items in order."""
    with ExitStack() as stack:
        files = {part: stack.enter_context(plain_csv(folder / f"{part}.csv", header)) for part in PARTS}
        for place, item in frozen.items("group"):
            if place in split.parts:
                files[split.parts[place]].add(row(place, item))
    return {f"{part}.csv": file.rows for part, file in files.items()}
