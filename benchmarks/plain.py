"""The same statistics as they are usually written: dictionaries, a loop for each split."""

import random
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from scipy.stats import spearmanr

from scoring.stats.choices import Choices

Row = tuple[list[int], int, int]


def rows_of(choices: Choices) -> list[Row]:
    return list(zip(choices.items.tolist(), choices.best.tolist(), choices.worst.tolist(), strict=True))


def score(rows: Iterable[Row]) -> dict[int, float]:
    differences: dict[int, int] = defaultdict(int)
    appearances: dict[int, int] = defaultdict(int)
    for items, best, worst in rows:
        differences[best] += 1
        differences[worst] -= 1
        for item in items:
            appearances[item] += 1
    return {item: differences[item] / shown for item, shown in appearances.items()}


def split_half(rows: list[Row], tuples: list[int], splits: int) -> float:
    chance = random.Random(0)
    judgments: dict[int, list[Row]] = defaultdict(list)
    for index, row in zip(tuples, rows, strict=True):
        judgments[index].append(row)
    found = []
    for _ in range(splits):
        halves: tuple[list[Row], list[Row]] = ([], [])
        for group in judgments.values():
            start = chance.randrange(2)
            for place, row in enumerate(chance.sample(group, len(group))):
                halves[(start + place) % 2].append(row)
        one, other = map(score, halves)
        both = [item for item in one if item in other]
        found.append(spearmanr([one[item] for item in both], [other[item] for item in both]).statistic)
    return float(np.mean(found))


def bootstrap(rows: list[Row], replicates: int) -> dict[int, float]:
    chance = random.Random(0)
    scores: dict[int, list[float]] = defaultdict(list)
    for _ in range(replicates):
        for item, value in score(chance.choices(rows, k=len(rows))).items():
            scores[item].append(value)
    return {item: float(np.std(values, ddof=1)) for item, values in scores.items() if len(values) > 1}
