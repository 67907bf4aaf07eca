"""Ready pairs of texts, and single texts, into items."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count
from math import nan
from pathlib import Path
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.material.row_filters import RowFilter, TextRow
from annotation.domain.material.rows import Problems, Row, read_rows
from annotation.domain.material.values import (
    IN_PROJECT,
    LONGEST_KEY,
    extra_of,
    language_of,
    read_flag,
    text_of,
    used_before,
)
from annotation.models import Item, ItemImport, Project
from annotation.models.items import EARLIER_VALUE, LABEL_NAMES
from annotation.protocols.scale import Scale
from annotation.texts import SENT

PAIR = ("id", "sentence1", "sentence2")
CONTEXTS = ("context1", "context2")
TEXT = ("id", "text")
SHARED = {"language", "source"}
KNOWN = {*PAIR, *CONTEXTS, *SHARED, "gold", "calibration"}
Read = Callable[[Project, Row, int, Problems], tuple[Item, bool]]
"""Builds the item of a row, and says whether it calibrates."""
GOLD = {"similar": True, "1": True, "dissimilar": False, "0": False, "": None}


def read_pairs(project: Project, path: Path, problems: Problems, sieve: RowFilter) -> Iterator[Item]:
    """Yield the pairs of a file, checked, as items that are not stored yet.

    Where the protocol shows pairs in context, both contexts are required, and earlier values are read.
    """
    if project.protocol.in_context:
        return _read(project, path, problems, sieve, (*PAIR, *CONTEXTS), _pair_in_context)
    return _read(project, path, problems, sieve, PAIR, _pair)


def read_texts(project: Project, path: Path, problems: Problems, sieve: RowFilter) -> Iterator[Item]:
    """Yield the single texts of a file, checked, as items that are not stored yet."""
    return _read(project, path, problems, sieve, TEXT, _text)


def _read(
    project: Project, path: Path, problems: Problems, sieve: RowFilter, required: Sequence[str], read: Read
) -> Iterator[Item]:
    last = project.items.aggregate(position=Max("position"), calibration=Max("calibration_order"))
    positions, calibrations = count((last["position"] or 0) + 1), count((last["calibration"] or 0) + 1)
    taken = dict.fromkeys(project.items.values_list("key", flat=True), IN_PROJECT)
    for line, row in read_rows(path, required=required, problems=problems):
        item, calibrates = read(project, row, line, problems)
        if item.key and item.key in taken:
            problems.add(line, "id", used_before(item.key, taken[item.key]))
        taken.setdefault(item.key, line)
        if problems.found or _sieved(item, line, sieve):
            item.position = next(positions)
            item.calibration_order = next(calibrations) if calibrates else None
            yield item
        if problems.full:
            return


def store_ready(project: Project, items: list[Item], item_import: ItemImport | None) -> int:
    """Store pairs or single texts. Return their number."""
    for item in items:
        item.item_import = item_import
    return len(Item.objects.bulk_create(items))


def _sieved(item: Item, line: int, sieve: RowFilter) -> bool:
    """Filter the texts of an item. Return whether it stays.

    The text between the marks of a context is the sentence, so only the text around it is filtered by itself.
    """
    around = [*_around(item.context1), *_around(item.context2)]
    gold = LABEL_NAMES[item.gold]
    row = TextRow(
        line,
        item.texts,
        beside=around,
        language=item.language or item.project.language,
        categories={"language": item.language, "source": item.source, "gold": gold},
    )
    left = sieve.row(row)
    if left is None:
        return False
    if left is not row:
        item.context1 = _rebuilt(item.context1, item.sentence1, left.texts[0], left.beside[:2])
        item.context2 = _rebuilt(item.context2, item.sentence2, left.texts[-1], left.beside[2:])
        item.sentence1, item.sentence2 = (*left.texts, "")[:2]
    return True


def _around(context: str) -> tuple[str, str]:
    """Return the text before and after the marked sentence."""
    marked = SENT.search(context)
    return (context[: marked.start()], context[marked.end() :]) if marked else ("", "")


def _rebuilt(context: str, sentence: str, cleaned: str, around: Sequence[str]) -> str:
    """Return the context of a cleaned sentence; one that did not change may have other spaces there."""
    marked = SENT.search(context)
    before, behind = around
    return f"{before}<sent>{marked[1] if cleaned == sentence else cleaned}</sent>{behind}".strip() if marked else ""


def _pair(project: Project, row: Row, line: int, problems: Problems) -> tuple[Item, bool]:
    item = _item(project, row, line, problems, text="sentence1", known=KNOWN)
    item.sentence2 = text_of(row, "sentence2", line, problems)
    item.context1 = _context(row, "context1", "sentence1", line, problems)
    item.context2 = _context(row, "context2", "sentence2", line, problems)
    item.gold = _gold(row, line, problems)
    return item, read_flag(row, "calibration", line, problems)


def _pair_in_context(project: Project, row: Row, line: int, problems: Problems) -> tuple[Item, bool]:
    item, calibrates = _pair(project, row, line, problems)
    for column in CONTEXTS:
        if row.get(column) is None or not str(row[column]).strip():
            problems.add(
                line,
                column,
                _(
                    "The context is missing. In this project pairs are rated in context, so every pair needs "
                    "both contexts."
                ),
            )
    if EARLIER_VALUE in item.extra:
        item.extra[EARLIER_VALUE] = _earlier_value(item.extra[EARLIER_VALUE], project.protocol.scale, line, problems)
    return item, calibrates


def _earlier_value(value: Any, scale: Scale, line: int, problems: Problems) -> float | None:
    """Return a number within the scale, also between its points; anything else becomes a problem."""
    text = "" if value is None else str(value).strip()
    if not text:
        reason = _("The earlier value is missing. Add it, or remove the column if the pairs have no earlier values.")
        problems.add(line, EARLIER_VALUE, reason)
        return None
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not float(scale.minimum) <= number <= float(scale.maximum):
        reason = _("“%(text)s” is not a number from %(minimum)s to %(maximum)s.")
        ends = {"minimum": scale.minimum, "maximum": scale.maximum}
        problems.add(line, EARLIER_VALUE, reason % {"text": text[:40], **ends})
        return None
    return number


def _text(project: Project, row: Row, line: int, problems: Problems) -> tuple[Item, bool]:
    return _item(project, row, line, problems, text="text", known={*TEXT, *SHARED}), False


def item_of_row(project: Project, row: Row, problems: Problems) -> Item:
    """Return an unsaved item of one row, checked by the rules for files; what is wrong is added to the problems."""
    if "text" in row:
        return _text(project, row, 1, problems)[0]
    return (_pair_in_context if project.protocol.in_context else _pair)(project, row, 1, problems)[0]


def _item(project: Project, row: Row, line: int, problems: Problems, *, text: str, known: Collection[str]) -> Item:
    """Return the item of a row. Parameters: text, the column of the first or only text."""
    return Item(
        project=project,
        key=text_of(row, "id", line, problems, longest=LONGEST_KEY),
        sentence1=text_of(row, text, line, problems),
        language=language_of(row, line, problems),
        source=text_of(row, "source", line, problems, needed=False),
        extra=extra_of(row, known, line, problems),
    )


def _context(row: Row, column: str, sentence: str, line: int, problems: Problems) -> str:
    text = text_of(row, column, line, problems, needed=False)
    marked = SENT.findall(text)
    if text and len(marked) != 1:
        problems.add(line, column, _("The context must contain the sentence exactly once, between <sent> and </sent>."))
    elif text and marked[0].split() != str(row.get(sentence)).split():
        reason = _("The text between <sent> and </sent> differs from %(column)s. Make them the same.") % {
            "column": sentence
        }
        problems.add(line, column, reason)
    return text


def _gold(row: Row, line: int, problems: Problems) -> bool | None:
    value = row.get("gold")
    text = "" if value is None else str(int(value) if isinstance(value, bool) else value).strip().lower()
    if text not in GOLD:
        problems.add(
            line, "gold", _("“%(text)s” is not a known label. Use similar or 1, dissimilar or 0.") % {"text": text}
        )
    return GOLD.get(text)
