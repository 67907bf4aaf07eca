"""Figures of scores: how often each occurs, before and after filters, and by class of selection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.figures.figure import Figure, FigureError
from scoring.figures.plot import Axis, Label, Panel, Plot, Rule
from scoring.figures.values import (
    Histogram,
    Observed,
    check_scale,
    check_step,
    counts_axis,
    in_classes,
    observe,
    observe_some,
)
from scoring.figures.wording import counted, listed, missing_sentence, number, share
from scoring.stats.filtering import near_expected

BEFORE = "before filtering"


@dataclass(frozen=True)
class _Set:
    """The scores that a filter keeps."""

    name: str
    observed: Observed
    histogram: Histogram


def plot_scores(
    scores: ArrayLike,
    filtered: Mapping[str, ArrayLike] | None = None,
    *,
    minimum: float,
    maximum: float,
    step: float | None = None,
) -> Figure:
    """The distribution of the scores of pairs, before and after filters (Czech News, Fig. 10; N2 and N1 of 5.2).

    Parameters: scores, shape (pairs,), NaN for pairs without one; filtered, the scores that each filter keeps; step,
        the distance of possible scores, if they are points of a scale, such as 1/9 for means of nine whole ratings.

    Raises:
        FigureError: no scores, one outside of the scale, or a filter that keeps more than there is.
    """
    check_scale(minimum, maximum)
    check_step(step)
    observed = [(BEFORE, observe_some(scores, "scores"))]
    observed += [(name, observe(values, "scores")) for name, values in (filtered or {}).items()]
    all_of_them, *kept = [_Set(name, own, in_classes(own.values, minimum, maximum, step)) for name, own in observed]
    if any(own.observed.number > all_of_them.observed.number for own in kept):
        raise FigureError("A filter cannot keep more scores than there are.")
    return Figure(
        name="score-distribution",
        title="Distribution of scores before and after filtering" if kept else "Distribution of scores",
        description=_describe_scores(all_of_them, kept),
        columns=("set", "from", "to", "pairs", "share"),
        rows=tuple((own.name, *row) for own in (all_of_them, *kept) for row in own.histogram.rows()),
        plot=_draw_scores(all_of_them, kept),
    )


def _draw_scores(before: _Set, kept: Sequence[_Set]) -> Plot:
    """What each filter keeps stands before what there was."""
    own = before.observed
    x = Axis("score", *before.histogram.ends())
    y = counts_axis("number of pairs", before.histogram.tallest)
    panels = [Panel(80, x, y, (before.histogram.bars(),), heading=BEFORE if kept else "")]
    for after in kept:
        heading = f"{after.name}: {counted(after.observed.number, 'pair')} ({_share_kept(after, before)})"
        panels.append(Panel(80, x, y, (before.histogram.bars("ghost"), after.histogram.bars()), heading))
    return Plot(
        f"{counted(own.number, 'pair')}; mean {number(own.mean)}, SD {number(own.deviation)}",
        tuple(panels),
        key=(("strong", "kept"), ("ghost", "left out by the filter")) if kept else (),
    )


def _share_kept(after: _Set, before: _Set) -> str:
    return share(after.observed.number / before.observed.number)


def _describe_scores(before: _Set, kept: Sequence[_Set]) -> str:
    own = before.observed
    sentences = [
        f"Histogram of the scores of {counted(own.number, 'pair')}: the score on the horizontal axis, the number of "
        "pairs on the vertical one.",
        f"Scores go from {number(own.low)} to {number(own.high)}, with median {number(own.quantile(0.5))} and mean "
        f"{number(own.mean)}; the {before.histogram.most()}.",
    ]
    if kept:
        parts = [
            f"{after.name} keeps {after.observed.number:,} ({_share_kept(after, before)}"
            + (f", mean {number(after.observed.mean)})" if after.observed.number else ")")
            for after in kept
        ]
        sentences.append(f"Of these, {listed(parts)}.")
    return " ".join([*sentences, *missing_sentence(own.missing, "pair", "score")])


@dataclass(frozen=True)
class _Class(_Set):
    """The scores of the pairs of a class, the one expected, and which points of the scale each filter keeps."""

    expected: float
    near: NDArray[np.bool_]
    far: NDArray[np.bool_]

    @property
    def beyond(self) -> str:
        """The share of pairs that even the milder filter leaves out."""
        return share(int(self.histogram.counts[~self.far].sum()) / self.observed.number)


def plot_classes(
    classes: Mapping[str, ArrayLike],
    expected: Mapping[str, float],
    *,
    minimum: float,
    maximum: float,
    step: float = 1.0,
    distances: tuple[float, float] = (1, 2),
) -> Figure:
    """How often each score was given to the pairs of each class of selection (Czech News, Fig. 9).

    The shades show what the diagonal filters keep: N1 what is at most 1 from the score expected of the class, N2 at
    most 2 (5.2).

    Parameters: classes, the scores of the first round by class, such as green, orange and red; expected, the score
        expected of each class; distances, of the stricter filter and of the other.

    Raises:
        FigureError: no scores at all, one beside the points of the scale, or a class without expected score.
    """
    check_scale(minimum, maximum)
    check_step(step)
    if set(classes) - set(expected):
        raise FigureError("Each class needs the score that is expected of it.")
    parts = []
    for name, values in classes.items():
        own = observe(values, "scores")
        histogram = in_classes(own.values, minimum, maximum, step)
        near, far = (near_expected(histogram.left, expected[name], distance) for distance in distances)
        parts.append(_Class(name, own, histogram, expected[name], near, far))
    return _figure_of_classes(parts, distances)


def _figure_of_classes(classes: Sequence[_Class], distances: tuple[float, float]) -> Figure:
    total = sum(own.observed.number for own in classes)
    if not total:
        raise FigureError("No scores are defined, so there is nothing to draw.")
    near, far = distances
    y = counts_axis("number of pairs", max(own.histogram.tallest for own in classes))
    return Figure(
        name="class-frequency",
        title="Scores given to the pairs of each class",
        description=_describe_classes(classes, far),
        columns=("class", "from", "to", "pairs", "share", "expected"),
        rows=tuple((own.name, *row, own.expected) for own in classes for row in own.histogram.rows()),
        plot=Plot(
            f"{counted(total, 'pair')}; dashed: the score expected of the class",
            tuple(_draw_class(own, y, far) for own in classes),
            key=(
                ("strong", f"kept by N{near:g} and N{far:g}"),
                ("middle", f"by N{far:g} only"),
                ("pale", "by neither"),
            ),
        ),
    )


def _draw_class(own: _Class, y: Axis, far: float) -> Panel:
    x = Axis("score", *own.histogram.ends())
    if not own.observed.number:
        return Panel(62, x, y, (Label("no pairs", (x.low + x.high) / 2, y.high / 2, "center"),), heading=own.name)
    shades = (
        own.histogram.bars("strong", own.near),
        own.histogram.bars("middle", own.far & ~own.near),
        own.histogram.bars("pale", ~own.far),
    )
    heading = f"{own.name}: {counted(own.observed.number, 'pair')}, {own.beyond} more than {far:g} away"
    return Panel(62, x, y, (*shades, Rule(own.expected)), heading)


def _describe_classes(classes: Sequence[_Class], far: float) -> str:
    parts = [
        f"{own.name}, of which {number(own.expected)} is expected: {counted(own.observed.number, 'pair')}, "
        f"{own.histogram.most()}, {own.beyond} more than {far:g} away"
        if own.observed.number
        else f"{own.name} has no pairs"
        for own in classes
    ]
    introduction = (
        f"Histograms of the scores, one for each of {counted(len(classes), 'class', 'classes')} of selection: the "
        f"score on the horizontal axis, the number of pairs on the vertical one. {'; '.join(parts)}."
    )
    missing = sum(own.observed.missing for own in classes)
    return " ".join([introduction, *missing_sentence(missing, "pair", "score")])
