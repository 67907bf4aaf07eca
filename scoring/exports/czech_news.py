"""The Czech News files (Czech News 8): TAB-separated, no header, no quoting."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from annotation.models import Item, Project
from annotation.protocols.spec import Context, SelectionDesign, StackDesign
from scoring.exports.files import write_tsv
from scoring.queries import Values, items_in_order, ratings_by_item, selected_values, unvalidated_pairs
from scoring.stats.context import shift_p_value
from scoring.stats.filtering import near_expected
from scoring.stats.ratings import mean_and_deviation, rounded

DECIMALS = 4
SIGNIFICANCE = 0.05  # 5.1 and Fig. 8: the level on which test-sig was picked
DISTANCES = {"train-N2.tsv": 2, "train-N1.tsv": 1}


def export_czech_news(project: Project, folder: Path) -> dict[str, int]:
    """Writes the train and test files. Returns the number of rows of each."""
    return _export_train(project, folder) | _export_test(project, folder)


def _export_train(project: Project, folder: Path) -> dict[str, int]:
    """train-RAW: pairs that no later round used; N2 and N1: those near the score expected of their colour (5.2)."""
    expected = {
        role.key: float(role.expected)
        for one in project.protocol.rounds
        if isinstance(one.design, SelectionDesign)
        for role in one.design.roles
    }
    pairs = unvalidated_pairs(project)
    columns = list(pairs.values_list("value", "role"))
    values = np.array([value for value, _ in columns])
    wanted = np.array([expected[role] for _, role in columns])
    rows = {"train-RAW.tsv": write_tsv(folder / "train-RAW.tsv", _train_rows(project, pairs, None))}
    for name, distance in DISTANCES.items():
        keep = near_expected(values, wanted, distance)
        rows[name] = write_tsv(folder / name, _train_rows(project, pairs, keep))
    return rows


def _train_rows(project: Project, pairs, keep) -> Iterator[tuple[object, ...]]:
    scale = project.protocol.scale
    for index, pair in enumerate(pairs.iterator(chunk_size=2000)):
        if keep is None or keep[index]:
            yield pair.item.sentence2, pair.item.sentence1, scale.write(pair.value)


@dataclass(frozen=True)
class Test:
    """What the test files are made of: ratings by item in both contexts, and the values of the selection."""

    project: Project
    free: Values
    dependent: Values
    selected: dict[int, float]

    def row(self, item: Item, values: list[float], *, in_context: bool) -> tuple[object, ...]:
        """Report sentence, summary sentence, mean, the annotations, and the value of R1."""
        scale = self.project.protocol.scale
        texts = (item.context2, item.context1) if in_context else (item.sentence2, item.sentence1)
        mean = rounded(mean_and_deviation(values).mean, DECIMALS)
        selected = scale.write(self.selected[item.pk]) if item.pk in self.selected else ""
        return *texts, mean, ",".join(map(scale.write, values)), selected


def _export_test(project: Project, folder: Path) -> dict[str, int]:
    round_key = next(one.key for one in project.protocol.rounds if isinstance(one.design, StackDesign))
    free, dependent = (ratings_by_item(project, round_key, context) for context in Context)
    test = Test(project, free, dependent, selected_values(project))
    shifted = {
        item for item in free.keys() & dependent.keys() if shift_p_value(free[item], dependent[item]) <= SIGNIFICANCE
    }
    items = items_in_order(project).filter(assignments__participation__round=round_key).distinct()
    wanted = {
        "test-free.tsv": (free, free.keys(), False),
        "test-dep.tsv": (dependent, dependent.keys(), True),
        "test-sig.tsv": (dependent, shifted, True),
    }
    return {
        name: write_tsv(
            folder / name,
            (test.row(item, values[item.pk], in_context=in_context) for item in items if item.pk in chosen),
        )
        for name, (values, chosen, in_context) in wanted.items()
    }
