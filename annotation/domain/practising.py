"""Practice with feedback and a check, before the work of a best-worst round.

Where a person stands follows from the answers stored and from nothing else, so that loading a page again, going back,
a second tab and a double click change nothing. Practice answers are no judgments and are counted nowhere.
"""

from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from annotation.domain.answer_rules import require_choice
from annotation.domain.errors import WrongScreen
from annotation.domain.flow import Ended, Practice, choosing_design, where_now
from annotation.domain.locking import lock
from annotation.domain.participation import exclude
from annotation.domain.practice_stages import CheckAhead, Failed, Passed, Try, stage_of
from annotation.models import Participation, PracticeAnswer, PracticePart, PracticeTask, Project
from annotation.queries import to_answer

STANDS = _("This was answered already; the earlier answer stands. Here is where you are now.")
ELSEWHERE = _("That was not your present screen, so nothing was changed. Here is where you are now.")


@transaction.atomic
def answer(
    *, participation_id: int, task_id: int, attempt: int, best: int | None, worst: int | None, now: datetime
) -> PracticeAnswer:
    """Stores an answer to a task of the practice or of the check; the last one of the check decides.

    Parameters: best and worst, numbers of the task's items as they were brought in, from 1.

    Raises:
        Refusal: one of the two is missing, or both are the same.
        WrongScreen: not the present task; the same answer sent again is returned as it is stored instead.
    """
    participation = _lock_with_tasks(participation_id)
    if stored := participation.practice_answers.filter(task=task_id, attempt=attempt).first():
        if (stored.best, stored.worst) != (best, worst):
            raise WrongScreen(STANDS)
        return stored
    task = _present_task(participation, task_id, attempt, now)
    require_choice(choosing_design(participation), range(1, len(task.texts) + 1), best, worst)
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
    """The person has read the solution of a practice task; again, or without such a task, it only settles.

    Where nothing is left to try, the work begins. That may also be so because the tasks were taken away meanwhile.
    """
    participation = _lock_with_tasks(participation_id)
    if isinstance(where_now(participation, now), Practice):
        participation.practice_answers.filter(task=task_id, seen_at=None).update(seen_at=now)
        _settle(participation, now)
    return participation


def _lock_with_tasks(participation_id: int) -> Participation:
    """The participation, and with its project the tasks, which nobody replaces meanwhile."""
    participation = lock(participation_id)
    Project.objects.select_for_update().get(pk=participation.project_id)
    return participation


def _present_task(participation: Participation, task_id: int, attempt: int, now: datetime) -> PracticeTask:
    here = where_now(participation, now)
    if isinstance(here, Ended):
        raise WrongScreen(here.reason)
    stage = stage_of(participation) if isinstance(here, Practice) else None
    present = stage.first if isinstance(stage, CheckAhead) else stage
    if not isinstance(present, Try) or (present.task.pk, present.attempt) != (task_id, attempt):
        raise WrongScreen(ELSEWHERE)
    return present.task


def _settle(participation: Participation, now: datetime) -> None:
    """Ends the practice where nothing is left: into the work, or out of the round with the figures as the reason."""
    stage = stage_of(participation)
    if not isinstance(stage, Passed | Failed):
        return
    participation.practising = False
    participation.save(update_fields=["practising"])
    if isinstance(stage, Failed):
        reason = _reason(stage, choosing_design(participation).check_share)
        exclude(participation_id=participation.pk, reason=reason, actor=None, now=now)


def _reason(failed: Failed, share: Decimal) -> str:
    one, *others = failed.rights
    same = all(other == one for other in others)
    rights = f"{one} of {failed.of} check questions right in both attempts"
    if not same:
        rights = f"{' and then '.join(map(str, failed.rights))} of {failed.of} check questions right"
    return f"Answered {rights}; {as_percent(share)} were asked for."


def as_percent(share: Decimal) -> str:
    return f"{float(share) * 100:g} %"


def tasks_before(project: Project) -> dict[str, int]:
    """How many tasks of each part are to be answered before the work; parts without any are left out."""
    counts = to_answer(project.practice_tasks.all()).order_by().values_list("part").annotate(tasks=Count("pk"))
    return dict(counts)


def practised(participation: Participation) -> list[PracticeAnswer]:
    """The answers to practice tasks with their solutions, to be looked at again."""
    answers = participation.practice_answers.filter(task__part=PracticePart.PRACTICE)
    return list(answers.select_related("task").order_by("task__position"))


def examples(project: Project) -> list[PracticeTask]:
    """The worked examples, which are shown with their solutions."""
    return list(project.practice_tasks.filter(part=PracticePart.EXAMPLE))
