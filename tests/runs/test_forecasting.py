"""What a round will cost and how reliable it will be."""

from dataclasses import replace
from decimal import Decimal

import pytest

from annotation.domain.errors import Refusal
from annotation.planning.costs import Material
from annotation.protocols.presets import PRESETS, preset
from annotation.protocols.spec import Context
from scoring.domain.costing import Wish, judged_by, supposed_seconds
from scoring.domain.forecasting import outlook
from scoring.models import Run

MATERIAL = Material(items=200, incidents=48)


def wish(key: str, round_key: str = "main", **values) -> Wish:
    protocol = preset(key)
    return Wish(protocol, protocol.round(round_key), MATERIAL, **values)


def run_of_ratings(**results) -> Run:
    table = {"sd": [1.0, 1.0, None], "ratings": [5, 5, 1]}
    told = {"icc": {"icc1": 0.5}, "ratings": 11}
    return Run(number=3, results={"scores": {"main": {"free": table}}, "agreement": {"main": {"free": told}}} | results)


def run_of_choices(**results) -> Run:
    told = {"choice_agreement": {"judgments": 1600, "tuples": 400}, "overview": {"items": 200}}
    return Run(number=4, results=told | {"split_half": {"tuple": {"spearman": {"mean": 0.8}}}} | results)


@pytest.mark.parametrize("key", PRESETS)
def test_every_round_of_every_preset_has_an_outlook(key):
    for one in preset(key).rounds:
        found = outlook(Wish(preset(key), one, MATERIAL, seconds=10, pay=Decimal(12), fee=Decimal("0.25")))

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


def test_a_single_planned_judgment_has_no_reliability_yet():
    protocol = preset("semrel")
    [main] = protocol.rounds
    one = replace(main, design=replace(main.design, people=1))

    found = outlook(Wish(replace(protocol, rounds=(one,)), one, MATERIAL))

    assert [line.people for line in found.lines] == [1, 2, 4, 8]
    assert found.lines[0].forecast.reliability.mean != found.lines[0].forecast.reliability.mean


def test_ratings_of_a_run_tell_what_is_missing():
    found = outlook(wish("stss131", run=run_of_ratings(), target=0.8, seconds=9, pay=Decimal(10)))

    # ICC .5: as much variance between items as within; (n/2) / (n/2 + 1) >= .8 from n = 8
    assert found.source == "run 3 of this project"
    assert found.missing.people == 8
    assert found.missing.judgments == 8 * 200 - 11
    assert found.missing.hours == pytest.approx((1600 - 11) * 9 / 3600)
    assert found.missing.money == Decimal("39.72")


def test_choices_of_a_run_tell_what_is_missing():
    found = outlook(wish("semrel", run=run_of_choices(), target=0.9))

    by_people = {line.people: line.forecast.reliability.mean for line in found.lines}
    assert by_people[4] == pytest.approx(0.8, abs=0.03)
    assert 4 < found.missing.people < 20
    assert found.missing.judgments == found.missing.people * 400 - 1600


def test_nothing_is_missing_when_there_is_enough():
    assert outlook(wish("semrel", run=run_of_choices(), target=0.3)).missing.judgments == 0


def test_a_target_out_of_reach_has_no_number():
    noisy = run_of_ratings(agreement={"main": {"free": {"icc": {"icc1": 0.01}, "ratings": 11}}})
    assert outlook(wish("stss131", run=noisy, target=0.95)).missing.people is None


@pytest.mark.parametrize(
    ("key", "run"),
    [
        ("stss131", run_of_ratings(agreement={"main": {"free": {"icc": {"icc1": None}, "ratings": 11}}})),
        ("stss131", run_of_ratings(agreement={"main": {"free": {"icc": {"icc1": 1.0}, "ratings": 11}}})),
        ("stss131", run_of_ratings(agreement={"main": {"free": {"icc": {"icc1": -0.2}, "ratings": 11}}})),
        ("stss131", run_of_ratings(scores={"main": {"free": {"sd": [None], "ratings": [1]}}})),
        ("stss131", run_of_choices()),
        ("semrel", run_of_ratings()),
        ("semrel", run_of_choices(split_half={"tuple": {"spearman": {"mean": None}}})),
        ("semrel", run_of_choices(choice_agreement={"judgments": 400, "tuples": 400})),
    ],
)
def test_a_run_that_does_not_tell_is_refused(key, run):
    with pytest.raises(Refusal, match="does not tell how much people vary"):
        outlook(wish(key, run=run))


def test_too_few_items_for_a_tuple_are_refused_in_words():
    with pytest.raises(Refusal, match="at least 4 items"):
        outlook(replace(wish("semrel"), material=Material(items=3)))


def test_a_protocol_of_no_paper_needs_a_run():
    with pytest.raises(Refusal, match="No paper tells"):
        outlook(replace(wish("stss131"), protocol=replace(preset("stss131"), key="own")))


def test_the_paper_tells_the_seconds_where_it_can():
    assert supposed_seconds(preset("czech_news"), preset("czech_news").round("R3")) == 19.3
    assert supposed_seconds(preset("stss131"), preset("stss131").round("main")) > 1


def test_two_sessions_count_twice():
    protocol = preset("stss131")
    twice = replace(protocol.rounds[0], sessions=(Context.FREE, Context.DEPENDENT))
    protocol = replace(protocol, rounds=(twice,))

    found = outlook(Wish(protocol, twice, MATERIAL, run=run_of_ratings(), target=0.8))

    assert found.missing.judgments == 2 * 8 * 200 - 11
