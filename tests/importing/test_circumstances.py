"""What a file tells of its judgments besides the judgments: as a release writes it, and as spreadsheets do."""

from datetime import UTC, datetime

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, import_items, import_judgments
from annotation.models import Item, Judgment, Participation
from tests.factories import NOON, add_pairs, make_project
from tests.importing.files import write

pytestmark = pytest.mark.django_db

HEADER = "item,annotator,value"
EARLY = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def project():
    project = make_project("dscs")
    add_pairs(project, 3)
    return project


def bring_in(project, folder, text, round_key=None):
    return import_judgments(project=project, path=write(folder, text), round_key=round_key, now=NOON)


def refusals(project, folder, text):
    with pytest.raises(FileRefused) as refused:
        bring_in(project, folder, text)
    return [str(problem) for problem in refused.value.problems]


def places():
    rows = Participation.objects.order_by("seat")
    return list(rows.values_list("annotator__external_id", "pool", "state", "ended_from", "reason"))


def values():
    rows = Judgment.objects.order_by("assignment__item__key", "assignment__participation__annotator__external_id")
    return list(rows.values_list("assignment__item__key", "value"))


def test_times_and_measures_of_a_screen(project, tmp_path):
    header = f"{HEADER},shown_at,answered_at,thinking_ms,active_ms,touched_ms,adjustments"
    row = "p1,ann,3,2026-03-01T12:29:50Z,2026-03-01T13:30:00+01:00,10000,9000,4000,2"
    bring_in(project, tmp_path, f"{header}\n{row}\np2,ann,4,,,,,,\n")
    stored = Judgment.objects.order_by("pk").values_list(
        "assignment__shown_at", "saved_at", "answered_ms", "active_ms", "touched_ms", "adjustments"
    )
    assert list(stored) == [
        (EARLY.replace(minute=29, second=50), EARLY, 10000, 9000, 4000, 2),
        (None, NOON, None, None, None, None),
    ]


def test_people_have_their_pools_and_who_did_not_count_does_not(project, tmp_path):
    rows = ["p1,ann,3,students,1", "p1,bob,5,crowd,0", "p2,ann,4,,1", "p2,eve,1,,"]
    bring_in(project, tmp_path, "\n".join([f"{HEADER},pool,counted", *rows]))
    reason = "Excluded in the imported file."
    assert places() == [
        ("ann", "students", "finished", "", ""),
        ("bob", "crowd", "excluded", "finished", reason),
        ("eve", "", "finished", "", ""),
    ]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["p1,ann,3,students,", "p2,ann,3,crowd,"], "ann is in several pools of round main: crowd, students"),
        (
            ["p1,ann,3,,1", "p2,ann,3,,0"],
            "Some judgments by ann in round main are counted and others are not",
        ),
    ],
)
def test_people_of_whom_a_file_tells_two_things(project, tmp_path, rows, reason):
    with pytest.raises(Refusal, match=reason):
        bring_in(project, tmp_path, "\n".join([f"{HEADER},pool,counted", *rows]))
    assert not Participation.objects.exists()


def test_who_does_not_count_cannot_count_later(project, tmp_path):
    bring_in(project, tmp_path, f"{HEADER},counted\np1,ann,3,0\n")
    with pytest.raises(Refusal, match="Some judgments by ann in round main"):
        bring_in(project, tmp_path, f"{HEADER}\np2,ann,3\n")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("p1,ann,3,nix,,,,", "pool: “nix” is not a pool of round main. Its pools: students, crowd."),
        ("p1,ann,3,,yes,,,", "counted: “yes” is not 1 or 0."),
        ("p1,ann,3,,,middle,,", "block: “middle” is not a block. Use one of: calibration, main, intra."),
        ("p1,ann,3,,,,2026-03-01T12:31Z,2026-03-01T12:30Z", "shown_at: The time is later than answered_at."),
    ],
)
def test_circumstances_refused(project, tmp_path, row, problem):
    text = f"{HEADER},pool,counted,block,shown_at,answered_at\n{row}\n"
    assert refusals(project, tmp_path, text) == [f"line 2, {problem}"]


def test_rounds_without_pools(tmp_path):
    project = make_project("czech_news")
    add_pairs(project, 1)
    assert refusals(project, tmp_path, f"{HEADER},pool,round\np1,ann,3,crowd,R2\n") == [
        "line 2, pool: “crowd” is not a pool of round R2. Its pools: none."
    ]


