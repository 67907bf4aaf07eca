from collections import Counter
from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, ImportPolicy, Invalid, Repeated, import_judgments
from annotation.domain.planning.rounds import plan_round
from annotation.models import Annotator, Assignment, Item, Judgment, Participation, Tuple
from tests.factories import NOON, add_dialogues, add_pairs, make_project
from tests.importing.files import json_lines, write

pytestmark = pytest.mark.django_db

HEADER = "item1,item2,item3,best,worst,annotator"
ROW = "p1,p2,p3,p1,p2,ann"
MEND = (
    "Correct the row, or choose under “Invalid choices” to leave such rows out, to count them or to store "
    "them without counting."
)
NOTHING = "Nothing was chosen. Fill this in, or choose under “Invalid choices” to leave such rows out."


@pytest.fixture
def project():
    """Six pairs in tuples of three; the last one calibrates."""
    project = make_project("semrel", tuple_size="3")
    add_pairs(project, 6)
    Item.objects.filter(key="p6").update(calibration_order=1)
    return project


def bring_in(project, path, round_key=None, **handling):
    done = import_judgments(
        project=project, path=path, round_key=round_key, now=NOON, handling=ImportPolicy(**handling)
    )
    return done.judgments


def refused(project, path):
    with pytest.raises(FileRefused) as refusal:
        bring_in(project, path)
    assert not Tuple.objects.exists()
    assert not Participation.objects.exists()
    return [str(problem) for problem in refusal.value.problems]


def tuples():
    """The stored tuples with their items, as designed, and how many answers are planned and given."""
    rows = Tuple.objects.order_by("position").prefetch_related("places__item")
    return [(row.position, [place.item.key for place in row.places.all()], row.planned, row.given) for row in rows]


def choices():
    """Who chose what from which tuple, and in which order it was shown."""
    rows = Judgment.objects.order_by("pk").values_list(
        "assignment__participation__annotator__external_id",
        "assignment__position",
        "assignment__tuple__position",
        "assignment__order",
        "best__key",
        "worst__key",
    )
    return list(rows)


def test_tuples_are_stored_once_and_choices_with_the_order_shown(project, tmp_path):
    rows = ["p1,p2,p3,p1,p2,ann", "p3,p4,p5,p5,p4,ann", "p3,p1,p2,p2,p1,bob"]
    assert bring_in(project, write(tmp_path, "\n".join([HEADER, *rows]))) == 3
    assert tuples() == [(1, ["p1", "p2", "p3"], 2, 2), (2, ["p3", "p4", "p5"], 1, 1)]
    assert choices() == [
        ("ann", 1, 1, "123", "p1", "p2"),
        ("ann", 2, 2, "123", "p5", "p4"),
        ("bob", 1, 1, "312", "p2", "p1"),
    ]
    places = Participation.objects.order_by("seat").values_list("seat", "state", "round")
    assert list(places) == [(1, "finished", "main"), (2, "finished", "main")]


def test_a_second_file_adds_to_the_tuples_of_the_first(project, tmp_path):
    bring_in(project, write(tmp_path, f"{HEADER}\n{ROW}\n"))
    bring_in(project, write(tmp_path, f"{HEADER}\np4,p3,p5,p4,p5,ann\np2,p3,p1,p2,p3,bob\n"))
    assert tuples() == [(1, ["p1", "p2", "p3"], 2, 2), (2, ["p4", "p3", "p5"], 1, 1)]
    assert choices()[1:] == [("ann", 2, 2, "123", "p4", "p5"), ("bob", 1, 1, "231", "p2", "p3")]


def test_other_names_and_further_columns(project, tmp_path):
    header = "Tuple,Item1,Item2,Item3,BestItem,WorstItem,Annotator,round,answered_at,active_ms,hard_to_say,note"
    row = "t1,p1,p2,p3,p1,p2,ann,main,2026-03-01T12:30:00Z,900,1,-"
    assert bring_in(project, write(tmp_path, f"{header}\n{row}\n")) == 1
    judgment = Judgment.objects.select_related("assignment").get()
    early = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    assert (judgment.saved_at, judgment.assignment.answered_at) == (early, early)
    assert (judgment.active_ms, judgment.hard_to_say, judgment.assignment.block) == (900, True, "main")


