"""tuples.csv: every best-worst choice that counted for the run, in the form that `python -m scoring` reads.

item1, item2, ... are in the order in which this person saw them; positions count from 1.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.queries.judgments import JudgmentRow
from scoring.exports.files import PlainCsv, Row, plain_csv, utc

NAME = "tuples.csv"
FURTHER = (
    "best",
    "worst",
    "annotator",
    "hard_to_say",
    "best_position",
    "worst_position",
    "round",
    "answered_at",
    "active_ms",
)


@contextmanager
def tuples_file(folder: Path, size: int) -> Iterator[PlainCsv | None]:
    """Return the file for tuples of at most `size` items; None without tuples."""
    if not size:
        yield None
        return
    with plain_csv(folder / NAME, ("tuple", *(f"item{place}" for place in range(1, size + 1)), *FURTHER)) as file:
        yield file


def tuple_row(choice: JudgmentRow, shown: list[str]) -> Row:
    """Return a row. Parameters: shown, the keys of the items in the order shown."""
    return (
        choice.tuple,
        *shown,
        choice.best_key,
        choice.worst_key,
        choice.annotator,
        int(choice.hard_to_say),
        shown.index(choice.best_key or "") + 1,
        shown.index(choice.worst_key or "") + 1,
        choice.round,
        utc(choice.answered_at),
        choice.active_ms,
    )
