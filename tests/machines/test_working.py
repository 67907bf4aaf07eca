"""Models that answer over HTTP: what they are sent, what is stored, and what ends their work."""

from decimal import Decimal

import pytest
from django.db import connection
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.jobs.control import cancel
from annotation.domain.jobs.engine import Overtaken
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, AuditEntry, Judgment, Participation
from scoring.domain.machines import costs, jobs
from scoring.domain.machines.adding import change_machine, remove_machine
from scoring.domain.machines.jobs import start_machine
from scoring.models import Machine, MachineAnswer, MachineScreen
from tests.factories import NOON, add_dialogues, add_pairs, add_pairs_in_context, make_project, rating_round
from tests.jobs import attempt, work_off
from tests.machines.server import MODEL, choose_longest, completion, error
from tests.machines.worlds import model_of, worked

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
PRICED = {"price_prompt": Decimal(10), "price_answer": Decimal(100), "budget": Decimal(1)}


@pytest.fixture
def project(user):
    return rating_round(user, 3, calibration=1).project


def test_a_model_gets_what_people_get_and_its_answers_are_apart(project, server):
    project.guidelines = "# How to rate\n\nRate the meaning."
    project.items.filter(key="p2").update(gold=True, source="a secret source")
    project.save()
    people = list(Participation.objects.values()), list(Assignment.objects.values()), list(Judgment.objects.values())

    run = worked(model_of(project, server.url, version="weights of May"))

    assert (run.state, run.done, run.total, run.problem) == ("done", 2, 2, "")
    headers, sent = server.received[0]
    assert headers["Authorization"] == "Bearer sk-secret"
    system, message = sent["messages"]
    parameters = {name: value for name, value in sent.items() if name != "messages"}
    assert parameters == {
        "model": MODEL,
        "seed": 5,
        "temperature": 0.0,
        "max_tokens": 200,
    }
    scale = project.protocol.scale
    assert system["content"].startswith("# How to rate\n\nRate the meaning.\n\nQuestion: " + project.protocol.question)
    assert all(f"{scale.write(label.value)}: {label.text}" in system["content"] for label in scale.labels)
    assert sorted(server.prompts) == [
        f"First text:\nFirst text of pair {number}.\n\nSecond text:\nSecond text of pair {number}." for number in (2, 3)
    ]
    assert "secret" not in str(server.received[0][1]) + str(server.prompts)
    answer = MachineAnswer.objects.select_related("screen__item").first()
    assert answer.prompt == message["content"]
    assert answer.value == len(answer.prompt) % 5
    assert (answer.reported_model, answer.fingerprint) == ("judge-1-2026-01-01", "fp_1")
    assert (answer.prompt_tokens, answer.answer_tokens, answer.estimated, answer.problem) == (100, 10, False, "")
    now = list(Participation.objects.values()), list(Assignment.objects.values()), list(Judgment.objects.values())
    assert now == people


def test_the_key_is_encrypted(project, server):
    model_of(project, server.url)
    with connection.cursor() as cursor:
        cursor.execute("SELECT api_key FROM scoring_machine")
        assert cursor.fetchone()[0].startswith("aes256gcm:")
    assert Machine.objects.get().api_key == "sk-secret"


def test_context_is_shown_in_the_session_that_has_it(server):
    project = make_project("two_contexts")
    add_pairs_in_context(project, 12)
    plan_round(project=project, round_key="main")
    asked = project.items.filter(calibration_order__isnull=True).count()

    worked(model_of(project, server.url))

    free, dependent = server.prompts[:asked], server.prompts[asked:]
    assert len(dependent) == asked
    assert not any("<sent>" in prompt for prompt in free)
    assert all("Before. <sent>First text of pair" in prompt for prompt in dependent)
    assert "<sent>" in server.received[0][1]["messages"][0]["content"]
    orders = [
        list(MachineScreen.objects.filter(context=context).values_list("item", flat=True))
        for context in ("free", "dependent")
    ]
    assert orders[0] == orders[1] != sorted(orders[0])


def test_tuples_are_shown_in_an_order_of_their_own(server):
    project = make_project("giccs")
    add_dialogues(project, 1)
    plan_round(project=project, round_key="main")
    server.answer = choose_longest
    design = project.round("main").design

    run = worked(model_of(project, server.url, repeats=2))

    assert (run.state, run.done) == ("done", 2 * project.tuples.count())
    assert server.prompts[0].startswith("Dialogue, whose last turn the utterances are compared with:\nB: Turn 1 of")
    assert f"“{design.best}”" in server.received[0][1]["messages"][0]["content"]
    for answer in MachineAnswer.objects.select_related("best", "worst", "screen__tuple"):
        places = {str(place.position): place.item for place in answer.screen.tuple.places.all()}
        shown = [places[digit] for digit in answer.screen.order]
        assert [answer.prompt.index(item.sentence2) for item in shown] == sorted(
            answer.prompt.index(item.sentence2) for item in shown
        )
        assert len(answer.best.sentence2) >= len(answer.worst.sentence2)
    first, second = (MachineScreen.objects.filter(repeat=repeat) for repeat in (1, 2))
    assert list(first.values_list("tuple", "order")) != list(second.values_list("tuple", "order"))
    assert {body["seed"] for _, body in server.received} == {5, 6}


