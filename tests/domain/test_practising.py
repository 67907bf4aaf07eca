"""Practice and check: every step follows from the stored answers, into the work or out of the round."""

from collections import Counter
from decimal import Decimal
from functools import partial

import pytest

from annotation.domain.errors import Refusal, WrongScreen
from annotation.domain.participation.flow import Ended, Next, Practice, Screen, where_now
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.lifecycle import consent, exclude, leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.practice import answers as practice
from annotation.domain.practice.importing import remove_practice
from annotation.domain.practice.stages import (
    CheckAhead,
    Failed,
    Feedback,
    Passed,
    Try,
    failed_check,
    right_answers_needed,
    shown_order,
)
from annotation.domain.simulation.rounds import Behaviour, simulate_round
from annotation.models import AuditEntry, Judgment, Participation, PracticeAnswer, PracticePart
from tests.factories import (
    NOON,
    add_pairs,
    at_once,
    join,
    make_project,
    make_user,
    planned_for,
    reread,
)
from tests.practice_sets import (
    RIGHT,
    WRONG,
    add_tasks,
    answer_task,
    dialogue_project,
    do_check,
    do_practice,
    go_on,
    pairs_project,
    practising_person,
    present_try,
    stage,
)

pytestmark = pytest.mark.django_db


def place(participation: Participation):
    return where_now(reread(participation), NOON)


def tasks_of(participation: Participation, part: PracticePart) -> list:
    return list(participation.project.practice_tasks.filter(part=part))


# Consent


@pytest.mark.parametrize(
    ("tasks", "practises"), [({}, False), ({"examples": 2}, False), ({"practice": 1}, True), ({"check": 1}, True)]
)
def test_consent_leads_to_the_practice_where_there_is_something_to_answer(tasks, practises):
    participation = practising_person(**tasks)

    assert participation.practising is practises
    assert isinstance(place(participation), Practice if practises else Next)


def test_a_rating_round_has_no_practice():
    project = make_project()
    add_pairs(project, 2)
    participation = planned_for(make_user(), project)

    assert not participation.practising


def test_tasks_that_come_later_send_nobody_back():
    participation = practising_person()
    add_tasks(participation.project, practice=2)

    consent(participation_id=participation.pk, now=NOON)

    assert isinstance(place(participation), Next)


# Practice


@pytest.mark.postgres
def test_practice_goes_task_by_task_with_the_solution_after_each():
    participation = practising_person(practice=2)
    first, second = tasks_of(participation, PracticePart.PRACTICE)

    steps = [stage(participation)]
    answer = answer_task(participation)
    steps.append(stage(participation))
    go_on(participation)
    steps.append(stage(participation))
    last = answer_task(participation, WRONG)
    steps.append(stage(participation))
    go_on(participation)

    assert steps == [Try(first, 1, 2), Feedback(answer, 1, 2), Try(second, 2, 2), Feedback(last, 2, 2)]
    assert (answer.right, last.right) == (True, False)
    assert not reread(participation).practising
    assert isinstance(place(participation), Next)


def test_an_answer_is_right_if_both_are():
    choices = [(1, 3), (1, 2), (2, 3), (3, 1)]
    participation = practising_person(practice=len(choices))

    rights = []
    for choice in choices:
        rights.append(answer_task(participation, choice).right)
        go_on(participation)

    assert rights == [True, False, False, False]


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ((None, None), "Choose the most related first."),
        ((1, None), "Also choose the least related."),
        ((0, 1), "Choose the most related first."),
        ((1, 5), "Also choose the least related."),
        ((2, 2), "The most related and the least related must be different."),
    ],
)
def test_a_choice_is_whole_or_refused(choice, problem):
    participation = practising_person(practice=1)

    with pytest.raises(Refusal, match=problem):
        answer_task(participation, choice)

    assert not PracticeAnswer.objects.exists()


