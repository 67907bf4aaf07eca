"""Split-half reliability of best-worst scores, and what all split-half reliabilities have in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.stats.choices import Choices, Floats, Integers
from scoring.stats.halving import Dealer
from scoring.stats.joint import CellCounts, ItemCodes
from scoring.stats.sums import ItemSums, item_sums

Halves = Literal["tuple", "judgment", "annotator"]

SPLITS_AT_ONCE = 64


@dataclass(frozen=True)
class Spread:
    """Mean, standard deviation (n - 1), 2.5 and 97.5 percentiles of the correlations that are defined.

    full_length: the reliability of all judgments by Spearman and Brown's formula, of which the mean is that of half.
    reason: why some correlations, or all, or the deviation of a single one, are not defined; None if all are.
    """

    mean: float
    sd: float
    low: float
    high: float
    reason: str | None

    @property
    def full_length(self) -> float:
        return full_length(self.mean)


def full_length(r: float) -> float:
    """Return the reliability of twice as many judgments, 2 r / (1 + r) (Spearman 1910, Brown 1910).

    Of r = .90 it is .947. NaN if r is NaN or negative: a reliability is a share of variance, so a negative correlation
    is not the reliability of half of the judgments, and the formula would give values down to minus infinity.
    """
    return 2 * r / (1 + r) if r >= 0 else float("nan")


@dataclass(frozen=True, eq=False)
class SplitHalf:
    """by: what was dealt to the halves. items: shape (splits,), items with a score in both halves.
    spearman, pearson: shape (splits,); NaN with fewer than two items or if all scores of a half are equal."""

    by: Halves | Literal["item"]
    items: Integers
    spearman: Floats
    pearson: Floats

    def summary(self) -> tuple[Spread, Spread]:
        """Return the spread of Spearman's and of Pearson's correlations."""
        return summarise(self.spearman, self.items), summarise(self.pearson, self.items)


class _Correlating(Protocol):
    def correlate(self, sides: NDArray[np.int8]) -> tuple[Integers, Floats, Floats]: ...


def split_half(
    choices: Choices,
    generator: np.random.Generator,
    *,
    splits: int = 1000,
    by: Halves = "tuple",
    splits_at_once: int = SPLITS_AT_ONCE,
    progress: Callable[[int], object] | None = None,
) -> SplitHalf:
    """Return correlations between the scores from two random halves of the judgments (SemRel2024 3.2, table 3).

    By tuple, the judgments of each tuple are shuffled and dealt to the halves in turn, starting at a random half; by
    judgment, all rows are, whatever tuple they belong to; by annotator, people are, with all their rows. Each split
    scores both halves by counting, and compares the items that were shown in both. SemRel repeats this 1,000 times
    and prints 0.64 to 0.96; GiCCS prints Spearman 0.975 for BAS SmartKom, 3-turn.

    Parameters: splits_at_once, how many are held in memory together; the result does not depend on it. progress, called
    with their number whenever some splits are done.

    Raises:
        ValueError: there are no judgments, less than one split, or no annotators though it is by annotator.
    """
    everything = [np.arange(choices.number)]
    (found,) = split_half_of_sets(
        choices, generator, everything, splits=splits, by=by, splits_at_once=splits_at_once, progress=progress
    )
    return found


def split_half_of_sets(
    choices: Choices,
    generator: np.random.Generator,
    sets: Sequence[Integers],
    *,
    splits: int = 1000,
    by: Halves = "tuple",
    splits_at_once: int = SPLITS_AT_ONCE,
    progress: Callable[[int], object] | None = None,
) -> list[SplitHalf]:
    """Return the correlations of `split_half` for sets of items, such as train and test (SemRel2024, table 3).

    All judgments are halved and scored together, by the same halves as those of `split_half` with the same generator;
    each set then compares its own items only.

    Parameters: sets, the items of each, shape (items,), ascending.

    Raises:
        ValueError: as `split_half`.
    """
    if not choices.judgments or splits < 1:
        raise ValueError("Split-half reliability needs at least one judgment and one split.")
    units, groups = halved_units(choices, by)
    dealer = Dealer(groups)
    sums = item_sums(choices, dealer.rows[units])
    constant = by == "tuple" and dealer.always_even and choices.same_items
    correlating = [_correlating(sums.of_items(items), constant) for items in sets]
    parts: list[list[tuple[Integers, Floats, Floats]]] = [[] for _ in sets]
    for start in range(0, splits, splits_at_once):
        block = min(splits_at_once, splits - start)
        sides = dealer.sides(generator, block)
        for part, own in zip(parts, correlating, strict=True):
            part.append(own.correlate(sides))
        if progress is not None:
            progress(block)
    return [SplitHalf(by, *map(np.concatenate, zip(*part, strict=True))) for part in parts]


def halved_units(choices: Choices, by: Halves) -> tuple[Integers, Integers]:
    """Return the unit of each judgment, shape (judgments,), and the group of each unit, shape (units,).

    Units go to a half as a whole; the units of a group are dealt to the halves in turn.
    """
    rows = np.arange(choices.judgments)
    if by == "tuple":
        return rows, choices.tuples
    if by == "judgment":
        return rows, np.zeros_like(rows)
    if choices.annotators is None:
        raise ValueError("Splitting by annotator needs the annotator of every judgment.")
    people, units = np.unique(choices.annotators, return_inverse=True)
    return units, np.zeros(len(people), np.int64)


class _TooFew:
    """Fewer than two items that were ever shown: no correlation is defined."""

    def __init__(self, items: int) -> None:
        self.items = items

    def correlate(self, sides: NDArray[np.int8]) -> tuple[Integers, Floats, Floats]:
        splits = sides.shape[1]
        return np.full(splits, self.items), np.full(splits, np.nan), np.full(splits, np.nan)


def _correlating(sums: ItemSums, constant: bool) -> _Correlating:
    """Return counts of cells if splits show each item equally often with few pairs of scores, else codes."""
    if sums.shown < 2:
        return _TooFew(sums.shown)
    if constant:
        cells = CellCounts(sums)
        if cells.compact:
            return cells
    return ItemCodes(sums)


def summarise(values: Floats, items: Integers) -> Spread:
    """Return the spread of correlations of splits, shape (splits,), that compared this number of items."""
    defined = values[~np.isnan(values)]
    reason = _why_undefined(values, items)
    if not len(defined):
        return Spread(np.nan, np.nan, np.nan, np.nan, reason)
    low, high = np.percentile(defined, [2.5, 97.5])
    if len(defined) == 1:
        reason = reason or "the standard deviation of a single split is not defined"
        return Spread(float(defined[0]), np.nan, float(low), float(high), reason)
    return Spread(float(defined.mean()), float(defined.std(ddof=1)), float(low), float(high), reason)


def _why_undefined(values: Floats, items: Integers) -> str | None:
    undefined = np.isnan(values)
    if not undefined.any():
        return None
    compact = int((items[undefined] < 2).sum())
    equal = int(undefined.sum()) - compact
    number, why = (
        int(undefined.sum()),
        ("fewer than two items occur in both halves", "all scores in one half are equal"),
    )
    which = f"{number:,} of {len(values):,} splits {'has' if number == 1 else 'have'} no correlation"
    if number == len(values):
        which = "no split has a correlation"
    if compact and equal:
        return f"{which}: {compact:,} because {why[0]} and {equal:,} because {why[1]}"
    return f"{which}, because {why[0] if compact else why[1]}"
