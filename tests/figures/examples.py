"""Every figure once, from simulated data like those of the papers."""

import numpy as np

from scoring.figures.behaviour import plot_practice, plot_thinking_time, plot_waiting
from scoring.figures.context import plot_gain_quantiles, plot_gains, plot_rejection
from scoring.figures.figure import Figure
from scoring.figures.halves import plot_split_half
from scoring.figures.modes import plot_modes
from scoring.figures.order import plot_drift, plot_positions
from scoring.figures.people import plot_answers, plot_pairwise
from scoring.figures.scores import plot_classes, plot_scores
from scoring.figures.violins import plot_readability, plot_violins
from scoring.stats.curves import correlation_by_practice, error_by_thinking_time
from scoring.stats.reliability import SplitHalf
from scoring.stats.text import Readability


def draw_examples() -> list[Figure]:
    generator = np.random.default_rng(1)
    reference = generator.integers(0, 7, 3000).astype(float)
    ratings = np.clip(np.round(reference + generator.normal(0, 1, 3000)), 0, 6)
    seconds = np.exp(generator.normal(2, 0.8, 3000))
    order = np.where(generator.random(3000) < 0.5, np.arange(3000) % 50, np.arange(3000) % 20)
    expected = np.repeat([6.0, 3.0, 0.0], 1000)
    gains = np.round(generator.laplace(0.27, 0.35, 1200) * 9) / 9
    grades = np.round(generator.normal(12, 3, (52, 6)), 1)
    splits = SplitHalf(
        "tuple", np.full(200, 1200), generator.normal(0.958, 0.002, 200), generator.normal(0.962, 0.002, 200)
    )
    return [
        plot_scores(ratings, {"N2": ratings[abs(ratings - expected) <= 2]}, minimum=0, maximum=6, step=1),
        plot_classes(
            {"green": ratings[:1000], "orange": ratings[1000:2000], "red": ratings[2000:]},
            {"green": 6, "orange": 3, "red": 0},
            minimum=0,
            maximum=6,
        ),
        plot_violins({"afr": generator.beta(2, 3, 900), "<amh> & co": generator.beta(3, 2, 800)}, minimum=0, maximum=1),
        plot_readability([Readability(*row) for row in grades.tolist()]),
        plot_gains(gains, step=1 / 9),
        plot_gain_quantiles(gains),
        plot_rejection(generator.random(1200) ** 1.5),
        plot_thinking_time(error_by_thinking_time(seconds, ratings, reference)),
        plot_practice(correlation_by_practice(order, ratings, reference)),
        plot_waiting(np.append(generator.exponential(40, 200), np.nan), pause=72),
        plot_split_half(splits),
        plot_drift(np.arange(5, 51, 5), np.append(np.linspace(-0.2, 0.15, 9), np.nan), np.full(10, 300)),
        plot_positions(np.array([410, 320, 260, 210]), np.array([290, 300, 310, 300])),
        plot_modes(np.array([90, *[40] * 19]), 12),
        plot_pairwise(
            [[f"A{place}"] for place in range(10)],
            np.full((10, 10), 12) - 12 * np.eye(10, dtype=np.int64),
            np.where(np.eye(10, dtype=bool), np.nan, np.linspace(-0.2, 1, 100).reshape(10, 10)),
            measure="Pearson's r",
            noun="item",
        ),
        plot_answers(["i1", "i2"], ["A1", "A2"], np.array([[0, np.nan], [3, 6]]), minimum=0, maximum=6),
    ]
