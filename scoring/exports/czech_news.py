"""The Czech News files (Czech News 8): TAB-separated, no header, no quoting."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotation.models import Item, Project
from annotation.protocols.spec import Context, SelectionDesign, StackDesign
from scoring.exports.files import write_tsv
from scoring.queries import Values, items_in_order, ratings_by_item, selected_values, unvalidated_pairs
from scoring.stats.context import shift_p_value
from scoring.stats.filtering import near_expected
from scoring.stats.ratings import mean_and_deviation, rounded

DECIMALS = 4
SIGNIFICANCE = 0.05  # 5.1 and Fig. 8: the level on which test-sig was picked
DISTANCES = {"train-RAW.tsv": float("inf"), "train-N2.tsv": 2.0, "train-N1.tsv": 1.0}


def export_czech_news(project: Project, folder: Path) -> dict[str, int]:
    """Writes the train and test files. Returns the number of rows of each."""
    return _export_train(project, folder) | _export_test(project, folder)


def _export_train(project: Project, folder: Path) -> dict[str, int]:
    """train-RAW: pairs that no later round used; N2 and N1: those near the score expected of their colour (5.2)."""
    return {name: write_tsv(folder / name, _train_rows(project, distance)) for name, distance in DISTANCES.items()}


def _train_rows(project: Project, distance: float) -> Iterator[tuple[object, ...]]:
    scale, expected = project.protocol.scale, _expected_scores(project)
    pairs = unvalidated_pairs(project).values_list("item__sentence2", "item__sentence1", "value", "role")
    for *texts, value, role in pairs.iterator(chunk_size=2000):
        if near_expected(value, expected[role], distance):
            yield *texts, scale.write(value)


def _expected_scores(project: Project) -> dict[str, float]:
    """The score expected of each role: of green 6, of orange 3, of red 0 (Czech News 5.2)."""
    designs = [one.design for one in project.protocol.rounds]
    return {
        role.key: float(role.expected)
        for design in designs
        if isinstance(design, SelectionDesign)
        for role in design.roles
    }


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
