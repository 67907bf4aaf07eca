"""Every judgment is in a release, with the reason why it does not count: the same in the API and in the report."""

import csv
from collections import Counter
from io import StringIO

import pytest

from annotation.domain.judgment.extra_judgments import withdraw_items
from annotation.domain.judgment.saving import rate
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Judgment
from scoring.domain.releases.report import collection_of
from scoring.exports.report.methods import methods
from tests.api.worlds import caller_of, member
from tests.factories import (
    NOON,
    add_pairs,
    answer_all,
    answer_to,
    join,
    make_project,
    make_user,
    rate_next,
    seat_outsider,
)
from tests.releases.making import contents, released

pytestmark = pytest.mark.django_db

NUMBERS = {"superseded": 1, "excluded": 4, "withdrawn": 2, "calibration": 2}
SENTENCE = (
    "Of the 13 judgments stored, 9 are excluded from the analysis: 1 replaced by a later answer from the same "
    "annotator, 4 by excluded annotators, 2 of withdrawn items and 2 for calibration."
)


@pytest.fixture
def project():
    """Three people rate; one is excluded, one pair withdrawn, one answer changed."""
    project = make_project("stss131")
    add_pairs(project, 4, calibration=1)
    plan_round(project=project, round_key="main", people=3)
    first = join(project, "main", make_user("ann"))
    last = [rate_next(first, value) for value in "012"][-1]
    rate(participation_id=first.pk, answer=answer_to(last.assignment, again=True), value="4", now=NOON)
    answer_all(first)
    other, gone = (answer_all(seat_outsider(project, "main", name)) for name in ("W1", "W2"))
    exclude(participation_id=gone.pk, reason="Careless.", actor=None, now=NOON)
    key = other.assignments.exclude(item=last.assignment.item).filter(item__calibration_order=None).first().item.key
    withdraw_items(project=project, keys=[key], reason="Broken.", actor=make_user("manager"), now=NOON)
    return project


def rows_of(release):
    return list(csv.DictReader(StringIO(contents(release)["judgments.csv"].decode())))


def test_release_has_every_judgment_and_why_it_does_not_count(project):
    rows = rows_of(released(project))
    assert len(rows) == Judgment.objects.count() == 13
    assert Counter(row["not_counted_because"] for row in rows) == NUMBERS | {"": 4}
    assert all((row["counted"] == "1") == (row["not_counted_because"] == "") for row in rows)
    assert {row["invalid"] for row in rows} == {"0"}


def test_api_report_card_and_files_have_the_same_numbers(project):
    release = released(project)
    assert release.run.results["overview"]["not_counted"] == NUMBERS
    told = {one.title: one.text for one in methods(collection_of(release.run))}
    assert SENTENCE in told["Judgments"]
    card = contents(release)["README.md"].decode()
    for reason, number in NUMBERS.items():
        assert f"| {reason} | {number} | " in card

    caller = caller_of(member(project, "researcher"), scope="read")
    page = caller.get(f"/api/v1/projects/{project.key}/judgments/", {"superseded": True, "page_size": 50}).json()
    found = Counter(row["not_counted_because"] for row in page["results"])
    assert found == NUMBERS | {None: 4}
    assert all(row["counted"] == (row["not_counted_because"] is None) for row in page["results"])


def test_waiting_is_from_the_screen_before_also_where_an_answer_was_changed(project):
    Assignment.objects.update(shown_at=NOON)
    rows = [row for row in rows_of(released(project)) if row["position"] == "3"]
    changed = [row for row in rows if row["annotator"] == rows[0]["annotator"]]
    assert [row["not_counted_because"] for row in changed] == ["superseded", ""]
    assert changed[0]["waiting_ms"] == changed[1]["waiting_ms"] == "0"
