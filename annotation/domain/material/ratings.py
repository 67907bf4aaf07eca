"""Ratings that were collected elsewhere: item, annotator, value; or a line for each item, a column for each person."""

import re
from collections.abc import Iterator
from pathlib import Path

from annotation.domain.errors import translated
from annotation.domain.material.answers import (
    JUDGED_BEFORE,
    Collected,
    Rounds,
    add_unknown_item,
    as_known,
    is_left_out,
    read_circumstances,
)
from annotation.domain.material.policy import JudgmentImport, Repetition
from annotation.domain.material.rows import Problem, Row, read_rows
from annotation.domain.material.selections import is_selection, selecting_rounds
from annotation.domain.material.values import LONGEST_KEY, text_of
from annotation.models import Assignment, Item
from annotation.protocols.errors import OffScale
from annotation.protocols.scale import Scale
from annotation.protocols.spec import Round
from annotation.protocols.terms import BlockKind, JudgmentKind
from annotation.unknown import is_unknown

REQUIRED = ("item", "annotator", "value")
OF_ROWS = {"item", "round", "context"}
"""The columns of a wide table that are nobody's ratings."""
NO_RATING = {"", "nan", "na", "n/a", "null", "none"}
"""How tables write that somebody did not rate something."""
DECIMAL_COMMA = re.compile("-?[0-9]+,[0-9]{1,2}")
"""As spreadsheets write in half of Europe; with three digits it might be a thousand."""


def read_ratings(path: Path, under_way: JudgmentImport) -> Iterator[Collected]:
    """Yield the ratings of a file, checked."""
    reader, problems, wide = _Reader(under_way), under_way.problems, under_way.policy.wide
    rows = read_rows(path, required=REQUIRED[:1] if wide else REQUIRED, problems=problems)
    rounds = selecting_rounds(under_way.project)
    for line, row in _melted(rows) if wide else rows:
        if is_selection(row, rounds, under_way.default_round) or is_left_out(row, under_way.counts):
            continue
        if rating := reader.read(line, row):
            yield rating
        if problems.full:
            return


def _melted(rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
    """Yield each cell of a wide table as a row."""
    for line, row in rows:
        shared = {name: value for name, value in row.items() if name in OF_ROWS}
        for name, value in row.items():
            if name not in OF_ROWS:
                yield line, shared | {"annotator": name, "value": value}


class _Reader:
    """Checks rows one after the other and remembers them."""

    def __init__(self, under_way: JudgmentImport) -> None:
        project, self.now, self.problems = under_way.project, under_way.now, under_way.problems
        self.scale: Scale | None = project.protocol.scale
        self.counts = under_way.counts
        rounds = project.protocol.rounds_of(JudgmentKind.RATING)
        self.rounds = Rounds(project, "ratings", rounds, under_way.default_round)
        self.items = {item.key: item for item in project.items.only("project", "key", "calibration_order")}
        screens = Assignment.objects.filter(participation__project=project, item__isnull=False)
        person = "participation__annotator__external_id"
        stored = screens.values_list("item__key", person, "participation__round", "session", "block")
        self.repetition = Repetition(stored, under_way.policy.repeated, self.counts)

    def read(self, line: int, row: Row) -> Collected | None:
        before = self.problems.number
        key = as_known(text_of(row, "item", line, self.problems, longest=LONGEST_KEY), self.items)
        annotator = text_of(row, "annotator", line, self.problems, longest=LONGEST_KEY)
        item = self.items.get(key)
        if key and item is None:
            add_unknown_item(self.problems, line, "item", key)
        if is_unknown(annotator):
            reason = f"“{annotator}” stands for an unknown annotator. Every rating needs a known one."
            self.problems.add(line, "annotator", reason)
        value = self._value(row, line)
        round_ = self.rounds.read(row, line, self.problems)
        session = self._session(row, line, round_) if round_ else 0
        block = self._block(row, line, item)
        circumstances = read_circumstances(row, line, round_, self.now, self.problems)
        if self.problems.number > before or item is None or round_ is None:
            return None
        if value is None:
            self.counts.unrated += 1
            return None
        thing = key, annotator, round_.key, session, block
        if not self._take(thing, line):
            return None
        shown = {"item": item, "block": block, "context": round_.sessions[session - 1]}
        return Collected(thing, annotator, round_.key, session, circumstances, shown, {"value": value})

    def _take(self, thing: tuple[str, str, str, int, str], line: int) -> bool:
        if self.repetition.refused(thing):
            key, annotator, *_ = thing
            reason = f"{annotator} has already judged “{key}” in this round and context."
            self.problems.add_alike(Problem(line, "item", reason), f"“{key}” by {annotator}", JUDGED_BEFORE)
            return False
        return self.repetition.take(thing) > 0

    def _value(self, row: Row, line: int) -> float | None:
        """Return None where nothing was rated, which is no fault: tables of every person and pair have gaps."""
        scale = self.scale
        text = str("" if row.get("value") is None else row["value"]).strip()
        if text.lower() in NO_RATING:
            return None
        try:
            return scale.read(text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text) if scale else None
        except OffScale as error:
            self.problems.add(line, "value", translated(error))
            return None

    def _session(self, row: Row, line: int, round_: Round) -> int:
        context = text_of(row, "context", line, self.problems, needed=False) or round_.sessions[0].value
        contexts = [session.value for session in round_.sessions]
        if context not in contexts:
            self.problems.add(
                line,
                "context",
                f"“{context}” is not a context of round {round_.key}. Use one of: {', '.join(contexts)}.",
            )
            return 0
        return contexts.index(context) + 1

    def _block(self, row: Row, line: int, item: Item | None) -> BlockKind:
        """Return the block that the row names; else the one that fits whether the item calibrates."""
        text = text_of(row, "block", line, self.problems, needed=False)
        if text and text not in list(BlockKind):
            self.problems.add(line, "block", f"“{text}” is not a block. Use one of: {', '.join(BlockKind)}.")
        elif text:
            return BlockKind(text)
        calibrates = item is not None and item.calibration_order is not None
        return BlockKind.CALIBRATION if calibrates else BlockKind.MAIN
