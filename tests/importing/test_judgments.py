from datetime import UTC, datetime

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, ImportPolicy, import_judgments
from annotation.domain.planning.rounds import plan_round
from annotation.models import Judgment, Participation, Project
from tests.factories import NOON, add_pairs, make_project
from tests.importing.files import json_lines, write

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

HEADER = "item,annotator,value"
NO_TIME = "is not a valid time. Write it like 2026-03-01T12:30:00Z."
NOBODYS = "stands for an unknown annotator. Every rating needs a known one."
EARLY = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def project():
    """Three pairs, the first for calibration."""
    project = make_project("stss131")
    add_pairs(project, 3, calibration=1)
    return project


@pytest.fixture
def news():
    project = make_project("czech_news")
    add_pairs(project, 2)
    return project


def bring_in(project, path, round_key=None, **handling):
    done = import_judgments(
        project=project, path=path, round_key=round_key, now=NOON, handling=ImportPolicy(**handling)
    )
    return done.judgments


def stored():
    """What is stored, by round, person and screen."""
    rows = Judgment.objects.order_by(
        "assignment__participation__round",
        "assignment__participation__seat",
        "assignment__session",
        "assignment__position",
    )
    return list(
        rows.values_list(
            "assignment__participation__round",
            "assignment__participation__annotator__external_id",
            "assignment__session",
            "assignment__context",
            "assignment__block",
            "assignment__position",
            "assignment__item__key",
            "value",
        )
    )


def problems_of(project, path, round_key=None):
    with pytest.raises(FileRefused) as refused:
        bring_in(project, path, round_key)
    assert not Participation.objects.exists()
    return [str(problem) for problem in refused.value.problems]


def test_judgments_of_one_round(project, tmp_path):
    path = write(tmp_path, f"{HEADER}\np1,ann,0\np3,ann,2.5\np2,bob,4.0\n")
    assert bring_in(project, path) == 3
    assert stored() == [
        ("main", "ann", 1, "free", "calibration", 1, "p1", 0.0),
        ("main", "ann", 1, "free", "main", 2, "p3", 2.5),
        ("main", "bob", 1, "free", "main", 1, "p2", 4.0),
    ]


def test_judgments_finish_outside_people_at_their_times(project, tmp_path):
    header = f"{HEADER},answered_at,active_ms"
    path = write(tmp_path, f"{header}\np1,ann,0,2026-03-01T12:30:00Z,1500\np2,ann,1,2026-03-01 13:30,\np3,ann,1,,\n")
    bring_in(project, path)
    assert list(Judgment.objects.values_list("saved_at", "assignment__answered_at", "active_ms")) == [
        (EARLY, EARLY, 1500),
        (EARLY.replace(hour=13), EARLY.replace(hour=13), None),
        (NOON, NOON, None),
    ]
    place = Participation.objects.get()
    assert (place.seat, place.state, place.consented_at, place.finished_at) == (1, "finished", EARLY, NOON)


def test_judgments_in_both_contexts_and_several_rounds(news, tmp_path):
    rows = [
        {"item": "p1", "annotator": "ann", "value": 3, "context": "dependent"},
        {"item": "p1", "annotator": "ann", "value": "4", "context": "free"},
        {"item": "p1", "annotator": "ann", "value": 5.0, "round": "R3", "context": None},
        {"item": "p2", "annotator": "ann", "value": 6},
    ]
    assert bring_in(news, write(tmp_path, json_lines(*rows)), "R2") == 4
    assert stored() == [
        ("R2", "ann", 1, "free", "main", 1, "p1", 4.0),
        ("R2", "ann", 1, "free", "main", 2, "p2", 6.0),
        ("R2", "ann", 2, "dependent", "main", 1, "p1", 3.0),
        ("R3", "ann", 1, "free", "main", 1, "p1", 5.0),
    ]


