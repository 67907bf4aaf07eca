"""Practice with feedback and a check, before the work of a best-worst round.

Where a person stands follows from the answers stored and from nothing else, so that loading a page again, going back,
a second tab and a double click change nothing. Practice answers are no judgments and are counted nowhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_CEILING, Decimal

import numpy as np
from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import WrongScreen
from annotation.domain.flow import Ended, Practice, where_now
from annotation.domain.judging import require_choice
from annotation.domain.locking import lock
from annotation.domain.participation import exclude
from annotation.models import Participation, PracticeAnswer, PracticePart, PracticeTask, Project
from annotation.planning.dealing import draw_order
from annotation.protocols.spec import BestWorstDesign
from annotation.queries import to_answer

# Crowd platforms allow a check before the work if people have two tries and it is no rejection; one slip is human,
# and with more than two the answers could be found by trying. The pages speak of two attempts in words.
ATTEMPTS = 2
PRACTICE_ATTEMPT = 1  # practice is answered once; what was wrong is explained, not asked again

STANDS = _("This was answered already; the earlier answer stands. Here is where you are now.")
ELSEWHERE = _("That was not your present screen, so nothing was changed. Here is where you are now.")


@dataclass(frozen=True)
class Try:
    """A task to be answered, the `number`th `of` its part."""

    task: PracticeTask
    number: int
    of: int
    attempt: int = PRACTICE_ATTEMPT

    @property
    def checking(self) -> bool:
        return self.task.part == PracticePart.CHECK


@dataclass(frozen=True)
class Feedback:
    """A practice task that was answered, and the person has not gone on from its solution yet."""

    answer: PracticeAnswer
    number: int
    of: int


@dataclass(frozen=True)
class CheckAhead:
    """An attempt at the check that has not begun; `rights` tells of each attempt before how many were right."""

    first: Try
    needed: int
    rights: tuple[int, ...]


@dataclass(frozen=True)
class Passed:
    """Nothing is left to try: the work may begin."""


@dataclass(frozen=True)
class Failed:
    """Every attempt at the check is used up."""

    rights: tuple[int, ...]
    of: int
    needed: int


Stage = Try | Feedback | CheckAhead | Passed | Failed


def stage_of(participation: Participation) -> Stage:
    """Where the person stands in the practice, from what is stored; two queries."""
    tasks = list(to_answer(participation.project.practice_tasks.all()))
    answers = participation.practice_answers.select_related("task")
    given = {(answer.task_id, answer.attempt): answer for answer in answers}
    practice = [task for task in tasks if task.part == PracticePart.PRACTICE]
    check = [task for task in tasks if task.part == PracticePart.CHECK]
    return _practice_stage(practice, given) or _check_stage(check, given, _design(participation).check_share)


Given = Mapping[tuple[int, int], PracticeAnswer]


def _practice_stage(tasks: Sequence[PracticeTask], given: Given) -> Stage | None:
    """In order, each once, and on from a solution only when the person says so; None when all are done."""
    for number, task in enumerate(tasks, start=1):
        answer = given.get((task.pk, PRACTICE_ATTEMPT))
        if answer is None:
            return Try(task, number, len(tasks))
        if answer.seen_at is None:
            return Feedback(answer, number, len(tasks))
    return None


def _check_stage(tasks: Sequence[PracticeTask], given: Given, share: Decimal) -> Stage:
    needed, rights = right_answers_needed(len(tasks), share), []
    for attempt in range(1, ATTEMPTS + 1):
        answers = [given.get((task.pk, attempt)) for task in tasks]
        if None in answers:
            place = answers.index(None)
            present = Try(tasks[place], place + 1, len(tasks), attempt)
            return CheckAhead(present, needed, tuple(rights)) if not any(answers) else present
        rights.append(sum(answer.right for answer in answers if answer))
        if rights[-1] >= needed:
            return Passed()
    return Failed(tuple(rights), len(tasks), needed)


def right_answers_needed(tasks: int, share: Decimal) -> int:
    """The smallest number of right answers that is no less than the share."""
    return int((tasks * share).to_integral_value(ROUND_CEILING))


def shown_order(participation: Participation, present: Try) -> list[int]:
    """The numbers of the task's items in the order in which this person sees them in this attempt.

    Practice comes as it was written, as its explanations may speak of “the second pair”. In the check everybody has
    an order of their own, and another one in each attempt, so that no places can be learnt or passed on.
    """
    items = len(present.task.texts)
    if not present.checking:
        return list(range(1, items + 1))
    seed = [participation.project.seed, participation.seat, present.attempt, present.task.position]
    return [int(digit) for digit in draw_order(items, np.random.default_rng(seed))]


def _design(participation: Participation) -> BestWorstDesign:
    design = participation.design
    assert isinstance(design, BestWorstDesign)
    return design


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
    require_choice(_design(participation), range(1, len(task.texts) + 1), best, worst)
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
        reason = _reason(stage, _design(participation).check_share)
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


def failed_check(participation: Participation) -> Failed | None:
    """How the check went for somebody whose round ended with it; None for everybody else."""
    if not participation.practice_answers.filter(task__part=PracticePart.CHECK, attempt=ATTEMPTS).exists():
        return None
    stage = stage_of(participation)
    return stage if isinstance(stage, Failed) else None


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
