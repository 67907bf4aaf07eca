"""Adaptive rounds of comparisons: later waves have new tuples, of items whose scores are close."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from annotation.domain.jobs.engine import complete
from annotation.domain.participation.flow import Idle
from annotation.domain.participation.leasing import next_place
from annotation.domain.participation.waves import continue_round, stop_round, waves_of
from annotation.domain.planning.rounds import plan_round
from annotation.domain.simulation.answers import Behaviour
from annotation.domain.simulation.rounds import simulate_round
from annotation.models import Assignment, Decision, Item, Judgment, Participation, Project, State, Tuple, TuplePlace
from annotation.planning.tuples import certificate
from annotation.protocols.stopping import TargetKind
from scoring.domain.runs.starting import start_run
from scoring.domain.stopping.adapting import chosen_tuples, of_next_tuples
from scoring.domain.stopping.looks import aim_of
from scoring.domain.stopping.overview import rounds_in_waves
from scoring.domain.stopping.reading import read_compared_round
from scoring.exports.report.waves import stopping_rule
from scoring.forecasting.stopping.adaptive import missing_judgments, reliability_of
from scoring.forecasting.stopping.allocation import Aim
from scoring.queries import part_of_results
from scoring.stats.utility_posterior import fit_posterior
from tests.domain.best_worst import accounts_balance, at_work, best_worst_project, choose_first
from tests.factories import NOON, make_user, reread
from tests.jobs import work_off

pytestmark = pytest.mark.django_db
ADAPTIVE = {
    "adaptive": "true",
    "factor": "1",
    "stopping__icc": "0.95",
    "stopping__first": "1",
    "stopping__wave": "0.5",
    "stopping__budget": "3",
    "together": "4",
}


def adaptive_project(pairs: int = 24, **changes: str) -> Project:
    return best_worst_project(pairs, **ADAPTIVE | changes)


def simulate(project: Project, noise: float = 0.1) -> None:
    values = {"people": None, "behaviour": Behaviour(noise=noise), "seed": 1, "now": NOON}
    list(simulate_round(project=project, round_key="main", **values))


def tuples_of(project: Project, **wanted: object) -> list[tuple[int, ...]]:
    """The items of tuples in the order of their positions."""
    found: dict[int, list[int]] = {}
    places = TuplePlace.objects.filter(tuple__project=project, **wanted).order_by("tuple__position", "position")
    for pk, item in places.values_list("tuple", "item"):
        found.setdefault(pk, []).append(item)
    return [tuple(items) for items in found.values()]


def first_wave_answered(**changes: str) -> Project:
    """A project whose first wave is answered and not looked at."""
    project = adaptive_project(12, **changes)
    [person] = at_work(project, "a")
    for _ in range(12):
        choose_first(person)
    return project


@pytest.mark.postgres
def test_later_waves_have_new_tuples_of_close_items_and_the_design_stays_certified():
    project = adaptive_project()
    simulate(project)
    made, items = tuples_of(project), project.items.count()
    pairs = Counter(frozenset(pair) for row in made for pair in combinations(row, 2))
    appearances = Counter(item for row in made for item in row)
    waves, shown = list(waves_of(project, "main")), Assignment.objects.values_list("participation", "tuple")
    state = read_compared_round(project, "main")
    spans = np.ptp(fit_posterior(state.choices).values[state.tuples], axis=1)

    assert waves[-1].decision == Decision.BUDGET
    assert len(made) == len({frozenset(row) for row in made}) == 3 * items == Judgment.objects.count()
    assert max(appearances.values()) - min(appearances.values()) <= 1
    assert max(pairs.values()) <= 4
    assert Counter(Tuple.objects.values_list("wave", flat=True)) == Counter(
        {None: waves[0].opened} | {wave.number: wave.opened for wave in waves[1:]}
    )
    assert set(Tuple.objects.filter(wave__isnull=False).values_list("planned", "given")) == {(1, 1)}
    assert len(shown) == len(set(shown))
    assert spans[items:].mean() < 0.8 * spans[:items].mean()
    assert accounts_balance(project)


def test_the_seed_and_the_judgments_repeat_the_tuples_of_a_wave():
    project = first_wave_answered()
    wave = waves_of(project, "main").get()
    state = read_compared_round(project, "main")
    again = chosen_tuples(wave, state, fit_posterior(state.choices), 6)
    assert work_off("wave", NOON) == 1
    new = tuples_of(project, tuple__wave=2)
    found = waves_of(project, "main").first().found
    everything = np.searchsorted(state.items, np.array(tuples_of(project)))

    assert new == [tuple(row) for row in state.items[again[: len(new)]].tolist()]
    assert found["certificate"]["sha256"] == certificate(everything, 12).sha256
    assert (found["certificate"]["seed"], found["certificate"]["tuples"]) == (wave.seed, 12 + len(new))


def test_who_has_answered_every_tuple_waits_for_those_of_the_next_wave():
    first_wave_answered()
    person = Participation.objects.get(state=State.ACTIVE)

    assert isinstance(next_place(reread(person), NOON), Idle)
    work_off("wave", NOON)
    for _ in range(6):
        choose_first(person)
    assert Judgment.objects.filter(assignment__tuple__wave=2, assignment__participation=person).count() == 6


def test_a_round_that_cannot_have_more_tuples_ends():
    project = first_wave_answered(together="1", stopping__budget="20")
    work_off("wave", NOON)

    assert waves_of(project, "main").get().decision == Decision.ROOM
    assert not Tuple.objects.filter(wave__isnull=False).exists()


@pytest.mark.postgres
def test_a_stopped_round_gets_tuples_again_when_a_manager_continues_it():
    project, manager = first_wave_answered(), make_user("manager@example.org")
    stop_round(project=project, round_key="main", reason="Enough", actor=manager, now=NOON)
    assert work_off("wave", NOON) == 0
    continue_round(project=project, round_key="main", further=5, reason="More", actor=manager, now=NOON)
    work_off("wave", NOON)

    assert Tuple.objects.filter(wave=2).count() == 5


def test_a_withdrawn_item_is_in_no_further_tuple():
    project = first_wave_answered()
    item = project.items.order_by("position").first()
    project.items.filter(pk=item.pk).update(withdrawn_at=NOON)
    work_off("wave", NOON)

    assert all(item.pk not in row for row in tuples_of(project, tuple__wave=2))


def test_new_items_join_the_round():
    project = first_wave_answered()
    work_off("wave", NOON)
    present = set(project.items.values_list("pk", flat=True))
    Item.objects.bulk_create(
        Item(project=project, key=f"new{index}", position=index, sentence1=f"A{index}.", sentence2=f"B{index}.")
        for index in range(13, 17)
    )
    plan_round(project=project, round_key="main")
    added = set(project.items.exclude(pk__in=present).values_list("pk", flat=True))

    assert added <= {item for row in tuples_of(project) for item in row}


def test_a_look_without_any_judgment_that_counts_opens_tuples_at_random():
    project = first_wave_answered()
    Judgment.objects.all().delete()
    wave = waves_of(project, "main").get()
    seen = of_next_tuples(wave, aim_of(project.protocol, project.round("main").design))

    assert (seen.answers, seen.missing, seen.estimate.value) == (0, None, 0)
    assert seen.open_next is not None


def test_the_run_publishes_utilities_with_the_estimated_prior_and_the_report_says_so():
    project = first_wave_answered(uneven="true")
    work_off("wave", NOON)
    run = complete(start_run(project=project, actor=None, parameters={"splits": 20, "replicates": 10}))
    model = part_of_results(run, "models", "best_worst")
    state = read_compared_round(project, "main")
    text = stopping_rule(project.round("main").design, project.protocol)
    [own] = rounds_in_waves(project)

    assert 1 / model["prior_variance"] == pytest.approx(fit_posterior(state.choices).precision)
    assert "utilities of the best-worst model (`utility`)" in text
    assert "more than 4 tuples. Items that have many others near them appear more often." in text
    assert own.certificate["tuples"] == len(state.tuples) == 18


def test_the_target_is_that_of_the_utilities():
    assert reliability_of(0.8, TargetKind.ICC).value == 0.8
    assert reliability_of(0.8, TargetKind.SPLIT_HALF).value == pytest.approx(2 / 3)
    assert missing_judgments(0.8, Aim(TargetKind.ICC, 0.9), 100) == 125
    assert missing_judgments(0.5, Aim(TargetKind.SPLIT_HALF, 0.6), 100) == 200
    assert missing_judgments(0.95, Aim(TargetKind.ICC, 0.9), 100) == 0
    assert missing_judgments(0.0, Aim(TargetKind.ICC, 0.9), 100) is None
