"""The stored figures of items: what they hold, and that only changes are written."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.judgment.extra_judgments import withdraw_items
from annotation.domain.participation.lifecycle import exclude
from annotation.models import ItemFigures
from scoring.domain.monitoring.items import choices_of
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import rate_next
from tests.watching.worlds import LATER, measure_project, seat, watched

pytestmark = pytest.mark.postgres


def stored(project) -> dict[str, tuple]:
    fields = ("item__key", "wanted", "answers", "value", "deviation")
    return {row[0]: row[1:] for row in ItemFigures.objects.filter(project=project).values_list(*fields)}


def test_every_item_has_its_answers_mean_and_deviation_and_few_have_no_interval(db):
    project = watched(pairs=4)
    measure_project(project.pk, LATER)

    rows = list(ItemFigures.objects.filter(project=project))

    assert sorted(row.answers for row in rows) == [2, 2, 2, 3]
    assert [row.wanted for row in rows] == [4, 4, 4, 4]
    for row in rows:
        assert (row.low, row.high) == (None, None) and 0 <= row.value <= 4
    three = next(row for row in rows if row.answers == 3)
    assert (three.value, three.deviation) == (pytest.approx(2.5), pytest.approx(0.75**0.5))


def test_figures_follow_exclusion_and_withdrawal_and_only_changes_are_written(db):
    project = watched(pairs=4)
    measure_project(project.pk, LATER)
    exclude(participation_id=seat(project, 1).pk, reason="Too quick.", actor=None, now=LATER)
    withdraw_items(project=project, keys=["p2"], reason="A broken text.", actor=None, now=LATER)
    measure_project(project.pk, LATER)

    found = stored(project)

    assert sorted(found) == ["p1", "p3", "p4"]
    assert sorted(answers for _wanted, answers, *_ in found.values())[0] == 1
    with CaptureQueriesContext(connection) as queries:
        rate_next(seat(project, 3))
        measure_project(project.pk, LATER)
    written = [query["sql"] for query in queries if "INSERT" in query["sql"] and "itemfigures" in query["sql"]]
    assert len(written) == 1 and written[0].count("'free'") == 1


def test_scores_of_choices_are_those_of_the_items_page(db):
    project = best_worst_project()
    (person,) = at_work(project, "ann")
    for _ in range(3):
        choose_first(person)
    measure_project(project.pk, LATER)

    for row in ItemFigures.objects.filter(project=project, answers__gt=0).select_related("item__project"):
        (chosen,) = choices_of(row.item)
        shown = chosen.best + chosen.worst + chosen.neither
        assert (row.answers, row.value) == (shown, pytest.approx((1 + (chosen.best - chosen.worst) / shown) / 2))
    assert ItemFigures.objects.filter(project=project, wanted=0).count() == 0
