"""The section of the report that compares excluding annotators with weighing them."""

from scoring.exports.report.tables import UNDEFINED
from scoring.exports.report.weighing import weighing
from scoring.summaries.parts import compute
from tests.summaries.snapshots import FEW, chosen_snapshot, items_of, ratings_of, snapshot_of
from tests.summaries.test_rater_models import rated_snapshot


def tables_of(snapshot, *names):
    return list(weighing({"rater_models": {name: compute(f"rater_models.{name}", snapshot, FEW, 1) for name in names}}))


def cells(table):
    return {row.label: [cell.text for cell in row.cells] for row in table.rows}


def test_ratings_are_compared_with_and_without_excluded_annotators():
    effects, compared, changed, lowest = tables_of(rated_snapshot(), "effects", "ratings")

    assert compared.title == "main: excluding annotators and weighing them"
    assert compared.note == "1 annotator is excluded."
    assert next(iter(cells(compared))) == "mean, everyone and mean, after exclusions"
    assert len(cells(changed)) == 10
    assert next(iter(cells(lowest))) == "p0" and cells(lowest)["p0"][-1] == "yes"
    assert cells(effects)["Change in rating with context"] == [UNDEFINED]
    assert "all ratings of the round were made in one context" in effects.reasons.values()


def test_an_undefined_model_has_its_reason():
    single = snapshot_of(items_of(2), ratings=ratings_of([(0, 0, 1.0), (1, 1, 2.0)]))
    (table,) = tables_of(single, "ratings")
    assert cells(table) == {"Weighed scores": [UNDEFINED]}
    assert list(table.reasons.values()) == ["no item has two ratings by annotators who share items with others"]


def test_choices_name_the_least_reliable_annotators():
    compared, lowest = tables_of(chosen_snapshot(), "choices")
    assert compared.note.startswith("Nobody is excluded")
    assert compared.columns == ("Items", "Pearson’s r", "Spearman’s ρ")
    assert len(cells(lowest)) == 6


def test_runs_of_earlier_versions_have_no_section():
    assert list(weighing({})) == []
