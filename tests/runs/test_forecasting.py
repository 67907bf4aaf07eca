"""What a round will cost and how reliable it will be."""

from dataclasses import replace
from decimal import Decimal
from statistics import fmean, stdev

import numpy as np
import pytest

from annotation.domain.errors import Refusal
from annotation.domain.material import ImportPolicy, import_judgments
from annotation.planning.costs import Material, round_costs
from annotation.planning.tuples import design_tuples
from annotation.protocols.terms import Context
from scoring.domain.forecasts.costs import Wish, judged_by, supposed_seconds
from scoring.domain.forecasts.forecasts import outlook
from scoring.domain.forecasts.reliability import reliability_for
from scoring.forecasting.choices import TupleDesign, forecast_choices
from scoring.models import Run
from tests.factories import NOON, add_pairs, make_project
from tests.importing.files import write
from tests.presets import PRESETS
from tests.releases.making import run_of as run_of_project

MATERIAL = Material(items=200, incidents=48)
UNDEFINED = {"mean": None, "mean_reason": "one item"}


def wish(key: str, round_key: str = "main", **values) -> Wish:
    protocol = PRESETS[key]
    return Wish(protocol, protocol.round(round_key), MATERIAL, **values)


def run_of(ratings: list[list[float]]) -> Run:
    table = {
        "item": [f"p{place}" for place in range(len(ratings))],
        "mean": [fmean(own) for own in ratings],
        "sd": [stdev(own) if len(own) > 1 else None for own in ratings],
        "ratings": [len(own) for own in ratings],
    }
    told = {"ratings": sum(table["ratings"])}
    return Run(number=3, results={"scores": {"main": {"free": table}}, "agreement": {"main": {"free": told}}})


def run_of_ratings(items=1.0, ratings=0.7) -> Run:
    """A pilot of 300 pairs with five ratings each on the scale of STSS-131, with these deviations."""
    chance = np.random.default_rng(2)
    given = chance.normal(2, items, (300, 1)) + chance.normal(0, ratings, (300, 5))
    return run_of(np.clip(np.round(given, 2), 0, 4).tolist())


def run_of_choices(**results) -> Run:
    spread = {"spearman": {"mean": 0.8}}
    told = {
        "choice_agreement": {"judgments": 1600, "tuples": 400},
        "choice_scores": {"appearances": [32] * 200 + [0] * 7},
        "design": {"certificate": {"size": 4}},
        "split_half": {"tuple": spread, "judgment": spread},
    }
    return Run(number=4, results=told | results)


@pytest.mark.parametrize("key", PRESETS)
def test_every_round_of_every_preset_has_an_outlook(key):
    for one in PRESETS[key].rounds:
        found = outlook(Wish(PRESETS[key], one, MATERIAL, seconds=10, pay=Decimal(12), fee=Decimal("0.25")))

        assert [line.people for line in found.lines if line.planned] == [judged_by(one)]
        for line in found.lines:
            assert line.cost.judgments > 0 and line.cost.people > 0
            assert line.money == pytest.approx(Decimal(line.cost.judgments * 10 / 3600 * 15), abs=Decimal("0.01"))
        if judged_by(one) > 1:
            means = [line.forecast.reliability.mean for line in found.lines]
            assert 0 < means[0] < means[-1] < 1 and found.missing.people > 1


def test_rounds_that_judge_everything_once_have_a_cost_only():
    found = outlook(wish("czech_news", "R1"))

    [line] = found.lines
    assert found.source is None and found.missing is None and line.forecast is None and line.money is None
    assert line.cost.judgments == 8 * 48  # eight people, six incidents each, eight sentences each


def test_the_planned_number_is_marked_among_two_four_and_eight():
    assert [line.people for line in outlook(wish("stss131")).lines] == [2, 4, 8, 32]
    assert [line.people for line in outlook(wish("semrel")).lines] == [2, 4, 8]


def test_pairs_in_two_contexts_cost_calibration_and_repeated_pairs_too():
    [cost] = round_costs(PRESETS["two_contexts"], Material(items=100))

    # 100 pairs by nine people, 50 pairs each; two sessions with six pairs before and five after
    assert (cost.people, cost.screens, cost.judgments) == (18, 2 * (6 + 50 + 5), 18 * 2 * (6 + 50 + 5))
    assert judged_by(PRESETS["two_contexts"].rounds[0]) == 9


def test_a_single_planned_judgment_has_no_reliability_yet():
    protocol = PRESETS["semrel"]
    [main] = protocol.rounds
    one = replace(main, design=replace(main.design, people=1))

    found = outlook(Wish(replace(protocol, rounds=(one,)), one, MATERIAL))

    assert [line.people for line in found.lines] == [1, 2, 4, 8]
    assert found.lines[0].forecast.reliability.mean != found.lines[0].forecast.reliability.mean


def test_ratings_of_a_run_tell_what_is_missing():
    found = outlook(wish("stss131", run=run_of_ratings(), target=0.9, seconds=9, pay=Decimal(10)))

    # Deviations of 1 and 0.7 make .9 of two halves of 9 or 10; the ends of the scale take some of both.
    people = found.missing.people
    assert found.source == "run 3 of this project"
    assert people in (9, 10, 11)
    assert found.missing.judgments == people * 200 - 1500
    assert found.missing.hours == pytest.approx(found.missing.judgments * 9 / 3600)
    assert found.missing.money == Decimal(found.missing.judgments) / 40


