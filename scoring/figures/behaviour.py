"""Figures of people's behaviour: thinking time, practice, waiting (Czech News, Fig. 4)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.figures.figure import Figure, FigureError
from scoring.figures.plot import Axis, Bars, Label, Line, Mark, Panel, Plot, Rule
from scoring.figures.values import LARGEST, Observed, counts_axis, head_room, observe_any, round_step
from scoring.figures.wording import counted, fixed, number, share
from scoring.stats.curves import Curve, waiting_share

Floats = NDArray[np.float64]
SHOWN = 0.98
"""The share of observations that an axis of time covers; a single pause for lunch would flatten all the rest."""
FIRST_ROUND, EARLIER_VALUES = "the first round", "the earlier values"
"""The references that ratings are compared with: the values of the selection, or those of the file of the pairs."""


def plot_thinking_time(curve: Curve, *, bucket: float = 1.0, reference: str = FIRST_ROUND) -> Figure:
    """Plot root mean squared error against a reference by thinking time, with counts (Czech News, Fig. 4a).

    Parameters: reference, in words; curve, of `stats.curves.error_by_thinking_time` with the same bucket. All of it is
        in the data; the first 98 % of the ratings are drawn.

    Raises:
        FigureError: there are no ratings.
    """
    total = int(curve.counts.sum())
    if not total:
        raise FigureError("There are no ratings with a thinking time, so there is nothing to plot.")
    shown = int(np.searchsorted(np.cumsum(curve.counts), SHOWN * total)) + 1
    drawn = Curve(curve.steps[:shown], curve.values[:shown], curve.counts[:shown])
    overall = float(np.sqrt(np.sum(curve.counts * curve.values**2) / total))
    ends = (curve.steps + bucket).tolist()
    return Figure(
        name="thinking-time",
        title="Error by thinking time",
        description=_describe_thinking(curve, drawn, bucket, overall, reference),
        columns=("from second", "to second", "rmse", "ratings"),
        rows=tuple(zip(curve.steps.tolist(), ends, curve.values.tolist(), curve.counts.tolist(), strict=True)),
        plot=_draw_thinking(drawn, bucket, total, overall, reference),
    )


def _draw_thinking(drawn: Curve, bucket: float, total: int, overall: float, reference: str) -> Plot:
    beyond = total - int(drawn.counts.sum())
    x = Axis("thinking time in seconds", min(0.0, float(drawn.steps[0])), float(drawn.steps[-1]) + bucket)
    y = Axis(f"root mean squared error relative to {reference}", 0, head_room(float(drawn.values.max())))
    marks = (
        Line((x.low, x.high), (overall, overall), "quiet", dotted=True),
        Line(tuple((drawn.steps + bucket / 2).tolist()), tuple(drawn.values.tolist()), points=True),
    )
    subtitle = f"{counted(total, 'rating')}; dotted line: overall error, {number(overall)}"
    if beyond:
        subtitle += f"; not shown: {beyond:,} beyond {number(x.high)} s"
    return Plot(subtitle, (Panel(110, x, y, marks), _counts_below(drawn, x, 0, bucket)))


def _counts_below(curve: Curve, x: Axis, left: float, right: float) -> Panel:
    """Return bars from left to right of each step with the number of ratings behind each point of the curve above."""
    bars = Bars(
        tuple((curve.steps + left).tolist()),
        tuple((curve.steps + right).tolist()),
        tuple(curve.counts.astype(float).tolist()),
        "middle",
    )
    return Panel(40, x, counts_axis("number of ratings", int(curve.counts.max()), ticks=2), (bars,))


def _describe_thinking(curve: Curve, drawn: Curve, bucket: float, overall: float, reference: str) -> str:
    lowest, highest = int(drawn.values.argmin()), int(drawn.values.argmax())
    middle = float(curve.steps[np.searchsorted(np.cumsum(curve.counts), curve.counts.sum() / 2)])

    def at(place: int) -> str:
        return f"{number(float(drawn.values[place]))} at {number(float(drawn.steps[place]))} s"

    return (
        f"Curve over {counted(int(curve.counts.sum()), 'rating')}: thinking time on the x-axis, in bins of "
        f"{number(bucket)} s, and root mean squared error relative to {reference} on the y-axis; the bars below show "
        f"the number of ratings. The error changes from {at(0)} to {at(-1)}; it is highest at {at(highest)} and lowest "
        f"at {at(lowest)}. Overall, it is {number(overall)}. The median thinking time lies between {number(middle)} "
        f"and {number(middle + bucket)} s."
    )


def plot_practice(curve: Curve, *, reference: str = FIRST_ROUND) -> Figure:
    """Plot Pearson's r with a reference by the number of ratings already made: the calibration curve (Fig. 4b).

    Parameters: reference, in words; curve, of `stats.curves.correlation_by_practice`; the line is broken where r is not
        defined (NaN).

    Raises:
        FigureError: no correlation is defined.
    """
    if np.isnan(curve.values).all():
        raise FigureError(f"No correlation with {reference} is defined, so there is nothing to plot.")
    steps = curve.steps.astype(np.int64).tolist()
    return Figure(
        name="calibration-curve",
        title=f"Agreement with {reference} by practice",
        description=_describe_practice(curve, reference),
        columns=("ratings already made", "pearson", "ratings"),
        rows=tuple(zip(steps, curve.values.tolist(), curve.counts.tolist(), strict=True)),
        plot=_draw_practice(curve, reference),
    )


def _draw_practice(curve: Curve, reference: str) -> Plot:
    """Return the curve, and bars below with the numbers of ratings unless these are the same at each point."""
    y = Axis(f"Pearson's r with {reference}", min(0.0, float(np.nanmin(curve.values))), 1.0)
    x = Axis("ratings made so far", float(curve.steps[0]) - 0.5, float(curve.steps[-1]) + 0.5, "d")
    panels = [Panel(110, x, y, (Line(tuple(curve.steps.tolist()), tuple(curve.values.tolist()), points=True),))]
    subtitle = counted(int(curve.counts.sum()), "rating")
    if len(set(curve.counts.tolist())) > 1:
        panels.append(_counts_below(curve, x, -0.4, 0.4))
    elif len(curve.counts) > 1:
        subtitle += f", {int(curve.counts[0]):,} at each point"
    return Plot(subtitle, tuple(panels))


def _describe_practice(curve: Curve, reference: str) -> str:
    defined = ~np.isnan(curve.values)
    steps, values = curve.steps[defined].astype(np.int64).tolist(), curve.values[defined]
    lowest, highest = int(values.argmin()), int(values.argmax())
    sentences = [
        f"Curve over {counted(int(curve.counts.sum()), 'rating')}: the number of ratings that an annotator has made "
        f"so far on the x-axis, and Pearson's correlation of the ratings made at that point with {reference}.",
        f"The correlation is {fixed(values[0], 2)} after {counted(steps[0], 'rating')} and {fixed(values[-1], 2)} "
        f"after {steps[-1]:,}.",
        f"It is lowest after {steps[lowest]:,} ({fixed(values[lowest], 2)}) and highest after {steps[highest]:,} "
        f"({fixed(values[highest], 2)}), with median {fixed(float(np.median(values)), 2)}.",
    ]
    if not defined.all():
        sentences.append(f"At {counted(int((~defined).sum()), 'point')} it is not defined, so the line is interrupted.")
    return " ".join(sentences)


def plot_waiting(hours: ArrayLike, *, pause: float | None = None) -> Figure:
    """Plot the share of people who waited less than x hours between the sessions (Czech News, Fig. 4c).

    Parameters: hours, shape (people,), NaN for people who never came back: they are left out; pause, the hours that
        were recommended or forced (72 in the paper). All is in the data; the first 98 %, and the pause, are drawn.

    Raises:
        FigureError: nobody came back, a waiting time is below zero, or the pause is not above zero.
    """
    data = observe_any(hours, "waiting times")
    if data.low < 0:
        raise FigureError("Waiting times cannot be negative.")
    if pause is not None and not 0 < pause <= LARGEST:
        raise FigureError("The pause must be longer than zero.")
    step = round_step(data.high / 400)
    limits = np.round(np.arange(int(data.high / step) + 2) * step, 9)
    shares = waiting_share(data.values, limits)
    return Figure(
        name="waiting-times",
        title="Waiting time between sessions",
        description=_describe_waiting(data, pause),
        columns=("hours", "share"),
        rows=tuple(zip(limits.tolist(), shares.tolist(), strict=True)),
        plot=_draw_waiting(data, pause, limits, shares),
    )


def _draw_waiting(data: Observed, pause: float | None, limits: Floats, shares: Floats) -> Plot:
    """Return a line that is straight from one limit to the next; beyond the last, everybody has waited less."""
    reach = max(data.quantile(SHOWN) * 1.05, (pause or 0.0) * 1.1, float(limits[1]))
    drawn = limits <= reach
    at, part = [*limits[drawn].tolist(), reach], [*shares[drawn].tolist(), float(np.interp(reach, limits, shares))]
    marks: list[Mark] = [Line(tuple(at), tuple(part))]
    subtitle = f"{counted(data.number, 'person', 'people')}; median {number(data.quantile(0.5), 1)} h"
    if pause is not None:
        early = share(float(np.mean(data.values < pause)))
        marks += [Rule(pause), Label(f"{number(pause)} h", pause, 0.07, "right", right=-4)]
        subtitle += f"; {early} waited less than {number(pause)} h"
    x, y = Axis("waiting time in hours", 0, reach), Axis("share of annotators who waited less", 0, 1, ".0%")
    return Plot(subtitle, (Panel(120, x, y, tuple(marks)),))


def _describe_waiting(data: Observed, pause: float | None) -> str:
    low, lower, median, upper, high = (number(data.quantile(part), 1) for part in (0, 0.25, 0.5, 0.75, 1))
    sentences = [
        f"Curve over {counted(data.number, 'person', 'people')}: the waiting time between sessions in hours on the "
        "x-axis, and the share of annotators who waited less on the y-axis.",
        f"Waiting times range from {low} to {high} h; the median is {median} h and the interquartile range {lower} to "
        f"{upper} h.",
    ]
    if pause is not None:
        early = share(float(np.mean(data.values < pause)))
        sentences.append(f"{early} waited less than {number(pause)} h.")
    if data.missing:
        sentences.append(f"Left out: {counted(data.missing, 'person', 'people')} who did not return.")
    return " ".join(sentences)
