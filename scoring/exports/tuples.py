"""tuples.csv: every best-worst choice that counted for the run, in the form that `python -m scoring` reads."""

from collections.abc import Iterator
from pathlib import Path

from annotation.protocols.spec import BestWorstDesign
from scoring.exports.files import utc, write_plain_csv
from scoring.exports.frozen import Frozen
from scoring.queries import ChoiceRow, choices_read
from scoring.summaries.tables import NONE

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


def export_tuples(frozen: Frozen, folder: Path) -> dict[str, int]:
    """item1, item2, ... stand in the order in which this person saw them; positions count from 1."""
    size = max(
        one.design.tuple_size for one in frozen.project.protocol.rounds if isinstance(one.design, BestWorstDesign)
    )
    header = ("tuple", *(f"item{place}" for place in range(1, size + 1)), *FURTHER)
    return {"tuples.csv": write_plain_csv(folder / "tuples.csv", header, _rows(frozen))}


def _rows(frozen: Frozen) -> Iterator[tuple[object, ...]]:
    """The run read the choices in the same order, and with them the items that each person saw."""
    keys = frozen["items.keys"]
    read = zip(*(frozen[f"choices.{name}"] for name in ("items", "best", "worst")), strict=True)
    choices = choices_read(frozen.project, frozen["sources.judgments"])
    for choice, (items, best, worst) in zip(choices, read, strict=True):
        if (choice.annotator, choice.round) not in frozen.excluded:
            shown = [keys[item] for item in items.tolist() if item != NONE]
            yield choice.tuple, *shown, *_further(choice, shown, keys[best], keys[worst])


def _further(choice: ChoiceRow, shown: list[str], best: str, worst: str) -> tuple[object, ...]:
    return (
        best,
        worst,
        choice.annotator,
        int(choice.hard_to_say),
        shown.index(best) + 1,
        shown.index(worst) + 1,
        choice.round,
        utc(choice.answered_at),
        choice.active_ms,
    )
