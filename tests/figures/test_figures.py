import numpy as np
import pytest

from scoring.exports.report.tables import printed
from scoring.figures.behaviour import plot_practice, plot_thinking_time, plot_waiting
from scoring.figures.context import plot_gain_quantiles, plot_gains, plot_rejection
from scoring.figures.drawing import draw_svg
from scoring.figures.figure import FigureError
from scoring.figures.halves import plot_split_half
from scoring.figures.people import plot_answers, plot_pairwise
from scoring.figures.scores import plot_classes, plot_scores
from scoring.figures.violins import plot_readability, plot_violins
from scoring.figures.wording import fixed
from scoring.stats.curves import Curve, correlation_by_practice, error_by_thinking_time
from scoring.stats.reliability import SplitHalf
from scoring.stats.text import Readability

NAN = float("nan")


def test_scores_before_and_after_a_filter():
    figure = plot_scores([0, 0, 0, 3, NAN], {"N1": [0, 0, 0], "N0": []}, minimum=0, maximum=3, step=1)

    assert figure.rows[:4] == (
        ("before filtering", 0.0, 0.0, 3, 0.75),
        ("before filtering", 1.0, 1.0, 0, 0.0),
        ("before filtering", 2.0, 2.0, 0, 0.0),
        ("before filtering", 3.0, 3.0, 1, 0.25),
    )
    assert figure.rows[-1] == ("N0", 3.0, 3.0, 0, None)
    assert figure.description == (
        "Histogram of the scores of 4 pairs: the score on the x-axis, the number of pairs on the y-axis. Scores range "
        "from 0 to 3, with median 0 and mean 0.75; the most frequent is 0 (75%). Of these, N1 keeps 3 (75%, mean 0) "
        "and N0 keeps 0 (0%). Left out: 1 pair without a score."
    )


def test_scores_that_are_no_points_of_a_scale_are_put_into_bins():
    figure = plot_scores([0.0, 0.05, 0.3, 1.0], minimum=0, maximum=1)

    assert [row[:4] for row in figure.rows if row[3]] == [
        ("before filtering", 0.0, 0.05, 1),
        ("before filtering", 0.05, 0.1, 1),
        ("before filtering", 0.3, 0.35, 1),
        ("before filtering", 0.95, 1.0, 1),
    ]
    assert figure.title == "Distribution of scores"


def test_many_points_of_a_scale_are_taken_together():
    figure = plot_scores(np.arange(101), minimum=0, maximum=100, step=1)

    assert figure.rows[:2] == (("before filtering", 0.0, 1.0, 2, 2 / 101), ("before filtering", 2.0, 3.0, 2, 2 / 101))


def test_classes_name_what_the_filters_leave_out():
    figure = plot_classes(
        {"green": [6, 6, 5, 0], "red": [0, NAN], "blue": []}, {"green": 6, "red": 0, "blue": 3}, minimum=0, maximum=6
    )

    assert figure.rows[0] == ("green", 0.0, 0.0, 1, 0.25, 6)
    assert "green (expected score 6): 4 pairs, most frequent is 6 (50%), 25% more than 2 away; " in (figure.description)
    assert "red (expected score 0): 1 pair, most frequent is 0 (100%), 0% more than 2 away; blue has no pairs. " in (
        figure.description
    )
    assert "no pairs" in draw_svg(figure)


def test_violins_name_medians_and_peaks():
    generator = np.random.default_rng(2)
    two = np.clip(np.concatenate([generator.normal(0.2, 0.05, 300), generator.normal(0.8, 0.05, 400)]), 0, 1)
    figure = plot_violins(
        {"one": generator.normal(0.5, 0.1, 500), "two": two, "few": [0.1, NAN], "same": [0.4] * 9, "none": []},
        minimum=0,
        maximum=1,
    )

    assert f"Medians range from 0.1 (few) to {np.median(two):.2f} (two)." in figure.description
    assert "The density has one peak for one; two peaks for two." in figure.description
    assert "Too few distinct scores for a density: few, same and none. Left out: 1 pair" in figure.description
    assert figure.rows[202:] == (
        ("few", 1, 0.1, 0.1, 0.1, 0.1, None, None),
        ("same", 9, 0.4, 0.4, 0.4, 0.4, None, None),
        ("none", 0, None, None, None, None, None, None),
    )
    assert "no scores" in draw_svg(figure)


def test_density_of_a_violin_has_area_one_and_one_group_says_where_its_peaks_are():
    figure = plot_violins({"all": np.random.default_rng(3).beta(0.6, 0.6, 4000)}, minimum=0, maximum=1)

    at, heights = np.array([row[6:] for row in figure.rows], dtype=float).T
    assert np.trapezoid(heights, at) == pytest.approx(1, abs=0.01)
    assert "The density has two peaks, at 0 and 1." in figure.description
    assert "The median is 0.49; the interquartile range is 0.16 to 0.82 and the full range " in figure.description


def test_single_group_without_density_says_so():
    figure = plot_violins({"all": [0.5]}, minimum=0, maximum=1)

    assert figure.description.endswith("Too few distinct scores for a density: all.")