def test_without_annotators_every_answer_of_a_tuple_is_somebodys(project, tmp_path):
    header = "item1,item2,item3,best,worst"
    rows = ["p1,p2,p3,p1,p2", "p3,p4,p5,p5,p4", "p2,p1,p3,p1,p2", "p1,p2,p3,p3,p2"]
    assert bring_in(project, write(tmp_path, "\n".join([header, *rows]))) == 4
    assert [(row[0], row[2]) for row in choices()] == [
        ("unknown 1", 1),
        ("unknown 1", 2),
        ("unknown 2", 1),
        ("unknown 3", 1),
    ]
    bring_in(project, write(tmp_path, f"{header}\np5,p4,p3,p4,p5\n"))
    assert choices()[-1][:3] == ("unknown 2", 2, 2)


def test_who_is_unknown_is_so_by_the_pseudonym_and_in_a_file_that_tells_it(project, tmp_path):
    rows = ["p1,p2,p3,p1,p2,unknown 7", "p1,p2,p3,p3,p2,ann", "p1,p2,p3,p2,p1,unknown 7", "p1,p2,p3,p2,p1,unknown 0"]
    done = import_judgments(project=project, path=write(tmp_path, "\n".join([HEADER, *rows])), round_key=None, now=NOON)
    assert (done.judgments, done.annotators, done.met.unsigned) == (4, 2, 2)
    assert [row[0] for row in choices()] == ["unknown 1", "ann", "unknown 2", "unknown 0"]
    pseudonyms = dict(project.annotators.values_list("external_id", "pseudonym"))
    assert (pseudonyms["unknown 1"], pseudonyms["unknown 2"]) == ("unknown 1", "unknown 2")
    assert len(pseudonyms["ann"]) == len(pseudonyms["unknown 0"]) == 12
    assert sorted(one.name for one in project.annotators.all() if one.unknown) == ["unknown 1", "unknown 2"]


UNSIGNED = "item1,item2,item3,best,worst"
FILE = ["p1,p2,p3,p1,p2", "p1,p2,p3,p1,p2", "p2,p3,p4,p2,p3"]


@pytest.mark.parametrize("rows", [FILE, FILE[::-1], FILE[:2], [*FILE, "p3,p4,p5,p3,p4"], ["p3,p2,p1,p1,p2"]])
def test_unsigned_choices_are_not_brought_in_twice(project, tmp_path, rows):
    """In whatever order, a part of the file, or the file with further rows."""
    assert bring_in(project, write(tmp_path, "\n".join([UNSIGNED, *FILE]))) == 3

    again = write(tmp_path, "\n".join([UNSIGNED, *rows]), "again.csv")
    with pytest.raises(Refusal, match="Import again"):
        bring_in(project, again)
    assert Judgment.objects.count() == 3

    assert bring_in(project, again, again=True) == len(rows)
    assert Judgment.objects.count() == 3 + len(rows)


def test_unsigned_choices_of_further_people_come_in(project, tmp_path):
    bring_in(project, write(tmp_path, "\n".join([UNSIGNED, *FILE])))
    further = ["p1,p2,p3,p1,p2", "p2,p3,p4,p4,p3", "p2,p3,p4,p3,p4"]
    assert bring_in(project, write(tmp_path, "\n".join([UNSIGNED, *further]), "further.csv")) == 3


def test_the_first_of_two_unsigned_files_is_not_imported_again_in_another_way(project, tmp_path):
    """Its rows are neither all that is stored nor among it, for an invalid one was left out."""
    first = write(tmp_path, "\n".join([UNSIGNED, *FILE, "p3,p4,p3,p3,p4"]), "first.csv")
    assert bring_in(project, first, invalid=Invalid.DROP) == 3
    assert bring_in(project, write(tmp_path, f"{UNSIGNED}\np4,p5,p3,p4,p5\n", "second.csv")) == 1
    with pytest.raises(Refusal, match="This file has already been imported"):
        bring_in(project, first, invalid=Invalid.KEEP)
    assert Judgment.objects.count() == 4