def test_second_file_goes_on_where_the_first_ended(news, tmp_path):
    bring_in(news, write(tmp_path, f"{HEADER}\np1,ann,3\np1,bob,3\n"), "R2")
    bring_in(news, write(tmp_path, f"{HEADER},round\np2,ann,4,\np1,ann,5,R3\n"), "R2")
    assert stored() == [
        ("R2", "ann", 1, "free", "main", 1, "p1", 3.0),
        ("R2", "ann", 1, "free", "main", 2, "p2", 4.0),
        ("R2", "bob", 1, "free", "main", 1, "p1", 3.0),
        ("R3", "ann", 1, "free", "main", 1, "p1", 5.0),
    ]


def test_same_file_again_is_refused(project, tmp_path):
    path = write(tmp_path, f"{HEADER}\np1,ann,3\n")
    bring_in(project, path)
    with pytest.raises(Refusal, match="This file has already been imported"):
        bring_in(project, path)
    with pytest.raises(FileRefused) as refused:
        bring_in(project, path, again=True)
    assert [str(problem) for problem in refused.value.problems] == [
        "line 2, item: ann has already judged “p1” in this round and context."
    ]
    assert Judgment.objects.count() == 1


def test_a_file_refused_for_its_problems_was_not_imported(project, tmp_path):
    path = write(tmp_path, f"{HEADER}\np9,ann,3\n")
    for _ in range(2):
        with pytest.raises(FileRefused):
            bring_in(project, path)


def test_the_same_ratings_for_another_round_are_not_the_same_import(news, tmp_path):
    path = write(tmp_path, f"{HEADER}\np1,ann,3\n")
    assert (bring_in(news, path, "R2"), bring_in(news, path, "R3")) == (1, 1)


@pytest.mark.parametrize("gap", ["", " ", "NaN", "NA", "n/a"])
def test_what_nobody_rated_is_no_judgment(project, tmp_path, gap):
    path = write(tmp_path, f"{HEADER}\np1,ann,3\np1,bob,{gap}\np2,ann,{gap}\np2,bob,1\n")
    assert bring_in(project, path) == 2
    rows = Judgment.objects.values_list("assignment__item__key", "assignment__participation__annotator__external_id")
    assert sorted(rows) == [("p1", "ann"), ("p2", "bob")]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("p9,ann,3,,,,", "item: The project has no item “p9”."),
        (",ann,3,,,,", "item: The value is missing."),
        ("p1,,3,,,,", "annotator: The value is missing."),
        ("p1,unknown 2,3,,,,", f"annotator: “unknown 2” {NOBODYS}"),
        (f"p1,{'x' * 201},3,,,,", "annotator: The text is too long: 201 characters, and the maximum is 200."),
        ("p1,ann,three,,,,", "value: “three” is not a number."),
        ("p1,ann,4.1,,,,", "value: 4.1 is outside the scale from 0 to 4."),
        ("p1,ann,0.15,,,,", "value: 0.15 is between two points of the scale, which has steps of 0.1."),
        ("p1,ann,3,R1,,,", "round: “R1” is not a round with ratings. Use one of: main."),
        ("p1,ann,3,,dependent,,", "context: “dependent” is not a context of round main. Use one of: free."),
        ("p1,ann,3,,,yesterday,", f"answered_at: “yesterday” {NO_TIME}"),
        ("p1,ann,3,,,2026-02-30T12:00:00Z,", f"answered_at: “2026-02-30T12:00:00Z” {NO_TIME}"),
        ("p1,ann,3,,,,fast", "active_ms: “fast” is not a whole number of up to nine digits."),
        ("p1,ann,3,,,,99999999999", "active_ms: “99999999999” is not a whole number of up to nine digits."),
        ("p2,ann,3,,,,", "item: ann has already judged “p2” in this round and context."),
    ],
)  # fmt: skip
def test_judgments_refused(project, tmp_path, row, problem):
    path = write(tmp_path, f"{HEADER},round,context,answered_at,active_ms\np2,ann,3,,,,\n{row}\n")
    assert problems_of(project, path) == [f"line 3, {problem}"]