def test_the_same_answer_again_changes_nothing():
    participation = practising_person(practice=2)
    task = present_try(participation).task
    answer = answer_task(participation)

    again = answer_task_of(participation, task)
    go_on(participation)
    later = answer_task_of(participation, task)

    assert again == later == answer
    assert stage(participation).number == 2


def answer_task_of(participation, task, choice=RIGHT, attempt=1):
    return practice.answer(
        participation_id=participation.pk, task_id=task.pk, attempt=attempt, best=choice[0], worst=choice[1], now=NOON
    )


def test_another_answer_to_a_task_in_a_second_tab_is_told():
    participation = practising_person(practice=2)
    task = present_try(participation).task
    answer = answer_task(participation)

    with pytest.raises(WrongScreen, match="your earlier answer is kept"):
        answer_task_of(participation, task, WRONG)

    assert PracticeAnswer.objects.get() == answer


@pytest.mark.parametrize("part", PracticePart.values)
def test_a_task_out_of_turn_is_told(part):
    participation = practising_person(examples=1, practice=2, check=1)
    task = tasks_of(participation, part)[-1]

    with pytest.raises(WrongScreen, match="not your current screen"):
        answer_task_of(participation, task)

    assert not PracticeAnswer.objects.exists()


def test_a_task_of_another_project_is_told():
    participation = practising_person(practice=1)
    other = pairs_project(key="other")
    add_tasks(other, practice=1)

    with pytest.raises(WrongScreen):
        answer_task_of(participation, other.practice_tasks.get())


def test_no_answer_while_the_solution_stands_there():
    participation = practising_person(practice=2)
    answer_task(participation)

    with pytest.raises(WrongScreen):
        answer_task_of(participation, tasks_of(participation, PracticePart.PRACTICE)[1])


def test_going_on_twice_skips_no_solution():
    participation = practising_person(practice=2)
    first = answer_task(participation)
    go_on(participation)
    second = answer_task(participation)

    practice.go_on(participation_id=participation.pk, task_id=first.task_id, now=NOON)
    practice.go_on(participation_id=participation.pk, task_id=None, now=NOON)

    assert stage(participation) == Feedback(second, 2, 2)


def test_going_on_before_any_answer_changes_nothing():
    participation = practising_person(practice=1)

    practice.go_on(participation_id=participation.pk, task_id=present_try(participation).task.pk, now=NOON)

    assert isinstance(stage(participation), Try)


# The check


def test_the_check_is_announced_and_has_no_feedback():
    participation = do_practice(practising_person(practice=1, check=5))
    first, second, *_ = tasks_of(participation, PracticePart.CHECK)

    ahead = stage(participation)
    answer_task(participation)

    assert ahead == CheckAhead(Try(first, 1, 5), needed=4, rights=())
    assert stage(participation) == Try(second, 2, 5)


def test_passing_the_check_begins_the_work():
    participation = practising_person(check=5)

    participation = do_check(participation, RIGHT, RIGHT, WRONG, RIGHT, RIGHT)

    assert (participation.practising, participation.state) == (False, "active")
    assert isinstance(stage(participation), Passed)
    assert isinstance(next_place(participation, NOON), Screen)


def test_failing_once_gives_a_second_attempt():
    participation = practising_person(check=5)
    first = tasks_of(participation, PracticePart.CHECK)[0]

    participation = do_check(participation, RIGHT, RIGHT, WRONG, WRONG, RIGHT)
    ahead = stage(participation)
    participation = do_check(participation, *[RIGHT] * 5)

    assert ahead == CheckAhead(Try(first, 1, 5, attempt=2), needed=4, rights=(3,))
    assert (participation.practising, participation.state) == (False, "active")


