"""Questions about participants and their answers; every question may be skipped."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.participation.flow import AboutYou, where_now
from annotation.domain.participation.locking import lock
from annotation.models import Participation, PersonalAnswer, Project, Question, QuestionKind, User
from annotation.models.audit_actions import Action

MOST_QUESTIONS, MOST_CHOICES = 30, 50
LONGEST_ANSWER = PersonalAnswer._meta.get_field("text").max_length


def require_choices(kind: str, choices: Sequence[str]) -> None:
    """Raise Refusal if a choice question has too few, too many, repeated, empty or too long choices."""
    if kind != QuestionKind.CHOICE:
        return
    if not 2 <= len(choices) <= MOST_CHOICES:
        raise Refusal(_("Enter 2 to %(most)s answer options, one per line.") % {"most": MOST_CHOICES})
    if len(set(choices)) < len(choices) or any(not 0 < len(choice) <= LONGEST_ANSWER for choice in choices):
        raise Refusal(_("Each answer option must be different, not empty and no longer than two lines."))


@transaction.atomic
def save_question(*, project: Project, question: Question, actor: User, now: datetime) -> Question:
    """Add a question at the end, or change one. Raise Refusal for invalid choices or too many questions."""
    require_choices(question.kind, question.choices)
    Project.objects.select_for_update().get(pk=project.pk)
    others = project.questions.exclude(pk=question.pk)
    if others.count() >= MOST_QUESTIONS:
        raise Refusal(
            _("A project can have up to %(most)s questions. Remove one before you add another.")
            % {"most": MOST_QUESTIONS}
        )
    action = Action.QUESTION_CHANGED if question.pk else Action.QUESTION_ADDED
    if not question.pk:
        question.project = project
        question.position = (others.aggregate(last=Max("position"))["last"] or 0) + 1
    question.save()
    _log(project, action, question, actor, now)
    return question


@transaction.atomic
def remove_question(*, question: Question, actor: User, now: datetime) -> None:
    """Remove a question and all answers to it."""
    _log(question.project, Action.QUESTION_REMOVED, question, actor, now, answers=question.answers.count())
    question.delete()


@transaction.atomic
def move_question(*, question: Question, actor: User, now: datetime) -> None:
    """Move a question up by one position; the first one stays."""
    Project.objects.select_for_update().get(pk=question.project_id)
    order = list(question.project.questions.order_by("position", "pk"))
    place = order.index(question)
    if place:
        order[place - 1 : place + 1] = order[place], order[place - 1]
        for position, moved in enumerate(order, start=1):
            moved.position = position
        Question.objects.bulk_update(order, ["position"])
        _log(question.project, Action.QUESTION_MOVED, question, actor, now)


def _log(project: Project, action: Action, question: Question, actor: User, now: datetime, **details: Any) -> None:
    details = {"question": question.text, "published": question.published} | details
    write_down(action, project, actor=actor, now=now, **details)


@transaction.atomic
def save_answers(*, participation_id: int, answers: Mapping[int, str], now: datetime) -> Participation:
    """Store a person's non-empty answers about themselves, by question id, and let them continue."""
    participation = lock(participation_id)
    if isinstance(where_now(participation, now), AboutYou):
        known = participation.project.questions.in_bulk()
        texts = {known[pk]: text.strip() for pk, text in answers.items() if pk in known and text.strip()}
        PersonalAnswer.objects.bulk_create(
            (
                PersonalAnswer(annotator=participation.annotator, question=question, text=text[:LONGEST_ANSWER])
                for question, text in texts.items()
            ),
            ignore_conflicts=True,
        )
        participation.asking, participation.annotator.asked_at = False, now
        participation.annotator.save(update_fields=["asked_at"])
        participation.save(update_fields=["asking"])
    return participation
