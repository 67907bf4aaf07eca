"""Exports of other programs, imported as the items and judgments of a project.

An export becomes a file of judgments in Semblance's own columns, with pseudonyms in place of names, which is imported
like any other; `import_judgments` sees to duplicates, repetitions and problems.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.elsewhere import PROGRAMS, Choice, Export, Rating, read_export, read_parts, recognise
from annotation.corpora.errors import CorpusError
from annotation.domain.digests import digest_key, lasting_digest
from annotation.domain.errors import Refusal, translated
from annotation.domain.material.items import import_items
from annotation.domain.material.judgments import AS_USUAL, import_judgments
from annotation.domain.material.layouts import as_table
from annotation.domain.material.policy import Imported, ImportPolicy
from annotation.domain.material.rows import FileRefused
from annotation.models import Project, User
from annotation.protocols.terms import Material

OWN = "semblance"
"""Stands for a table in Semblance's own columns."""
FORMATS = (*PROGRAMS, OWN)
TEXTS = {Material.PAIRS: ("sentence1", "sentence2"), Material.TEXTS: ("text",)}
"""The columns of a file of items for the texts of an export, by the material of the project."""
Row = dict[str, Any]


@contextmanager
def opened_export(path: Path, name: str, format_: str = "", question: str = "") -> Iterator[tuple[str, Path, Export]]:
    """Give the format of a file, the file as a table, and what it holds, which of Semblance's own table is nothing.

    Parameters: name, of the file where it comes from; format_, one of FORMATS, "" to recognise it; question, the one
    whose answers are read, "" for the only one.

    Raises:
        Refusal: it cannot be read in this format.
    """
    try:
        with as_table(path, encoding="", columns={}) as table:
            parts = [] if format_ == OWN else read_parts(table, name)
            format_ = format_ or recognise(parts) or OWN
            yield format_, table, Export() if format_ == OWN else read_export(parts, format_, question)
    except CorpusError as error:
        raise Refusal(translated(error)) from error


@transaction.atomic
def import_export(
    *,
    project: Project,
    path: Path,
    export: Export,
    round_key: str | None,
    now: datetime,
    handling: ImportPolicy = AS_USUAL,
    actor: User | None = None,
) -> Imported:
    """Store the judgments of an export, and its items if the project has none. Return what was stored.

    Parameters: path, export: as `opened_export` gives them; the others as of `import_judgments`.

    Raises:
        FileRefused: with every bad line or record; nothing was stored.
        Refusal: as `import_judgments`, or an item has other texts in the project, or judgments are of the other kind.
    """
    store = partial(import_judgments, project=project, round_key=round_key, now=now, handling=handling, actor=actor)
    rows: list[Rating | Choice] = [*export.ratings, *export.choices]
    if not rows:
        return store(path=path)
    _guard_kind(project, export)
    with TemporaryDirectory() as folder:
        items = _import_texts(project, export, Path(folder) / "items.jsonl")
        stored = _Stored(project)
        keys = {item: stored.key_of(item, _spaced(export.texts.get(item, ()))) for item in export.items}
        table = Path(folder) / "judgments.jsonl"
        name_of = _pseudonyms(project)
        _write(table, (_row(row, keys, name_of) for row in rows))
        try:
            done = store(path=table)
        except FileRefused as error:
            places = [row.place for row in rows]
            placed = [replace(found, line=found.line and places[found.line - 1]) for found in error.problems]
            raise FileRefused(placed) from error
    return replace(done, items=done.items or items)


def _guard_kind(project: Project, export: Export) -> None:
    if project.protocol.compares and not export.choices:
        raise Refusal(_("The export has ratings, but this project compares tuples."))
    if not project.protocol.compares and not export.ratings:
        raise Refusal(_("The export has best-worst choices, but this project collects ratings."))


def _write(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def _import_texts(project: Project, export: Export, path: Path) -> int:
    """Store the items of an export, if the project has none and takes such texts. Return their number."""
    columns = TEXTS.get(project.protocol.material, ())
    fits = all(len(export.texts.get(item, ())) == len(columns) for item in export.items)
    if not columns or not fits or project.protocol.in_context or project.items.exists():
        return 0
    _write(path, ({"id": item} | dict(zip(columns, export.texts[item], strict=True)) for item in export.items))
    return import_items(project=project, path=path)


class _Stored:
    """The items of a project, by their IDs and by their texts."""

    def __init__(self, project: Project) -> None:
        self.texts: dict[str, tuple[str, ...]] = {}
        self.keys: dict[tuple[str, ...], list[str]] = {}
        for key, *texts in project.items.values_list("key", "sentence1", "sentence2"):
            self.texts[key] = _spaced(texts)
            self.keys.setdefault(self.texts[key], []).append(key)

    def key_of(self, item: str, texts: tuple[str, ...]) -> str:
        """Return the project's ID of an item: of the only one with the same texts, else the same ID.

        Raises:
            Refusal: the item with this ID has other texts, so that it is not the one that was judged.
        """
        alike = self.keys.get(texts, [])
        if item in alike or not texts:
            return item
        if len(alike) == 1:
            return alike[0]
        if len(self.texts.get(item, ())) == len(texts):
            raise Refusal(
                _("The texts of the item “%(item)s” differ between the project and the export. Use the same items.")
                % {"item": item}
            )
        return item


def _spaced(texts: Iterable[str]) -> tuple[str, ...]:
    """Return texts as they are compared: without the second one if there is only one, and with single spaces."""
    return tuple(" ".join(text.split()) for text in texts if text)


def _pseudonyms(project: Project) -> Callable[[str], str]:
    """Return what gives people their pseudonyms: the same in every file of a project, and not to be traced back."""
    key, known = digest_key(), dict[str, str]()

    def name_of(person: str) -> str:
        if person not in known:
            digest = lasting_digest(f"{project.pk}:{person.strip().casefold()}", key)
            known[person] = f"person-{digest.hex()[:12]}"
        return known[person]

    return name_of


def _row(judged: Rating | Choice, keys: Mapping[str, str], name_of: Callable[[str], str]) -> Row:
    """Return a judgment in Semblance's columns."""
    row: Row = {"annotator": name_of(judged.person)} if judged.person else {}
    if judged.answered_at:
        row["answered_at"] = judged.answered_at
    if judged.thinking_ms is not None:
        row["thinking_ms"] = judged.thinking_ms
    if isinstance(judged, Rating):
        return row | {"item": keys[judged.item], "value": judged.value}
    shown = {f"item{number}": keys[item] for number, item in enumerate(judged.items, start=1)}
    chosen = {"best": keys.get(judged.best, judged.best), "worst": keys.get(judged.worst, judged.worst)}
    return row | shown | chosen | ({"tuple": judged.name} if judged.name else {})