@pytest.mark.parametrize(
    ("second", "rights"),
    [
        ([WRONG, WRONG, WRONG, RIGHT, RIGHT], "2 of 5 check questions right in both attempts"),
        ([RIGHT, RIGHT, RIGHT, WRONG, WRONG], "2 and then 3 of 5 check questions right"),
    ],
)
def test_failing_twice_ends_the_participation_with_the_figures(second, rights):
    participation = practising_person(check=5)
    told = f"Got {rights}; 80 % required."

    do_check(participation, RIGHT, RIGHT, WRONG, WRONG, WRONG)
    participation = do_check(participation, *second)

    assert (participation.state, participation.reason, participation.practising) == ("excluded", told, False)
    assert isinstance(place(participation), Ended)
    assert failed_check(participation) == Failed((2, sum(one == RIGHT for one in second)), 5, 4)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason, entry.actor) == ("excluded", told, None)


def fail(participation: Participation) -> Participation:
    check = len(tasks_of(participation, PracticePart.CHECK))
    do_check(participation, *[WRONG] * check)
    return do_check(participation, *[WRONG] * check)


def test_failing_in_a_fixed_round_gives_the_place_to_somebody_else():
    participation = practising_person(open_=False, check=2)

    fail(participation)

    refill = Participation.objects.get(replaces=participation)
    assert refill.annotator is None
    assert [screen.tuple_id for screen in refill.assignments.all()] == [
        screen.tuple_id for screen in participation.assignments.all()
    ]


def test_failing_in_an_open_round_opens_a_place():
    participation = practising_person(check=2, people=1)
    assert Participation.objects.filter(annotator=None).count() == 0

    fail(participation)

    new = Participation.objects.get(annotator=None)
    assert (new.seat, new.state, new.most) == (2, "invited", participation.most)


def test_who_failed_has_nothing_more_to_answer():
    participation = practising_person(check=2)
    task = present_try(participation).task
    fail(participation)

    with pytest.raises(WrongScreen):
        answer_task_of(participation, task, attempt=3)
    go_on_after = practice.go_on(participation_id=participation.pk, task_id=task.pk, now=NOON)

    assert (go_on_after.state, PracticeAnswer.objects.count()) == ("excluded", 4)


def test_a_late_answer_of_the_first_attempt_counts_for_no_second():
    participation = practising_person(check=2)
    first = present_try(participation).task
    do_check(participation, WRONG, WRONG)

    answer_task_of(participation, first, WRONG, attempt=1)
    with pytest.raises(WrongScreen):
        answer_task_of(participation, first, RIGHT, attempt=1)

    assert isinstance(stage(participation), CheckAhead)


@pytest.mark.parametrize(
    ("tasks", "share", "needed"),
    [(5, "0.8", 4), (4, "0.8", 4), (4, "0.75", 3), (3, "0.8", 3), (10, "0.55", 6), (3, "1", 3), (3, "0", 0)],
)
def test_right_answers_needed(tasks, share, needed):
    assert right_answers_needed(tasks, Decimal(share)) == needed


def test_the_order_in_the_check_is_of_the_person_and_the_attempt():
    participation = practising_person(practice=1, check=6)
    practice, check = tasks_of(participation, PracticePart.PRACTICE)[0], tasks_of(participation, PracticePart.CHECK)
    other = Participation(project=participation.project, seat=2)

    def orders(person, attempt):
        return [shown_order(person, Try(task, 1, 6, attempt)) for task in check]

    assert shown_order(participation, Try(practice, 1, 1)) == [1, 2, 3, 4]
    assert orders(participation, 1) == orders(participation, 1)
    assert len({str(orders(*one)) for one in ((participation, 1), (participation, 2), (other, 1))}) == 3
    assert all(sorted(order) == [1, 2, 3, 4] for order in orders(participation, 1))


# Ends and other people


@pytest.mark.parametrize("end", [leave, partial(exclude, actor=None)])
def test_who_left_or_was_excluded_answers_nothing_more(end):
    participation = practising_person(practice=1)
    task = present_try(participation).task
    end(participation_id=participation.pk, reason="No time.", now=NOON)

    with pytest.raises(WrongScreen):
        answer_task_of(participation, task)

    assert failed_check(reread(participation)) is None
    assert isinstance(place(participation), Ended)


