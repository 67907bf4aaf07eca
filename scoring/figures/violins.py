"""Violins: the densities of several groups of numbers, one below the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from scoring.figures.density import Density, density
from scoring.figures.figure import Cell, Figure, FigureError
from scoring.figures.plot import Axis, Band, Label, Mark, Panel, Plot, Points, Spans
from scoring.figures.values import Observed, check_scale, observe
from scoring.figures.wording import counted, fixed, listed, missing_sentence, number
from scoring.stats.text import Readability

MEASURES = {
    "flesch_kincaid": "Flesch–Kincaid",
    "coleman_liau": "Coleman–Liau",
    "automated_readability": "Automated readability",
    "linsear_write": "Linsear Write",
    "gunning_fog": "Gunning fog",
    "text_standard": "Text standard",
}
COLUMNS = ("group", "number", "mean", "lower quartile", "median", "upper quartile", "at", "density")
PEAKS = {1: "one peak", 2: "two peaks", 3: "three peaks"}
MARKS_IN_WORDS = "point: median; bar: interquartile range"


@dataclass(frozen=True)
class _Violin:
    """A group; density is None if it is not defined."""

    name: str
    label: str
    observed: Observed
    density: Density | None


def plot_violins(
    groups: Mapping[str, ArrayLike],
    *,
    minimum: float,
    maximum: float,
    title: str = "Distribution of scores",
    noun: str = "pair",
) -> Figure:
    """Plot the density of the scores of each group, such as a language, a domain or a project (SemRel2024, Fig. 2).

    All violins have the same maximum width. A group with fewer than five scores, or no two different ones, has no
    density: it is shown by its median and quartiles alone.

    Parameters: groups, the scores of each, NaN for missing, from top to bottom; minimum and maximum, of the scale;
        noun, what one of the things scored is called.

    Raises:
        FigureError: there are no scores at all, or one is outside of the scale.
    """
    check_scale(minimum, maximum)
    observed = {name: observe(scores, "scores") for name, scores in groups.items()}
    several = len(observed) > 1
    labels = {name: f"{name} ({data.number:,})" if several else name for name, data in observed.items()}
    violins = _violins(observed, labels, minimum, maximum)
    total = sum(data.number for data in observed.values())
    brackets = "in brackets: number of scores; " if several else ""
    return Figure(
        name="score-violins",
        title=title,
        description=_describe_scores(violins, minimum, maximum, noun),
        columns=COLUMNS,
        rows=_rows(violins),
        plot=Plot(
            f"{counted(total, 'score')}; {brackets}{MARKS_IN_WORDS}", (_panel(violins, "score", minimum, maximum),)
        ),
    )


def _describe_scores(violins: Sequence[_Violin], minimum: float, maximum: float, noun: str) -> str:
    total = sum(violin.observed.number for violin in violins)
    missing = sum(violin.observed.missing for violin in violins)
    groups = f" in {len(violins)} groups, one below the other" if len(violins) > 1 else ""
    introduction = (
        f"Violin plot of {counted(total, 'score')}{groups}: the score on the x-axis, from {number(minimum)} to "
        f"{number(maximum)}, and the density as the height of the shape."
    )
    return " ".join([introduction, _medians(violins), *_peaks(violins), *missing_sentence(missing, noun, "score")])


def plot_readability(texts: Sequence[Readability]) -> Figure:
    """Plot how hard sentences are to read, by six measures in grades of school (DSCS 4.2, eq. 4-9; compare Fig. 4).

    Raises:
        FigureError: there are no sentences, or a grade is infinite.
    """
    columns = {field.name: [getattr(text, field.name) for text in texts] for field in fields(Readability)}
    observed = {MEASURES[name]: observe(values, "grades") for name, values in columns.items()}
    ends = _ends([data for data in observed.values() if data.number])
    means = {name: fixed(data.mean, 1) if data.number else "not defined" for name, data in observed.items()}
    violins = _violins(observed, {name: f"{name} ({mean})" for name, mean in means.items()}, *ends)
    return Figure(
        name="readability",
        title="Readability on six measures",
        description=(
            f"Violin plot of the readability of {counted(len(texts), 'sentence')} on six measures, one below the "
            "other: the school grade on the x-axis, and the density as the height of each shape. The means are: "
            f"{listed([f'{name} {mean}' for name, mean in means.items()])}. {_medians(violins)}"
        ),
        columns=COLUMNS,
        rows=_rows(violins),
        plot=Plot(
            f"{counted(len(texts), 'sentence')}; in brackets: mean; {MARKS_IN_WORDS}",
            (_panel(violins, "school grade", *ends),),
        ),
    )


def _ends(present: Sequence[Observed]) -> tuple[float, float]:
    """Return a range slightly wider than from lowest to highest, as grades of school have no limits."""
    if not present:
        raise FigureError("No grades are defined, so there is nothing to plot.")
    low, high = min(data.low for data in present), max(data.high for data in present)
    room = (high - low) * 0.15 or 1.0
    return float(np.floor(low - room)), float(np.ceil(high + room))


def _violins(
    observed: Mapping[str, Observed], labels: Mapping[str, str], minimum: float, maximum: float
) -> list[_Violin]:
    present = [data for data in observed.values() if data.number]
    if not present:
        raise FigureError("No scores are defined, so there is nothing to plot.")
    if min(data.low for data in present) < minimum - 1e-9 or max(data.high for data in present) > maximum + 1e-9:
        raise FigureError(f"A score is outside the range {number(minimum)} to {number(maximum)}.")
    return [_Violin(name, labels[name], data, density(data, minimum, maximum)) for name, data in observed.items()]


def _panel(violins: Sequence[_Violin], title: str, minimum: float, maximum: float) -> Panel:
    """Return a panel with the first group on top: the vertical axis goes downwards."""
    groups = len(violins)
    x = Axis(title, minimum, maximum)
    places = tuple(float(place) for place in range(groups))
    y = Axis("", groups - 0.4, -0.6, ticks=places, names=tuple(violin.label for violin in violins))
    shown = [(place, violin.observed) for place, violin in enumerate(violins) if violin.observed.number]
    at = tuple(float(place) for place, _ in shown)
    lower, median, upper = (tuple(data.quantile(part) for _, data in shown) for part in (0.25, 0.5, 0.75))
    marks: tuple[Mark, ...] = (
        *(_shape(violin.density, place) for place, violin in enumerate(violins) if violin.density is not None),
        Spans(lower, upper, at),
        Points(median, at),
        *(
            Label("no scores", (minimum + maximum) / 2, place, "center")
            for place, violin in enumerate(violins)
            if not violin.observed.number
        ),
    )
    return Panel(60.0 if groups == 1 else 30.0 * groups, x, y, marks)


def _shape(drawn: Density, place: int) -> Band:
    """Return the shape of a density, without lines where it is close to zero."""
    half = 0.44 * drawn.height / drawn.height.max()
    thick = half > 0.001
    low, high = (place - half)[thick], (place + half)[thick]
    return Band(tuple(drawn.at[thick].tolist()), tuple(low.tolist()), tuple(high.tolist()))


def _rows(violins: Sequence[_Violin]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((*_summary(violin), at, height) for violin in violins for at, height in _points(violin.density))


def _summary(violin: _Violin) -> tuple[Cell, ...]:
    data = violin.observed
    if not data.number:
        return (violin.name, 0, None, None, None, None)
    return (violin.name, data.number, data.mean, data.quantile(0.25), data.quantile(0.5), data.quantile(0.75))


def _points(drawn: Density | None) -> list[tuple[Cell, Cell]]:
    if drawn is None:
        return [(None, None)]
    return list(zip(drawn.at.round(9).tolist(), drawn.height.tolist(), strict=True))


def _medians(violins: Sequence[_Violin]) -> str:
    medians = {violin.name: violin.observed.quantile(0.5) for violin in violins if violin.observed.number}
    if len(medians) > 1:
        lowest, highest = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
        return f"Medians range from {number(medians[lowest])} ({lowest}) to {number(medians[highest])} ({highest})."
    (data,) = (violin.observed for violin in violins if violin.observed.number)
    return (
        f"The median is {number(data.quantile(0.5))}; the interquartile range is {number(data.quantile(0.25))} to "
        f"{number(data.quantile(0.75))} and the full range {number(data.low)} to {number(data.high)}."
    )


def _peaks(violins: Sequence[_Violin]) -> list[str]:
    """Return which groups have one peak, which two, ...; and where they are, if there is only one group."""
    drawn = {violin.name: violin.density.peaks for violin in violins if violin.density is not None}
    undefined = [violin.name for violin in violins if violin.density is None]
    sentences = []
    if len(violins) == len(drawn) == 1:
        (peaks,) = drawn.values()
        places = listed([number(peak) for peak in peaks])
        sentences.append(f"The density has {_number_of_peaks(len(peaks))}, at {places}.")
    elif drawn:
        parts = [
            f"{_number_of_peaks(count)} for {listed([name for name, peaks in drawn.items() if len(peaks) == count])}"
            for count in sorted({len(peaks) for peaks in drawn.values()})
        ]
        sentences.append(f"The density has {'; '.join(parts)}.")
    if undefined:
        sentences.append(f"Too few distinct scores for a density: {listed(undefined)}.")
    return sentences


def _number_of_peaks(peaks: int) -> str:
    return PEAKS.get(peaks, f"{peaks} peaks")
