"""Columns of a query as arrays, copied by PostgreSQL and read row by row elsewhere."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.db.models import F

from annotation.models import Assignment, Item, Judgment
from scoring.domain.runs import columns
from scoring.domain.runs.answers import milliseconds_between
from scoring.domain.runs.columns import FLAG, MISSING, REAL, TIME, WHOLE, coded, each_chunk
from scoring.domain.runs.places import Places
from tests.factories import add_pairs, make_project
from tests.runs.projects import relatedness

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
AT = datetime(2026, 3, 1, 8, 0, 0, 123_456, tzinfo=UTC)


def columns_of(rows, wanted):
    """Return the columns as a whole, as they come, and the sizes of the chunks."""
    chunks = []
    each_chunk(rows, wanted, chunks.append)
    return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in wanted}, [
        len(next(iter(chunk.values()))) for chunk in chunks
    ]


@pytest.fixture
def items():
    project = make_project("semrel")
    add_pairs(project, 5)
    Item.objects.filter(key="p1").update(withdrawn_at=AT, gold=True, calibration_order=3)
    return project.items.all()


def test_columns_of_every_kind_and_what_is_missing(items):
    wanted = {
        "position": (F("position"), WHOLE),
        "order": ("calibration_order", WHOLE),
        "gold": ("gold", FLAG),
        "half": (F("calibration_order") / 2.0, REAL),
        "at": ("withdrawn_at", TIME),
        "code": (coded("key", {"p1": 7, "p3": 9}), WHOLE),
    }
    found, _ = columns_of(items, wanted)
    order = np.argsort(found["position"])
    rows = {name: column[order].tolist() for name, column in found.items()}
    assert rows["order"] == [3] + [MISSING] * 4
    assert rows["gold"][0] is True and found["gold"].dtype == np.bool_
    assert rows["half"][0] == 1.5 and np.isnan(rows["half"][1:]).all()
    assert rows["at"] == [(AT - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)] + [MISSING] * 4
    assert rows["code"] == [7, MISSING, 9, MISSING, MISSING]


def test_all_rows_come_once_whatever_the_size_of_a_chunk(items, monkeypatch):
    monkeypatch.setattr(columns, "ROWS_AT_ONCE", 2)
    found, sizes = columns_of(items, {"pk": ("pk", WHOLE)})
    assert sorted(found["pk"].tolist()) == sorted(items.values_list("pk", flat=True))
    assert len(sizes) >= 2


def test_no_rows(items):
    chunks = []
    each_chunk(Judgment.objects.filter(pk=-1), {"pk": ("pk", WHOLE)}, chunks.append)
    each_chunk(Judgment.objects.filter(pk=0), {"pk": ("pk", WHOLE)}, chunks.append)
    assert chunks == []


def test_columns_of_joined_rows():
    project = relatedness("project")
    rows = Judgment.objects.filter(assignment__participation__project=project)
    found, _ = columns_of(rows, {"pk": ("pk", WHOLE), "tuple": ("assignment__tuple_id", WHOLE)})
    expected = dict(Assignment.objects.exclude(answered_at=None).values_list("judgments", "tuple"))
    assert dict(zip(found["pk"].tolist(), found["tuple"].tolist(), strict=True)) == expected


def test_places_of_ids():
    places = Places([30, 10, 20])
    assert places.of(np.array([10, MISSING, 30, 20])).tolist() == [1, -1, 0, 2]
    assert Places([]).of(np.array([MISSING])).tolist() == [-1]
    for table in ([30, 10], []):
        with pytest.raises(KeyError):
            Places(table).of(np.array([20]))


def test_milliseconds_between_times_are_those_of_python():
    generator = np.random.default_rng(0)
    earlier = generator.integers(0, 2**50, 1000)
    later = earlier + generator.integers(0, 2**33, 1000)
    expected = [
        round(timedelta(microseconds=int(passed)).total_seconds() * 1000) for passed in (later - earlier).tolist()
    ]
    assert milliseconds_between(earlier, later).tolist() == expected
    assert np.isnan(milliseconds_between(np.array([2, MISSING, 1]), np.array([1, 1, MISSING]))).all()
