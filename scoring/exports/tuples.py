"""tuples.csv: every best-worst choice that counted for the run, in the form that `python -m scoring` reads.

item1, item2, ... stand in the order in which this person saw them; positions count from 1.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scoring.exports.files import PlainCsv, Row, plain_csv, utc
from scoring.queries import AnswerRow

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
    """For tuples of so many items at most; None where there are no tuples."""
    if not size:
        yield None
        return
    with plain_csv(folder / NAME, ("tuple", *(f"item{place}" for place in range(1, size + 1)), *FURTHER)) as file:
        yield file


def tuple_row(choice: AnswerRow, items: list[str | None]) -> Row:
    """Parameters: items, by their keys, as shown; None after the last of a tuple that is smaller than others."""
    shown = [item for item in items if item is not None]
    return (
        choice.tuple,
        *shown,
        choice.best,
        choice.worst,
        choice.annotator,
        int(choice.hard_to_say),
        shown.index(choice.best or "") + 1,
        shown.index(choice.worst or "") + 1,
        choice.round,
        utc(choice.answered_at),
        choice.active_ms,
    )
