"""Rows that benchmarks write straight into the database."""

import numpy as np

from annotation.models import Judgment
from benchmarks.bulk import insert
from tests.factories import present_screen, rating_round


def test_columns_that_the_database_fills_in_are_left_to_it(user):
    screens = np.array([present_screen(rating_round(user)).pk])
    saved_at = np.array(["2026-03-02T12:00:00"], dtype="datetime64[s]")

    ids = insert(Judgment, 1, assignment_id=screens, key=["0" * 32], saved_at=saved_at, value=np.array([2.0]))

    stored = Judgment.objects.get(pk=int(ids[0]))
    assert (stored.value, stored.inversion) == (2.0, "")
