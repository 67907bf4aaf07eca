"""Figures of what context changes: gains, and for how many pairs the change is significant."""

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
    label_beside,
    observe_some,
    on_points,
)
from scoring.figures.wording import counted, listed, missing_sentence, number, share, signed
from scoring.stats.context import rejection_curve

Floats = NDArray[np.float64]
LEVELS = np.arange(1001) / 1000
PROBABILITIES = np.arange(201) / 200
COMMON_LEVELS = (0.01, 0.05, 0.1)


def plot_gains(gains: ArrayLike, *, step: float | None = None) -> Figure:
    """How much the scores of pairs rise with context, as a histogram (Czech News, Fig. 14a and b).

    Parameters: gains, shape (pairs,), NaN for pairs without; step, the distance of possible gains if there is one, such
        as 1/9 for means of nine whole ratings.

    Raises:
        FigureError: no gains, or one that cannot be in steps of that size.
    """
    check_step(step)
    own = _observe_gains(gains)
    if step is None:
        histogram = in_bins(own.values, own.low, own.high)
    else:
        low, high = (round(end / step) * step for end in (own.low, own.high))
        histogram = on_points(own.values, low, high, step)
    return Figure(
        name="gain-histogram",
        title="Gain in score with context",
        description=_describe_gains(own, histogram),
        columns=("from", "to", "pairs", "share"),
        rows=tuple(histogram.rows()),
        plot=_draw_gains(own, histogram),
    )


def _observe_gains(gains: ArrayLike) -> Observed:
    """Equal means differ by a rounding error: such a gain is none."""
    own = observe_some(gains, "gains")
    return Observed(np.round(own.values, 9), own.missing)


def _draw_gains(own: Observed, histogram: Histogram) -> Plot:
    low, high = histogram.ends()
    x = Axis("gain: score with context minus score without", min(low, 0.0), max(high, 0.0))
    y = counts_axis("number of pairs", histogram.tallest)
    label = label_beside(f"mean {signed(own.mean)}", own.mean, x, y)
    return Plot(
        f"{counted(own.number, 'pair')}; mean {signed(own.mean)}, SD {number(own.deviation)}",
        (Panel(120, x, y, (histogram.bars("middle"), Rule(own.mean, "strong"), label)),),
    )


def _describe_gains(own: Observed, histogram: Histogram) -> str:
    sentences = [
        f"Histogram of the gains of {counted(own.number, 'pair')}: the gain, which is the score with context minus the "
        "one without, on the horizontal axis, the number of pairs on the vertical one.",
        f"Gains go from {signed(own.low)} to {signed(own.high)}, with mean {signed(own.mean)}, median "
        f"{signed(own.quantile(0.5))} and standard deviation {number(own.deviation)}; the {histogram.most()}.",
    ]
    return " ".join([*sentences, *missing_sentence(own.missing, "pair", "gain")])


def plot_gain_quantiles(gains: ArrayLike) -> Figure:
    """How much the scores of pairs rise with context, as a quantile function (Czech News, Fig. 14c).

    Parameters: gains, shape (pairs,), NaN for pairs without.

    Raises:
        FigureError: no gains.
    """
    own = _observe_gains(gains)
    values = np.quantile(own.values, PROBABILITIES, method="inverted_cdf")
    room = (own.high - own.low) * 0.05 or 0.5
    y = Axis("gain in score with context", min(own.low - room, 0.0), max(own.high + room, 0.0))
    marks = (
        Line((0.0, 1.0), (0.0, 0.0), "quiet", dotted=True),
        Line(tuple(PROBABILITIES.tolist()), tuple(values.tolist()), stepped=True),
    )
    lower, same, higher = (share(float(np.mean(side))) for side in (own.values < 0, own.values == 0, own.values > 0))
    return Figure(
        name="gain-quantiles",
        title="Quantiles of the gain in score with context",
        description=_describe_quantiles(own, lower, same, higher),
        columns=("share", "gain"),
        rows=tuple(zip(PROBABILITIES.tolist(), values.tolist(), strict=True)),
        plot=Plot(
            f"{counted(own.number, 'pair')}: {lower} lower, {same} the same, {higher} higher",
            (Panel(120, Axis("share of pairs", 0, 1, ".0%"), y, marks),),
        ),
    )


def _describe_quantiles(own: Observed, lower: str, same: str, higher: str) -> str:
    sentences = [
        f"Quantile function of the gains of {counted(own.number, 'pair')}: the share of pairs on the horizontal axis, "
        "the gain that this share does not exceed on the vertical one.",
        f"The line rises from {signed(own.low)} over the median {signed(own.quantile(0.5))} to {signed(own.high)}; the "
        f"middle half of the pairs lies between {signed(own.quantile(0.25))} and {signed(own.quantile(0.75))}.",
        f"With context, {lower} of the pairs score lower, {same} the same and {higher} higher.",
    ]
    return " ".join([*sentences, *missing_sentence(own.missing, "pair", "gain")])


def plot_rejection(p_values: ArrayLike, levels: Sequence[float] = COMMON_LEVELS) -> Figure:
    """r(x), the share of pairs whose shift of context is significant on level x (Czech News, Fig. 8).

    A pair whose p-value is not defined is never significant, and counts.

    Parameters: p_values, shape (pairs,); levels, at most three, to be marked and named.

    Raises:
        FigureError: no pair with a p-value, one that is no probability, or such a level.
    """
    own = observe_some(p_values, "p-values")
    if own.low < 0 or own.high > 1 or not levels or min(levels) < 0 or max(levels) > 1:
        raise FigureError("A p-value and a level of significance lie between 0 and 1.")
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
        title="Share of pairs that context changes significantly",
        description=_describe_rejection(own, levels, named),
        columns=("level", "share"),
        rows=tuple(zip(LEVELS.tolist(), shares.tolist(), strict=True)),
        plot=Plot(
            f"{counted(len(column), 'pair')}; dotted: what chance alone would give",
            (Panel(150, Axis("level of significance x", 0, 1), Axis("r(x), share of pairs", 0, 1, ".0%"), marks),),
        ),
    )


def _label_levels(levels: Sequence[float], named: Floats, shares: Floats) -> list[Label]:
    """Below the curve at the right, or above it at the left where it leaves no room below."""
    below = shares[600] > 0.32
    x, top = (0.98, 0.27) if below else (min(max(levels) + 0.03, 0.5), 0.95)
    texts = [f"r({level:g}) = {share(float(part))}" for level, part in zip(levels, named, strict=True)]
    return [
        Label(text, x, top - 0.11 * place, "right" if below else "left", tone="strong")
        for place, text in enumerate(texts)
    ]


def _describe_rejection(own: Observed, levels: Sequence[float], named: Floats) -> str:
    parts = [f"{share(float(part))} on level {level:g}" for level, part in zip(levels, named, strict=True)]
    sentences = [
        f"Curve over {counted(own.number + own.missing, 'pair')}: the level of significance on the horizontal axis, "
        "from 0 to 1, and on the vertical one the share of pairs for which equal scores with and without context are "
        "rejected on that level.",
        f"That share is {listed(parts)}; the median p-value is {number(own.quantile(0.5), 3)}.",
        "A dotted diagonal shows the share that chance alone would give.",
    ]
    if own.missing:
        sentences.append(f"Of {counted(own.missing, 'pair')} the p-value is not defined; they count as not rejected.")
    return " ".join(sentences)