def test_reading_ends_where_nobody_would_read_on(project, tmp_path):
    problems = problems_of(project, write(tmp_path, "\n".join([HEADER, *["p1,ann,9"] * 1100])))
    assert (len(problems), problems[-1]) == (1000, "line 1001, value: 9 is outside the scale from 0 to 4.")


def test_a_file_of_other_items_has_one_problem_with_a_count_and_the_first_ten(project, tmp_path):
    rows = [f"x{number % 600},ann {number // 600},3" for number in range(1200)]
    names = ", ".join(f"“x{number}”" for number in range(10))
    assert problems_of(project, write(tmp_path, "\n".join([HEADER, "p1,ann,9", *rows]))) == [
        "line 2, value: 9 is outside the scale from 0 to 4.",
        f"line 3, item: The project does not have these items: {names}, … (600 in all; lines affected: 1200).",
    ]


def test_a_file_imported_again_has_one_problem(project, tmp_path):
    path = write(tmp_path, "\n".join([HEADER, *(f"p1,ann {number},3" for number in range(1100))]))
    bring_in(project, path)
    path.write_text(path.read_text() + "\n")  # other bytes, the same rows
    with pytest.raises(FileRefused) as refused:
        bring_in(project, path)
    names = ", ".join(f"“p1” by ann {number}" for number in range(10))
    assert [str(problem) for problem in refused.value.problems] == [
        f"line 2, item: The same annotator has already judged these: {names}, … (1100 in all; lines affected: 1100)."
    ]
    assert Judgment.objects.count() == 1100


def test_judgments_without_a_column(project, tmp_path):
    assert problems_of(project, write(tmp_path, "item,value\np1,3\n")) == ["line 1, annotator: This column is missing."]


@pytest.mark.parametrize(("round_key", "name"), [(None, ""), ("R1", "R1")])
def test_judgments_of_no_round_of_ratings(news, tmp_path, round_key, name):
    assert problems_of(news, write(tmp_path, f"{HEADER}\np1,ann,3\n"), round_key) == [
        f"line 2, round: “{name}” is not a round with ratings. Use one of: R2, R3."
    ]


def test_judgments_of_an_unknown_round(news, tmp_path):
    with pytest.raises(Refusal, match="no round “R9”"):
        bring_in(news, write(tmp_path, f"{HEADER}\np1,ann,3\n"), "R9")


def test_file_without_judgments(project, tmp_path):
    with pytest.raises(Refusal, match="The file contains no judgments"):
        bring_in(project, write(tmp_path, f"{HEADER}\n"))


def test_judgments_of_a_planned_round_are_refused(project, tmp_path):
    plan_round(project=project, round_key="main", people=1)
    with pytest.raises(FileRefused) as refused:
        bring_in(project, write(tmp_path, f"{HEADER}\np1,ann,3\n"))
    assert [str(problem) for problem in refused.value.problems] == [
        "line 2, round: Round main is planned and collected in this project, so judgments can't be imported into it."
    ]
    assert not Judgment.objects.exists()


def test_whole_file_for_a_planned_round_is_one_problem(project, tmp_path):
    plan_round(project=project, round_key="main", people=1)
    rows = "\n".join(f"p1,rater {number},3" for number in range(50))

    with pytest.raises(FileRefused) as refused:
        bring_in(project, write(tmp_path, f"{HEADER}\n{rows}\n"))

    assert [str(problem) for problem in refused.value.problems] == [
        "line 2, round: Round main is planned and collected in this project, so judgments can't be imported into it "
        "(lines affected: 50)."
    ]


def test_judgments_from_the_future_are_refused(project, tmp_path):
    problems = problems_of(project, write(tmp_path, f"{HEADER},answered_at\np1,ann,3,2099-01-01\n"))
    assert problems == ["line 2, answered_at: 2099-01-01 is in the future."]


def test_judgments_of_a_closed_project_are_refused(project, tmp_path):
    Project.objects.filter(pk=project.pk).update(closed_at=NOON)
    with pytest.raises(Refusal, match="closed"):
        bring_in(project, write(tmp_path, f"{HEADER}\np1,ann,3\n"))