def test_a_file_with_names_is_not_doubled_either_where_repeated_judgments_are_kept(project, tmp_path):
    path = write(tmp_path, f"{HEADER}\n{ROW}\n{ROW}\n")
    assert bring_in(project, path, repeated=Repeated.KEEP) == 2
    with pytest.raises(Refusal, match="This file has already been imported"):
        bring_in(project, path, repeated=Repeated.KEEP)
    assert bring_in(project, path, repeated=Repeated.KEEP, again=True) == 2


def test_people_of_earlier_versions_are_told_as_unknown(project, tmp_path):
    bring_in(project, write(tmp_path, f"{HEADER}\n{ROW}\np3,p4,p5,p3,p4,unknown 1\n"))
    Annotator.objects.create(project=project, external_id="unknown 2", pseudonym="of unknown 2")
    for annotator in project.annotators.all():
        Annotator.objects.filter(pk=annotator.pk).update(pseudonym=f"of {annotator.external_id}")
    migration = import_module("annotation.migrations.0012_people_whom_nobody_knows")
    migration.show_who_is_unknown(apps, connection.schema_editor())
    assert sorted(project.annotators.values_list("pseudonym", flat=True)) == ["of ann", "of unknown 2", "unknown 1"]


def test_json_lines(project, tmp_path):
    row = {"item1": "p1", "item2": "p2", "item3": "p3", "best": "p1", "worst": "p3"}
    assert bring_in(project, write(tmp_path, json_lines(row, {**row, "annotator": "ann"}))) == 2
    assert [row[0] for row in choices()] == ["unknown 1", "ann"]


def test_columns_of_larger_tuples_may_be_empty(project, tmp_path):
    header = "item1,item2,item3,item4,best,worst,annotator"
    assert bring_in(project, write(tmp_path, f"{header}\np1,p2,p3,,p1,p2,ann\n")) == 1
    assert tuples() == [(1, ["p1", "p2", "p3"], 1, 1)]


@pytest.mark.parametrize(
    ("row", "problems"),
    [
        ("p1,p4,nix,p1,p4,bob", ["item3: The project has no item “nix”."]),
        ("p1,p4,p1,p1,p4,bob", [f"item3: “p1” appears twice in this row. {MEND}"]),
        ("p1,p4,p6,p1,p4,bob", ["item3: “p6” is a calibration pair and can't be part of a tuple."]),
        ("p1,p4,p5,p2,p4,bob", ["best: “p2” is not one of the items of this row."]),
        ("p1,p4,p5,p1,p2,bob", ["worst: “p2” is not one of the items of this row."]),
        ("p1,p4,p5,p1,p1,bob", [f"worst: “p1” is both best and worst. {MEND}"]),
        ("p1,p4,p5,,,bob", [f"best: {NOTHING}", f"worst: {NOTHING}"]),
        ("p1,p4,p5,p1,p4,", ["annotator: The value is missing."]),
        ("p3,p1,p2,p1,p2,ann", ["annotator: ann has already judged these items in this round."]),
        ("p1,p4,p5,p1,p4,bob,R2", ["round: “R2” is not a round with choices. Use one of: main."]),
        ("p1,p4,p5,p1,p4,bob,,2099-01-01", ["answered_at: 2099-01-01 is in the future."]),
        (
            "p1,p4,p5,p1,p4,bob,,,long",
            ["active_ms: “long” is not a whole number of up to nine digits."],
        ),
        ("p1,p4,p5,p1,p4,bob,,,,maybe", ["hard_to_say: “maybe” is not 1 or 0."]),
        ("p1,p4,p5,p1,p4,bob,,,,,t1", ["tuple: “t1” has different items on line 2. Use one name per tuple."]),
        (
            "p1,p4,,p1,p4,bob",
            [
                "The row has 2 items, but tuples of this project have 3. "
                "They belong in a project with 2 items per comparison."
            ],
        ),
    ],
)
def test_choices_refused(project, tmp_path, row, problems):
    header = f"{HEADER},round,answered_at,active_ms,hard_to_say,tuple"
    row += "," * (header.count(",") - row.count(","))
    path = write(tmp_path, f"{header}\n{ROW},,,,,t1\n{row}\n")
    found = refused(project, path)
    assert [text.removeprefix("line 3, ").removeprefix("line 3: ") for text in found] == problems


