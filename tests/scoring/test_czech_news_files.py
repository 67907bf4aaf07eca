"""A whole small Czech News project, simulated to the end; every file against another computation over the database."""

import csv
import warnings
from datetime import UTC
from decimal import Decimal
from fractions import Fraction
from itertools import cycle
from math import isnan
from statistics import mean, stdev, variance

import pytest
from django.core.management import call_command
from django.db import transaction
from scipy.stats import false_discovery_control, ttest_ind, ttest_rel

from annotation.domain.participation.lifecycle import exclude
from annotation.models import Assignment, Judgment, Participation, SelectedPair, Sentence
from scoring.domain.runs.snapshots import take_snapshot
from scoring.summaries.parts import Parameters, compute
from tests.factories import NOON, add_incidents, make_project
from tests.releases.making import write_release

pytestmark = pytest.mark.django_db

SIZES = {
    "R1__incidents": "2",
    "R2__tuples": "3",
    "R3__annotators": "1",
    "R3__tuples": "4",
    "R3__stack_size": "2",
    "R3__intra": "2",
}
EXPECTED = {"A": 6, "B": 3, "C": 0}  # Czech News 5.2
# Both ratings of a pair, context-free and dependent; the first two differ at 0.05, with and without variance.
SHIFTED = [((1, 1), (5, 5)), ((0, 1), (6, 6)), ((0, 3), (2, 3))]


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker, tmp_path_factory):
    """The project and the folder of its release; the database forgets it after this file's tests."""
    with django_db_blocker.unblock(), transaction.atomic():
        project = make_world()
        folder = tmp_path_factory.mktemp("release")
        yield project, folder, write_release(project=project, folder=folder)
        transaction.set_rollback(True)


def make_world():
    project = make_project("czech_news", key="news", **SIZES)
    add_incidents(project, 6, summary=3, reports=2, sentences=10)
    for sentence in Sentence.objects.all():
        sentence.text = f'={sentence.pk}\t"{sentence.text}"\nand on'
        sentence.save()
    call_command("plan", "news", "R1")
    call_command("simulate", "news", "R1", people=1, leaving=1.0, noise=0.03)
    call_command("simulate", "news", "R1", noise=0.03)
    exclude_one(project, "R1")
    call_command("simulate", "news", "R2")
    call_command("simulate", "news", "R3")
    exclude_one(project, "R3")
    spread_values()
    return project


def exclude_one(project, round_key):
    """Somebody's answers do not count, and a simulated person takes over."""
    chosen = project.participations.filter(round=round_key, state="finished").first()
    exclude(participation_id=chosen.pk, reason="Careless.", actor=None, now=NOON)
    call_command("simulate", "news", round_key, noise=0.03)


def spread_values():
    """Ratings of which some shift with the context, and selections of which some lie far from what is expected."""
    for index, pair in enumerate(SelectedPair.objects.filter(item__calibration_order=None)):
        SelectedPair.objects.filter(pk=pair.pk).update(value=index % 7)
    for item, contexts in zip(sorted(stack_ratings()), cycle(SHIFTED), strict=False):
        for context, values in zip(("free", "dependent"), contexts, strict=True):
            for judgment, value in zip(stack_judgments(item, context), values, strict=True):
                Judgment.objects.filter(pk=judgment.pk).update(value=value)


def counting():
    return [one for one in Judgment.objects.all() if one.assignment.participation.state != "excluded"]


def stack_judgments(item, context):
    rows = Judgment.objects.filter(assignment__item=item, assignment__context=context, assignment__block="main")
    rows = rows.filter(assignment__participation__round="R3").exclude(assignment__participation__state="excluded")
    return rows.order_by("assignment__participation__seat")


def stack_ratings():
    """Ratings of R3's main block by item id: context-free and dependent, in the order of seats."""
    items = Assignment.objects.filter(participation__round="R3", block="main").values_list("item", flat=True)
    return {
        item: tuple([one.value for one in stack_judgments(item, context)] for context in ("free", "dependent"))
        for item in set(items)
    }


def selected_pairs():
    """The pairs that count, in the order of people, screens and roles."""
    pairs = [
        pair
        for pair in SelectedPair.objects.filter(judgment__in=counting())
        if pair.judgment.assignment.sentence.document.incident.participation == pair.judgment.assignment.participation
    ]
    place = {pair: pair.judgment.assignment for pair in pairs}
    return sorted(pairs, key=lambda pair: (place[pair].participation.seat, place[pair].position, pair.role))