def test_pairs_in_reverse_order_and_a_sample(project, server):
    add_pairs_more = [f"First text of pair {number}." for number in (2, 3)]

    worked(model_of(project, server.url, sample=1, reverses=True, seed=9))

    straight, backwards = server.prompts
    (shown,) = [text for text in add_pairs_more if text in straight]
    assert straight.startswith(f"First text:\n{shown}")
    assert backwards.endswith(f"Second text:\n{shown}")
    assert list(MachineScreen.objects.values_list("repeat", "reversed")) == [(1, False), (1, True)]


def test_invalid_answers_are_kept_and_asked_again(project, server):
    server.replies = ["I would say 3.", '{"rating": 99}', '```json\n{"rating": 3}\n```', "", "null", '{"score": 2}']

    run = worked(model_of(project, server.url))

    assert run.state == "done"
    rows = list(MachineAnswer.objects.values_list("attempt", "value", "raw"))
    assert rows == [
        (1, None, "I would say 3."),
        (2, None, '{"rating": 99}'),
        (3, 3.0, '```json\n{"rating": 3}\n```'),
        (1, None, ""),
        (2, None, "null"),
        (3, None, '{"score": 2}'),
    ]
    assert "not valid JSON" in MachineAnswer.objects.first().problem
    assert "outside the scale" in MachineAnswer.objects.all()[1].problem
    assert list(MachineScreen.objects.values_list("state", flat=True)) == ["answered", "given up"]
    assert costs.spent_by(run.machine).invalid == 5


def test_a_busy_server_is_asked_again(project, server):
    server.replies = [error(429, "Slow down", "rate_limit_exceeded", Retry_After="0.002"), error(503, "Overloaded")]

    assert worked(model_of(project, server.url)).state == "done"

    assert len(server.received) == 4
    assert MachineAnswer.objects.count() == 2


def test_a_server_that_stays_busy_is_asked_later_and_nothing_is_lost(project, server):
    server.replies = ['{"rating": 1}', *[error(500, "Fault")] * 3]
    run = worked(model_of(project, server.url))

    assert (run.state, run.problem) == ("waiting", "The server refused the request. (500: Fault)")
    assert run.not_before > timezone.now() + timezone.timedelta(seconds=30)
    work_off("machine", run.not_before)
    run.refresh_from_db()
    assert (run.state, run.done) == ("done", 2)
    assert MachineAnswer.objects.count() == 2


def test_a_server_that_wants_to_be_left_alone_is_left_alone(project, server):
    server.replies = [error(429, "Come back tomorrow", Retry_After="86400")]
    run = worked(model_of(project, server.url))

    assert (run.state, len(server.received)) == ("waiting", 1)


@pytest.mark.parametrize(
    ("values", "reply", "problem"),
    [
        ({"api_key": "sk-wrong"}, None, "does not accept the API key. (401: Incorrect API key provided.)"),
        ({"model": "other"}, None, "does not know this model, or the URL is wrong. (404: The model `other`"),
        ({}, error(429, "You exceeded your quota", "insufficient_quota"), "You exceeded your quota"),
        ({}, (200, {}, {"object": "list", "data": []}), "is not a chat completion"),
        ({}, (200, {}, [1]), "is not a chat completion"),
    ],
)
def test_what_no_further_attempt_can_change_ends_the_work(project, server, values, reply, problem):
    server.replies = [reply] if reply else []

    run = worked(model_of(project, server.url, **values))

    assert run.state == "failed"
    assert problem in run.problem


def test_the_budget_stops_the_work_before_it_is_passed_and_more_money_continues_it(project, server):
    add_pairs_to(project, 4)
    machine = model_of(project, server.url, **PRICED | {"budget": Decimal("0.05"), "max_tokens": 100})
    each = machine.cost_of(100, 10)

    run = worked(machine)

    assert (run.state, each) == ("failed", Decimal("0.002"))
    assert "The budget is used up" in run.problem
    spent = costs.spent_by(machine)
    prompt = server.prompts[-1]
    assert spent.cost == each * spent.answers
    assert spent.cost + costs.most_of_request(Machine.objects.get(), prompt) > machine.budget >= spent.cost
    asked_before = len(server.received)
    change_machine(machine=Machine.objects.get(), budget=Decimal(5), api_key="", actor=None, now=NOON)
    run = worked(Machine.objects.get())
    assert (run.state, run.done, run.total) == ("done", 6, 6)
    assert len(server.received) == 6 > asked_before
    with pytest.raises(Refusal, match="has answered all its screens"):
        start_machine(machine=Machine.objects.get(), actor=None, now=NOON)


def add_pairs_to(project, number):
    for item in add_pairs(make_project(key="more"), number):
        item.project, item.key, item.position = project, f"more-{item.key}", item.position + 100
        item.save()
    plan_round(project=project, round_key="main", people=3)


