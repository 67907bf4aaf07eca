"""Ready pairs of texts into items."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from django.db.models import Max

from annotation.domain.importing.rows import LONGEST_KEY, Problems, Row, extra_of, language_of, read_rows, text_of
from annotation.models import Item, Project
from annotation.texts import SENT

REQUIRED = ("id", "sentence1", "sentence2")
KNOWN = {*REQUIRED, "context1", "context2", "gold", "calibration", "language", "source"}
GOLD = {"similar": True, "1": True, "dissimilar": False, "0": False, "": None}
YES_OR_NO = {"1": True, "0": False, "true": True, "false": False, "": False}
BATCH = 2000


def import_pairs(project: Project, path: Path, problems: Problems) -> int:
    """Stores the pairs of a file; with problems found the caller rolls back. Returns how many."""
    batch: list[Item] = []
    stored = 0
    for item in _items(project, path, problems):
        if not problems.found:
            batch.append(item)
        if len(batch) == BATCH:
            stored += _store(batch)
            batch = []
    return stored + _store(batch)


def _store(batch: list[Item]) -> int:
    return len(Item.objects.bulk_create(batch))


def _items(project: Project, path: Path, problems: Problems) -> Iterator[Item]:
    last = project.items.aggregate(position=Max("position"), calibration=Max("calibration_order"))
    positions, calibrations = count((last["position"] or 0) + 1), count((last["calibration"] or 0) + 1)
    taken = set(project.items.values_list("key", flat=True))
    for line, row in read_rows(path, required=REQUIRED, problems=problems):
        item = _item(project, row, line, problems)
        if item.key and item.key in taken:
            problems.add(line, "id", f"the id “{item.key}” stands there before, in this file or in the project.")
        taken.add(item.key)
        item.position = next(positions)
        if _flag(row, "calibration", line, problems):
            item.calibration_order = next(calibrations)
        yield item
        if problems.full:
            return


def _item(project: Project, row: Row, line: int, problems: Problems) -> Item:
    def optional(column: str) -> str:
        return text_of(row, column, line, problems, needed=False)

    return Item(
        project=project,
        key=text_of(row, "id", line, problems, longest=LONGEST_KEY),
        sentence1=text_of(row, "sentence1", line, problems),
        sentence2=text_of(row, "sentence2", line, problems),
        context1=_context(row, "context1", "sentence1", line, problems),
        context2=_context(row, "context2", "sentence2", line, problems),
        language=language_of(row, line, problems),
        gold=_gold(row, line, problems),
        source=optional("source"),
        extra=extra_of(row, KNOWN, line, problems),
    )


def _context(row: Row, column: str, sentence: str, line: int, problems: Problems) -> str:
    text = text_of(row, column, line, problems, needed=False)
    marked = SENT.findall(text)
    if text and len(marked) != 1:
        problems.add(line, column, "the sentence must stand in the context once, between <sent> and </sent>.")
    elif text and marked[0].split() != str(row.get(sentence)).split():
        problems.add(line, column, f"what stands between <sent> and </sent> is not {sentence}.")
    return text


def _gold(row: Row, line: int, problems: Problems) -> bool | None:
    text = _plain(row.get("gold"))
    if text not in GOLD:
        problems.add(line, "gold", f"“{text}” is neither similar, dissimilar, 1 nor 0.")
    return GOLD.get(text)


def _flag(row: Row, column: str, line: int, problems: Problems) -> bool:
    text = _plain(row.get(column))
    if text not in YES_OR_NO:
        problems.add(line, column, f"“{text}” is neither 1 nor 0.")
    return YES_OR_NO.get(text, False)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value).strip().lower()
