"""Changes to single tasks of a practice set.

Practice and check tasks can change until an annotator has answered one of the set, because all annotators get the same
tasks; afterwards, only their explanations. Nobody answers worked examples, so these can always change.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.material.rows import Problems
from annotation.domain.practice.importing import is_answered, lock_unanswered, task_of_row, tuple_sizes
from annotation.models import PracticePart, PracticeTask, Project, User
from annotation.models.audit_actions import Action

FIELDS = ("texts", "turns", "language", "best", "worst", "why")
EXPLANATION = "why"


@transaction.atomic
def add_task(*, project: Project, row: Mapping[str, Any], actor: User, now: datetime) -> PracticeTask:
    """Store a task at the end of its part.

    Parameters: row, as a line of an imported file.

    Raises:
        Refusal: something is missing or wrong, or the part can no longer change.
    """
    task = _checked(project, row)
    _lock(project, task.part)
    task.position = 1 + (_alike(task).aggregate(last=Max("position"))["last"] or 0)
    task.save()
    write_down(Action.PRACTICE_TASK_ADDED, project, actor=actor, now=now, part=task.part)
    return task


@transaction.atomic
def change_task(*, task: PracticeTask, row: Mapping[str, Any], actor: User, now: datetime) -> list[str]:
    """Change a task, and return the names of the fields that differ now; its part stays.

    Raises:
        Refusal: something is missing or wrong, or more than the explanation is to change after an answer.
    """
    project = task.project
    checked = _checked(project, {**row, "part": task.part})
    changed = [name for name in FIELDS if getattr(task, name) != getattr(checked, name)]
    _lock(project, PracticePart.EXAMPLE if changed == [EXPLANATION] else task.part)
    for name in changed:
        setattr(task, name, getattr(checked, name))
    if changed:
        task.save(update_fields=changed)
        write_down(Action.PRACTICE_TASK_CHANGED, project, actor=actor, now=now, part=task.part, fields=changed)
    return changed


@transaction.atomic
def remove_task(*, task: PracticeTask, actor: User, now: datetime) -> None:
    """Delete a task. Raise Refusal if its part can no longer change."""
    _lock(task.project, task.part)
    task.delete()
    write_down(Action.PRACTICE_TASK_REMOVED, task.project, actor=actor, now=now, part=task.part)


@transaction.atomic
def move_up(*, task: PracticeTask, actor: User, now: datetime) -> None:
    """Exchange a task with the one before it in its part. Raise Refusal if the part can no longer change."""
    _lock(task.project, task.part)
    before = _alike(task).filter(position__lt=task.position).order_by("-position").first()
    if before is None:
        return
    places = before.position, task.position
    for moved, position in ((task, 0), (before, places[1]), (task, places[0])):  # no two are ever at one position
        PracticeTask.objects.filter(pk=moved.pk).update(position=position)
    write_down(Action.PRACTICE_TASK_MOVED, task.project, actor=actor, now=now, part=task.part)


def may_change(project: Project, part: str) -> bool:
    """Return whether tasks of a part can still be added, changed, removed and moved."""
    return part == PracticePart.EXAMPLE or not is_answered(project)


def _checked(project: Project, row: Mapping[str, Any]) -> PracticeTask:
    if not tuple_sizes(project):
        raise Refusal(_("Only projects with best-worst choices can have a practice set."))
    problems = Problems()
    task = task_of_row(project, dict(row), 0, problems)
    if problems.found:
        raise Refusal(" ".join(f"{problem.column}: {problem.reason}" for problem in problems.found))
    return task


def _lock(project: Project, part: str) -> None:
    """Lock the project, as every answer does, and raise Refusal if the part can no longer change."""
    if part != PracticePart.EXAMPLE:
        lock_unanswered(project)
    else:
        Project.objects.select_for_update().get(pk=project.pk)


def _alike(task: PracticeTask) -> Any:
    return PracticeTask.objects.filter(project=task.project, part=task.part)
