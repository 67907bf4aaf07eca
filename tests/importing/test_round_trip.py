"""Judgments of a release into a fresh project: the same scores and figures come out again."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.domain.material import FileRefused, import_judgments
from annotation.domain.participation.lifecycle import leave
from annotation.models import Item, Judgment, Participation, SelectedPair
from tests.factories import (
    NOON,
    add_dialogues,
    add_incidents,
    add_pairs,
    answer_all,
    make_project,
    seat_outsider,
    select_next,
    selection_round,
)
from tests.importing.files import write
from tests.releases.making import run_of, write_release

pytestmark = pytest.mark.django_db

LATER = datetime(2099, 1, 1, tzinfo=UTC)  # simulated people answer with a moved clock

HEADER = "item,annotator,value,round,role"
SELECTED = ["i1:1:1.1,ann,6,R1,A", "i1:1:1.2,ann,3,R1,B", "i1:1:2.1,ann,0,R1,C"]


def refusals(project, folder, *rows):
    with pytest.raises(FileRefused) as refused:
        bring_in(project, write(folder, "\n".join([HEADER, *rows])))
    assert not Participation.objects.exists()
    return [str(problem) for problem in refused.value.problems]


def bring_in(project, path):
    return import_judgments(project=project, path=path, round_key=None, now=LATER)


@pytest.fixture
def news():
    project = make_project("czech_news")
    add_incidents(project, 2)
    return project


def test_selections_make_the_pairs_that_others_rate(news, tmp_path):
    rows = [*SELECTED, "i1:1:1.2,bob,4,R2,", "i1:1:2.1,bob,1,R3,"]
    done = bring_in(news, write(tmp_path, "\n".join([HEADER, *rows])))
    assert (done.judgments, done.annotators) == (3, 2)
    pairs = SelectedPair.objects.order_by("role").values_list("role", "item__key", "item__sentence2", "value")
    assert list(pairs) == [
        ("A", "i1:1:1.1", "Sentence 0 of report1, event 1.", 6.0),
        ("B", "i1:1:1.2", "Sentence 1 of report1, event 1.", 3.0),
        ("C", "i1:1:2.1", "Sentence 0 of report2, event 1.", 0.0),
    ]
    assert news.incidents.get(key="i1").participation == Participation.objects.get(round="R1")
    assert list(Judgment.objects.order_by("pk").values_list("value", flat=True)) == [None, 4.0, 1.0]


def test_a_file_of_selections_alone(news, tmp_path):
    assert bring_in(news, write(tmp_path, "\n".join([HEADER, *SELECTED]))).judgments == 1


def test_pairs_that_calibrate_are_marked(news, tmp_path):
    rows = [f"{row},main" for row in SELECTED] + ["i1:1:1.2,bob,3,R3,,calibration", "i1:1:1.1,bob,6,R3,,calibration"]
    bring_in(news, write(tmp_path, "\n".join([f"{HEADER},block", *rows])))
    orders = news.items.order_by("key").values_list("key", "calibration_order")
    assert list(orders) == [("i1:1:1.1", 2), ("i1:1:1.2", 1), ("i1:1:2.1", None)]


UNKNOWN = (
    "No incident of the project has the sentences of these pairs: “i9:1:1.1”, “i1”, “'i1:1:9.1” "
    "(3 in all; lines affected: 3). Write the key of a selected pair like fire:1:2.5."
)


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        (SELECTED[:2], ["line 2, role: ann has not selected a sentence as C. Add the missing rows."]),
        ([*SELECTED, SELECTED[0]], [(
"line 5, role: ann has already selected a "
"sentence as A for this summary sentence."
)]),
        (
            [*SELECTED[:2], "i1:1:1.1,ann,0,R1,C"],
            ["line 4, item: ann has already selected this sentence in another role."],
        ),
        (
            ["i9:1:1.1,ann,6,R1,A", "i1,ann,6,R1,A", "'i1:1:9.1,ann,6,R1,A"],
            [f"line 2, item: {UNKNOWN}"],
        ),
        (
            [*SELECTED, "i1:2:1.1,bob,6,R1,A"],
            ["line 5, item: The incident “i1” already belongs to ann."],
        ),
        (
            ["i1:1:1.1,ann,7,R1,A", "i1:1:1.1,ann,6,R1,D"],
            [
                "line 2, value: 7 is outside the scale from 0 to 6.",
                "line 3, role: “D” is not a role of round R1. Use one of: A, B, C.",
            ],
        ),
    ],
)  # fmt: skip
def test_selections_refused(news, tmp_path, rows, problems):
    assert refusals(news, tmp_path, *rows) == problems


def test_reading_ends_where_nobody_would_read_on(news, tmp_path):
    problems = refusals(news, tmp_path, *["i1:1:1.1,ann,9,R1,A"] * 1100)
    assert (len(problems), problems[-1][:9]) == (1000, "line 1001")


def test_selections_stored_before_are_refused(news, tmp_path):
    path = write(tmp_path, "\n".join([HEADER, *SELECTED]))
    bring_in(news, path)
    bring_in(news, write(tmp_path, "\n".join([HEADER, *(row.replace("i1:", "i2:") for row in SELECTED)])))
    with pytest.raises(FileRefused) as refused:
        bring_in(news, write(tmp_path, "\n".join([HEADER, *SELECTED, ""])))
    assert "ann has already selected a sentence as A for this summary sentence." in str(refused.value.problems[0])


def test_an_apostrophe_that_spreadsheets_need_is_no_part_of_an_incident(news, tmp_path):
    news.incidents.filter(key="i1").update(key="=i1")
    bring_in(news, write(tmp_path, "\n".join([HEADER, *(f"'={row}" for row in SELECTED)])))
    assert set(news.items.values_list("key", flat=True)) == {"=i1:1:1.1", "=i1:1:1.2", "=i1:1:2.1"}


SMALL_NEWS = {
    "R1__incidents": "2",
    "R2__tuples": "3",
    "R3__annotators": "1",
    "R3__tuples": "4",
    "R3__stack_size": "2",
    "R3__intra": "2",
}
WORLDS = {
    "stss131": ({"people": "4"}, lambda project: add_pairs(project, 8, calibration=2), "scores agreement"),
    "dscs": ({}, lambda project: add_pairs(project, 6), "scores agreement"),
    "semrel": (
        {"people": "2"},
        lambda project: add_pairs(project, 8),
        "choice_scores choice_agreement disagreement design",
    ),
    "giccs": ({}, lambda project: add_dialogues(project, 2), "choice_scores choice_agreement disagreement design"),
    "czech_news": (SMALL_NEWS, lambda project: add_incidents(project, 12, summary=4), "scores agreement filters"),
}


@pytest.mark.slow
@pytest.mark.parametrize("preset", WORLDS)
def test_a_release_brought_into_a_fresh_project(preset, tmp_path):
    numbers, add_material, figures = WORLDS[preset]
    folders, results = [], []
    for key in ("first", "second"):
        project = make_project(preset, key, **numbers)
        add_material(project)
        if folders:
            bring_in(project, folders[0] / "judgments.csv")
        else:
            for one in project.protocol.rounds:
                call_command("simulate", key, one.key, stdout=StringIO())
        folders.append(tmp_path / key)
        write_release(project=project, folder=folders[-1])
        results.append(run_of(project).results)
    names = {path.name for path in folders[0].glob("*sv")} - {"judgments.csv", "tuples.csv", "items.csv"}
    assert {name: (folders[1] / name).read_text() for name in names} == {
        name: (folders[0] / name).read_text() for name in names
    }
    wanted, found = (dict(flat({name: result.get(name) for name in FIGURES})) for result in results)
    assert set(figures.split()) <= {path[0] for path in wanted if path[1:]}
    for by in ("tuple", "judgment"):
        assert results[1].get("split_half", {}).get(by) == results[0].get("split_half", {}).get(by)
    assert found == wanted


def test_a_reassigned_selection_with_a_withdrawn_pair_is_left_out_as_a_whole(user, tmp_path):
    first = selection_round(user, key="first", incidents=1, summary=2)
    judgment = select_next(first)
    Item.objects.filter(pk=judgment.pairs.first().item_id).update(withdrawn_at=NOON)
    leave(participation_id=first.pk, reason="No time.", now=NOON)
    answer_all(seat_outsider(first.project, "R1", "W1"))
    write_release(project=first.project, folder=tmp_path / "first")
    second = make_project("czech_news", "second")
    add_incidents(second, 1, summary=2)

    done = bring_in(second, tmp_path / "first" / "judgments.csv")

    assert (done.judgments, done.annotators, done.met.uncounted) == (2, 1, 3)


FIGURES = ["scores", "agreement", "filters", "choice_scores", "choice_agreement", "disagreement", "design"]


def flat(value, *path):
    """Every number and text of a result by its path; people come in another order, so sums may differ in the end."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if pairs is None:
        yield path, round(value, 9) if isinstance(value, float) else value
    for key, own in pairs or ():
        if key not in ("seed", "interval_low", "interval_high"):
            yield from flat(own, *path, key)