def test_tokens_are_estimated_for_a_server_without_usage(project, server):
    server.replies = [completion('{"rating": 1}', usage=False)]

    worked(model_of(project, server.url, **PRICED))

    answer = MachineAnswer.objects.first()
    assert (answer.estimated, answer.answer_tokens) == (True, 4)
    assert answer.cost == answer.screen.machine.cost_of(answer.prompt_tokens, 4)


def test_a_cancelled_job_keeps_what_was_paid_for_and_stops(project, server, user):
    machine = model_of(project, server.url)
    run = start_machine(machine=machine, actor=None, now=NOON)
    server.answer = lambda prompt: (cancel(job=run, actor=user, now=NOON), '{"rating": 1}')[1]
    run.state = "running"
    type(run).objects.update(state="running", attempts=1)
    run.refresh_from_db()
    sitting = jobs._Sitting(run)
    jobs.lay_out_screens(machine)
    screen = costs.open_screens(machine).first()
    screen.machine = run.machine
    type(run).objects.update(state="cancelled")

    with pytest.raises(Overtaken):
        sitting.answer(screen)
    assert len(server.received) == 0


def test_another_worker_s_answer_is_kept(project, server):
    machine = model_of(project, server.url)
    run = start_machine(machine=machine, actor=None, now=NOON)
    jobs.lay_out_screens(machine)
    screen = costs.open_screens(machine).first()
    screen.machine = run.machine
    reply = jobs.Reply('{"rating": 1}', "", "", 1, 1)
    again = MachineScreen.objects.get(pk=screen.pk)
    again.machine = run.machine

    jobs._store(screen, "prompt", 5, reply, 0.1)
    jobs._store(again, "prompt", 5, reply, 0.1)

    assert MachineAnswer.objects.filter(screen=screen).count() == 1
    assert again.state == "answered"


def test_the_work_makes_room_for_other_jobs(project, server, monkeypatch):
    monkeypatch.setattr(jobs, "AT_A_TIME", 0.0)
    monkeypatch.setattr(jobs, "BATCH", 1)
    run = start_machine(machine=model_of(project, server.url), actor=None, now=NOON)

    assert attempt(run) == "waiting"
    assert jobs._next(run) == [("machine", run.pk)]
    monkeypatch.setattr(jobs, "AT_A_TIME", 30.0)
    assert attempt(run) == "done"
    assert (run.tries, MachineAnswer.objects.count()) == (1, 2)


def test_adding_starting_and_removing_are_logged_and_guarded(project, server, user):
    machine = model_of(project, server.url, actor=user)
    with pytest.raises(Refusal, match="already has a model named “judge”"):
        model_of(project, server.url)
    run = start_machine(machine=machine, actor=user, now=NOON)
    with pytest.raises(Refusal, match="already answering"):
        start_machine(machine=machine, actor=user, now=NOON)
    with pytest.raises(Refusal, match="Stop it first"):
        remove_machine(machine=Machine.objects.get(), actor=user, now=NOON)
    attempt(run)
    remove_machine(machine=Machine.objects.get(), actor=user, now=NOON)

    assert not MachineAnswer.objects.exists()
    entries = AuditEntry.objects.filter(action__startswith="model").order_by("pk")
    assert [entry.action for entry in entries] == ["model added", "model started", "model ended", "model removed"]
    assert entries[2].details == {"name": "judge", "answers": 2, "cost": "0.0000"}
    assert "sk-secret" not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"url": "https://10.0.0.1/v1"}, "private network"),
        ({"url": "http://models.example/v1"}, "begin with https"),
        ({"url": "https://ann:word@models.example/v1"}, "user name and password"),
        ({"url": "https://models.example/v1", "price_answer": Decimal(1)}, "Set a budget"),
        ({"url": "https://models.example/v1", "temperature": 3.0}, "temperature"),
        ({"url": "https://models.example/v1", "repeats": 0}, "repeats"),
    ],
)
def test_values_that_cannot_be(project, settings, values, problem):
    settings.MODELS_AT_PRIVATE_ADDRESSES = False
    with pytest.raises(Refusal, match=problem):
        model_of(project, **values)


def test_a_round_that_is_not_planned_or_selects_has_nothing_for_models(server):
    with pytest.raises(Refusal, match="Plan the round first"):
        model_of(make_project(), server.url)
    with pytest.raises(Refusal, match="cannot select sentences"):
        model_of(make_project("czech_news", "news"), server.url, round="R1")


def test_the_forecast_is_near_what_it_costs_and_its_maximum_above(project, server):
    server.answer = lambda prompt: completion('{"rating": 1}', usage=False)
    machine = model_of(project, server.url, repeats=3, **PRICED)

    before = costs.forecast_of(machine)
    worked(machine)

    spent = costs.spent_by(machine)
    assert (before.requests, spent.answers, before.minutes) == (6, 6, 1)
    assert spent.prompt_tokens < before.prompt_tokens < 1.5 * spent.prompt_tokens
    assert spent.cost < before.most
    assert costs.forecast_of(Machine.objects.get()).requests == 0