def clean(text):
    return text.replace("\t", " ").replace("\n", " ")


def lines(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def test_world_is_what_it_should_be(world):
    project, _, rows = world
    assert {state: project.participations.filter(state=state).count() for state in ("left", "excluded", "active")} == {
        "left": 1,
        "excluded": 2,
        "active": 0,
    }
    assert {one: rows[f"test-{one}.tsv"] for one in ("free", "dep", "sig")} == {
        "free": 12,
        "dep": 12,
        "sig": 8,
    }
    assert rows["train-RAW.tsv"] > rows["train-N2.tsv"] > rows["train-N1.tsv"] > 0


@pytest.mark.parametrize(("name", "distance"), [("train-RAW.tsv", 6), ("train-N2.tsv", 2), ("train-N1.tsv", 1)])
def test_train_has_pairs_that_no_later_round_used(world, name, distance):
    _, folder, rows = world
    used = set(Assignment.objects.filter(item__isnull=False).values_list("item", flat=True))
    expected = [
        [clean(pair.item.report_sentence.text), clean(pair.item.summary_sentence.text), f"{pair.value:.0f}"]
        for pair in selected_pairs()
        if pair.item_id not in used
        and pair.item.calibration_order is None
        and abs(pair.value - EXPECTED[pair.role]) <= distance
    ]
    assert sorted(lines(folder / name)) == sorted(expected)
    assert rows[name] == len(expected)


def selected_values():
    return {pair.item_id: pair.value for pair in selected_pairs()}


def expected_row(item, ratings, texts, selected):
    exact = mean(map(Fraction, ratings))
    annotations = ",".join(f"{value:.0f}" for value in ratings)
    return [*map(clean, texts), repr(float(exact)), annotations, f"{selected[item.pk]:.0f}"]


def test_free_rows_are_the_means_of_the_stacks(world):
    project, folder, _ = world
    ratings, selected = stack_ratings(), selected_values()
    expected = [
        expected_row(item, ratings[item.pk][0], (item.report_sentence.text, item.summary_sentence.text), selected)
        for item in items_tested(project)
    ]
    assert lines(folder / "test-free.tsv") == expected
    assert {len(row[3].split(",")) for row in expected} == {2}


def test_dependent_rows_have_their_sentences_marked(world):
    project, folder, _ = world
    ratings, selected = stack_ratings(), selected_values()
    items = items_tested(project)
    found = lines(folder / "test-dep.tsv")
    assert found == [
        expected_row(item, ratings[item.pk][1], (item.context2, item.context1), selected) for item in items
    ]
    for row, item in zip(found, items, strict=True):
        for text, sentence in zip(row, (item.report_sentence, item.summary_sentence), strict=False):
            assert f"<sent>{clean(sentence.text)}</sent>" in text


def test_significant_rows_are_those_of_scipy(world):
    project, folder, _ = world
    with warnings.catch_warnings(action="ignore"):  # of scipy, about constant ratings
        shifted = {item for item, both in stack_ratings().items() if ttest_ind(*both).pvalue <= 0.05}
    rows = {item.pk: row for item, row in zip(items_tested(project), lines(folder / "test-dep.tsv"), strict=True)}
    assert lines(folder / "test-sig.tsv") == [row for item, row in rows.items() if item in shifted]


@pytest.mark.parametrize(
    ("file", "path"),
    [
        *((f"train-{name}.tsv", ("train", name)) for name in ("RAW", "N2", "N1")),
        *((f"test-{name}.tsv", ("test", "R3", key)) for name, key in (("free", "free"), ("dep", "dependent"))),
        ("test-sig.tsv", ("test", "R3", "sig_dependent")),
    ],
)
def test_the_figures_of_a_run_are_those_of_the_files(world, file, path):
    project, folder, _ = world
    found = compute("datasets", take_snapshot(project), Parameters(), 1)
    for key in path:
        found = found[key]
    scores = [float(row[2]) for row in lines(folder / file)]
    assert found == {
        "pairs": len(scores),
        "mean": pytest.approx(mean(scores)),
        "sd": pytest.approx(stdev(scores)),
        "variance": pytest.approx(variance(scores)),
    }


def test_every_test_of_a_shift_has_its_column(world):
    project, folder, rows = world
    with (folder / "test-shift.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    ratings, items = stack_ratings(), items_tested(project)
    assert [row["item"] for row in found] == [item.key for item in items] and rows["test-shift.csv"] == len(items)
    for name, test in (("p_student", ttest_ind), ("p_paired", ttest_rel)):
        with warnings.catch_warnings(action="ignore"):  # of scipy, about constant ratings
            expected = [test(*ratings[item.pk]).pvalue for item in items]
        defined = iter(false_discovery_control([value for value in expected if not isnan(value)]))
        corrected = [value if isnan(value) else next(defined) for value in expected]
        assert p_values(found, name) == pytest.approx(expected, nan_ok=True)
        assert p_values(found, f"{name}_bh") == pytest.approx(corrected, nan_ok=True)
    assert sum(row["in_test_sig"] == "1" for row in found) == rows["test-sig.tsv"]
    assert {row["people_in_both"] for row in found} == {"2"}


def p_values(rows, name):
    return [float(row[name] or "nan") for row in rows]


def items_tested(project):
    ratings = stack_ratings()
    return [item for item in project.items.order_by("pk") if item.pk in ratings]


def milliseconds(later, earlier):
    return round((later - earlier).total_seconds() * 1000)


def moment(time):
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rows_of_person(participation):
    """What judgments.csv should say of one person in one round."""
    before = None
    for judgment in participation_judgments(participation):
        assignment = judgment.assignment
        pairs = judgment.pairs.order_by("role") if assignment.sentence else [None]
        for pair in pairs:
            yield {
                "item": (pair or assignment).item.key,
                "annotator": participation.annotator.pseudonym,
                "value": f"{(pair or judgment).value:.0f}",
                "round": participation.round,
                "context": assignment.context,
                "block": assignment.block,
                "session": str(assignment.session),
                "position": str(assignment.position),
                "role": pair.role if pair else "",
                "pool": "",
                "counted": "0" if why_not(participation, assignment) else "1",
                "not_counted_because": why_not(participation, assignment),
                "invalid": "0",
                "refill": "1" if participation.replaces else "0",
                "shown_at": moment(assignment.shown_at),
                "answered_at": moment(assignment.answered_at),
                "thinking_ms": str(judgment.answered_ms),
                "waiting_ms": str(milliseconds(assignment.shown_at, before)) if before else "",
                "active_ms": str(judgment.active_ms),
                "touched_ms": str(judgment.touched_ms),
                "adjustments": str(judgment.adjustments),
                "pause_shortened": "0",
                "inversion": "",
            }
        before = assignment.answered_at


def why_not(participation, assignment):
    if participation.state == "excluded":
        return "excluded"
    if assignment.sentence:
        return "" if assignment.sentence.document.incident.participation == participation else "reassigned"
    calibrates = assignment.block == "calibration" or assignment.item.calibration_order is not None
    return "calibration" if calibrates else ""


def participation_judgments(participation):
    return Judgment.objects.filter(assignment__participation=participation).order_by(
        "assignment__session", "assignment__position"
    )


def test_judgments_have_every_answer_with_its_times(world):
    project, folder, rows = world
    with (folder / "judgments.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    people = Participation.objects.filter(project=project, annotator__isnull=False).order_by("round", "seat")
    assert found == [row for person in people for row in rows_of_person(person)]
    assert rows["judgments.csv"] == len(found)
    assert "simulated" not in (folder / "judgments.csv").read_text(encoding="utf-8")


def test_pause_of_the_second_session_is_waiting_time(world):
    _, folder, _ = world
    with (folder / "judgments.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["round"] == "R3"]
    pauses = [Decimal(row["waiting_ms"]) for row in rows if (row["session"], row["position"]) == ("2", "1")]
    assert len(pauses) == 7  # six places and one refill
    assert min(pauses) >= 72 * 3600 * 1000  # Czech News 4.2.2: forced


def test_same_data_give_the_same_files(world, tmp_path):
    project, folder, rows = world
    assert write_release(project=project, folder=tmp_path) == rows
    names = {path.name for path in folder.iterdir()}
    assert names == {path.name for path in tmp_path.iterdir()} > set(rows)
    assert all((tmp_path / name).read_bytes() == (folder / name).read_bytes() for name in names)


def test_project_without_judgments_has_empty_files(tmp_path):
    rows = write_release(project=make_project("czech_news"), folder=tmp_path / "deep" / "down")
    assert set(rows.values()) == {0}
    assert (tmp_path / "deep" / "down" / "train-RAW.tsv").read_text() == ""
