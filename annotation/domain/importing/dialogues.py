"""Dialogues with the utterances that are compared with their last turn (GiCCS)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning.repetition import as_compared
from annotation.domain.importing.dialogue_files import Draft, Part, read_drafts
from annotation.domain.importing.rows import Problems
from annotation.domain.importing.sieve import Sieve, TextRow
from annotation.models import Group, Item, Project
from annotation.protocols.spec import BestWorstDesign

SAME_TEXT = _(
    "utterance %(number)s of “%(dialogue)s” has the text of utterance %(first)s; two equal ones cannot be ranked."
)
SAME_ID = _("utterance %(number)s of “%(dialogue)s” has the id of utterance %(first)s; each needs one of its own.")


def read_dialogues(project: Project, path: Path, problems: Problems, sieve: Sieve) -> Iterator[Draft]:
    """The dialogues of a file, checked."""
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


def store_dialogues(project: Project, drafts: list[Draft]) -> int:
    """Stores dialogues as groups, and their utterances as items. Returns how many utterances."""
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
            )
            for group, draft in zip(groups, drafts, strict=True)
            for utterance in draft.utterances
        ),
        batch_size=2000,
    )
    return len(items)


def _utterances_needed(project: Project) -> int:
    """How many utterances make a tuple."""
    designs = [one.design for one in project.protocol.rounds]
    return max((one.tuple_size for one in designs if isinstance(one, BestWorstDesign) and one.grouped), default=1)


def _sieved(draft: Draft, sieve: Sieve, language: str) -> bool:
    """The texts as they come out of the sieve; whether the dialogue stays."""
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
        reason = _("the dialogue “%(dialogue)s” stands there before; all of it must stand together, and once.") % {
            "dialogue": draft.key
        }
        problems.add(draft.line, "dialogue", reason)
    if draft.key in stored:
        reason = _(
            "the project has the dialogue “%(dialogue)s”: its utterances are compared as a whole, none can be added."
        ) % {"dialogue": draft.key}
        problems.add(draft.line, "dialogue", reason)
    taken.add(draft.key)


def _check_parts(draft: Draft, needed: int, problems: Problems) -> None:
    if not draft.turns:
        problems.add(draft.line, "turns", _("the dialogue “%(dialogue)s” has no turn.") % {"dialogue": draft.key})
    if not draft.utterances:
        problems.add(
            draft.line,
            "utterances",
            _("the dialogue “%(dialogue)s” has no utterance to compare.") % {"dialogue": draft.key},
        )
    elif len(draft.utterances) < needed:
        number = len(draft.utterances)
        reason = _(
            "the dialogue “%(dialogue)s” has %(number)s of the %(needed)s utterances that are compared at once."
        ) % {"dialogue": draft.key, "number": number, "needed": needed}
        problems.add(draft.line, "utterances", reason)
    _check_repeated(draft, lambda one: as_compared(one.text), SAME_TEXT, problems)
    _check_repeated(draft, lambda one: one.key, SAME_ID, problems)


def _check_repeated(draft: Draft, value_of: Callable[[Part], str], reason: str, problems: Problems) -> None:
    first: dict[str, int] = {}
    for number, part in enumerate(draft.utterances, start=1):
        value = value_of(part)
        if value and first.setdefault(value, number) != number:
            place = {"number": number, "dialogue": draft.key, "first": first[value]}
            problems.add(part.line, part.column, reason % place)
