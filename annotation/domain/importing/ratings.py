"""Ratings that were collected elsewhere: item, annotator, value; or a line for each item, a column for each person."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from annotation.domain.importing.answers import Given, Rounds, as_known, read_circumstances
from annotation.domain.importing.handling import Handling, Met, Repetition
from annotation.domain.importing.rows import Problems, Row, read_rows
from annotation.domain.importing.selections import is_selection, selecting_rounds
from annotation.domain.importing.values import LONGEST_KEY, text_of
from annotation.models import Assignment, Item, Project
from annotation.protocols.errors import OffScale
from annotation.protocols.scale import Scale
from annotation.protocols.spec import BestWorstDesign, BlockKind, Round, SelectionDesign
from annotation.unknown import is_unknown

REQUIRED = ("item", "annotator", "value")
OF_ROWS = {"item", "round", "context"}
"""The columns of a wide table that are nobody's ratings."""
NO_RATING = {"", "nan", "na", "n/a", "null", "none"}
"""How tables write that somebody did not rate something."""
DECIMAL_COMMA = re.compile("-?[0-9]+,[0-9]{1,2}")
"""As spreadsheets write in half of Europe; with three digits it might be a thousand."""


def read_ratings(
    project: Project,
    path: Path,
    default_round: str | None,
    now: datetime,
    handling: Handling,
    met: Met,
    problems: Problems,
) -> Iterator[Given]:
    """The ratings of a file, checked."""
    reader = _Reader(project, default_round, now, handling, met, problems)
    rows = read_rows(path, required=REQUIRED[:1] if handling.wide else REQUIRED, problems=problems)
    rounds = selecting_rounds(project)
    for line, row in _melted(rows) if handling.wide else rows:
        if is_selection(row, rounds, default_round):
            continue
        if rating := reader.read(line, row):
            yield rating
        if problems.full:
            return


def _melted(rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
    """Each cell of a wide table as a row."""
    for line, row in rows:
        own = {name: value for name, value in row.items() if name in OF_ROWS}
        for name, value in row.items():
            if name not in OF_ROWS:
                yield line, own | {"annotator": name, "value": value}


class _Reader:
    """Checks rows one after the other; remembers what it has seen."""

    def __init__(
        self,
        project: Project,
        default_round: str | None,
        now: datetime,
        handling: Handling,
        met: Met,
        problems: Problems,
    ) -> None:
        self.project, self.now, self.met, self.problems = project, now, met, problems
        rated = [
            one for one in project.protocol.rounds if not isinstance(one.design, SelectionDesign | BestWorstDesign)
        ]
        self.rounds = Rounds(project, "ratings", rated, default_round)
        self.items = {item.key: item for item in project.items.only("project", "key", "calibration_order")}
        screens = Assignment.objects.filter(participation__project=project, item__isnull=False)
        stored = screens.values_list(
            "item__key", "participation__annotator__external_id", "participation__round", "session"
        )
        self.repetition = Repetition(stored, handling.repeated, met)

    def read(self, line: int, row: Row) -> Given | None:
        before = len(self.problems.found)
        key, annotator = (
            text_of(row, name, line, self.problems, longest=LONGEST_KEY) for name in ("item", "annotator")
        )
        key = as_known(key, self.items)
        item = self.items.get(key)
        if key and item is None:
            self.problems.add(line, "item", f"the project has no item “{key}”.")
        if is_unknown(annotator):
            reason = f"“{annotator}” stands for people whom nobody knows; of a rating it has to be known whose it is."
            self.problems.add(line, "annotator", reason)
        value = self._value(row, line)
        round_ = self.rounds.read(row, line, self.problems)
        session = self._session(row, line, round_) if round_ else 0
        block = self._block(row, line, item)
        circumstances = read_circumstances(row, line, round_, self.now, self.problems)
        if len(self.problems.found) > before or item is None or round_ is None:
            return None
        if value is None:
            self.met.unrated += 1
            return None
        thing = key, annotator, round_.key, session
        if not self._take(thing, line):
            return None
        shown = {"item": item, "block": block, "context": round_.sessions[session - 1]}
        return Given(thing, annotator, round_.key, session, circumstances, shown, {"value": value})

    def _take(self, thing: tuple[str, str, str, int], line: int) -> bool:
        if self.repetition.refused(thing):
            key, annotator, *_ = thing
            self.problems.add(line, "item", f"{annotator} has judged “{key}” in this round and context before.")
            return False
        return self.repetition.take(thing) > 0

    def _value(self, row: Row, line: int) -> float | None:
        """None where nothing was rated, which is no fault: tables of every person and pair have gaps."""
        scale: Scale | None = self.project.protocol.scale
        text = str("" if row.get("value") is None else row["value"]).strip()
        if text.lower() in NO_RATING:
            return None
        try:
            return scale.read(text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text) if scale else None
        except OffScale as error:
            self.problems.add(line, "value", str(error))
            return None

    def _session(self, row: Row, line: int, round_: Round) -> int:
        context = text_of(row, "context", line, self.problems, needed=False) or round_.sessions[0].value
        contexts = [session.value for session in round_.sessions]
        if context not in contexts:
            self.problems.add(line, "context", f"“{context}” is not a context of {round_.key}: {', '.join(contexts)}.")
            return 0
        return contexts.index(context) + 1

    def _block(self, row: Row, line: int, item: Item | None) -> BlockKind:
        """As the row tells; else by whether the item calibrates."""
        text = text_of(row, "block", line, self.problems, needed=False)
        if text and text not in list(BlockKind):
            self.problems.add(line, "block", f"“{text}” is not a block; these are: {', '.join(BlockKind)}.")
        elif text:
            return BlockKind(text)
        calibrates = item is not None and item.calibration_order is not None
        return BlockKind.CALIBRATION if calibrates else BlockKind.MAIN