def test_peaks_beyond_three_are_counted():
    figure = plot_violins({"all": np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 3000)}, minimum=0, maximum=1)

    assert "The density has 5 peaks, at 0.1, 0.3, 0.5, 0.7 and 0.9." in figure.description


def test_readability_names_the_means():
    texts = [Readability(10, 11, 12, 13, 14, NAN), Readability(12, 11, 13, 13, 16, NAN)]

    assert (
        "The means are: Flesch–Kincaid 11.0, Coleman–Liau 11.0, Automated readability 12.5, Linsear Write 13.0, "
        "Gunning fog 15.0 and Text standard not defined. Medians range from 11 (Flesch–Kincaid) to 15 (Gunning fog)."
    ) in plot_readability(texts).description


def test_gains_in_steps_and_without():
    figure = plot_gains(np.array([-1, 0, 0, 2, NAN]) / 9, step=1 / 9)

    assert [row[2] for row in figure.rows] == [1, 2, 0, 1]
    assert (
        "Gains range from −0.11 to +0.22, with mean +0.03, median 0 and standard deviation 0.14;"
    ) in figure.description
    assert sum(row[2] for row in plot_gains([0.1, 0.25, -3.0]).rows) == 3


def test_gains_of_equal_means_are_none():
    figure = plot_gain_quantiles([4e-16, -4e-16, 0.5, -1.0])

    assert figure.description.endswith(
        "The line rises from −1 through the median 0 to +0.5; the interquartile range is −0.25 to +0.12. With context, "
        "25% of the pairs score lower, 50% the same and 25% higher."
    )
    assert (figure.rows[0], figure.rows[100], figure.rows[-1]) == ((0.0, -1.0), (0.5, 0.0), (1.0, 0.5))


def test_rejection_counts_pairs_without_p_value():
    figure = plot_rejection([0.001, 0.05, 0.5, NAN])

    assert figure.rows[50] == (0.05, 0.5)
    assert figure.rows[1000] == (1.0, 0.75)
    assert "That share is 25% at level 0.01, 50% at level 0.05 and 50% at level 0.1;" in figure.description
    assert "For 1 pair, the p-value is not defined; equal means count as not rejected." in figure.description


def test_labels_of_levels_stand_where_the_curve_is_not():
    below, above = (
        [mark.align for mark in plot_rejection(values).plot.panels[0].marks if hasattr(mark, "align")]
        for values in ([0.01, 0.02], [0.9, NAN])
    )

    assert (below, above) == (["right"] * 3, ["left"] * 3)


def test_thinking_time_draws_the_bulk_and_tabulates_all():
    seconds = np.array([0.5] * 60 + [1.5] * 39 + [900.0])
    figure = plot_thinking_time(error_by_thinking_time(seconds, np.full(100, 2.0), np.zeros(100)))

    assert figure.rows == ((0.0, 1.0, 2.0, 60), (1.0, 2.0, 2.0, 39), (900.0, 901.0, 2.0, 1))
    assert figure.plot.panels[0].x.high == 2
    assert figure.plot.subtitle == "100 ratings; dotted line: overall error, 2; not shown: 1 beyond 2 s"
    assert "The median thinking time lies between 0 and 1 s." in figure.description


def test_thinking_time_within_one_bucket():
    assert plot_thinking_time(Curve(np.array([3.0]), np.array([0.0]), np.array([4]))).rows == ((3.0, 4.0, 0.0, 4),)


def test_practice_breaks_the_line_where_the_correlation_is_not_defined():
    order = np.repeat([0, 1, 2], 3)
    values = np.array([0, 1, 2, 4, 4, 4, 2, 1, 0], dtype=float)
    figure = plot_practice(correlation_by_practice(order, values, np.tile([0.0, 1, 2], 3)))

    assert figure.description.endswith(
        "The correlation is 1.00 after 0 ratings and −1.00 after 2. It is lowest after 2 (−1.00) and highest after 0 "
        "(1.00), with median 0.00. At 1 point it is not defined, so the line is interrupted."
    )
    assert figure.plot.subtitle == "9 ratings, 3 at each point"
    assert draw_svg(figure)


def test_practice_with_one_point():
    curve = Curve(np.array([0.0]), np.array([0.5]), np.array([7]))

    assert plot_practice(curve).plot.subtitle == "7 ratings"


def test_waiting_times_with_and_without_a_pause():
    hours = [1.0, 2.0, 72.0, 100.0, NAN]

    assert plot_waiting(hours, pause=72).description.endswith(
        "Waiting times range from 1 to 100 h; the median is 37 h and the interquartile range 1.8 to 79 h. 50% waited "
        "less than 72 h. Left out: 1 person who did not return."
    )
    rows = dict(plot_waiting(hours).rows)
    assert (rows[1.0], rows[2.0], rows[72.0], rows[72.5], rows[100.5]) == (0, 0.25, 0.5, 0.75, 1)
    assert plot_waiting([3.0] * 4).plot.panels[0].marks[0].y[-1] == 1
    assert plot_waiting([0.0]).rows == ((0.0, 0.0), (1.0, 1.0))