def test_reading_ends_where_nobody_would_read_on(project, tmp_path):
    problems = refused(project, write(tmp_path, "\n".join([HEADER, *["p1,p2,p3,p1,p4,ann"] * 1100])))
    assert (len(problems), problems[-1]) == (1000, "line 1001, worst: “p4” is not one of the items of this row.")


def test_a_file_of_other_items_has_one_problem_with_a_count_and_the_first_ten(project, tmp_path):
    rows = [f"x{number},x{number + 1},p1,x{number},x{number + 1},ann" for number in range(1100)]
    names = ", ".join(f"“x{number}”" for number in range(10))
    assert refused(project, write(tmp_path, "\n".join([HEADER, *rows]))) == [
        f"line 2, item1: The project does not have these items: {names}, … (1101 in all; lines affected: 1100)."
    ]


def test_utterances_of_different_dialogues(tmp_path):
    project = make_project("giccs")
    add_dialogues(project, 2)
    assert refused(project, write(tmp_path, f"{HEADER}\nd1/u1,d1/u2,d2/u1,d1/u1,d1/u2,ann\n")) == [
        "line 2: These items belong to different dialogues."
    ]


def test_columns_that_are_missing(project, tmp_path):
    assert refused(project, write(tmp_path, "item,annotator,value\np1,ann,3\n")) == [
        "line 1, item1, item2, …: This column is missing.",
        "line 1, best: This column is missing.",
        "line 1, worst: This column is missing.",
    ]


def test_file_without_choices(project, tmp_path):
    with pytest.raises(Refusal, match="The file contains no judgments"):
        bring_in(project, write(tmp_path, f"{HEADER}\n"))


def test_choices_of_a_planned_round_are_refused(project, tmp_path):
    plan_round(project=project, round_key="main", people=4)
    with pytest.raises(FileRefused) as refusal:
        bring_in(project, write(tmp_path, f"{HEADER}\n{ROW}\n"))
    assert [str(problem) for problem in refusal.value.problems] == [
        "line 2, round: Round main is planned and collected in this project, so judgments can't be imported into it."
    ]
    assert not Judgment.objects.exists()


def many_rows(items, people):
    """Every three neighbours of a circle of items, judged by so many people, in turned orders."""
    rows = []
    for start in range(1, items + 1):
        shown = [f"p{(start + step - 1) % items + 1}" for step in range(3)]
        for person in range(people):
            turned = shown[person % 3 :] + shown[: person % 3]
            rows.append(",".join([*turned, shown[0], shown[1], f"person {person}"]))
    return "\n".join([HEADER, *rows])


def test_import_costs_the_same_number_of_queries_for_few_and_many(tmp_path):
    counts = []
    for key, items, people in (("few", 10, 2), ("many", 50, 4)):
        project = make_project("semrel", key, tuple_size="3")
        add_pairs(project, items)
        path = write(tmp_path, many_rows(items, people))
        with CaptureQueriesContext(connection) as queries:
            assert bring_in(project, path) == items * people
        counts.append(Counter(query["sql"].split()[0] for query in queries))
    assert counts[0]["SELECT"] == counts[1]["SELECT"]
    assert sum(counts[1].values()) <= 30
    assert Assignment.objects.count() == Judgment.objects.count() == 220
