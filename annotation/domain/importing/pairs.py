"""Ready pairs of texts into items."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.importing.rows import Problems, Row, read_rows
from annotation.domain.importing.sieve import Sieve, TextRow
from annotation.domain.importing.values import LONGEST_KEY, extra_of, language_of, text_of
from annotation.models import Item, Project
from annotation.texts import SENT

REQUIRED = ("id", "sentence1", "sentence2")
KNOWN = {*REQUIRED, "context1", "context2", "gold", "calibration", "language", "source"}
GOLD = {"similar": True, "1": True, "dissimilar": False, "0": False, "": None}
YES_OR_NO = {"1": True, "0": False, "true": True, "false": False, "": False}


def read_pairs(project: Project, path: Path, problems: Problems, sieve: Sieve) -> Iterator[Item]:
    """The pairs of a file, checked, as items that are not stored yet."""
    last = project.items.aggregate(position=Max("position"), calibration=Max("calibration_order"))
    positions, calibrations = count((last["position"] or 0) + 1), count((last["calibration"] or 0) + 1)
    taken = set(project.items.values_list("key", flat=True))
    for line, row in read_rows(path, required=REQUIRED, problems=problems):
        item = _item(project, row, line, problems)
        if item.key and item.key in taken:
            problems.add(
                line,
                "id",
                _("the id “%(key)s” stands there before, in this file or in the project.") % {"key": item.key},
            )
        taken.add(item.key)
        calibrates = _flag(row, "calibration", line, problems)
        if problems.found or _sieved(item, line, sieve):
            item.position = next(positions)
            item.calibration_order = next(calibrations) if calibrates else None
            yield item
        if problems.full:
            return


def store_pairs(project: Project, items: list[Item]) -> int:
    """Stores pairs. Returns how many."""
    return len(Item.objects.bulk_create(items))


def _sieved(item: Item, line: int, sieve: Sieve) -> bool:
    """The texts as they come out of the sieve; whether the pair stays.

    What stands between the marks of a context is the sentence, so only what stands around it is sieved by itself.
    """
    around = [*_around(item.context1), *_around(item.context2)]
    gold = {True: "similar", False: "dissimilar"}.get(item.gold, "")
    row = TextRow(
        line,
        [item.sentence1, item.sentence2],
        beside=around,
        language=item.language or item.project.language,
        categories={"language": item.language, "source": item.source, "gold": gold},
    )
    left = sieve.row(row)
    if left is None:
        return False
    if left is not row:
        item.context1 = _rebuilt(item.context1, item.sentence1, left.texts[0], left.beside[:2])
        item.context2 = _rebuilt(item.context2, item.sentence2, left.texts[1], left.beside[2:])
        item.sentence1, item.sentence2 = left.texts
    return True


def _around(context: str) -> tuple[str, str]:
    """What stands before and behind the marked sentence."""
    marked = SENT.search(context)
    return (context[: marked.start()], context[marked.end() :]) if marked else ("", "")


def _rebuilt(context: str, sentence: str, cleaned: str, around: Sequence[str]) -> str:
    """The context of a cleaned sentence; one that did not change may be written there with other spaces."""
    marked = SENT.search(context)
    before, behind = around
    return f"{before}<sent>{marked[1] if cleaned == sentence else cleaned}</sent>{behind}".strip() if marked else ""


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
        problems.add(line, column, _("the sentence must stand in the context once, between <sent> and </sent>."))
    elif text and marked[0].split() != str(row.get(sentence)).split():
        problems.add(
            line, column, _("what stands between <sent> and </sent> is not %(column)s.") % {"column": sentence}
        )
    return text


def _gold(row: Row, line: int, problems: Problems) -> bool | None:
    text = _plain(row.get("gold"))
    if text not in GOLD:
        problems.add(line, "gold", _("“%(text)s” is neither similar, dissimilar, 1 nor 0.") % {"text": text})
    return GOLD.get(text)


def _flag(row: Row, column: str, line: int, problems: Problems) -> bool:
    text = _plain(row.get(column))
    if text not in YES_OR_NO:
        problems.add(line, column, _("“%(text)s” is neither 1 nor 0.") % {"text": text})
    return YES_OR_NO.get(text, False)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value).strip().lower()
