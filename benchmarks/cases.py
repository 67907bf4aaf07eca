"""What is measured: each case prepares its data and returns what is to be timed."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import plain
from benchmarks.worlds import simulated_choices, slider_table
from scoring.stats.alpha import krippendorff_alpha, table_rows
from scoring.stats.bws import bootstrap_errors
from scoring.stats.models import best_worst_errors, fit_best_worst, fit_bradley_terry
from scoring.stats.pairs import implied_pairs
from scoring.stats.reliabilities import fit_best_worst_annotators
from scoring.stats.reliability import split_half

Work = Callable[[], Any]
REPEATS = 1000
PLAIN_REPEATS = 3


@dataclass(frozen=True)
class Case:
    """One row of the table. `share` of the work is timed and scaled up; `most` items, where a peer can take no more."""

    prepare: Callable[[int], Work]
    peer: Callable[[int], Work] | None = None
    peer_name: str = "plain implementation"
    peer_share: float = 1.0
    peer_most: int | None = None


def generator() -> np.random.Generator:
    return np.random.default_rng(0)


def halving(missing: float, by: Any = "tuple") -> Callable[[int], Work]:
    def prepare(items: int) -> Work:
        choices = simulated_choices(items, missing=missing)
        return lambda: split_half(choices, generator(), splits=REPEATS, by=by)

    return prepare


def plain_halving(missing: float) -> Callable[[int], Work]:
    def prepare(items: int) -> Work:
        choices = simulated_choices(items, missing=missing)
        rows, tuples = plain.rows_of(choices), choices.tuples.tolist()
        return lambda: plain.split_half(rows, tuples, PLAIN_REPEATS)

    return prepare


def bootstrapping(items: int) -> Work:
    choices = simulated_choices(items)
    return lambda: bootstrap_errors(choices, generator(), replicates=REPEATS)


def plain_bootstrapping(items: int) -> Work:
    rows = plain.rows_of(simulated_choices(items))
    return lambda: plain.bootstrap(rows, PLAIN_REPEATS)


def choice_alpha(items: int) -> Work:
    choices = simulated_choices(items)
    return lambda: krippendorff_alpha(choices.tuples, choices.best_position, "nominal")


def item_alpha(items: int) -> Work:
    choices = simulated_choices(items)
    return lambda: krippendorff_alpha(choices.tuples, choices.best, "nominal")


def peer_choice_alpha(items: int) -> Work:
    krippendorff = importlib.import_module("krippendorff")
    labels = simulated_choices(items).best_position.reshape(-1, 4).T
    return lambda: krippendorff.alpha(reliability_data=labels, level_of_measurement="nominal")


def slider_alpha(level: Any) -> Callable[[int], Work]:
    def prepare(items: int) -> Work:
        table = slider_table(items)
        return lambda: krippendorff_alpha(*table_rows(table), level)

    return prepare


def peer_slider_alpha(level: str) -> Callable[[int], Work]:
    def prepare(items: int) -> Work:
        krippendorff = importlib.import_module("krippendorff")
        table = slider_table(items).T
        return lambda: krippendorff.alpha(reliability_data=table, level_of_measurement=level)

    return prepare


def best_worst(items: int) -> Work:
    choices = simulated_choices(items)
    return lambda: fit_best_worst(choices)


def bradley_terry(items: int) -> Work:
    choices = simulated_choices(items)
    return lambda: fit_bradley_terry(implied_pairs(choices))


def peer_bradley_terry(items: int) -> Work:
    choix = importlib.import_module("choix")
    pairs = implied_pairs(simulated_choices(items))
    one = np.repeat(np.stack([pairs.first, pairs.second], 1), pairs.first_wins, axis=0)
    other = np.repeat(np.stack([pairs.second, pairs.first], 1), pairs.second_wins, axis=0)
    data = list(map(tuple, np.concatenate([one, other]).tolist()))
    return lambda: choix.ilsr_pairwise(items, data, alpha=0.01)


def utility_errors(items: int) -> Work:
    choices = simulated_choices(items)
    fitted = fit_best_worst(choices)
    return lambda: best_worst_errors(choices, fitted, generator())


def annotator_aware(items: int) -> Work:
    choices = simulated_choices(items)
    return lambda: fit_best_worst_annotators(choices)


def design(items: int) -> Work:
    tuples = importlib.import_module("annotation.planning.tuples")
    return lambda: tuples.design_tuples(items, size=4, factor=2, generator=generator())


SCALED = PLAIN_REPEATS / REPEATS

CASES = {
    "split-half by tuple, even counts": Case(halving(0.0), plain_halving(0.0), peer_share=SCALED),
    "split-half by tuple, 10% missing": Case(halving(0.1), plain_halving(0.1), peer_share=SCALED),
    "split-half by judgment": Case(halving(0.0, "judgment")),
    "split-half by annotator": Case(halving(0.0, "annotator")),
    "bootstrap errors of scores (1,000 replicates)": Case(bootstrapping, plain_bootstrapping, peer_share=SCALED),
    "alpha nominal, label = position": Case(choice_alpha, peer_choice_alpha, "krippendorff"),
    "alpha nominal, label = item": Case(item_alpha),
    "alpha ordinal, sliders": Case(slider_alpha("ordinal"), peer_slider_alpha("ordinal"), "krippendorff"),
    "alpha interval, sliders": Case(slider_alpha("interval"), peer_slider_alpha("interval"), "krippendorff"),
    "alpha ratio, sliders": Case(slider_alpha("ratio"), peer_slider_alpha("ratio"), "krippendorff"),
    "best-worst model": Case(best_worst),
    "Bradley–Terry on implied pairs": Case(bradley_terry, peer_bradley_terry, "choix ilsr", peer_most=6_000),
    "standard errors of best-worst utilities": Case(utility_errors),
    "best-worst model with annotators": Case(annotator_aware),
    "design of tuples": Case(design),
}
