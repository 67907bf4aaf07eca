"""The Czech News files (Czech News 8): TAB-separated, no header, no quoting."""

from collections.abc import Container, Iterator
from math import isnan
from pathlib import Path

from annotation.models import Item
from annotation.protocols.spec import Context, StackDesign
from scoring.exports.files import write_tsv
from scoring.exports.frozen import Frozen, Values
from scoring.stats.context import shift_p_value
from scoring.stats.filtering import near_expected
from scoring.stats.ratings import mean_and_deviation, rounded

DECIMALS = 4
SIGNIFICANCE = 0.05  # 5.1 and Fig. 8: the level on which test-sig was picked
DISTANCES = {"train-RAW.tsv": float("inf"), "train-N2.tsv": 2.0, "train-N1.tsv": 1.0}


def export_czech_news(frozen: Frozen, folder: Path) -> dict[str, int]:
    """Writes the train and test files. Returns the number of rows of each."""
    return _export_train(frozen, folder) | _export_test(frozen, folder)


def _export_train(frozen: Frozen, folder: Path) -> dict[str, int]:
    """train-RAW: pairs that no later round used; N2 and N1: those near the score expected of their colour (5.2)."""
    return {name: write_tsv(folder / name, _train_rows(frozen, distance)) for name, distance in DISTANCES.items()}


def _train_rows(frozen: Frozen, distance: float) -> Iterator[tuple[object, ...]]:
    scale, expected = frozen.project.protocol.scale, dict(zip(frozen.facts.roles, frozen.facts.expected, strict=True))
    unvalidated = frozen["items.unvalidated"]
    for place, item in frozen.items():
        value = float(frozen.selected[place])
        if unvalidated[place] and near_expected(value, expected[frozen.role_of(place)], distance):
            yield item.sentence2, item.sentence1, scale.write(value)


def _test_row(frozen: Frozen, place: int, item: Item, values: list[float], *, in_context: bool) -> tuple[object, ...]:
    """Report sentence, summary sentence, mean, the annotations, and the value of R1."""
    scale = frozen.project.protocol.scale
    texts = (item.context2, item.context1) if in_context else (item.sentence2, item.sentence1)
    mean = rounded(mean_and_deviation(values).mean, DECIMALS)
    selected = float(frozen.selected[place])
    return *texts, mean, ",".join(map(scale.write, values)), "" if isnan(selected) else scale.write(selected)


def _export_test(frozen: Frozen, folder: Path) -> dict[str, int]:
    round_key = next(one.key for one in frozen.project.protocol.rounds if isinstance(one.design, StackDesign))
    free, dependent = (frozen.ratings_by_item(round_key, context) for context in Context)
    shifted = {
        item for item in free.keys() & dependent.keys() if shift_p_value(free[item], dependent[item]) <= SIGNIFICANCE
    }
    wanted: dict[str, tuple[Values, Container[int], bool]] = {
        "test-free.tsv": (free, free, False),
        "test-dep.tsv": (dependent, dependent, True),
        "test-sig.tsv": (dependent, shifted, True),
    }
    return {
        name: write_tsv(
            folder / name,
            (
                _test_row(frozen, place, item, values[place], in_context=in_context)
                for place, item in frozen.items()
                if place in chosen
            ),
        )
        for name, (values, chosen, in_context) in wanted.items()
    }
