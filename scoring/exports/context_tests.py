"""Files of pairs rated without and with context, in the form of the Czech News test set (Czech News 8): TAB-separated,
no header, no quoting, in full precision as published; and the tests of every pair as CSV."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np

from annotation.models import Item
from annotation.protocols.scale import Scale
from annotation.protocols.terms import Context
from scoring.exports.files import Row, write_plain_csv, write_tsv
from scoring.exports.publication import DataFile
from scoring.exports.snapshot_view import SnapshotView, Values
from scoring.stats.context import benjamini_hochberg, paired_shift_p_value, shift_p_value
from scoring.stats.ratings import mean_and_deviation
from scoring.summaries.datasets import SIGNIFICANCE

SHIFT = "test-shift.csv"
SHIFT_HEADER = (
    *("item", "sentence1", "sentence2", "mean_free", "mean_dependent", "ratings_free", "ratings_dependent"),
    *("people_in_both", "p_student", "p_student_bh", "p_paired", "p_paired_bh", "in_test_sig"),
)
"""p_student selects test-sig; NAME_bh is NAME after Benjamini and Hochberg's correction; empty if not defined."""
COLUMNS = ("sentence1", "sentence2", "mean", "annotations", "selected_value")
CONTEXT_FILES = (
    *(DataFile(f"test-{part}.tsv", "test", COLUMNS) for part in ("dep", "free", "sig")),
    DataFile(SHIFT, "test"),
)
Order = Callable[[str, str], tuple[str, str]]
"""The order of the two texts of a pair in the files."""


def as_imported(first: str, second: str) -> tuple[str, str]:
    """Return the texts in the order of the imported file."""
    return first, second


def report_first(summary: str, report: str) -> tuple[str, str]:
    """Return the sentence of the report before that of the summary, as Czech News publishes them."""
    return report, summary


def export_context_tests(view: SnapshotView, folder: Path, order: Order) -> dict[str, int]:
    """Write test-free, test-dep, test-sig and the tests of all pairs rated in both contexts, and return the number of
    rows of each. The round is the one with calibration pairs."""
    round_key = next(round_.key for round_ in view.project.protocol.rounds if round_.design.calibration_values)
    free, dependent = (view.ratings_by_item(round_key, context) for context in Context)
    raters = [view.raters_by_item(round_key, context) for context in Context]
    tested = sorted(free.keys() & dependent.keys())
    tests = {item: _shift(free[item], dependent[item], raters[0][item], raters[1][item]) for item in tested}
    shifted = {item for item, test in tests.items() if test.student <= SIGNIFICANCE}
    wanted: dict[str, tuple[Values, Container[int], bool]] = {
        "test-free.tsv": (free, free, False),
        "test-dep.tsv": (dependent, dependent, True),
        "test-sig.tsv": (dependent, shifted, True),
    }
    written = {
        name: write_tsv(
            folder / name,
            (
                (*order(*_texts(item, in_context)), *_ratings(view, place, values[place]))
                for place, item in view.items()
                if place in chosen
            ),
        )
        for name, (values, chosen, in_context) in wanted.items()
    }
    return written | {SHIFT: write_plain_csv(folder / SHIFT, SHIFT_HEADER, _shift_rows(view, tests, shifted, order))}


def _texts(item: Item, in_context: bool) -> tuple[str, str]:
    return (item.context1, item.context2) if in_context else (item.sentence1, item.sentence2)


def _ratings(view: SnapshotView, place: int, values: list[float]) -> Row:
    """Return the mean, the annotations, and the value of the selection (or the earlier value); empty without one."""
    scale, before = view.project.protocol.scale, float(view.selected[place])
    mean = float(mean_and_deviation(values).mean)
    return mean, ",".join(map(scale.write, values)), "" if isnan(before) else _written(before, scale)


def _written(value: float, scale: Scale) -> str:
    """Return a value as the scale writes its points; one between them in full precision."""
    return scale.write(value) if scale.nearest(value) == value else repr(value)


@dataclass(frozen=True)
class _Shift:
    """The tests of a pair's two means: p-values, NaN if not defined. numbers: ratings without context, with context,
    and people who rated the pair in both."""

    means: tuple[float, float]
    numbers: tuple[int, int, int]
    student: float
    paired: float


def _shift(
    free: list[float], dependent: list[float], free_raters: list[float], dependent_raters: list[float]
) -> _Shift:
    _, before, after = np.intersect1d(free_raters, dependent_raters, return_indices=True)
    return _Shift(
        means=(float(mean_and_deviation(free).mean), float(mean_and_deviation(dependent).mean)),
        numbers=(len(free), len(dependent), len(before)),
        student=shift_p_value(free, dependent),
        paired=paired_shift_p_value(np.array(free)[before], np.array(dependent)[after]),
    )


def _shift_rows(
    view: SnapshotView, tests: Mapping[int, _Shift], shifted: Container[int], order: Order
) -> Iterator[Row]:
    """Yield the tests of every pair that was rated in both contexts (Czech News 5.1)."""
    student, paired = (
        dict(zip(tests, benjamini_hochberg(np.array(p_values, dtype=np.float64)).tolist(), strict=True))
        for p_values in ([test.student for test in tests.values()], [test.paired for test in tests.values()])
    )
    for place, item in view.items():
        if place in tests:
            test = tests[place]
            p_values = (test.student, student[place], test.paired, paired[place])
            written = ("" if isnan(p_value) else p_value for p_value in p_values)
            texts = order(item.sentence1, item.sentence2)
            yield item.key, *texts, *test.means, *test.numbers, *written, int(place in shifted)
