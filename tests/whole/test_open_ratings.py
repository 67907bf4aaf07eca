"""An open round of ratings from the plan to the release, with people who leave and people who are excluded."""

import csv
import io
import json
from collections import Counter

import pytest

from annotation.domain.planning.rounds import plan_round
from annotation.models import Item, Participation, State
from annotation.queries.progress import blocks_of
from scoring.domain.notifications.events import finished_rounds
from scoring.domain.releases.report import collection_of
from scoring.exports.report.methods import methods
from tests.commands.test_commands import said
from tests.domain.rating_pool import accounts_balance, ratings_by_item
from tests.factories import make_project
from tests.releases.making import contents, released, run_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    """24 pairs, half of them similar; two ratings of students and four of the crowd, at most ten pairs a person."""
    numbers = {"open": "true", "items_a_person": "10", "students__people": "2", "crowd__people": "4"}
    project = make_project("dscs", **numbers)
    Item.objects.bulk_create(
        Item(
            project=project,
            key=f"p{index}",
            position=index,
            sentence1=f"First text of pair {index}.",
            sentence2=f"Second text of pair {index}.",
            gold=index % 2 == 0,
        )
        for index in range(1, 25)
    )
    plan_round(project=project, round_key="main")
    return project


def test_every_pair_gets_its_ratings_although_people_leave_and_are_excluded(project):
    said("simulate", "project", "main", noise=0.05, leaving=0.2, contrary=0.3, seed=3)

    people = Participation.objects.filter(annotator__isnull=False)
    states = Counter(people.values_list("state", flat=True))
    assert states[State.LEFT] and states[State.EXCLUDED]
    counts = Counter((pool, number) for (pool, _), number in ratings_by_item(project).items())
    assert counts == {("students", 2): 24, ("crowd", 4): 24}
    assert accounts_balance(project)
    assert max(place.assignments.filter(answered_at__isnull=False).count() for place in people) == 10
    [block] = blocks_of(project)["main"]
    assert (block.answered, block.wanted) == (144, 144)
    assert list(finished_rounds(project, {"main"})) == ["main"]


def test_its_release_tells_what_was_planned_and_what_was_collected(project):
    said("simulate", "project", "main", noise=0.05, seed=1)
    run = run_of(project)
    files = contents(released(project, run))

    rows = list(csv.DictReader(io.StringIO(files["dscs.csv"].decode())))
    assert len(rows) == 24
    found = run.results["agreement"]["main"]["free"]
    people = Participation.objects.filter(state=State.FINISHED).count()
    assert (found["items"], found["ratings"], found["annotators"]) == (24, 144, people)
    assert all(found["icc"][name] > 0.5 for name in ("icc1", "icc1k"))
    assert found["alpha"]["interval"] > 0.5 and found["average_rater"] > 0.5
    [protocol] = [one.text for one in methods(collection_of(run)) if one.title == "Protocol"]
    assert (
        "Under the protocol, every pair is rated by 2 annotators (students) and 4 annotators (crowd). Annotators are "
        "assigned pairs from a shared pool for their group, those with the fewest ratings first and never the same "
        "pair twice; each annotator rates at most 10 pairs."
    ) in protocol
    assert (
        "The design was carried out in full: students: 5 annotators contributed 48 ratings to the analysis, 2 for "
        "each of 24 pairs"
    ) in protocol
    assert "crowd: 10 annotators contributed 96 ratings to the analysis, 4 for each of 24 pairs" in protocol
    assert "main.open is true instead of false" in protocol
    assert json.loads(files["manifest.json"])


def test_an_unfinished_pool_tells_the_actual_range(project):
    said("simulate", "project", "main", noise=0.05, seed=1, people=9)
    run = run_of(project)

    [protocol] = [one.text for one in methods(collection_of(run)) if one.title == "Protocol"]
    assert (
        "In practice, students: 5 annotators contributed 48 ratings to the analysis, 2 for each of 24 pairs"
    ) in protocol
    assert (
        "crowd: 4 annotators contributed 40 ratings to the analysis, 1 to 2 (median 2) for each of 24 pairs and 10 "
        "per annotator" in protocol
    )
