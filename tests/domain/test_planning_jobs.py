"""Plans as jobs: recorded by a request, carried out once by a worker, however often it is asked and whoever dies."""

from functools import partial

import pytest

from annotation.domain.planning.jobs import request_plan
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import change_protocol
from annotation.models import Assignment, Participation, Project, RoundPlan, Tuple
from annotation.tasks import run_job
from tests.factories import NOON, add_pairs, at_once, make_project
from tests.jobs import LOST, SECOND, work_off

pytestmark = pytest.mark.postgres


def waiting(project: Project, **request: object) -> RoundPlan:
    values = {"round_key": "main", "people": None, "calibration": [], "actor": None}
    return request_plan(project=project, **values | request)


def ready(key: str = "project", pairs: int = 12) -> Project:
    project = make_project("semrel", key)
    add_pairs(project, pairs)
    return project


def state_of(plan: RoundPlan) -> tuple:
    plan.refresh_from_db()
    return plan.state, plan.problem, plan.started_at


def stored() -> list[int]:
    return [model.objects.count() for model in (Participation, Tuple, Assignment, RoundPlan)]


def test_a_request_records_what_was_asked_for(user):
    plan = waiting(ready(), people=5, calibration=["a", "b"], actor=user)

    plan.refresh_from_db()
    asked = (plan.round, plan.people, plan.calibration, plan.created_by, plan.state, plan.outcome)
    assert asked == ("main", 5, ["a", "b"], user, "waiting", {})
    assert not Participation.objects.exists()


def test_a_waiting_plan_is_carried_out_once(db):
    plan = waiting(ready(), people=5)

    done = [work_off("plan", NOON) for _ in range(3)]

    assert done == [1, 0, 0]
    assert state_of(plan) == ("done", "", NOON)
    assert (plan.outcome["places"], plan.outcome["tuples"]) == (5, 24)
    assert plan.certificate["tuples"] == 24
    assert stored() == [5, 24, 0, 1]


def test_the_command_and_the_worker_make_the_same_plan(db):
    by_hand, by_worker = ready("one"), ready("other")
    change_protocol(project=by_hand, changes={"open": "false"})
    change_protocol(project=by_worker, changes={"open": "false"})
    refused = waiting(by_worker, people=1)
    plan = waiting(by_worker)

    outcome = plan_round(project=by_hand, round_key="main")
    work_off("plan", NOON)

    assert state_of(refused)[0] == "failed"
    assert state_of(plan)[0] == "done"
    assert plan.outcome == outcome
    assert plan.certificate == by_hand.plans.get().certificate
    screens = [
        list(
            Assignment.objects.filter(participation__project=project)
            .order_by("participation__seat", "position")
            .values_list("participation__seat", "tuple__position", "order")
        )
        for project in (by_hand, by_worker)
    ]
    assert screens[0] == screens[1]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({"people": 1}, "Too few people (1): each tuple is answered by 4 different people."),
        ({"round_key": "R9"}, "This protocol has no round “R9”. Its rounds: main."),
    ],
)
def test_a_refused_plan_says_why_and_is_not_tried_again(db, request_, reason):
    plan = waiting(ready(), **request_)

    done = [work_off("plan", NOON), work_off("plan", NOON + 2 * LOST)]

    assert done == [1, 0]
    assert state_of(plan) == ("failed", reason, NOON)
    assert stored() == [0, 0, 0, 1]


def test_a_plan_that_breaks_says_so_and_is_not_tried_again(db, caplog):
    plan = waiting(ready())
    Project.objects.update(seed=-1)  # what no generator takes

    done = [work_off("plan", NOON), work_off("plan", NOON + 2 * LOST)]

    assert done == [1, 0]
    state, problem, *_ = state_of(plan)
    assert (state, problem.partition(" (")[0]) == ("failed", "Something went wrong")
    assert f"plan {plan.pk} failed." in caplog.text
    assert stored() == [0, 0, 0, 1]


@pytest.mark.parametrize(("age", "done"), [(LOST, 0), (LOST + SECOND, 1)])
def test_a_plan_whose_worker_was_lost_is_begun_again(db, age, done):
    plan = waiting(ready(), people=5)
    RoundPlan.objects.update(state="running", attempts=1, heartbeat_at=NOON - age)

    assert work_off("plan", NOON) == done
    assert state_of(plan)[0] == ("done" if done else "running")
    assert Participation.objects.count() == 5 * done


def test_a_plan_that_is_not_wanted_any_more_is_not_made(db):
    project = ready()
    plan = waiting(project)

    change_protocol(project=project, changes={"people": "3"})

    assert work_off("plan", NOON) == 0
    assert not RoundPlan.objects.filter(pk=plan.pk).exists()


def test_plans_are_carried_out_in_the_order_in_which_they_were_asked_for(db):
    project = ready()
    plans = [waiting(project, people=people) for people in (4, 6, 5)]

    assert work_off("plan", NOON) == 3

    assert [(state_of(one)[0], one.outcome.get("new places")) for one in plans] == [
        ("done", 4),
        ("done", 2),
        ("failed", None),
    ]


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_moment_plan_once():
    plans = [waiting(ready(key)) for key in ("one", "other")]

    done = at_once(*[partial(work_off, "plan", NOON)] * 4)

    assert sum(done) == 2
    assert [state_of(plan)[0] for plan in plans] == ["done", "done"]
    assert stored() == [8, 48, 0, 2]


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_was_taken_for_lost_plans_nothing_twice():
    plan = waiting(ready())

    done = at_once(*[partial(work_off, "plan", NOON), partial(work_off, "plan", NOON + 2 * LOST)] * 2)

    assert 1 <= sum(done) <= 2  # one of the early ones, and one that took it for lost
    assert state_of(plan)[0] == "done"
    assert stored() == [4, 24, 0, 1]


def test_the_task_carries_out_what_waits(db):
    plan = waiting(ready())

    run_job.delay("plan", plan.pk)
    assert state_of(plan)[0] == "done"
