import csv

import pytest

from annotation.domain.material import import_items
from tests.factories import make_project
from tests.importing.files import write
from tests.releases.making import write_release

pytestmark = pytest.mark.django_db


def test_further_columns_come_out_again(tmp_path):
    project = make_project("dscs")
    rows = [
        '{"id": "1", "sentence1": "a", "sentence2": "b", "gold": "similar", "domain": "law", "item": 7}',
        '{"id": "2", "sentence1": "c", "sentence2": "d", "calibration": 1, "source": "web", "year": 2020}',
    ]
    import_items(project=project, path=write(tmp_path, "\n".join(rows)))

    counts = write_release(project=project, folder=tmp_path)

    with (tmp_path / "items.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    own = {"sentence1": "a", "sentence2": "b", "gold": "similar", "calibration": "0", "source": ""}
    empty = {"context1": "", "context2": "", "language": ""}
    assert counts["items.csv"] == 2
    assert found[0] == own | empty | {"item": "1", "domain": "law", "further_item": "7", "year": ""}
    assert (found[1]["year"], found[1]["domain"], found[1]["calibration"], found[1]["gold"]) == ("2020", "", "1", "")
