"""Best-worst choices for tests: drawn at random by hypothesis, and made by people who know the true utilities."""

import numpy as np
from hypothesis import strategies as st

from scoring.stats.choices import Choices


def choices_of(rows, number=None, tuples=None, annotators=None):
    """Choices from rows of (items, best, worst); each row is a tuple of its own unless told."""
    size = max(len(items) for items, _, _ in rows)
    table = np.array([list(items) + [-1] * (size - len(items)) for items, _, _ in rows])
    best, worst = (np.array([row[place] for row in rows]) for place in (1, 2))
    tuples = np.arange(len(rows)) if tuples is None else np.array(tuples)
    annotators = None if annotators is None else np.array(annotators)
    return Choices(table, best, worst, tuples, annotators, table.max() + 1 if number is None else number)


@st.composite
def any_choices(draw, valid=False):
    """A few tuples of three or four of a few items, judged any number of times, by up to four people."""
    number = draw(st.integers(4, 9))
    rows, tuples = [], []
    for index in range(draw(st.integers(1, 6))):
        items = draw(st.lists(st.integers(0, number - 1), min_size=3, max_size=4, unique=True))
        for _ in range(draw(st.integers(1, 6))):
            shown = draw(st.permutations(items))
            best, worst = draw(st.sampled_from(shown)), draw(st.sampled_from(shown))
            if valid and best == worst:
                worst = next(item for item in shown if item != best)
            rows.append((shown, best, worst))
            tuples.append(index)
    annotators = draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    return choices_of(rows, number, tuples, annotators)


def chosen_by(utilities, tables, generator, annotators=None, scale=None):
    """Choices by the best-worst model; tables: shape (judgments, size), a row for each judgment."""
    rows = np.arange(len(tables))
    strength = utilities[tables] if scale is None else utilities[tables] * scale[:, None]
    best = np.argmax(strength + generator.gumbel(size=tables.shape), axis=1)
    worse = -strength + generator.gumbel(size=tables.shape)
    worse[rows, best] = -np.inf
    worst = np.argmax(worse, axis=1)
    tuples = np.unique(np.sort(tables, axis=1), axis=0, return_inverse=True)[1].ravel()
    return Choices(tables, tables[rows, best], tables[rows, worst], tuples, annotators, len(utilities))


def balanced_tables(items, appearances, generator, size=4):
    """Every item equally often: shuffled decks, dealt; shape (tuples, size), where size divides the items."""
    return np.concatenate([generator.permutation(items) for _ in range(appearances)]).reshape(-1, size)


def simulated(items=40, appearances=8, judgments=4, seed=0, people=10, spread=1.0):
    """Choices of a balanced design by annotators who all have the same utilities."""
    generator = np.random.default_rng(seed)
    tables = np.repeat(balanced_tables(items, appearances, generator), judgments, axis=0)
    annotators = generator.integers(0, people, len(tables))
    return chosen_by(generator.normal(0, spread, items), tables, generator, annotators)
