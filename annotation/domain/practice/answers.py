"""Answers to practice tasks with feedback, and to the check, before the work of a best-worst round.

A person's state follows from their stored answers alone, so that loading a page again, going back, a second tab and a
double click change nothing. Practice answers are not judgments and never count.
"""

from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import WrongScreen
from annotation.domain.judgment.rules import require_choice
from annotation.domain.participation.flow import Ended, Practice, where_now
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.participation.locking import lock
from annotation.domain.practice.stages import CheckAhead, Failed, Passed, Try, stage_of
from annotation.models import Participation, PracticeAnswer, PracticePart, PracticeTask, Project
from annotation.queries.projects import to_answer

STANDS = _("You have already answered this, and your earlier answer is kept. This is your current screen.")
ELSEWHERE = _("That was not your current screen, so nothing was changed. This is your current screen.")


@transaction.atomic
def answer(
    *, participation_id: int, task_id: int, attempt: int, best: int | None, worst: int | None, now: datetime
) -> PracticeAnswer:
    """Store an answer to a task of the practice or of the check; the last one of the check decides.

    Parameters: best and worst, numbers of the task's items in the order of the import, from 1.

    Raises:
        Refusal: best or worst is missing, or both are the same.
        WrongScreen: it is not the present task; the same answer sent again is returned instead.
    """
    participation = _lock_with_tasks(participation_id)
    if stored := participation.practice_answers.filter(task=task_id, attempt=attempt).first():
        if (stored.best, stored.worst) != (best, worst):
            raise WrongScreen(STANDS)
        return stored
    task = _present_task(participation, task_id, attempt, now)
    require_choice(participation.design, range(1, len(task.texts) + 1), best, worst)
    stored = participation.practice_answers.create(
        task=task,
        attempt=attempt,
        best=best,
        worst=worst,
        right=(best, worst) == (task.best, task.worst),
        answered_at=now,
    )
    _settle(participation, now)
    return stored


@transaction.atomic
def go_on(*, participation_id: int, task_id: int | None, now: datetime) -> Participation:
    """Store that the person has read the solution of a practice task; without such a task, only update their state.

    The work begins if no task is left, for example because the tasks have been removed.
    """
    participation = _lock_with_tasks(participation_id)
    if isinstance(where_now(participation, now), Practice):
        participation.practice_answers.filter(task=task_id, seen_at=None).update(seen_at=now)
        _settle(participation, now)
    return participation


def _lock_with_tasks(participation_id: int) -> Participation:
    """Return the locked participation, with the project locked too, so that nobody replaces the tasks meanwhile."""
    participation = lock(participation_id)
    Project.objects.select_for_update().get(pk=participation.project_id)
    return participation


def _present_task(participation: Participation, task_id: int, attempt: int, now: datetime) -> PracticeTask:
    place = where_now(participation, now)
    if isinstance(place, Ended):
        raise WrongScreen(place.reason)
    stage = stage_of(participation) if isinstance(place, Practice) else None
    present = stage.first if isinstance(stage, CheckAhead) else stage
    if not isinstance(present, Try) or (present.task.pk, present.attempt) != (task_id, attempt):
        raise WrongScreen(ELSEWHERE)
    return present.task


def _settle(participation: Participation, now: datetime) -> None:
    """End the practice if no task is left: begin the work, or exclude the person with the result as the reason."""
    stage = stage_of(participation)
    if not isinstance(stage, Passed | Failed):
        return
    participation.practising = False
    participation.save(update_fields=["practising"])
    if isinstance(stage, Failed):
        reason = _reason(stage, participation.design.check_share)
        exclude(participation_id=participation.pk, reason=reason, actor=None, now=now)


def _reason(failed: Failed, share: Decimal) -> str:
    first, *others = failed.rights
    same = all(other == first for other in others)
    rights = f"{first} of {failed.of} check questions right in both attempts"
    if not same:
        rights = f"{' and then '.join(map(str, failed.rights))} of {failed.of} check questions right"
    return f"Got {rights}; {as_percent(share)} required."


def as_percent(share: Decimal) -> str:
    return f"{float(share) * 100:g} %"


def tasks_before(project: Project) -> dict[str, int]:
    """Return the number of tasks before the work by part, without parts that have none."""
    counts = to_answer(project.practice_tasks.all()).order_by().values_list("part").annotate(tasks=Count("pk"))
    return dict(counts)


def practised(participation: Participation) -> list[PracticeAnswer]:
    """Return the person's answers to practice tasks, with their tasks."""
    answers = participation.practice_answers.filter(task__part=PracticePart.PRACTICE)
    return list(answers.select_related("task").order_by("task__position"))


def examples(project: Project) -> list[PracticeTask]:
    """Return the worked examples, which are shown with their solutions."""
    return list(project.practice_tasks.filter(part=PracticePart.EXAMPLE))