def test_practice_is_no_judgment_and_no_progress():
    participation = practising_person(open_=False, practice=2, check=2)

    do_check(do_practice(participation), RIGHT, RIGHT)

    assert not Judgment.objects.exists()
    assert not participation.assignments.filter(answered_at__isnull=False).exists()


def test_everybody_has_a_practice_of_their_own():
    participation = practising_person(practice=1)
    answer_task(participation)

    other = join(participation.project, "main", make_user("other"))

    assert isinstance(stage(other), Try)


def test_who_practises_when_the_set_is_removed_goes_on_to_the_work():
    participation = practising_person(practice=1)
    remove_practice(project=participation.project, actor=None, now=NOON)

    assert isinstance(stage(participation), Passed)
    go_on(participation)

    assert isinstance(place(participation), Next)


def test_practice_in_a_dialogue():
    project = dialogue_project()
    add_tasks(project, practice=1, check=1)
    plan_round(project=project, round_key="main", people=1)
    participation = do_practice(join(project, "main", make_user()))

    participation = do_check(participation, RIGHT)

    assert isinstance(next_place(participation, NOON), Screen)


# At once


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_eight_answers_to_one_task_at_once_leave_one():
    participation = practising_person(practice=2)
    task = present_try(participation).task
    choices = [(1, 2), (1, 3), (2, 3), (3, 1)]

    outcomes = at_once(*[partial(answer_task_of, participation, task, choice) for choice in choices * 2])

    stored = PracticeAnswer.objects.get()
    assert Counter(map(type, outcomes)) == {PracticeAnswer: 2, WrongScreen: 6}
    assert {one for one in outcomes if isinstance(one, PracticeAnswer)} == {stored}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_last_wrong_answer_of_the_check_four_times_at_once_gives_one_refill():
    participation = practising_person(check=1, people=1)
    do_check(participation, WRONG)
    task = present_try(participation).task

    at_once(*[partial(answer_task_of, participation, task, WRONG, 2)] * 4)

    assert reread(participation).state == "excluded"
    assert (Participation.objects.count(), AuditEntry.objects.count()) == (2, 1)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_set_is_not_removed_under_somebody_who_answers():
    participation = practising_person(practice=1)
    task = present_try(participation).task

    answered, removed = at_once(
        partial(answer_task_of, participation, task),
        partial(remove_practice, project=participation.project, actor=None, now=NOON),
    )

    assert isinstance(answered, PracticeAnswer) is isinstance(removed, Refusal)
    assert isinstance(answered, WrongScreen) is (removed is None)


# Simulated people


def simulated(project, **behaviour):
    return list(
        simulate_round(project=project, round_key="main", people=3, behaviour=Behaviour(**behaviour), seed=1, now=NOON)
    )


def test_simulated_people_practise_and_pass():
    project = pairs_project(open_=False)
    add_tasks(project, practice=2, check=3)
    plan_round(project=project, round_key="main", people=2)

    people = simulated(project)

    assert [one.state for one in people] == ["finished", "finished"]
    assert set(PracticeAnswer.objects.values_list("right", flat=True)) == {True}
    assert PracticeAnswer.objects.count() == 10


def test_careless_people_fail_the_check():
    project = pairs_project(open_=False)
    add_tasks(project, check=5)
    plan_round(project=project, round_key="main", people=2)

    people = simulated(project, careless=1)

    assert [one.state for one in people] == ["excluded"] * 3
    assert not Judgment.objects.exists()


def test_a_simulation_that_would_never_end_is_refused():
    project = pairs_project(open_=False)
    add_tasks(project, check=1)

    with pytest.raises(Refusal, match="nobody passes the check"):
        list(
            simulate_round(
                project=project, round_key="main", people=None, behaviour=Behaviour(careless=1), seed=1, now=NOON
            )
        )