def test_choices_of_a_run_tell_what_is_missing():
    found = outlook(wish("semrel", run=run_of_choices(), target=0.9))

    by_people = {line.people: line.forecast.reliability.mean for line in found.lines}
    assert by_people[4] == pytest.approx(0.8, abs=0.03)
    assert 4 < found.missing.people < 20
    assert found.missing.judgments == found.missing.people * 400 - 1600


def test_nothing_is_missing_when_there_is_enough():
    assert outlook(wish("semrel", run=run_of_choices(), target=0.3)).missing.judgments == 0


def test_a_target_out_of_reach_has_no_number():
    assert outlook(wish("stss131", run=run_of_ratings(0.2, 1.5), target=0.95)).missing.people is None


def test_tuples_that_were_answered_once_tell_by_halves_of_all_judgments():
    once = {"judgments": 400, "tuples": 400}
    halves = {"tuple": {"spearman": {"mean": 0.31}}, "judgment": {"spearman": {"mean": 0.32}}}
    run = run_of_choices(choice_agreement=once, split_half=halves)

    found = outlook(wish("semrel", run=run))

    noise = reliability_for(wish("semrel", run=run)).noise
    again = forecast_choices(
        noise, TupleDesign(4, 2), items=200, people=1, generator=np.random.default_rng(9), collections=30, by="judgment"
    )
    assert again.reliability.mean == pytest.approx(0.32, abs=0.03)
    assert [line.forecast.reliability.mean > 0.32 for line in found.lines] == [True, True, True]
    assert found.missing.judgments == found.missing.people * 400 - 400


def test_imported_tuples_are_simulated_as_many_and_as_large_as_they_are():
    large = run_of_choices(choice_agreement={"judgments": 800, "tuples": 200}, design={"certificate": {"size": 6}})
    noise = reliability_for(wish("semrel", run=large)).noise

    again = forecast_choices(noise, TupleDesign(6, 1), items=200, people=4, generator=np.random.default_rng(9))
    assert again.reliability.mean == pytest.approx(0.8, abs=0.03)


@pytest.mark.django_db
def test_an_imported_file_of_tuples_answered_once_has_a_forecast(tmp_path):
    chance, rows = np.random.default_rng(8), ["item1,item2,item3,item4,best,worst,annotator"]
    project = make_project("semrel")
    add_pairs(project, 30)
    for place, items in enumerate(design_tuples(30, size=4, factor=2, generator=chance).tolist()):
        order = sorted(items, key=lambda item: item / 10 + chance.normal(0, 0.7))
        rows.append(",".join(f"p{item + 1}" for item in [*items, order[-1], order[0]]) + f",person {place % 5}")
    path = write(tmp_path, "\n".join(rows) + "\n", "judgments.csv")
    import_judgments(project=project, path=path, round_key=None, now=NOON, handling=ImportPolicy())

    found = outlook(replace(wish("semrel", run=run_of_project(project)), material=Material(items=30)))

    assert found.source == "run 1 of this project"
    means = [line.forecast.reliability.mean for line in found.lines]
    assert 0.3 < means[0] < means[1] < means[2] < 1


@pytest.mark.parametrize(
    ("key", "run", "reason"),
    [
        ("stss131", run_of([[1.0], [3.0]]), "no item was rated by two annotators"),
        ("stss131", run_of([[0.0, 4.0], [1.0, 3.5]]), "vary as much as ratings of different items"),
        ("stss131", run_of([[1.0, 1.0], [3.0, 3.0]]), "all ratings of the same item are equal"),
        ("stss131", run_of_choices(), "has no judgments from this round"),
        ("semrel", run_of_ratings(), "has no judgments from this round"),
        ("semrel", run_of_choices(split_half={"tuple": {"spearman": UNDEFINED}}), r"is not defined \(one item\)"),
        ("semrel", run_of_choices(split_half={"tuple": {"spearman": {"mean": -0.1}}}), "that of run 4 is -0.1"),
        ("semrel", run_of_choices(split_half={"tuple": {"spearman": {"mean": 1.0}}}), "that of run 4 is 1.0"),
    ],
)
def test_a_run_that_does_not_tell_is_refused_with_the_reason(key, run, reason):
    with pytest.raises(Refusal, match=reason):
        outlook(wish(key, run=run))


def test_too_few_items_for_a_tuple_are_refused_in_words():
    with pytest.raises(Refusal, match="at least 4 items"):
        outlook(replace(wish("semrel"), material=Material(items=3)))


@pytest.mark.parametrize(("key", "paper"), [("stss131", "STSS-131, rescaled"), ("giccs", "SemRel2024")])
def test_a_protocol_of_no_paper_has_the_figures_of_the_closest_one(key, paper):
    found = outlook(replace(wish(key), protocol=replace(PRESETS[key], key="own")))
    assert found.source.startswith(paper)
    assert all(line.forecast for line in found.lines)


def test_the_paper_tells_the_seconds_where_it_can():
    assert supposed_seconds(PRESETS["czech_news"], PRESETS["czech_news"].round("R3")) == 19.3
    assert supposed_seconds(PRESETS["stss131"], PRESETS["stss131"].round("main")) > 1


def test_two_sessions_count_twice():
    protocol = PRESETS["stss131"]
    twice = replace(protocol.rounds[0], sessions=(Context.FREE, Context.DEPENDENT))
    protocol = replace(protocol, rounds=(twice,))

    found = outlook(Wish(protocol, twice, MATERIAL, run=run_of_ratings(), target=0.9))

    assert found.missing.judgments == 2 * found.missing.people * 200 - 1500
