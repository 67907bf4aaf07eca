"""Split-half reliability of best-worst scores."""

from collections.abc import Callable
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
    """Of the correlations that are defined: mean, standard deviation (n - 1), 2.5 and 97.5 percentiles.

    reason: why some correlations, or all, or the deviation of a single one, are not defined; None where all are.
    """

    mean: float
    sd: float
    low: float
    high: float
    reason: str | None


@dataclass(frozen=True, eq=False)
class SplitHalf:
    """by: what was dealt to the halves. items: shape (splits,), items with a score in both halves.
    spearman, pearson: shape (splits,); NaN where fewer than two items or all scores of a half are equal."""

    by: Halves
    items: Integers
    spearman: Floats
    pearson: Floats

    def summary(self) -> tuple[Spread, Spread]:
        """Spearman's and Pearson's."""
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
    """Correlations between the scores from two random halves of the judgments (SemRel2024 3.2, table 3).

    By tuple, the judgments of each tuple are shuffled and dealt to the halves in turn, starting at a random half; by
    judgment, all rows are, whatever tuple they belong to; by annotator, people are, with all their rows. Each split
    scores both halves by counting, and compares the items that were shown in both. SemRel repeats this 1,000 times
    and prints 0.64 to 0.96; GiCCS prints Spearman 0.975 for BAS SmartKom, 3-turn.

    Parameters: splits_at_once, how many are held in memory together; the result does not depend on it. progress, called
    with their number whenever some splits are done.

    Raises:
        ValueError: no judgments, less than one split, or by annotator without annotators.
    """
    if not choices.judgments or splits < 1:
        raise ValueError("Split-half reliability needs at least one judgment and one split.")
    units, groups = halved_units(choices, by)
    dealer = Dealer(groups)
    sums = item_sums(choices, dealer.rows[units])
    constant = by == "tuple" and dealer.always_even and choices.same_items
    correlating = _correlating(sums, constant)
    parts = []
    for start in range(0, splits, splits_at_once):
        block = min(splits_at_once, splits - start)
        parts.append(correlating.correlate(dealer.sides(generator, block)))
        if progress is not None:
            progress(block)
    items, spearman, pearson = (np.concatenate(part) for part in zip(*parts, strict=True))
    return SplitHalf(by, items, spearman, pearson)


def halved_units(choices: Choices, by: Halves) -> tuple[Integers, Integers]:
    """The unit of each judgment, shape (judgments,), and the group of each unit, shape (units,).

    Units go to a half as a whole; the units of a group are dealt to the halves in turn.
    """
    rows = np.arange(choices.judgments)
    if by == "tuple":
        return rows, choices.tuples
    if by == "judgment":
        return rows, np.zeros_like(rows)
    if choices.annotators is None:
        raise ValueError("Halves by annotator need to know who judged.")
    people, units = np.unique(choices.annotators, return_inverse=True)
    return units, np.zeros(len(people), np.int64)


def _correlating(sums: ItemSums, constant: bool) -> _Correlating:
    """Where every split shows each item equally often, there are few pairs of scores to count; else many."""
    if constant:
        cells = CellCounts(sums)
        if cells.few:
            return cells
    return ItemCodes(sums)


def summarise(values: Floats, items: Integers) -> Spread:
    """The spread of correlations of splits, shape (splits,), that compared so many items."""
    defined = values[~np.isnan(values)]
    reason = _why_undefined(values, items)
    if not len(defined):
        return Spread(np.nan, np.nan, np.nan, np.nan, reason)
    low, high = np.percentile(defined, [2.5, 97.5])
    if len(defined) == 1:
        reason = reason or "One split has no standard deviation."
        return Spread(float(defined[0]), np.nan, float(low), float(high), reason)
    return Spread(float(defined.mean()), float(defined.std(ddof=1)), float(low), float(high), reason)


def _why_undefined(values: Floats, items: Integers) -> str | None:
    undefined = np.isnan(values)
    if not undefined.any():
        return None
    few = int((items[undefined] < 2).sum())
    equal = int(undefined.sum()) - few
    parts = [f"{few} had fewer than two items shown in both halves"] if few else []
    parts += [f"in {equal} all scores of a half were equal"] if equal else []
    return f"Of {len(values)} splits {' and '.join(parts)}, so their correlations are not defined."
