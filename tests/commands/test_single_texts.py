"""A collection of single texts from an empty database to its dataset, by commands alone."""

import csv
import json
import re
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Project

pytestmark = pytest.mark.django_db
TEXTS = Path(__file__).resolve().parents[2] / "annotation" / "presets" / "best_worst" / "demo" / "verdicts.csv"
QUESTION = "Which verdict is the most positive, and which is the least positive?"


def said(*arguments, **options):
    out = StringIO()
    call_command(*arguments, **options, stdout=out)
    return out.getvalue()


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_from_nothing_to_the_dataset(tmp_path):
    words = ("--set", f"question={QUESTION}", "--set=best=most positive", "--set=main.worst=least positive")
    said("create_project", "verdicts", "--preset=best_worst", "--set=people=3", *words)
    assert said("import_items", "verdicts", str(TEXTS)) == "texts: 24\n"
    assert "tuples: 48" in said("plan", "verdicts", "main", people=3)
    assert "finished: 3" in said("simulate", "verdicts", "main")
    results = json.loads(said("score", "verdicts", splits=20))
    said("release", "verdicts", out=str(tmp_path), split="train=0.5,dev=0.25,test=0.25")

    project = Project.objects.get()
    assert (project.protocol.question, project.round("main").design.best) == (QUESTION, "most positive")
    assert "overlap" not in results["texts"] and "overlap" not in results["corpus"]["balance"]
    texts = {row["id"]: row for row in rows_of(TEXTS)}
    items = rows_of(tmp_path / "items.csv")
    assert list(items[0]) == ["item", "text", "language", "source", "kind"]
    assert [(row["item"], row["text"], row["kind"]) for row in items] == [
        (key, row["text"], row["kind"]) for key, row in texts.items()
    ]
    scores = {row["item"]: row for row in rows_of(tmp_path / "scores.csv")}
    parts = [rows_of(tmp_path / f"{part}.csv") for part in ("train", "dev", "test")]
    assert [len(part) for part in parts] == [12, 6, 6]
    for row in (row for part in parts for row in part):
        own = scores[row["id"]]
        unit = Fraction(int(own["best"]) - int(own["worst"]) + int(own["appearances"]), 2 * int(own["appearances"]))
        assert row["text"] == texts[row["id"]]["text"]
        assert row["score"] == str(float(unit))
    choices = rows_of(tmp_path / "tuples.csv")
    assert len(choices) == 48 * 3
    assert list(choices[0])[:7] == ["tuple", "item1", "item2", "item3", "item4", "best", "worst"]
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "Human judgments of single texts" in card and "similar" not in card
    assert "24 texts" in card and re.search(r"\bpairs?\b", card) is None


def test_an_unknown_word_is_no_number_either():
    with pytest.raises(CommandError, match="This protocol has no setting “middle”"):
        said("create_project", "verdicts", "--preset=best_worst", "--set=middle=so so")
