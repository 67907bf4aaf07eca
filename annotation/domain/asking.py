"""Questions about the person: what a project asks, and what people tell. Nobody has to tell anything."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.flow import AboutYou, where_now
from annotation.domain.locking import lock
from annotation.domain.log import write_down
from annotation.models import Participation, PersonalAnswer, Project, Question, QuestionKind, User

MOST_QUESTIONS, MOST_CHOICES = 30, 50
LONGEST_ANSWER = PersonalAnswer._meta.get_field("text").max_length


def require_choices(kind: str, choices: Sequence[str]) -> None:
    """That a choice has something to choose from.

    Raises:
        Refusal: too few, too many, or one twice.
    """
    if kind != QuestionKind.CHOICE:
        return
    if not 2 <= len(choices) <= MOST_CHOICES:
        raise Refusal(_("A choice needs from 2 to %(most)s answers, one on each line.") % {"most": MOST_CHOICES})
    if len(set(choices)) < len(choices) or any(not 0 < len(one) <= LONGEST_ANSWER for one in choices):
        raise Refusal(_("Every answer may stand there once, and none is empty or longer than a line or two."))


@transaction.atomic
def save_question(*, project: Project, question: Question, actor: User, now: datetime) -> Question:
    """Adds a question as the last one, or changes one that is there.

    Raises:
        Refusal: a choice without proper answers, or too many questions.
    """
    require_choices(question.kind, question.choices)
    Project.objects.select_for_update().get(pk=project.pk)
    others = project.questions.exclude(pk=question.pk)
    if others.count() >= MOST_QUESTIONS:
        raise Refusal(_("%(most)s questions are the most; people should not be asked more.") % {"most": MOST_QUESTIONS})
    action = "question changed" if question.pk else "question added"
    if not question.pk:
        question.project = project
        question.position = (others.aggregate(last=Max("position"))["last"] or 0) + 1
    question.save()
    _log(project, action, question, actor, now)
    return question


@transaction.atomic
def remove_question(*, question: Question, actor: User, now: datetime) -> None:
    """Removes a question, and with it what people answered to it."""
    _log(question.project, "question removed", question, actor, now, answers=question.answers.count())
    question.delete()


@transaction.atomic
def move_question(*, question: Question, actor: User, now: datetime) -> None:
    """Moves a question one place up; the first one stays."""
    Project.objects.select_for_update().get(pk=question.project_id)
    order = list(question.project.questions.order_by("position", "pk"))
    place = order.index(question)
    if place:
        order[place - 1 : place + 1] = order[place], order[place - 1]
        for position, one in enumerate(order, start=1):
            one.position = position
        Question.objects.bulk_update(order, ["position"])
        _log(question.project, "question moved", question, actor, now)


def _log(project: Project, action: str, question: Question, actor: User, now: datetime, **details: Any) -> None:
    details = {"question": question.text, "published": question.published} | details
    write_down(action, project, actor=actor, now=now, **details)


@transaction.atomic
def tell(*, participation_id: int, answers: Mapping[int, str], now: datetime) -> Participation:
    """Stores what the person tells about themselves, and lets them go on; what is left empty is not stored.

    Parameters: answers, by the id of the question.
    """
    participation = lock(participation_id)
    if isinstance(where_now(participation, now), AboutYou):
        known = participation.project.questions.in_bulk()
        told = {known[pk]: text.strip() for pk, text in answers.items() if pk in known and text.strip()}
        PersonalAnswer.objects.bulk_create(
            (
                PersonalAnswer(annotator=participation.annotator, question=question, text=text[:LONGEST_ANSWER])
                for question, text in told.items()
            ),
            ignore_conflicts=True,
        )
        participation.asking, participation.annotator.asked_at = False, now
        participation.annotator.save(update_fields=["asked_at"])
        participation.save(update_fields=["asking"])
    return participation
