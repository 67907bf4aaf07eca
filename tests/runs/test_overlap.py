"""R2 with an overlap: some pairs are rated by two validators, so that their agreement is known (Czech News 4.2.1)."""

import pytest
from scipy.stats import pearsonr

from annotation.models import Judgment
from annotation.queries.progress import blocks_of
from scoring.domain.releases.report import collection_of
from scoring.exports.report.methods import methods
from scoring.models import Run
from tests.factories import add_incidents, make_project
from tests.releases.making import run_of
from tests.runs.projects import NEWS, answered

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def collected(keep):
    with keep():
        project = make_project("czech_news", "project", **NEWS, R2__overlap="2")
        add_incidents(project, 8)
        yield run_of(answered(project, "R1", "R2"))


@pytest.fixture
def run(collected, db):
    return Run.objects.get(pk=collected.pk)


def pairs_of_ratings(project, context):
    """The two ratings of every pair that has two."""
    found = {}
    rows = Judgment.objects.filter(assignment__participation__round="R2", assignment__context=context).order_by("pk")
    for item, value in rows.values_list("assignment__item", "value"):
        found.setdefault(item, []).append(value)
    return [values for values in found.values() if len(values) == 2], len(found)


def test_agreement_is_of_the_pairs_in_the_overlap(run):
    twice, pairs = pairs_of_ratings(run.project, "free")

    found = run.results["agreement"]["R2"]["free"]

    annotators = run.project.participations.filter(round="R1").count()
    assert (len(twice), pairs) == (annotators * 2 * 3, annotators * 6 * 3)
    assert (found["items"], found["items_compared"], found["ratings_compared"]) == (pairs, len(twice), 2 * len(twice))
    others = [(one, other) for pair in twice for one, other in (pair, pair[::-1])]
    assert found["leave_one_out"]["pearson"] == pytest.approx(pearsonr(*zip(*others, strict=True)).statistic)
    assert run.results["coverage"]["R2"]["free"]["number"] == [pairs - len(twice), len(twice)]


def test_methods_tell_the_overlap_and_what_was_collected(run):
    told = {paragraph.title: paragraph.text for paragraph in methods(collection_of(run))}

    twice, pairs = pairs_of_ratings(run.project, "free")
    assert "each pair is also rated by a second validator in the group." in told["Protocol"]
    assert f"1 to 2 (median 1) for each of {pairs} pairs and 8 per annotator" in told["Protocol"]
    assert "R2.overlap is 2 instead of 0" in told["Protocol"]
    expected = (
        f"(n = {2 * len(twice)} ratings of {len(twice)} pairs; {pairs - len(twice)} pairs rated only once excluded)"
    )
    assert expected in told["Reliability"]


def test_progress_has_the_screens_of_the_overlap(run):
    screens = {(block.session, block.wanted) for block in blocks_of(run.project)["R2"]}
    people = run.project.participations.filter(round="R2").count()

    assert screens == {(1, 8 * people), (2, 8 * people)}
