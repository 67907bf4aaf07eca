import csv
import json
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.errors import Refusal
from annotation.domain.material import import_judgments
from annotation.domain.participation.lifecycle import exclude
from annotation.models import Annotator, Assignment, Group, Item, Judgment
from scoring.__main__ import main
from scoring.exports.splits import Splitting
from scoring.stats import bws
from tests.factories import NOON, add_dialogues, add_pairs, make_project
from tests.importing.files import write
from tests.releases.making import contents, released, write_release

pytestmark = pytest.mark.django_db

PARTS = ("train.csv", "dev.csv", "test.csv")
HEADER = "item1,item2,item3,best,worst,annotator"
# p1 is best in 2 of 3, p2 worst in 1 of 3 and best in 1, p3 worst in 2 of 3; p4 and p5 appear once.
ROWS = ("p1,p2,p3,p1,p3,ann", "p3,p1,p2,p1,p2,bob", "p3,p2,p1,p2,p3,eve", "p1,p4,p5,p4,p1,ann")


def lines(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def records(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def chosen(tmp_path, preset="semrel", rows=ROWS, key="project", pairs=6):
    """Tuples of three, judged elsewhere; of six pairs the last one is in none."""
    project = make_project(preset, key, tuple_size="3")
    add_pairs(project, pairs)
    bring_in(project, tmp_path, rows)
    return project


def bring_in(project, tmp_path, rows, header=HEADER):
    path = write(tmp_path, "\n".join([header, *rows]), "choices.csv")
    return import_judgments(project=project, path=path, round_key=None, now=NOON)


def release(project, folder, **values):
    return write_release(project=project, folder=folder, **values)


def texts_of(folder):
    return {row["PairID"]: row for part in PARTS for row in records(folder / part)}


def with_same_sentences(*groups):
    """Pairs of a group all have the same first sentence."""
    for number, keys in enumerate(groups):
        Item.objects.filter(key__in=keys).update(sentence1=f"Shared {number}.")


def test_semrel_has_scores_on_the_unit_scale(tmp_path):
    project = chosen(tmp_path)

    told = release(project, tmp_path / "out", splitting=Splitting("train=2,dev=1,test=2"))

    rows = texts_of(tmp_path / "out")
    # Signed: p1 (2 - 1) / 4, p2 (1 - 1) / 3, p3 -2 / 3, p4 1 / 1, p5 0 / 1.
    assert {key: row["Score"] for key, row in rows.items()} == {
        "p1": "0.625",
        "p2": "0.5",
        "p3": repr(1 / 6),
        "p4": "1.0",
        "p5": "0.5",
    }
    assert rows["p2"]["Text"] == "First text of pair 2.\nSecond text of pair 2."
    assert told == {
        "judgments.csv": 4,
        "items.csv": 6,
        "tuples.csv": 4,
        "scores.csv": 6,
        "distributions.csv": 5,
        "train.csv": 2,
        "dev.csv": 1,
        "test.csv": 2,
        "items without a choice that counts, so without a score": 1,
    }
    assert [lines(tmp_path / "out" / part)[0] for part in PARTS] == [["PairID", "Text", "Score"]] * 3


def test_texts_for_programs_are_as_they_are_but_for_line_breaks(tmp_path):
    project = chosen(tmp_path)
    Item.objects.filter(key="p1").update(sentence1='@<username> "says",\r\nloudly\rso', sentence2="=1+1")
    release(project, tmp_path / "out")
    assert texts_of(tmp_path / "out")["p1"]["Text"] == '@<username> "says", loudly so\n=1+1'
    items = {row["item"]: row for row in records(tmp_path / "out" / "items.csv")}
    assert (items["p1"]["sentence1"], items["p1"]["sentence2"]) == ('\'@<username> "says",\r\nloudly\rso', "'=1+1")


def test_scores_are_signed_with_their_counts(tmp_path):
    release(chosen(tmp_path), tmp_path)
    header, *rows = lines(tmp_path / "scores.csv")
    assert header[:5] == ["item", "score", "best", "worst", "appearances"]
    assert header[5:10] == ["interval_low", "interval_high", "error", "utility", "utility_error"]
    assert header[10:] == ["weighed_utility", "weighed_utility_error"]
    assert [row[:5] for row in rows] == [
        ["p1", "0.25", "2", "1", "4"],
        ["p2", "0.0", "1", "1", "3"],
        ["p3", repr(-2 / 3), "0", "2", "3"],
        ["p4", "1.0", "1", "0", "1"],
        ["p5", "0.0", "0", "0", "1"],
        ["p6", "", "0", "0", "0"],
    ]
    assert [row[5:] for row in rows if row[0] == "p6"] == [[""] * 7]


def test_scores_of_a_release_have_the_errors_and_utilities_of_its_run(tmp_path, monkeypatch):
    monkeypatch.setattr(bws, "FEWEST_UNITS", 2)  # no item of this project is in five choices
    made = released(chosen(tmp_path))
    (tmp_path / "scores.csv").write_bytes(contents(made)["scores.csv"])
    rows, found = records(tmp_path / "scores.csv"), made.run.results
    wanted = {
        "error": found["choice_errors"]["judgment"]["error"],
        "interval_low": found["choice_scores"]["interval_low"],
        "interval_high": found["choice_scores"]["interval_high"],
        "utility": found["models"]["best_worst"]["utility"],
        "utility_error": found["models"]["best_worst"]["error"],
    }
    assert {name: [row[name] for row in rows] for name in wanted} == {
        name: ["" if value is None else repr(value) for value in values] for name, values in wanted.items()
    }
    assert all(row["error"] and row["interval_low"] and row["utility"] for row in rows[:3])


def test_tuples_hold_the_order_shown_to_each_person(tmp_path):
    project = chosen(tmp_path)
    release(project, tmp_path)
    header, *rows = lines(tmp_path / "tuples.csv")
    names = dict(Annotator.objects.values_list("external_id", "pseudonym"))
    further = ["main", "2026-03-02T12:00:00.000Z", ""]
    assert header[:7] == ["tuple", "item1", "item2", "item3", "best", "worst", "annotator"]
    assert header[7:] == ["hard_to_say", "best_position", "worst_position", "round", "answered_at", "active_ms"]
    assert rows == [
        ["1", "p1", "p2", "p3", "p1", "p3", names["ann"], "0", "1", "3", *further],
        ["2", "p1", "p4", "p5", "p4", "p1", names["ann"], "0", "2", "1", *further],
        ["1", "p3", "p1", "p2", "p1", "p2", names["bob"], "0", "2", "3", *further],
        ["1", "p3", "p2", "p1", "p2", "p3", names["eve"], "0", "2", "1", *further],
    ]


def test_judgments_hold_choices_beside_the_usual_columns(tmp_path):
    project = chosen(tmp_path)
    release(project, tmp_path)
    rows = records(tmp_path / "judgments.csv")
    assert [row["order"] for row in rows] == ["123", "123", "312", "321"]
    names = ("item", "value", "role", "counted", "position", "tuple", "best", "worst", "hard_to_say")
    assert [rows[1][name] for name in names] == ["", "", "", "1", "2", "2", "p4", "p1", "0"]


def test_excluded_people_and_answers_given_up_do_not_count(tmp_path):
    project = chosen(tmp_path)
    eve = project.participations.get(annotator__external_id="eve")
    exclude(participation_id=eve.pk, reason="Careless.", actor=None, now=NOON)
    Judgment.objects.filter(assignment__participation__annotator__external_id="bob").update(superseded_at=NOON)

    told = release(project, tmp_path, splitting=Splitting("train=rest"))

    scores = {row["item"]: row for row in records(tmp_path / "scores.csv")}
    assert [scores["p1"][name] for name in ("score", "best", "worst", "appearances")] == ["0.0", "1", "1", "2"]
    assert (scores["p2"]["appearances"], told["tuples.csv"], told["judgments.csv"]) == ("1", 2, 4)
    reasons = [row["not_counted_because"] for row in records(tmp_path / "judgments.csv")]
    assert reasons == ["", "", "superseded", "excluded"]


def test_without_any_choice_there_is_no_score(tmp_path):
    project = make_project("semrel")
    add_pairs(project, 3)
    told = release(project, tmp_path)
    assert [len(lines(tmp_path / part)) for part in PARTS] == [1, 1, 1]
    assert (told["train.csv"], told["items without a choice that counts, so without a score"]) == (0, 3)


@pytest.mark.parametrize("size", [3, 5, 8])
def test_tuples_of_any_size(tmp_path, size):
    project = make_project("semrel", tuple_size=str(size))
    add_pairs(project, size)
    keys = [f"p{number}" for number in range(size, 0, -1)]
    header = ",".join([*(f"item{number}" for number in range(1, size + 1)), "best", "worst"])
    bring_in(project, tmp_path, [",".join([*keys, "p2", "p1"])], header)
    release(project, tmp_path)
    header, row = lines(tmp_path / "tuples.csv")
    assert header[: size + 3] == ["tuple", *(f"item{number}" for number in range(1, size + 1)), "best", "worst"]
    assert row[: size + 3] == ["1", *keys, "p2", "p1"]


# the split


def circle(items):
    """Rows that show every item."""
    return [
        ",".join([*(trio := [f"p{(start + step) % items + 1}" for step in range(3)]), trio[0], trio[2], "ann"])
        for start in range(items)
    ]


def parts_of(folder):
    return {row["PairID"]: part for part in PARTS for row in records(folder / part)}


def test_usual_sizes_and_the_seed_of_the_project(tmp_path):
    project = chosen(tmp_path, rows=circle(50), pairs=50)
    told = release(project, tmp_path / "one")
    release(project, tmp_path / "two", splitting=Splitting(seed=project.seed))
    release(project, tmp_path / "other", splitting=Splitting(seed=project.seed + 1))
    assert [told[part] for part in PARTS] == [34, 3, 13]
    assert parts_of(tmp_path / "one") == parts_of(tmp_path / "two")
    assert parts_of(tmp_path / "one") != parts_of(tmp_path / "other")


def test_apart_no_sentence_is_in_two_files(tmp_path):
    project = chosen(tmp_path, rows=circle(20), pairs=20)
    Item.objects.filter(key__in=["p1", "p2"]).update(sentence1="Caf\u00e9  noir.")
    Item.objects.filter(key="p3").update(sentence2="Cafe\u0301 noir. ")
    with_same_sentences(["p4", "p5"])

    told = release(project, tmp_path, splitting=Splitting("train=10,dev=5,test=5", apart=True))

    parts = parts_of(tmp_path)
    assert len({parts[key] for key in ("p1", "p2", "p3")}) == len({parts[key] for key in ("p4", "p5")}) == 1
    assert Counter(parts.values()) == {"train.csv": 10, "dev.csv": 5, "test.csv": 5}
    assert not {"sizes asked for", "too large for any part"} & told.keys()


def test_apart_sizes_that_cannot_be_met_are_told(tmp_path):
    project = chosen(tmp_path, rows=circle(10), pairs=10)
    with_same_sentences([f"p{number}" for number in range(1, 9)])
    told = release(project, tmp_path, splitting=Splitting("train=5,dev=3,test=2", apart=True))
    assert [told[part] for part in PARTS] == [8, 2, 0]
    assert told["sizes asked for"] == "train 5, dev 3, test 2"
    assert told["too large for any part"] == "8 of 10 items are connected by shared texts, so all of them are in train"


@pytest.mark.parametrize(
    ("splitting", "reason"),
    [
        (Splitting("train=2,dev=1,test=3"), "The sizes add up to 6, not to 5 items"),
        (Splitting("valid=rest"), "“valid” is not a part of the dataset"),
        (Splitting(seed=-1), "The random seed must be a whole number of 0 or more."),
    ],
)
def test_split_that_cannot_be_made_writes_nothing(tmp_path, splitting, reason):
    project = chosen(tmp_path)
    with pytest.raises(Refusal, match=reason):
        release(project, tmp_path / "out", splitting=splitting)
    assert not (tmp_path / "out").exists()


def test_files_of_ratings_are_not_split(tmp_path):
    project = make_project("stss131")
    with pytest.raises(Refusal, match="Only best-worst scores can be split"):
        release(project, tmp_path / "out", splitting=Splitting())


# giccs


@pytest.fixture
def dialogues(tmp_path):
    """Ten dialogues of three utterances, of which the last one is not judged."""
    project = make_project("giccs")
    add_dialogues(project, 10, utterances=3)
    bring_in(project, tmp_path, [f"d{n}/u3,d{n}/u1,d{n}/u2,d{n}/u1,d{n}/u2,ann" for n in range(1, 10)])
    return project


def test_giccs_has_dialogues_with_their_turns(tmp_path, dialogues):
    Group.objects.filter(key="d1").update(turns=[{"speaker": "A", "text": 'Größe "L",\nbitte?'}])
    told = release(dialogues, tmp_path)
    header, *rows = lines(tmp_path / "giccs.csv")
    assert header == ["dialogue", "domain", "turns", "utterance", "score"]
    assert rows[1] == [
        "d1",
        "cinema",
        '[{"speaker": "A", "text": "Größe \\"L\\",\\nbitte?"}]',
        "Utterance 2 on d1.",
        "0.0",
    ]
    assert [row[4] for row in rows[:3]] == ["1.0", "0.0", "0.5"]
    assert [turn["speaker"] for turn in json.loads(rows[3][2])] == ["B", "A", "B"]
    assert (told["giccs.csv"], told["items without a choice that counts, so without a score"]) == (27, 3)
    assert not (tmp_path / "train.csv").exists()


def test_giccs_keeps_dialogues_whole_where_a_split_is_asked_for(tmp_path, dialogues):
    told = release(dialogues, tmp_path, splitting=Splitting("train=0.7,dev=0.1,test=0.2"))
    dialogues_of = [{row["dialogue"] for row in records(tmp_path / part)} for part in PARTS]
    assert [len(own) for own in dialogues_of] == [6, 1, 2]
    assert len(set.union(*dialogues_of)) == 9
    assert [told[part] for part in PARTS] == [18, 3, 6]
    assert told["sizes asked for"] == "train 19, dev 3, test 5"


def test_items_of_dialogues_tell_their_group(tmp_path, dialogues):
    release(dialogues, tmp_path)
    assert [(row["item"], row["group"]) for row in records(tmp_path / "items.csv")[2:4]] == [
        ("d1/u3", "d1"),
        ("d2/u1", "d2"),
    ]


# files read by others


def of_command(capsys, *arguments):
    main(list(arguments))
    return capsys.readouterr().out


def test_tuples_are_read_by_the_statistics_on_files(tmp_path, capsys):
    release(chosen(tmp_path), tmp_path)
    path = str(tmp_path / "tuples.csv")
    found = {row["item"]: row for row in csv.DictReader(of_command(capsys, "scores", path).splitlines())}
    stored = {row["item"]: row for row in records(tmp_path / "scores.csv") if row["appearances"] != "0"}
    assert found == {key: {name: row[name] for name in found[key]} for key, row in stored.items()}
    agreement = json.loads(of_command(capsys, "agreement", path))
    assert (agreement["kind"], agreement["tuples"], agreement["judgments"]) == ("choices", 2, 4)
    reliability = json.loads(of_command(capsys, "reliability", path, "--splits=10"))
    assert (reliability["items"], reliability["judgments"]) == (5, 4)


def test_tuples_brought_into_another_project_give_the_same_scores(tmp_path):
    one = chosen(tmp_path, key="one")
    Item.objects.filter(key="p5").update(key="-p5")
    release(one, tmp_path / "one")
    two = make_project("semrel", "two", tuple_size="3")
    add_pairs(two, 6)
    two.items.filter(key="p5").update(key="-p5")

    import_judgments(project=two, path=tmp_path / "one" / "tuples.csv", round_key=None, now=NOON)
    release(two, tmp_path / "two")

    for name in ("scores.csv", *PARTS):
        assert lines(tmp_path / "one" / name) == lines(tmp_path / "two" / name)
    shown = [[row[1:6] for row in lines(tmp_path / key / "tuples.csv")] for key in ("one", "two")]
    assert sorted(shown[0]) == sorted(shown[1])
    assert Assignment.objects.filter(participation__project=two).count() == 4


def test_release_costs_the_same_number_of_queries_for_few_and_many(tmp_path):
    counts = []
    for key, items in (("few", 20), ("many", 200)):
        project = chosen(tmp_path, key=key, rows=circle(items), pairs=items)
        with CaptureQueriesContext(connection) as queries:
            assert release(project, tmp_path / key)["tuples.csv"] == items
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 24


def test_distributions_of_choices_and_the_contested_items(tmp_path):
    rows = [f"p1,p2,p3,p1,p3,person {at}" for at in range(3)] + [f"p1,p2,p3,p2,p1,other {at}" for at in range(3)]
    project = chosen(tmp_path, rows=rows)
    Item.objects.filter(key="p1").update(sentence1="=SUM(A1)")

    release(project, tmp_path / "out", splitting=Splitting("train=1,dev=1,test=1"))

    p1, _, p3 = records(tmp_path / "out" / "distributions.csv")
    assert [p1[f"count_{name}"] for name in ("best", "middle", "worst")] == ["3", "0", "3"]
    assert (p1["soft_best"], p1["smoothed_middle"], p1["contested"]) == ("0.5", repr(1 / 3 / 7), "1")
    assert float(p1["entropy"]) == pytest.approx(0.6309, abs=1e-4)
    assert (p3["judgments"], p3["contested"]) == ("6", "0")
    [contested] = records(tmp_path / "out" / "contested.csv")
    assert (contested["item"], contested["sentence1"], contested["judgments"]) == ("p1", "=SUM(A1)", "6")
