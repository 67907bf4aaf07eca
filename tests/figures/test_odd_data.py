"""Whatever the data: a figure that can be drawn, or a FigureError."""

from math import nan

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.figures.behaviour import plot_practice, plot_thinking_time, plot_waiting
from scoring.figures.context import plot_gain_quantiles, plot_gains, plot_rejection
from scoring.figures.drawing import draw_svg
from scoring.figures.figure import Figure, FigureError, write_csv
from scoring.figures.halves import plot_split_half
from scoring.figures.scores import plot_classes, plot_scores
from scoring.figures.violins import plot_violins
from scoring.stats.curves import correlation_by_practice, error_by_thinking_time
from scoring.stats.reliability import SplitHalf
from tests.properties import examples

numbers = st.one_of(
    st.just(nan), st.sampled_from([0.0, 1.0, 1e-300, 1e-12, 0.1, 1e8, -3.0]), st.floats(-10, 10), st.floats()
)
columns = st.one_of(
    st.lists(numbers, max_size=8),
    st.builds(lambda value, times: [value] * times, numbers, st.integers(1, 8)),
)
points = st.lists(st.one_of(st.just(nan), st.integers(0, 6).map(float)), max_size=12)
MAKERS = [
    lambda values: plot_scores(values, {"N": values[:2]}, minimum=-10, maximum=10),
    lambda values: plot_scores(values, minimum=0, maximum=6, step=1 / 9),
    lambda values: plot_classes({"a": values, "b": []}, {"a": 6, "b": 0}, minimum=0, maximum=6),
    lambda values: plot_violins({"a": values, "b": values[:1]}, minimum=-10, maximum=10),
    lambda values: plot_gains(values),
    lambda values: plot_gains(values, step=0.5),
    lambda values: plot_gain_quantiles(values),
    lambda values: plot_rejection(values),
    lambda values: plot_waiting(values, pause=72),
]


def refused_or_sound(make, values) -> Figure | None:
    try:
        figure = make(values)
    except FigureError as refusal:
        assert str(refusal).endswith(".")
        return None
    assert "nan" not in figure.description.split() and "inf" not in figure.description
    assert len(write_csv(figure).splitlines()) == 1 + len(figure.rows)
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    return figure


@given(st.sampled_from(MAKERS), st.one_of(columns, points))
@settings(max_examples=examples(2))
def test_columns_of_any_numbers(make, values):
    refused_or_sound(make, values)


@given(st.sampled_from(MAKERS), st.one_of(columns, points))
@settings(max_examples=examples(0.25))
def test_what_is_made_can_be_drawn(make, values):
    figure = refused_or_sound(make, values)

    assert figure is None or draw_svg(figure).startswith("<svg")


@given(st.lists(st.tuples(st.floats(0, 1e4), st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_curves_of_any_ratings(rows):
    seconds, values, reference = np.array(rows, dtype=float).reshape(-1, 3).T

    refused_or_sound(lambda curve: plot_thinking_time(curve), error_by_thinking_time(seconds, values, reference))
    order = np.floor(seconds / 3).astype(np.int64)
    refused_or_sound(lambda curve: plot_practice(curve), correlation_by_practice(order, values, reference))


@given(st.lists(st.tuples(st.one_of(st.just(nan), st.floats(-1, 1)), st.floats(-1, 1)), max_size=8))
def test_splits_of_any_correlations(rows):
    spearman, pearson = np.array(rows, dtype=float).reshape(-1, 2).T

    refused_or_sound(
        lambda result: plot_split_half(result), SplitHalf("judgment", np.full(len(rows), 3), spearman, pearson)
    )
