"""Open rounds in waves: opened, looked at, closed; stopped and continued by hand."""

import pytest
from django.db.models import F, Sum
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import backlog
from annotation.domain.jobs.engine import complete
from annotation.domain.participation.flow import Finished, Idle, Screen
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.waves import continue_round, is_in_wave, stop_round, waves_of
from annotation.domain.simulation.answers import Behaviour
from annotation.domain.simulation.rounds import simulate_round
from annotation.models import (
    AuditEntry,
    Decision,
    JobState,
    Judgment,
    Membership,
    Participation,
    PooledItem,
    Project,
    Tuple,
)
from annotation.queries.people import free_seats
from scoring.domain.notifications.wording import sentence
from scoring.domain.releases.report import collection_of
from scoring.domain.runs.starting import start_run
from scoring.domain.stopping.overview import rounds_in_waves
from scoring.exports.report.methods import methods
from scoring.exports.report.waves import looks_in_words, stopping_rule
from scoring.models import Event, Notice
from tests.domain.best_worst import accounts_balance as accounts_of_tuples_balance
from tests.domain.best_worst import at_work, best_worst_project
from tests.domain.rating_pool import open_project, rate_all, rate_lent
from tests.factories import NOON, make_user, reread
from tests.jobs import work_off

pytestmark = pytest.mark.django_db
WAVES = {"stopping__first": "2", "stopping__wave": "0.5", "items_a_person": "0"}


def in_waves(pairs: int = 12, **changes: str) -> Project:
    return open_project(pairs, **WAVES | {"stopping__icc": "0.9", "stopping__budget": "8"} | changes)


def simulate(project: Project, **behaviour: float) -> list[Participation]:
    values = {"people": None, "behaviour": Behaviour(**behaviour), "seed": 1, "now": NOON}
    return list(simulate_round(project=project, round_key="main", **values))


def backlog_of_waves(project: Project) -> int:
    [waves] = [own for own in backlog(timezone.now(), project) if own.kind.key == "wave"]
    return waves.waiting


def decisions(project: Project) -> list[str]:
    return [wave.decision for wave in waves_of(project, "main")]


def test_only_the_first_wave_is_open_after_planning():
    project = in_waves()
    [wave] = waves_of(project, "main")

    assert set(PooledItem.objects.values_list("planned", flat=True)) == {2}
    assert (wave.number, wave.opened, wave.entries, wave.state) == (1, 24, 12, JobState.WAITING)


@pytest.mark.postgres
def test_a_round_ends_when_its_target_is_reached():
    project = in_waves(stopping__icc="0.7")
    simulate(project, noise=0.02)
    last = waves_of(project, "main").last()

    assert last.decision == Decision.TARGET
    assert last.found["estimate"] >= 0.7
    assert last.found["judgments"] == Judgment.objects.count()
    assert not is_in_wave(project, "main")


def test_a_round_ends_when_its_budget_is_spent():
    project = in_waves(stopping__icc="0.99", stopping__budget="4")
    simulate(project, noise=0.4)

    assert decisions(project)[-1] == Decision.BUDGET
    assert Judgment.objects.count() == 4 * 12
    assert set(decisions(project)[:-1]) == {Decision.CONTINUE}


def test_a_round_of_comparisons_runs_in_waves():
    project = best_worst_project(
        12,
        stopping__split_half="0.9",
        stopping__first="2",
        stopping__wave="0.5",
        stopping__budget="4",
        factor="1",
    )
    simulate(project, noise=0.3)
    given = Tuple.objects.aggregate(given=Sum("given"))["given"]

    assert decisions(project)[-1] in (Decision.TARGET, Decision.BUDGET)
    assert waves_of(project, "main").last().found["judgments"] == given
    assert set(decisions(project)[:-1]) <= {Decision.CONTINUE}
    assert given == Judgment.objects.count() == sum(waves_of(project, "main").values_list("opened", flat=True))
    assert accounts_of_tuples_balance(project)


def test_who_has_rated_everything_does_not_wait_for_the_next_wave():
    project = in_waves(4, stopping__icc="0.99")
    first, second = at_work(project, "a", "b")
    assert (rate_all(first), rate_all(second)) == (4, 4)

    assert isinstance(next_place(reread(first), NOON), Finished)
    work_off("wave", NOON)
    assert decisions(project) == ["continue", ""]
    assert free_seats(Participation.objects.filter(project=project)).exists()


@pytest.mark.postgres
def test_who_finds_nothing_waits_for_the_next_wave_and_goes_on_then():
    project = in_waves(6, stopping__icc="0.99", items_a_person="5")
    people = at_work(project, "a", "b", "c")
    for _ in range(4):
        for person in people:
            rate_lent(person)

    assert isinstance(next_place(reread(people[0]), NOON), Idle)
    assert work_off("wave", NOON) == 1
    assert isinstance(next_place(reread(people[0]), NOON), Screen)


