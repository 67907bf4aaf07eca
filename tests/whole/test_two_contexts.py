"""Published pairs rated without and with context, from a file to a release, by the management commands alone."""

import csv
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from scipy.stats import pearsonr

from annotation.models import Assignment, Item, Participation
from annotation.presets.registry import presets
from scoring.domain.monitoring.people import calibration, repeats
from scoring.domain.releases.report import collection_of
from scoring.exports.report.methods import methods
from scoring.exports.report.sections import sections
from scoring.models import Run

PAIRS = presets()["two_contexts"].folder / "demo" / "pairs.csv"
SETTINGS = ["ratings=4", "items_a_person=7", "intra=3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("contexts")


@pytest.fixture(scope="module")
def collected(keep, folder):
    """20 pairs of the demo, of which six calibrate; eight people with seven of the others each, and a release."""
    with keep():
        changes = [word for setting in SETTINGS for word in ("--set", setting)]
        call_command("create_project", "contexts", "--preset", "two_contexts", *changes)
        call_command("import_items", "contexts", str(PAIRS))
        call_command("plan", "contexts", "main")
        call_command("simulate", "contexts", "main", "--seed", "3")
        call_command("release", "contexts", "--out", str(folder))
        yield


@pytest.fixture
def results(collected, db, folder):
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def tsv(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_everybody_rates_both_sessions_with_a_pause_of_72_hours(results):
    people = Participation.objects.filter(round="main")

    assert {person.state for person in people} == {"finished"} and len(people) == 8
    for person in people:
        first, second = (person.assignments.filter(session=session) for session in (1, 2))
        assert set(first.values_list("context", flat=True)) == {"free"}
        assert set(second.values_list("context", flat=True)) == {"dependent"}
        waited = second.earliest("shown_at").shown_at - first.latest("answered_at").answered_at
        assert waited >= timedelta(hours=72)


def test_results_have_every_figure_of_the_contexts(results):
    shift, waiting = results["context_shift"]["main"], results["curves"]["waiting"]["main"]

    assert shift["gains"]["number"] == 14 and set(shift["p_values"]) >= {"student", "paired", "student_bh", "paired_bh"}
    assert {name: results["agreement"]["main"][name]["ratings"] for name in ("free", "dependent")} == {
        "free": 56,
        "dependent": 56,
    }
    assert {name: results["intra"]["main"]["main"][name]["ratings"] for name in ("both", "free", "dependent")} == {
        "both": 48,
        "free": 24,
        "dependent": 24,
    }
    assert (waiting["people"], min(waiting["hours"]) >= 72) == (8, True)
    assert list(results["curves"]) == ["practice", "thinking_time", "waiting"]
    assert "filters" not in results


def test_correlations_are_those_of_the_means_with_the_earlier_values(results):
    shift, found = results["context_shift"]["main"], results["correlations"]["main"]
    earlier = [Item.objects.get(key=key).earlier_value for key in shift["item"]]

    assert list(found) == ["unfiltered"] and found["unfiltered"]["pairs"] == 14
    for name, column in (("r1_free", "free"), ("r1_dependent", "dependent")):
        assert found["unfiltered"][name] == pytest.approx(pearsonr(earlier, shift[column]).statistic)


def test_intra_agreement_is_of_ratings_of_the_same_session(results):
    rows = Assignment.objects.filter(block="intra").select_related("participation")
    pairs = []
    for again in rows:
        first = again.participation.assignments.get(block="main", session=again.session, item=again.item_id)
        pairs.append([screen.judgments.get().value for screen in (first, again)])

    found = results["intra"]["main"]["main"]["both"]["pearson"]
    assert found == pytest.approx(pearsonr(*zip(*pairs, strict=True)).statistic)


def test_monitoring_compares_calibration_and_repeated_pairs(results):
    person = Participation.objects.filter(round="main").order_by("seat").first()

    assert [one.reference for one in calibration(person)] == [0, 3, 6, 0, 3, 6] * 2
    assert len(repeats(person)) == 6 and all(one.reference is not None for one in repeats(person))


def test_files_have_the_texts_the_means_and_the_earlier_values(results, folder):
    items = {item.sentence1: item for item in Item.objects.filter(calibration_order=None)}
    free, dependent, shift = (
        tsv(folder / "test-free.tsv"),
        tsv(folder / "test-dep.tsv"),
        table(folder / "test-shift.csv"),
    )

    assert len(free) == len(dependent) == len(shift) == 14
    for sentence1, sentence2, mean, ratings, earlier in free:
        item = items[sentence1]
        values = [float(value) for value in ratings.split(",")]
        assert (sentence2, float(earlier)) == (item.sentence2, item.earlier_value)
        assert len(values) == 4 and float(mean) == sum(values) / 4
    contexts = {(item.context1, item.context2) for item in items.values()}
    assert {(row[0], row[1]) for row in dependent} == contexts
    assert {(row["sentence1"], row["sentence2"]) for row in shift} == {(row[0], row[1]) for row in free}
    significant = [row for row in shift if row["in_test_sig"] == "1"]
    assert len(tsv(folder / "test-sig.tsv")) == len(significant)
    earlier = {row["item"]: float(row["earlier_value"]) for row in table(folder / "items.csv")}
    assert earlier == {item.key: item.earlier_value for item in Item.objects.all()}


def test_methods_tell_what_was_done(results):
    text = {one.title: one.text for one in methods(collection_of(Run.objects.get()))}

    assert text["Protocol"].endswith(
        "Under the protocol, every pair is rated by 4 different annotators; which pairs each annotator rates, and in "
        "which order, is drawn at random. Each annotator rates at most 7 pairs, or more if fewer annotator places are "
        "planned than this limit requires. Each annotator first rates the same 6 calibration pairs, chosen for the "
        "values 0, 3, 6, 0, 3 and 6. Finally, each annotator rates 3 pairs again, drawn from the first half of the "
        "pairs they have just rated, or from the first 3 if that half is smaller; replacements do not. "
        "Annotation takes place in 2 sessions with the same screens in the same order, first without context, "
        "then with context. The server "
        "enforces a pause of at least 72 hours between the sessions. The design was carried out in full: without "
        "context: 8 annotators contributed 56 ratings to the analysis, 4 for each of 14 pairs and 7 per annotator; "
        "with context: 8 annotators contributed 56 ratings to the analysis, 4 for each of 14 pairs and 7 per "
        "annotator; 48 further ratings of repeated pairs are included."
    )
    assert text["Protocol"].startswith("Judgments were collected with Semblance.")
    assert text["Pauses"].startswith("8 annotators returned for the second session after a median of ")
    reliability = text["Reliability"]
    assert "Inter-annotator agreement in the session without context (n = 56 ratings of 14 pairs): " in reliability
    assert "8 annotators who rated pairs again at the end of a session (n = 48 ratings): Pearson’s r " in reliability
    assert "The mean gain (a pair’s mean rating with context minus that without) is " in reliability
    assert (
        "Pearson’s r between the earlier value of a pair and its mean rating (n = 14 pairs): without context = 0."
        in reliability
    )
    assert not any(word in " ".join(text.values()) for word in ("R1", "R2", "selection", "Czech News Dataset"))


def test_report_has_the_correlations_in_the_section_on_context(results):
    figures = [figure.name for figure in Run.objects.get().figures.all()]
    found = {section.title: section for section in sections(results, figures)}

    assert "Selections" not in found and "Other figures" not in found
    [correlations] = [table for table in found["Context"].tables if "correlations" in table.title]
    assert "Earlier value and without context" in str(correlations)


def test_figures_name_the_earlier_values(results):
    figures = {figure.name: figure for figure in Run.objects.get().figures.all()}

    assert not [name for name in figures if name.endswith("-selected") or name.startswith("class-frequency")]
    assert "with the earlier values" in figures["calibration-curve-main-free"].description
    assert "relative to the earlier values" in figures["thinking-time-main-dependent"].description
