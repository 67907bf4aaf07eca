"""Copies of projects: the protocol with everything that belongs to it, and the texts if they are wanted."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Model

from annotation.domain.deleting import remove
from annotation.domain.projects import store_project
from annotation.models import (
    Document,
    Group,
    Incident,
    Item,
    PracticeTask,
    Project,
    Question,
    Sentence,
)

BATCH = 2000
TAKEN_ALONG = ("seed", "language", "guidelines", "consent")


@transaction.atomic
def copy_project(*, project: Project, key: str, title: str, texts: bool, **values: Any) -> Project:
    """A new project with the same protocol, guidelines, consent, questions and practice; nobody takes part in it yet.

    Parameters: texts, whether items, dialogues and incidents come too; values, of fields that are to be different.

    Raises:
        Refusal: the key is taken or of the wrong form.
    """
    taken = {name: getattr(project, name) for name in TAKEN_ALONG}
    copy = store_project(key=key, title=title, protocol=project.protocol, **taken | values)
    for rows in (project.questions, project.practice_tasks):
        _copied(rows.all(), project=copy)
    if texts:
        _copy_texts(project, copy)
    return copy


def _copy_texts(project: Project, copy: Project) -> None:
    """All but the pairs that people selected: those are answers."""
    groups = _copied(project.groups.all(), project=copy)
    _copied(project.items.filter(summary_sentence__isnull=True), project=copy, parents={"group": groups})
    incidents = _copied(project.incidents.all(), project=copy, participation=None)
    documents = _copied(Document.objects.filter(incident__project=project), parents={"incident": incidents})
    _copied(Sentence.objects.filter(document__incident__project=project), parents={"document": documents})


Copied = PracticeTask | Question | Group | Item | Incident | Document | Sentence


def _copied(
    rows: Iterable[Copied], *, parents: dict[str, dict[int, Model]] | None = None, **values: Any
) -> dict[int, Model]:
    """The copies by the ids of their originals.

    Parameters: parents, by the name of a foreign key the copies of what it leads to; values, of the copies.
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
    """Removes a copy made for a rehearsal, with everything that simulated people did in it."""
    assert copy.rehearsal_of_id is not None, "Only rehearsals are erased."
    remove(copy)
