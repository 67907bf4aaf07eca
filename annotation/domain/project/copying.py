"""Copies of projects: the protocol with everything that belongs to it, and the texts if wanted."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Model

from annotation.domain.project.creation import create_project
from annotation.domain.project.deletion import remove
from annotation.models import Document, Group, Incident, Item, PracticeTask, Project, Question, Sentence

BATCH = 2000
TAKEN_ALONG = ("seed", "language", "authors", "contact", "url", "guidelines", "consent")
TAKEN_ALONG += ("pay", "contact_person", "contact_address", "ethics_approval")


@transaction.atomic
def copy_project(*, project: Project, key: str, title: str, texts: bool, **values: Any) -> Project:
    """Return a new project with the same protocol, guidelines, consent, questions and practice, but no people.

    Parameters: texts, whether to copy items, dialogues and incidents; values, fields for `create_project`, such as
    `owner`.

    Raises:
        Refusal: the key is taken or of the wrong form.
    """
    taken = {name: getattr(project, name) for name in TAKEN_ALONG}
    copy = create_project(key=key, title=title, protocol=project.protocol, **taken | values)
    for rows in (project.questions, project.practice_tasks):
        _copied(rows.all(), project=copy)
    if texts:
        _copy_texts(project, copy)
    return copy


def _copy_texts(project: Project, copy: Project) -> None:
    """Copy all texts but the pairs that people selected, which are answers."""
    groups = _copied(project.groups.all(), project=copy, item_import=None)
    items = project.items.filter(summary_sentence__isnull=True)
    _copied(items, project=copy, item_import=None, parents={"group": groups})
    incidents = _copied(project.incidents.all(), project=copy, participation=None, item_import=None)
    documents = _copied(Document.objects.filter(incident__project=project), parents={"incident": incidents})
    _copied(Sentence.objects.filter(document__incident__project=project), parents={"document": documents})


Copied = PracticeTask | Question | Group | Item | Incident | Document | Sentence


def _copied(
    rows: Iterable[Copied], *, parents: dict[str, dict[int, Model]] | None = None, **values: Any
) -> dict[int, Model]:
    """Store copies of rows, and return them by the ids of their originals.

    Parameters: parents, copies of related rows by the name of the foreign key; values, further fields of the copies.
    """
    copies: dict[int, Any] = {}
    for row in rows:
        before = row.pk
        row.pk, row._state.adding = None, True
        for name, value in values.items():
            setattr(row, name, value)
        for name, moved in (parents or {}).items():
            present = getattr(row, f"{name}_id")
            setattr(row, name, moved[present] if present else None)
        copies[before] = row
    if copies:
        made = list(copies.values())
        type(made[0])._default_manager.bulk_create(made, batch_size=BATCH)
    return copies


@transaction.atomic
def erase_copy(copy: Project) -> None:
    """Delete a copy made for a rehearsal, with the simulated people and all their answers."""
    if copy.rehearsal_of_id is None:
        raise ValueError("Only rehearsals can be erased.")
    remove(copy)
