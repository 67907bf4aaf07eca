"""Best-worst judgments and slider ratings to measure on."""

import numpy as np
from numpy.typing import NDArray

from scoring.stats.choices import Choices

APPEARANCES = 8
JUDGMENTS = 4
SIZE = 4


def simulated_choices(items: int, *, missing: float = 0.0) -> Choices:
    """Twice as many 4-tuples as items, four judgments each, by the best-worst model; some of them missing."""
    generator = np.random.default_rng(items)
    decks = np.concatenate([generator.permutation(items) for _ in range(APPEARANCES)]).reshape(-1, SIZE)
    tuples = np.repeat(np.arange(len(decks)), JUDGMENTS)
    tuples = tuples[generator.random(len(tuples)) >= missing]
    shown, rows = decks[tuples], np.arange(len(tuples))
    strength = generator.normal(0, 2, items)[shown]
    best = np.argmax(strength + generator.gumbel(size=shown.shape), axis=1)
    weakness = generator.gumbel(size=shown.shape) - strength
    weakness[rows, best] = -np.inf
    worst = np.argmax(weakness, axis=1)
    people = generator.integers(0, items // 100, len(rows))
    return Choices(shown, shown[rows, best], shown[rows, worst], tuples, people, items)


def slider_table(items: int) -> NDArray[np.float64]:
    """Four raters' values from 0 to 6, shape (items, 4)."""
    generator = np.random.default_rng(items)
    values = generator.normal(3, 1.5, (items, 1)) + generator.normal(0, 1, (items, 4))
    return np.clip(np.round(values), 0, 6)