def test_no_look_is_made_while_judgments_are_missing():
    project = in_waves(4)
    [person] = at_work(project, "a")
    rate_lent(person)

    assert work_off("wave", NOON) == 0
    assert backlog_of_waves(project) == 0


def test_a_manager_stops_a_round_and_continues_it():
    project, manager = in_waves(6, stopping__icc="0.99"), make_user("manager@example.org")
    [person] = at_work(project, "a")
    rate_lent(person)
    by = {"project": project, "round_key": "main", "reason": "Enough.", "actor": manager, "now": NOON}
    stop_round(**by)

    assert decisions(project) == [Decision.MANAGER]
    assert not PooledItem.objects.filter(given__lt=F("planned")).exists()
    assert isinstance(next_place(reread(person), NOON), Finished)
    with pytest.raises(Refusal, match="already ended"):
        stop_round(**by)

    continue_round(**by, further=5)
    assert work_off("wave", NOON) == 1
    assert decisions(project) == [Decision.CONTINUE, ""]
    assert waves_of(project, "main").last().opened == 5
    assert free_seats(Participation.objects.filter(project=project)).exists()
    with pytest.raises(Refusal, match="still running"):
        continue_round(**by, further=5)
    actions = list(AuditEntry.objects.filter(project=project).order_by("pk").values_list("action", flat=True))
    assert [action for action in actions if action.startswith("round ")] == ["round stopped", "round continued"]


def test_managers_are_notified_once_when_the_round_ends():
    project = in_waves(stopping__icc="0.5")
    owner = make_user("owner@example.org")
    Membership.objects.create(project=project, user=owner, role=Membership.Role.OWNER)
    simulate(project, noise=0.02)
    [notice] = Notice.objects.filter(user=owner, event=Event.TARGET_REACHED)

    assert notice.payload["decision"] == Decision.TARGET
    assert "Target reached" in sentence(project, notice.event, notice.payload)


@pytest.mark.thorough
def test_the_same_seeds_open_the_same_waves():
    opened = []
    for key in ("one", "two"):
        project = in_waves(key=key, stopping__icc="0.95")
        simulate(project, noise=0.3)
        opened.append([(wave.number, wave.opened, wave.seed) for wave in waves_of(project, "main")])

    assert opened[0] == opened[1]
    assert len(opened[0]) > 1


def test_a_run_and_a_release_say_what_the_looks_found():
    project = in_waves(stopping__icc="0.9")
    simulate(project, noise=0.2)
    run = complete(start_run(project=project, actor=None, parameters={"splits": 20}))
    design = project.round("main").design
    looks = collection_of(run).collected["main"].looks

    assert [look.decision for look in looks] == decisions(project)
    text = " ".join(paragraph.text for paragraph in methods(collection_of(run)))
    assert stopping_rule(design, project.protocol) in text
    assert looks_in_words(design, project.protocol, looks) in text
    assert "at least 2 different annotators" in text
    assert "estimated to be 0.91 or higher" in text
    assert "no interval: for comparisons and on coarse scales" in text
    assert {(look.low, look.high) for look in looks} == {(None, None)}


def test_a_slider_has_an_interval_and_no_margin():
    project = in_waves(stopping__icc="0.9", step="0.04")
    simulate(project, noise=0.2)
    [*_, last] = looks = [wave.found for wave in waves_of(project, "main")]

    assert all(found["low"] < found["estimate"] < found["high"] for found in looks)
    [own] = rounds_in_waves(project)
    assert (own.goal, own.knows_interval) == (0.9, True)
    assert last["estimate"] >= 0.9 or decisions(project)[-1] == Decision.BUDGET


@pytest.mark.postgres
def test_the_pages_show_what_was_found_and_what_is_missing(client, django_assert_max_num_queries):
    project = in_waves(6, stopping__icc="0.99")
    for person in at_work(project, "a", "b"):
        rate_all(person)
    work_off("wave", NOON)
    owner = make_user("owner@example.org")
    Membership.objects.create(project=project, user=owner, role=Membership.Role.OWNER)
    client.force_login(owner)
    with django_assert_max_num_queries(15):
        page = client.get(f"/projects/{project.key}/waves/").content.decode()
    progress = client.get(f"/projects/{project.key}/watch/").content.decode()

    assert page.count('<th scope="row">') == 2
    assert "Wave 2 is open" in page
    assert "Wave 2 is open" in progress
    assert "Target: 0.99; with a margin, the round ends at 0.991. No interval" in page
