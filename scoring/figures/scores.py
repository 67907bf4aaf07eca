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
    observe_any,
)
from scoring.figures.wording import counted, listed, missing_sentence, number, share
from scoring.stats.filtering import near_expected

BEFORE = "before filtering"


@dataclass(frozen=True)
class _Subset:
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
    noun: str = "pair",
) -> Figure:
    """Plot the distribution of the scores of pairs, before and after filters (Czech News, Fig. 10; N2 and N1 of 5.2).

    Parameters: scores, shape (pairs,), NaN for pairs without one; filtered, the scores that each filter keeps; step,
        the distance of possible scores, if they are points of a scale, such as 1/9 for means of nine whole ratings;
        noun, what one of the things scored is called.

    Raises:
        FigureError: there are no scores, one is outside of the scale, or a filter keeps more than there are.
    """
    check_scale(minimum, maximum)
    check_step(step)
    observed = [(BEFORE, observe_any(scores, "scores"))]
    observed += [(name, observe(values, "scores")) for name, values in (filtered or {}).items()]
    total, *kept = [_Subset(name, data, in_classes(data.values, minimum, maximum, step)) for name, data in observed]
    if any(part.observed.number > total.observed.number for part in kept):
        raise FigureError("A filter cannot keep more scores than exist.")
    return Figure(
        name="score-distribution",
        title="Distribution of scores before and after filtering" if kept else "Distribution of scores",
        description=_describe_scores(total, kept, noun),
        columns=("set", "from", "to", f"{noun}s", "share"),
        rows=tuple((part.name, *row) for part in (total, *kept) for row in part.histogram.rows()),
        plot=_draw_scores(total, kept, noun),
    )


def _draw_scores(before: _Subset, kept: Sequence[_Subset], noun: str) -> Plot:
    """Return a panel of all scores, and for each filter one with the scores that it keeps in front of all."""
    data = before.observed
    x = Axis("score", *before.histogram.ends())
    y = counts_axis(f"number of {noun}s", before.histogram.tallest)
    panels = [Panel(80, x, y, (before.histogram.bars(),), heading=BEFORE if kept else "")]
    for after in kept:
        heading = f"{after.name}: {counted(after.observed.number, noun)} ({_share_kept(after, before)})"
        panels.append(Panel(80, x, y, (before.histogram.bars("ghost"), after.histogram.bars()), heading))
    return Plot(
        f"{counted(data.number, noun)}; mean {number(data.mean)}, SD {number(data.deviation)}",
        tuple(panels),
        key=(("strong", "kept"), ("ghost", "removed by the filter")) if kept else (),
    )


def _share_kept(after: _Subset, before: _Subset) -> str:
    return share(after.observed.number / before.observed.number)


def _describe_scores(before: _Subset, kept: Sequence[_Subset], noun: str) -> str:
    data = before.observed
    sentences = [
        f"Histogram of the scores of {counted(data.number, noun)}: the score on the x-axis, the number of {noun}s on "
        "the y-axis.",
        f"Scores range from {number(data.low)} to {number(data.high)}, with median {number(data.quantile(0.5))} and "
        f"mean {number(data.mean)}; the {before.histogram.mode()}.",
    ]
    if kept:
        parts = [
            f"{after.name} keeps {after.observed.number:,} ({_share_kept(after, before)}"
            + (f", mean {number(after.observed.mean)})" if after.observed.number else ")")
            for after in kept
        ]
        sentences.append(f"Of these, {listed(parts)}.")
    return " ".join([*sentences, *missing_sentence(data.missing, noun, "score")])


@dataclass(frozen=True)
class _Class(_Subset):
    """The scores of the pairs of a class, the expected score, and which points of the scale each filter keeps."""

    expected: float
    near: NDArray[np.bool_]
    far: NDArray[np.bool_]

    @property
    def beyond(self) -> str:
        """Return the share of pairs that even the milder filter leaves out."""
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
    """Plot how often each score was given to the pairs of each class of selection (Czech News, Fig. 9).

    The shades show which scores the diagonal filters keep: N1 those at most 1 from the score expected of the class, N2
    at most 2 (5.2).

    Parameters: classes, the scores of the first round by class, such as green, orange and red; expected, the score
        expected of each class; distances, of the stricter filter and of the other.

    Raises:
        FigureError: there are no scores at all, one is no point of the scale, or a class has no expected score.
    """
    check_scale(minimum, maximum)
    check_step(step)
    if set(classes) - set(expected):
        raise FigureError("Each class needs its expected score.")
    parts = []
    for name, values in classes.items():
        data = observe(values, "scores")
        histogram = in_classes(data.values, minimum, maximum, step)
        near, far = (near_expected(histogram.left, expected[name], distance) for distance in distances)
        parts.append(_Class(name, data, histogram, expected[name], near, far))
    return _figure_of_classes(parts, distances)


def _figure_of_classes(classes: Sequence[_Class], distances: tuple[float, float]) -> Figure:
    total = sum(data.observed.number for data in classes)
    if not total:
        raise FigureError("No scores are defined, so there is nothing to plot.")
    near, far = distances
    y = counts_axis("number of pairs", max(group.histogram.tallest for group in classes))
    return Figure(
        name="class-frequency",
        title="Scores of the pairs in each class",
        description=_describe_classes(classes, far),
        columns=("class", "from", "to", "pairs", "share", "expected"),
        rows=tuple((group.name, *row, group.expected) for group in classes for row in group.histogram.rows()),
        plot=Plot(
            f"{counted(total, 'pair')}; dashed line: expected score of the class",
            tuple(_draw_class(group, y, far) for group in classes),
            key=(
                ("strong", f"kept by N{near:g} and N{far:g}"),
                ("middle", f"by N{far:g} only"),
                ("pale", "by neither"),
            ),
        ),
    )


def _draw_class(group: _Class, y: Axis, far: float) -> Panel:
    x = Axis("score", *group.histogram.ends())
    if not group.observed.number:
        return Panel(62, x, y, (Label("no pairs", (x.low + x.high) / 2, y.high / 2, "center"),), heading=group.name)
    shades = (
        group.histogram.bars("strong", group.near),
        group.histogram.bars("middle", group.far & ~group.near),
        group.histogram.bars("pale", ~group.far),
    )
    heading = f"{group.name}: {counted(group.observed.number, 'pair')}, {group.beyond} more than {far:g} away"
    return Panel(62, x, y, (*shades, Rule(group.expected)), heading)


def _describe_classes(classes: Sequence[_Class], far: float) -> str:
    parts = [
        f"{group.name} (expected score {number(group.expected)}): {counted(group.observed.number, 'pair')}, "
        f"{group.histogram.mode()}, {group.beyond} more than {far:g} away"
        if group.observed.number
        else f"{group.name} has no pairs"
        for group in classes
    ]
    introduction = (
        f"Histograms of the scores, one for each of {counted(len(classes), 'class', 'classes')} of selection: the "
        f"score on the x-axis, the number of pairs on the y-axis. {'; '.join(parts)}."
    )
    missing = sum(group.observed.missing for group in classes)
    return " ".join([introduction, *missing_sentence(missing, "pair", "score")])
