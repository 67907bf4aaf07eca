"""Dialogues with the utterances that are compared with their last turn (GiCCS)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning.repetition import as_compared
from annotation.domain.material.dialogue_files import Draft, Part, read_drafts
from annotation.domain.material.row_filters import RowFilter, TextRow
from annotation.domain.material.rows import Problems
from annotation.models import Group, Item, ItemImport, Project

SAME_TEXT = _(
    "Utterances %(first)s and %(number)s of the dialogue “%(dialogue)s” have the same text. "
    "Change or remove one of them."
)
SAME_ID = _(
    "Utterances %(first)s and %(number)s of the dialogue “%(dialogue)s” have the same ID. Give each its own ID."
)


def read_dialogues(project: Project, path: Path, problems: Problems, sieve: RowFilter) -> Iterator[Draft]:
    """Yield the dialogues of a file, checked."""
    stored = set(project.groups.values_list("key", flat=True))
    taken: set[str] = set()
    needed = _utterances_needed(project)
    for draft in read_drafts(path, problems):
        if problems.found or _sieved(draft, sieve, project.language):
            _check_place(draft, stored, taken, problems)
            _check_parts(draft, needed, problems)
            yield draft
        if problems.full:
            return


def store_dialogues(project: Project, drafts: list[Draft], item_import: ItemImport | None) -> int:
    """Store dialogues as groups, and their utterances as items. Return the number of utterances."""
    last = project.groups.aggregate(last=Max("position"))["last"] or 0
    groups = Group.objects.bulk_create(
        Group(
            project=project,
            key=draft.key,
            position=position,
            domain=draft.domain,
            language=draft.language,
            turns=[{"speaker": turn.speaker, "text": turn.text} for turn in draft.turns],
            extra=draft.extra,
            item_import=item_import,
        )
        for position, draft in enumerate(drafts, start=last + 1)
    )
    places = count((project.items.aggregate(last=Max("position"))["last"] or 0) + 1)
    items = Item.objects.bulk_create(
        (
            Item(
                project=project,
                group=group,
                key=f"{draft.key}/{utterance.key}",
                position=next(places),
                sentence1=draft.turns[-1].text,
                sentence2=utterance.text,
                language=draft.language,
                extra=utterance.extra,
                item_import=item_import,
            )
            for group, draft in zip(groups, drafts, strict=True)
            for utterance in draft.utterances
        ),
        batch_size=2000,
    )
    return len(items)


def _utterances_needed(project: Project) -> int:
    """Return how many utterances make a tuple."""
    designs = [round_.design for round_ in project.protocol.rounds]
    return max((design.tuple_size for design in designs if design.compares and design.grouped), default=1)


def _sieved(draft: Draft, sieve: RowFilter, language: str) -> bool:
    """Filter the texts of a dialogue. Return whether it stays."""
    parts = [*draft.turns, *draft.utterances]
    texts = [part.text for part in parts]
    categories = {"domain": draft.domain, "language": draft.language}
    left = sieve.row(TextRow(draft.line, texts, language=draft.language or language, categories=categories))
    if left is None:
        return False
    parts = [replace(part, text=text) for part, text in zip(parts, left.texts, strict=True)]
    draft.turns, draft.utterances = parts[: len(draft.turns)], parts[len(draft.turns) :]
    return True


def _check_place(draft: Draft, stored: set[str], taken: set[str], problems: Problems) -> None:
    if draft.key in taken and draft.key:
        reason = _(
            "The dialogue “%(dialogue)s” appears earlier in the file. Keep all rows of a dialogue "
            "together, and include each dialogue only once."
        )
        problems.add(draft.line, "dialogue", reason % {"dialogue": draft.key})
    if draft.key in stored:
        reason = _(
            "The project already has a dialogue with the ID “%(dialogue)s”, and utterances can't be "
            "added to it. Change the ID or remove the dialogue from the file."
        )
        problems.add(draft.line, "dialogue", reason % {"dialogue": draft.key})
    taken.add(draft.key)


def _check_parts(draft: Draft, needed: int, problems: Problems) -> None:
    values = {"dialogue": draft.key, "number": len(draft.utterances), "needed": needed}
    if not draft.turns:
        problems.add(draft.line, "turns", _("The dialogue “%(dialogue)s” has no turns. Add at least one.") % values)
    if not draft.utterances:
        problems.add(
            draft.line,
            "utterances",
            _("The dialogue “%(dialogue)s” has no utterances to compare. Add at least %(needed)s.") % values,
        )
    elif len(draft.utterances) < needed:
        reason = _(
            "The dialogue “%(dialogue)s” has too few utterances: %(number)s instead of at least "
            "%(needed)s. Add the missing ones or remove the dialogue."
        )
        problems.add(draft.line, "utterances", reason % values)
    _check_repeated(draft, lambda utterance: as_compared(utterance.text), SAME_TEXT, problems)
    _check_repeated(draft, lambda utterance: utterance.key, SAME_ID, problems)


def _check_repeated(draft: Draft, value_of: Callable[[Part], str], reason: str, problems: Problems) -> None:
    first: dict[str, int] = {}
    for number, part in enumerate(draft.utterances, start=1):
        value = value_of(part)
        if value and first.setdefault(value, number) != number:
            place = {"number": number, "dialogue": draft.key, "first": first[value]}
            problems.add(part.line, part.column, reason % place)
