"""A worker that dies between the items and the end of the row must leave both or neither."""

import pytest
from django.core.files.base import ContentFile
from django.db import connection

from annotation.models import Item, ItemImport
from tests.factories import NOON, make_project
from tests.jobs import LOST, SECOND, work_off

PAIRS = "id,sentence1,sentence2\np1,One.,Two.\np2,Three.,Four.\n"


class Killed(BaseException):
    """As SIGKILL: nothing after it is done."""


def die_at_the_end_of_the_row(execute, sql, params, many, context):
    if sql.startswith('UPDATE "annotation_itemimport"') and Item.objects.exists():
        raise Killed
    return execute(sql, params, many, context)


def test_an_import_whose_worker_dies_before_its_row_has_ended_is_done_once(db):
    file = ContentFile(PAIRS.encode(), "pairs.csv")
    job = ItemImport.objects.create(project=make_project(), file=file, name="pairs.csv")
    with connection.execute_wrapper(die_at_the_end_of_the_row), pytest.raises(Killed):
        work_off("import", NOON)

    work_off("import", NOON + LOST + SECOND)

    job.refresh_from_db()
    assert (job.state, job.imported, job.problems, Item.objects.count()) == ("done", 2, [], 2)
