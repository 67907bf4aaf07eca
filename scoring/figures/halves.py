"""The figure of split-half reliability."""

from collections.abc import Mapping
from math import isnan

from scoring.figures.figure import Figure, FigureError
from scoring.figures.plot import Axis, Label, Panel, Plot, Rule
from scoring.figures.values import Histogram, Observed, counts_axis, in_bins, label_rule, observe
from scoring.figures.wording import counted, fixed
from scoring.stats.reliability import SplitHalf, Spread


def plot_split_half(result: SplitHalf) -> Figure:
    """Plot the correlations between random halves of the judgments, Spearman's and Pearson's (SemRel2024 3.2, table 3).

    A correlation that is not defined in any split gets a panel that says why.

    Raises:
        FigureError: no split has a correlation.
    """
    spearman, pearson = result.summary()
    spreads = {"Spearman": spearman, "Pearson": pearson}
    observed = {
        "Spearman": observe(result.spearman, "correlations"),
        "Pearson": observe(result.pearson, "correlations"),
    }
    present = [data for data in observed.values() if data.number]
    if not present:
        raise FigureError(f"{spearman.reason}." if spearman.reason else "Without splits there is nothing to plot.")
    ends = min(data.low for data in present), max(data.high for data in present)
    histograms = {name: in_bins(data.values, *ends) for name, data in observed.items()}
    x = Axis("correlation between the halves", *histograms["Spearman"].ends())
    y = counts_axis("number of splits", max(bars.tallest for bars in histograms.values()))
    splits = len(result.spearman)
    return Figure(
        name="split-half",
        title="Split-half reliability",
        description=_describe(result, spreads, observed, ends),
        columns=("correlation", "from", "to", "splits", "share", "mean"),
        rows=tuple((name.lower(), *row, spreads[name].mean) for name in histograms for row in histograms[name].rows()),
        plot=Plot(
            f"{counted(splits, 'random split')} by {result.by}; {_items(result)}",
            tuple(_panel(name, histograms[name], spreads[name], x, y) for name in histograms),
        ),
    )


def _panel(name: str, bars: Histogram, spread: Spread, x: Axis, y: Axis) -> Panel:
    if not bars.counts.sum():
        return Panel(
            75,
            x,
            y,
            (Label("not defined", (x.low + x.high) / 2, y.high / 2, "center"),),
            heading=f"{name}: not defined",
        )
    label = label_rule("mean", spread.mean, x, y)
    heading = (
        f"{name}: mean {fixed(spread.mean, 3)}, 95% of splits from {fixed(spread.low, 3)} to {fixed(spread.high, 3)}"
    )
    return Panel(75, x, y, (bars.bars("middle"), Rule(spread.mean, "strong"), label), heading)


def _full_length(spread: Spread) -> str:
    if isnan(spread.full_length):
        return ""
    return f" Spearman–Brown corrected reliability: {fixed(spread.full_length, 3)}."


def _items(result: SplitHalf) -> str:
    low, high = int(result.items.min()), int(result.items.max())
    return counted(low, "item") if low == high else f"{low:,} to {counted(high, 'item')}"


def _describe(
    result: SplitHalf, spreads: Mapping[str, Spread], observed: Mapping[str, Observed], ends: tuple[float, float]
) -> str:
    sentences = [
        "Two histograms of the correlations between two random halves of the judgments, for "
        f"{counted(len(result.spearman), 'split')} by {result.by}, each of {_items(result)}: the correlation on the "
        f"x-axis, from {fixed(ends[0], 3)} to {fixed(ends[1], 3)}, the number of splits on the y-axis.",
    ]
    for name, spread in spreads.items():
        if observed[name].number:
            sentences.append(
                f"{name}'s correlation has mean {fixed(spread.mean, 3)} and median "
                f"{fixed(observed[name].quantile(0.5), 3)}; 95% of splits lie between {fixed(spread.low, 3)} and "
                f"{fixed(spread.high, 3)}.{_full_length(spread)}"
            )
        if spread.reason:
            sentences.append(f"{name}: {spread.reason}.")
    return " ".join(sentences)
