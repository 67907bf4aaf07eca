"""The stages of practice and check, computed from what is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

import numpy as np

from annotation.models import Participation, PracticeAnswer, PracticePart, PracticeTask
from annotation.planning.dealing import draw_order
from annotation.queries.projects import to_answer

# Crowd platforms allow a check before the work if people have two tries and it is no rejection; one slip is human,
# and with more than two the answers could be found by trying. The pages speak of two attempts in words.
ATTEMPTS = 2
PRACTICE_ATTEMPT = 1  # practice is answered once; what was wrong is explained, not asked again


@dataclass(frozen=True)
class Try:
    """A task to be answered: number `number` of the `of` tasks of its part."""

    task: PracticeTask
    number: int
    of: int
    attempt: int = PRACTICE_ATTEMPT

    @property
    def checking(self) -> bool:
        return self.task.part == PracticePart.CHECK


@dataclass(frozen=True)
class Feedback:
    """A practice task that is answered, with a solution that the person has not left yet."""

    answer: PracticeAnswer
    number: int
    of: int


@dataclass(frozen=True)
class CheckAhead:
    """An attempt at the check that has not begun; `rights` holds the right answers of each attempt before."""

    first: Try
    needed: int
    rights: tuple[int, ...]


@dataclass(frozen=True)
class Passed:
    """No task is left, and the work may begin."""


@dataclass(frozen=True)
class Failed:
    """Every attempt at the check is used up."""

    rights: tuple[int, ...]
    of: int
    needed: int


Stage = Try | Feedback | CheckAhead | Passed | Failed


def stage_of(participation: Participation) -> Stage:
    """Return the person's stage in practice and check, in two queries."""
    tasks = list(to_answer(participation.project.practice_tasks.all()))
    answers = participation.practice_answers.select_related("task")
    found = {(answer.task_id, answer.attempt): answer for answer in answers}
    practice = [task for task in tasks if task.part == PracticePart.PRACTICE]
    check = [task for task in tasks if task.part == PracticePart.CHECK]
    return _practice_stage(practice, found) or _check_stage(check, found, participation.design.check_share)


Answers = Mapping[tuple[int, int], PracticeAnswer]


def _practice_stage(tasks: Sequence[PracticeTask], found: Answers) -> Stage | None:
    """Return the first task without an answer or with an unread solution; None if all are done."""
    for number, task in enumerate(tasks, start=1):
        answer = found.get((task.pk, PRACTICE_ATTEMPT))
        if answer is None:
            return Try(task, number, len(tasks))
        if answer.seen_at is None:
            return Feedback(answer, number, len(tasks))
    return None


def _check_stage(tasks: Sequence[PracticeTask], found: Answers, share: Decimal) -> Stage:
    needed, rights = right_answers_needed(len(tasks), share), []
    for attempt in range(1, ATTEMPTS + 1):
        answers = [found.get((task.pk, attempt)) for task in tasks]
        if None in answers:
            place = answers.index(None)
            present = Try(tasks[place], place + 1, len(tasks), attempt)
            return CheckAhead(present, needed, tuple(rights)) if not any(answers) else present
        rights.append(sum(answer.right for answer in answers if answer))
        if rights[-1] >= needed:
            return Passed()
    return Failed(tuple(rights), len(tasks), needed)


def right_answers_needed(tasks: int, share: Decimal) -> int:
    """Return the smallest number of right answers that is no less than the share."""
    return int((tasks * share).to_integral_value(ROUND_CEILING))


def shown_order(participation: Participation, present: Try) -> list[int]:
    """Return the numbers of the task's items in the order in which this person sees them in this attempt.

    Practice keeps the order of the file, as its explanations may speak of “the second pair”. In the check everybody has
    a different order in each attempt, so that positions cannot be memorized or shared.
    """
    items = len(present.task.texts)
    if not present.checking:
        return list(range(1, items + 1))
    seed = [participation.project.seed, participation.seat, present.attempt, present.task.position]
    return [int(digit) for digit in draw_order(items, np.random.default_rng(seed))]


def failed_check(participation: Participation) -> Failed | None:
    """Return the failed check of a person whose round ended with it; None for everybody else."""
    if not participation.practice_answers.filter(task__part=PracticePart.CHECK, attempt=ATTEMPTS).exists():
        return None
    stage = stage_of(participation)
    return stage if isinstance(stage, Failed) else None
