"""Files of published datasets, where somebody has them: --outside-data FOLDER."""

import csv
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Item, Project
from scoring.stats.ratings import rounded
from tests.releases.making import write_release

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def imported(name, preset, folder):
    call_command("create_project", name, preset=preset)
    call_command("import_items", name, str(Path(folder) / f"{name}.csv"))


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_stss131_from_import_to_dataset(outside_data, tmp_path):
    imported("stss131", "stss131", outside_data)
    call_command("simulate", "stss131", "main", people=30)
    call_command("release", "stss131", out=str(tmp_path))
    released = rows_of(tmp_path / "stss131.csv")
    # STSS-131, table 1: pairs 66 to 131, of which 99 and 129 calibrate; 64 pairs count.
    assert [row["SP"] for row in released] == [str(pair) for pair in range(66, 132) if pair not in (99, 129)]
    assert all(0 <= float(row["X"]) <= 4 and 0 <= float(row["S"]) <= 2.04 for row in released)
    assert len(rows_of(tmp_path / "judgments.csv")) == 30 * 66


def test_dscs_from_import_to_dataset(outside_data, tmp_path):
    imported("dscs", "dscs", outside_data)
    # DSCS, table 5: fifty pairs, with their similarity.
    assert Item.objects.get(key="1").extra == {"similarity": "3.60"}
    call_command("simulate", "dscs", "main")
    call_command("release", "dscs", out=str(tmp_path))
    released = rows_of(tmp_path / "dscs.csv")
    assert [row["Sno"] for row in released] == [str(pair) for pair in range(1, 51)]
    assert len(rows_of(tmp_path / "judgments.csv")) == 15 * 50


def test_ruddit_from_judgments_to_its_published_scores(outside_data, tmp_path):
    judgments, published = (Path(outside_data) / "ruddit" / name for name in ("judgments.csv", "scores.csv"))
    call_command("create_project", "ruddit", preset="best_worst")
    told = StringIO()
    call_command("import_judgments", "ruddit", str(judgments), invalid="keep", stdout=told)
    assert "invalid, kept unchanged: 3455" in told.getvalue()
    write_release(project=Project.objects.get(key="ruddit"), folder=tmp_path / "out")
    released = {row["item"]: row["score"] for row in rows_of(tmp_path / "out" / "scores.csv")}
    scores = {row["comment_id"]: row["offensiveness_score"] for row in rows_of(published)}
    # Ruddit: all 6,000 scores, to three decimals, with the gold questions as they stand.
    assert {key: rounded(float(released[key]), 3) for key in scores} == {
        key: Decimal(score) for key, score in scores.items()
    }
