"""Participant questions, and what they tell."""

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.participation.flow import AboutYou, Practice, Screen, where_now
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.questionnaire import (
    MOST_QUESTIONS,
    move_question,
    remove_question,
    save_answers,
    save_question,
)
from annotation.domain.simulation.rounds import Behaviour, simulate_round
from annotation.models import PersonalAnswer, Project, Question
from tests.factories import NOON, add_pairs, join, make_project, make_user, reread
from tests.practice_sets import add_tasks


def ask(project: Project, text: str = "How old are you?", **values: object) -> Question:
    question = Question(text=text, **{"kind": "number"} | values)
    return save_question(project=project, question=question, actor=None, now=NOON)


@pytest.fixture
def project(db) -> Project:
    project = make_project()
    add_pairs(project, 3)
    plan_round(project=project, round_key="main", people=3)
    return project


def test_questions_come_after_the_consent_and_once(project, user):
    age = ask(project)
    ask(project, "Where do you live?", kind="country")
    place = join(project, "main", user)

    asked = where_now(place, NOON)
    told = save_answers(participation_id=place.pk, answers={age.pk: " 30 "}, now=NOON)
    again = save_answers(participation_id=place.pk, answers={age.pk: "31"}, now=NOON)

    assert isinstance(asked, AboutYou)
    assert isinstance(where_now(told, NOON), Screen)
    assert again.annotator.asked_at == NOON
    assert list(PersonalAnswer.objects.values_list("annotator", "question", "text")) == [
        (place.annotator_id, age.pk, "30")
    ]


def test_practice_follows_the_questions(user):
    project = make_project("semrel")
    add_pairs(project, 12)
    add_tasks(project, practice=2, check=1)
    ask(project)
    plan_round(project=project, round_key="main")
    place = join(project, "main", user)

    told = save_answers(participation_id=place.pk, answers={}, now=NOON)

    assert isinstance(where_now(told, NOON), Practice)


def test_who_was_asked_in_an_earlier_round_is_not_asked_again(project, user):
    ask(project)
    first = join(project, "main", user)
    save_answers(participation_id=first.pk, answers={}, now=NOON)
    other = make_project(key="other")

    assert reread(first).asking is False
    assert other.questions.count() == 0


def test_answers_to_questions_of_other_projects_are_not_stored(project, user):
    ask(project)
    foreign = ask(make_project(key="other"))
    place = join(project, "main", user)

    save_answers(participation_id=place.pk, answers={foreign.pk: "1", 999: "2"}, now=NOON)

    assert not PersonalAnswer.objects.exists()


def test_a_project_without_questions_asks_nothing(project, user):
    assert isinstance(where_now(join(project, "main", user), NOON), Screen)


def test_simulated_people_tell_nothing(project):
    ask(project)

    (ended,) = simulate_round(project=project, round_key="main", people=1, behaviour=Behaviour(), seed=1, now=NOON)

    assert (ended.state, PersonalAnswer.objects.count()) == ("finished", 0)


def test_questions_stand_in_order_and_move_up(project):
    one, two, three = (ask(project, text) for text in ("1", "2", "3"))

    move_question(question=three, actor=None, now=NOON)
    move_question(question=one, actor=None, now=NOON)

    assert list(project.questions.values_list("text", "position")) == [("1", 1), ("3", 2), ("2", 3)]
    assert two.pk and project.audit_entries.filter(action="question moved").count() == 1


def test_a_removed_question_takes_its_answers_along(project, user):
    question = ask(project)
    place = join(project, "main", user)
    save_answers(participation_id=place.pk, answers={question.pk: "30"}, now=NOON)

    remove_question(question=question, actor=make_user("boss"), now=NOON)

    assert not PersonalAnswer.objects.exists()
    entry = project.audit_entries.get(action="question removed")
    assert (entry.details["answers"], entry.actor.username) == (1, "boss")


def test_a_question_changes(project):
    question = ask(project)
    question.text = "Your age?"

    save_question(project=project, question=question, actor=None, now=NOON)

    assert project.questions.get().text == "Your age?"
    assert list(project.audit_entries.order_by("pk").values_list("action", flat=True)) == [
        "question added",
        "question changed",
    ]


@pytest.mark.parametrize("choices", [[], ["one"], ["a", "a"], ["a", ""], [str(n) for n in range(51)], ["a", "b" * 501]])
def test_a_choice_has_proper_answers(project, choices):
    with pytest.raises(Refusal):
        ask(project, kind="choice", choices=choices)


def test_people_are_not_asked_without_end(project):
    for number in range(MOST_QUESTIONS):
        ask(project, str(number))

    with pytest.raises(Refusal, match="A project can have up to 30"):
        ask(project, "one more")