def test_blocks_are_those_of_the_file(tmp_path):
    project = make_project("czech_news")
    add_pairs(project, 3, calibration=1)
    text = f"{HEADER},block\np1,ann,3,\np2,ann,3,intra\np3,ann,3,calibration\n"
    bring_in(project, tmp_path, text, round_key="R3")
    blocks = Judgment.objects.order_by("assignment__item__key").values_list("assignment__block", flat=True)
    assert list(blocks) == ["calibration", "intra", "calibration"]


def test_an_apostrophe_that_spreadsheets_need_is_no_part_of_a_key(project, tmp_path):
    Item.objects.filter(key="p1").update(key="=p1")
    Item.objects.filter(key="p2").update(key="'p2")
    bring_in(project, tmp_path, f"{HEADER}\n'=p1,ann,3\n'p2,ann,4\n")
    assert values() == [("'p2", 4.0), ("=p1", 3.0)]
    assert refusals(project, tmp_path, f"{HEADER}\n'=p9,ann,3\n") == ["line 2, item: The project has no item “'=p9”."]


@pytest.mark.parametrize(
    ("written", "value"),
    [("2,5", 2.5), ("2,50", 2.5), ("-0,0", 0.0), ("3", 3.0)],
)
def test_decimal_commas(tmp_path, written, value):
    project = make_project("stss131")
    add_pairs(project, 1)
    bring_in(project, tmp_path, f"item;annotator;value\r\np1;ann;{written}\r\n")
    assert values() == [("p1", value)]


@pytest.mark.parametrize("written", ["1,000", "2,", ",5", "1,2,3"])
def test_commas_that_may_mean_something_else(project, tmp_path, written):
    problem = f"line 2, value: “{written}” is not a number."
    assert refusals(project, tmp_path, f"item;annotator;value\np1;ann;{written}\n") == [problem]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_unicode_text_of_spreadsheets(project, tmp_path, encoding):
    mark = "\ufeff" if encoding.endswith("e") else ""
    text = f"{mark}item\tannotator\tvalue\r\np1\tŽofie\t3\r\np2\tŽofie\t\r\n"
    assert bring_in(project, tmp_path, text.encode(encoding)).judgments == 1
    assert [place[0] for place in places()] == ["Žofie"]


def test_json_lines_in_utf_16(project, tmp_path):
    import_items(project=project, path=write(tmp_path, '{"id":"x","sentence1":"Á","sentence2":"B"}\n'.encode("utf-16")))
    assert project.items.filter(key="x", sentence1="Á").exists()


def test_utf_16_that_ends_in_half_a_character(project, tmp_path):
    text = f"{HEADER}\np1,ann,3\n".encode("utf-16")[:-1]
    assert refusals(project, tmp_path, text) == ["line 2: The file is not valid UTF-16. Save it as UTF-8."]


def test_rows_that_do_not_count_for_other_reasons_exclude_nobody(project, tmp_path):
    rows = [
        "p1,ann,3,0,calibration",
        "p2,ann,4,0,withdrawn",
        "p3,ann,1,0,superseded",
        "p3,ann,2,1,",
        "p1,bob,5,0,excluded",
    ]
    done = bring_in(project, tmp_path, "\n".join([f"{HEADER},counted,not_counted_because", *rows]))
    assert (done.judgments, done.met.uncounted) == (3, 2)
    assert values() == [("p1", 3.0), ("p1", 5.0), ("p3", 2.0)]
    assert [(who, state) for who, _, state, *_ in places()] == [("ann", "finished"), ("bob", "excluded")]


def test_a_reason_that_nobody_knows_is_refused(project, tmp_path):
    text = f"{HEADER},counted,not_counted_because\np1,ann,3,0,spam\n"
    (problem,) = refusals(project, tmp_path, text)
    assert problem.startswith("line 2, not_counted_because: “spam” is not a known reason. Use one of: superseded,")


def test_a_pair_rated_again_in_the_intra_block_is_no_repetition(tmp_path):
    project = make_project("two_contexts")
    add_pairs(project, 1)
    text = "item,annotator,value,block\np1,ann,3,main\np1,ann,4,intra\n"

    bring_in(project, tmp_path, text)

    judged = Judgment.objects.order_by("pk").values_list("assignment__block", "value")
    assert list(judged) == [("main", 3.0), ("intra", 4.0)]
    assert "The same annotator has already judged" in str(
        refusals(project, tmp_path, text.replace("4,intra", "5,intra"))
    )
