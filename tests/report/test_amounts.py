"""Ratings of a pair, man-hours and datasets in tables and sentences."""

import pytest

from scoring.exports.report.amounts import coverage, coverage_sentences, datasets, effort, effort_sentence
from tests.presets import PRESETS
from tests.report.test_tables import texts

CZECH, STSS = PRESETS["czech_news"], PRESETS["stss131"]
FULL = {"pairs": 1200, "ratings": [9], "number": [1200], "wanted": 9, "enough": 7, "below": 0}
SOME = FULL | {"ratings": [5, 6, 9], "number": [6, 15, 1179], "below": 21}
R1 = {"people": 269, "answers": 9000, "timed": 9000, "hours": 876.0, "hours_counted": 870.0, "hours_per_person": 3.2565}
R3 = R1 | {"people": 1, "answers": 500, "timed": 499, "hours": 141.04, "hours_per_person": 141.04}
TOTAL = {"answers": 9500, "timed": 9499, "hours": 1017.04, "hours_counted": 1010.0}


def test_pairs_with_few_ratings_are_counted_in_a_sentence():
    results = {"coverage": {"R3": {"free": FULL, "dependent": SOME}}}

    assert list(coverage_sentences(results, CZECH)) == [
        "In R3 without context, none of 1,200 pairs has fewer than 7 ratings; the protocol requires 9.",
        "In R3 with context, 21 of 1,200 pairs have fewer than 7 ratings; the protocol requires 9.",
    ]


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (
            {"pairs": 6, "ratings": [0, 1], "number": [1, 5], "wanted": 1, "enough": 1, "below": 1},
            "one of 6 pairs has no rating;",
        ),
        (
            {"pairs": 6, "ratings": [2], "number": [6], "wanted": 9, "enough": 7, "below": 6},
            "all 6 pairs have fewer than 7 ratings;",
        ),
        ({"pairs": 6, "ratings": [1], "number": [6], "wanted": 1, "enough": 1, "below": 0}, None),
        ({"pairs": 6, "ratings": [0], "number": [6], "wanted": 9, "enough": 7, "below": 6}, None),
        ({"pairs": 0, "ratings": [], "number": [], "wanted": 9, "enough": 7, "below": 0}, None),
        ({"pairs": 6, "ratings": [3], "number": [6], "wanted": None, "enough": None, "below": None}, None),
    ],
)
def test_nothing_is_said_where_there_is_nothing_to_say(own, said):
    found = list(coverage_sentences({"coverage": {"main": {"free": own}}}, STSS))

    assert len(found) == (said is not None)
    assert not said or found[0].startswith(f"In the main block, {said}")


def test_a_place_without_a_round_begins_with_its_context():
    (first, _) = coverage_sentences({"coverage": {"main": {"free": SOME, "dependent": SOME}}}, STSS)

    assert first.startswith("In the session without context, 21 of 1,200 pairs")


def test_every_number_of_ratings_has_its_column():
    (table,) = coverage({"coverage": {"R3": {"free": FULL, "dependent": SOME}}})

    assert table.columns == ("Pairs", "5 ratings", "6 ratings", "9 ratings")
    assert texts(table) == {
        "R3, without context": ["1,200", "0", "0", "1,200"],
        "R3, with context": ["1,200", "6", "15", "1,179"],
    }


def test_many_numbers_of_ratings_are_put_together():
    own = FULL | {"pairs": 60, "ratings": [*range(30)], "number": [2] * 30}

    (table,) = coverage({"coverage": {"main": {"free": own}}})

    assert (table.columns[1], table.columns[-1], len(table.columns)) == ("0 ratings", "20 ratings or more", 22)
    assert texts(table)["main"][-1] == "20"


def test_man_hours_by_round_and_in_all():
    results = {"effort": {"rounds": {"R1": R1, "R3": R3}, "total": TOTAL}}

    (table,) = effort(results)

    assert texts(table) == {
        "R1": ["9,000", "9,000", "876.0", "870.0"],
        "R3": ["500", "499", "141.0", "870.0"],
        "All rounds": ["9,500", "9,499", "1,017.0", "1,010.0"],
    }
    assert " ".join(effort_sentence(results)) == (
        "Annotation took 1,017.0 person-hours of active time (R1: 876.0 by 269 annotators, mean 3.26 hours each; R3: "
        "141.0 by 1 annotator, mean 141.04 hours each). 1 answer without a measured time is not included."
    )


def test_man_hours_of_a_single_round_and_of_none():
    nothing = {"hours": None, "hours_reason": "no answer has an active time"}
    untimed = {"effort": {"rounds": {"main": R1 | nothing}, "total": TOTAL | nothing}}

    assert list(effort_sentence({"effort": {"rounds": {"main": R1}, "total": R1}})) == [
        "Annotation took 876.0 person-hours of active time (269 annotators, mean 3.26 hours each)."
    ]
    assert list(effort_sentence(untimed)) == list(effort_sentence({})) == []
    assert texts(next(effort(untimed)))["main"][2] == "n/aa"


def test_datasets_as_in_table_2():
    # Czech News, table 2, prints mean and variance.
    def own(pairs, mean, variance):
        return {"pairs": pairs, "mean": mean, "sd": variance**0.5, "variance": variance}

    train = {"RAW": own(116956, 2.46, 2.12), "N2": own(101413, 2.56, 2.15), "N1": own(85374, 2.53, 2.26)}
    test = {"free": own(1200, 2.66, 1.78), "dependent": own(1200, 2.92, 1.65)}
    test |= {"sig_free": own(90, 1.41, 2.02), "sig_dependent": own(90, 2.57, 1.85)}

    (table,) = datasets({"datasets": {"train": train, "test": {"R3": test}}})

    assert texts(table) == {
        "train-RAW": ["116,956", "2.460", "1.456", "2.120"],
        "train-N2": ["101,413", "2.560", "1.466", "2.150"],
        "train-N1": ["85,374", "2.530", "1.503", "2.260"],
        "test, without context": ["1,200", "2.660", "1.334", "1.780"],
        "test, with context": ["1,200", "2.920", "1.285", "1.650"],
        "test-sig, without context": ["90", "1.410", "1.421", "2.020"],
        "test-sig, with context": ["90", "2.570", "1.360", "1.850"],
    }