def test_split_half_of_both_coefficients():
    result = SplitHalf("tuple", np.array([5, 6]), np.array([0.9, 0.94]), np.array([NAN, NAN]))
    figure = plot_split_half(result)

    assert "Spearman's correlation has mean 0.920 and median 0.920;" in figure.description
    assert "Spearman–Brown corrected reliability: 0.958." in figure.description
    assert ("Pearson: no split has a correlation, because all scores in one half are equal") in figure.description
    assert figure.plot.subtitle == "2 random splits by tuple; 5 to 6 items"
    assert sum(row[3] for row in figure.rows) == 2
    assert "not defined" in draw_svg(figure)


REFUSED = [
    (lambda: plot_scores([], minimum=0, maximum=6), "No scores are defined"),
    (lambda: plot_scores([NAN], minimum=0, maximum=6), "No scores are defined"),
    (lambda: plot_scores([float("inf")], minimum=0, maximum=6), "infinite or very large"),
    (lambda: plot_scores([[1.0]], minimum=0, maximum=6), "one-dimensional"),
    (lambda: plot_scores([7], minimum=0, maximum=6), "outside the range 0 to 6"),
    (lambda: plot_scores([2.5], minimum=0, maximum=6, step=1), "not on the scale"),
    (lambda: plot_scores([2], minimum=0, maximum=6, step=0), "step of a scale"),
    (lambda: plot_scores([2], minimum=0, maximum=6, step=NAN), "step of a scale"),
    (lambda: plot_scores([2], minimum=6, maximum=6), "must be greater than its minimum"),
    (lambda: plot_scores([2], {"N1": [2, 2]}, minimum=0, maximum=6), "cannot keep more"),
    (lambda: plot_classes({"green": [1]}, {}, minimum=0, maximum=6), "its expected score"),
    (lambda: plot_classes({"green": []}, {"green": 6}, minimum=0, maximum=6), "No scores are defined"),
    (lambda: plot_violins({}, minimum=0, maximum=6), "No scores are defined"),
    (lambda: plot_violins({"a": [-1]}, minimum=0, maximum=6), "outside the range 0 to 6"),
    (lambda: plot_violins({"a": [1]}, minimum=0, maximum=NAN), "must be greater than its minimum"),
    (lambda: plot_readability([]), "No grades are defined"),
    (lambda: plot_gains([]), "No gains are defined"),
    (lambda: plot_gains([0.1], step=1), "not on the scale"),
    (lambda: plot_gain_quantiles([NAN]), "No gains are defined"),
    (lambda: plot_rejection([NAN]), "No p-values are defined"),
    (lambda: plot_rejection([1.5]), "between 0 and 1"),
    (lambda: plot_rejection([0.5], []), "between 0 and 1"),
    (lambda: plot_thinking_time(Curve(np.zeros(0), np.zeros(0), np.zeros(0, int))), "no ratings"),
    (lambda: plot_practice(Curve(np.zeros(1), np.array([NAN]), np.ones(1, int))), "No correlation"),
    (lambda: plot_waiting([NAN]), "No waiting times are defined"),
    (lambda: plot_waiting([-1.0]), "cannot be negative"),
    (lambda: plot_waiting([1.0], pause=0), "pause must be longer"),
    (
        lambda: plot_split_half(SplitHalf("tuple", np.ones(1, int), np.array([NAN]), np.array([NAN]))),
        "fewer than two items",
    ),
    (lambda: plot_split_half(SplitHalf("tuple", np.ones(0, int), np.ones(0), np.ones(0))), "Without splits"),
]


@pytest.mark.parametrize(("make", "reason"), REFUSED, ids=lambda part: part if isinstance(part, str) else "")
def test_data_without_a_figure_are_refused_in_words(make, reason):
    with pytest.raises(FigureError, match=reason) as refused:
        make()

    assert str(refused.value).endswith(".")


def test_figures_of_choices_name_tuples_and_cells():
    """People have tuples in common, and a choice concerns every item of its tuple, so cells are not answers."""
    agreement = np.array([[np.nan, 0.5], [0.5, np.nan]])
    figure = plot_pairwise([["A1"], ["A2"]], np.array([[0, 7], [7, 0]]), agreement, measure="the same", noun="tuple")
    answers = plot_answers(["i1", "i2"], ["A1", "A2"], np.array([[0, np.nan], [1, 0.5]]), minimum=0, maximum=1)

    assert "with the number of tuples in common." in figure.description
    assert figure.description.endswith("from 7 to 7 tuples are in common.")
    assert figure.columns == ("annotators", "other annotators", "tuples in common", "agreement")
    assert "by 2 annotators: 3 cells with answers and 1 empty cell." in answers.description


def test_zero_has_no_sign():
    assert (fixed(-0.0001, 3), fixed(-0.0, 1), fixed(-0.0006, 3)) == ("0.000", "0.0", "−0.001")
    assert printed(-0.0001) == "0.000"
