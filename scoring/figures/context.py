"""Figures of the effect of context: gains, and the share of pairs with a significant change."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.figures.figure import Figure, FigureError
from scoring.figures.plot import Axis, Label, Line, Mark, Panel, Plot, Rule
from scoring.figures.values import (
    Histogram,
    Observed,
    check_step,
    counts_axis,
    in_bins,
    label_rule,
    observe_any,
    on_points,
)
from scoring.figures.wording import counted, listed, missing_sentence, number, share, signed
from scoring.stats.context import rejection_curve

Floats = NDArray[np.float64]
LEVELS = np.arange(1001) / 1000
PROBABILITIES = np.arange(201) / 200
COMMON_LEVELS = (0.01, 0.05, 0.1)


def plot_gains(gains: ArrayLike, *, step: float | None = None) -> Figure:
    """Plot how much the scores of pairs rise with context, as a histogram (Czech News, Fig. 14a and b).

    Parameters: gains, shape (pairs,), NaN for pairs without; step, the distance of possible gains if there is one, such
        as 1/9 for means of nine whole ratings.

    Raises:
        FigureError: there are no gains, or one is not a multiple of the step.
    """
    check_step(step)
    data = _observe_gains(gains)
    if step is None:
        histogram = in_bins(data.values, data.low, data.high)
    else:
        low, high = (round(end / step) * step for end in (data.low, data.high))
        histogram = on_points(data.values, low, high, step)
    return Figure(
        name="gain-histogram",
        title="Gain in score with context",
        description=_describe_gains(data, histogram),
        columns=("from", "to", "pairs", "share"),
        rows=tuple(histogram.rows()),
        plot=_draw_gains(data, histogram),
    )


def _observe_gains(gains: ArrayLike) -> Observed:
    """Return the gains rounded, as equal means may differ by a rounding error, which is no gain."""
    data = observe_any(gains, "gains")
    return Observed(np.round(data.values, 9), data.missing)


def _draw_gains(data: Observed, histogram: Histogram) -> Plot:
    low, high = histogram.ends()
    x = Axis("gain: score with context minus score without", min(low, 0.0), max(high, 0.0))
    y = counts_axis("number of pairs", histogram.tallest)
    label = label_rule(f"mean {signed(data.mean)}", data.mean, x, y)
    return Plot(
        f"{counted(data.number, 'pair')}; mean {signed(data.mean)}, SD {number(data.deviation)}",
        (Panel(120, x, y, (histogram.bars("middle"), Rule(data.mean, "strong"), label)),),
    )


def _describe_gains(data: Observed, histogram: Histogram) -> str:
    sentences = [
        f"Histogram of the gains of {counted(data.number, 'pair')}: the gain (score with context minus score without) "
        "on the x-axis, the number of pairs on the y-axis.",
        f"Gains range from {signed(data.low)} to {signed(data.high)}, with mean {signed(data.mean)}, median "
        f"{signed(data.quantile(0.5))} and standard deviation {number(data.deviation)}; the {histogram.mode()}.",
    ]
    return " ".join([*sentences, *missing_sentence(data.missing, "pair", "gain")])


def plot_gain_quantiles(gains: ArrayLike) -> Figure:
    """Plot how much the scores of pairs rise with context, as a quantile function (Czech News, Fig. 14c).

    Parameters: gains, shape (pairs,), NaN for pairs without.

    Raises:
        FigureError: there are no gains.
    """
    data = _observe_gains(gains)
    values = np.quantile(data.values, PROBABILITIES, method="inverted_cdf")
    room = (data.high - data.low) * 0.05 or 0.5
    y = Axis("gain in score with context", min(data.low - room, 0.0), max(data.high + room, 0.0))
    marks = (
        Line((0.0, 1.0), (0.0, 0.0), "quiet", dotted=True),
        Line(tuple(PROBABILITIES.tolist()), tuple(values.tolist()), stepped=True),
    )
    lower, equal, higher = (
        share(float(np.mean(side))) for side in (data.values < 0, data.values == 0, data.values > 0)
    )
    return Figure(
        name="gain-quantiles",
        title="Quantiles of the gain in score with context",
        description=_describe_quantiles(data, lower, equal, higher),
        columns=("share", "gain"),
        rows=tuple(zip(PROBABILITIES.tolist(), values.tolist(), strict=True)),
        plot=Plot(
            f"{counted(data.number, 'pair')}: {lower} lower, {equal} the same, {higher} higher",
            (Panel(120, Axis("share of pairs", 0, 1, ".0%"), y, marks),),
        ),
    )


def _describe_quantiles(data: Observed, lower: str, equal: str, higher: str) -> str:
    sentences = [
        f"Quantile function of the gains of {counted(data.number, 'pair')}: the share of pairs on the x-axis, and the "
        "gain that this share of pairs does not exceed on the y-axis.",
        f"The line rises from {signed(data.low)} through the median {signed(data.quantile(0.5))} to "
        f"{signed(data.high)}; the interquartile range is {signed(data.quantile(0.25))} to "
        f"{signed(data.quantile(0.75))}.",
        f"With context, {lower} of the pairs score lower, {equal} the same and {higher} higher.",
    ]
    return " ".join([*sentences, *missing_sentence(data.missing, "pair", "gain")])


def plot_rejection(p_values: ArrayLike, levels: Sequence[float] = COMMON_LEVELS) -> Figure:
    """Plot r(x), the share of pairs whose shift of context is significant at level x (Czech News, Fig. 8).

    A pair whose p-value is not defined is never significant, and counts.

    Parameters: p_values, shape (pairs,); levels, at most three, to be marked and named.

    Raises:
        FigureError: no pair has a p-value, or a p-value or a level is no probability.
    """
    data = observe_any(p_values, "p-values")
    if data.low < 0 or data.high > 1 or not levels or min(levels) < 0 or max(levels) > 1:
        raise FigureError("P-values and significance levels must be between 0 and 1.")
    column: Floats = np.asarray(p_values, dtype=np.float64)
    shares = rejection_curve(column, LEVELS)
    named = rejection_curve(column, np.asarray(levels, dtype=np.float64))
    marks: tuple[Mark, ...] = (
        Line((0.0, 1.0), (0.0, 1.0), "quiet", dotted=True),
        *(Rule(level) for level in levels),
        Line(tuple(LEVELS.tolist()), tuple(shares.tolist())),
        *_label_levels(levels, named, shares),
    )
    return Figure(
        name="rejection-curve",
        title="Share of pairs with a significant effect of context",
        description=_describe_rejection(data, levels, named),
        columns=("level", "share"),
        rows=tuple(zip(LEVELS.tolist(), shares.tolist(), strict=True)),
        plot=Plot(
            f"{counted(len(column), 'pair')}; dotted line: expected by chance alone",
            (Panel(150, Axis("significance level x", 0, 1), Axis("r(x), share of pairs", 0, 1, ".0%"), marks),),
        ),
    )


def _label_levels(levels: Sequence[float], named: Floats, shares: Floats) -> list[Label]:
    """Return labels below the curve at the right, or above it at the left if it leaves no room below."""
    below = shares[600] > 0.32
    x, top = (0.98, 0.27) if below else (min(max(levels) + 0.03, 0.5), 0.95)
    texts = [f"r({level:g}) = {share(float(part))}" for level, part in zip(levels, named, strict=True)]
    return [
        Label(text, x, top - 0.11 * place, "right" if below else "left", tone="strong")
        for place, text in enumerate(texts)
    ]


def _describe_rejection(data: Observed, levels: Sequence[float], named: Floats) -> str:
    parts = [f"{share(float(part))} at level {level:g}" for level, part in zip(levels, named, strict=True)]
    sentences = [
        f"Curve over {counted(data.number + data.missing, 'pair')}: the significance level from 0 to 1 on the x-axis, "
        "and the share of pairs for which equal means with and without context are rejected at that level on the "
        "y-axis.",
        f"That share is {listed(parts)}; the median p-value is {number(data.quantile(0.5), 3)}.",
        "The dotted diagonal shows the share expected by chance alone.",
    ]
    if data.missing:
        sentences.append(
            f"For {counted(data.missing, 'pair')}, the p-value is not defined; equal means count as not rejected."
        )
    return " ".join(sentences)
