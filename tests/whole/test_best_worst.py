"""SemRel and GiCCS from the plan to the dataset, by the management commands (SemRel2024 3.2; GiCCS)."""

import csv
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from scipy.stats import spearmanr

from annotation.domain.simulation.answers import hidden_similarity
from annotation.models import Assignment, Item, Judgment, Project, TuplePlace
from tests.factories import add_dialogues, add_pairs, make_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SEED = 5


def collect(project: Project, folder: Path) -> None:
    call_command("plan", project.key, "main")
    call_command("simulate", project.key, "main", seed=SEED)
    call_command("release", project.key, out=str(folder))


def records(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def scores(folder: Path) -> dict[str, float]:
    return {row["item"]: float(row["score"]) for row in records(folder / "scores.csv")}


def truths(project: Project) -> dict[str, float]:
    rows = project.items.values_list("key", "sentence1", "sentence2")
    return {key: hidden_similarity(SEED, one, other) for key, one, other in rows}


def likeness(one: dict[str, float], other: dict[str, float], keys: list[str]) -> float:
    """Spearman's correlation over these items."""
    return float(spearmanr([one[key] for key in keys], [other[key] for key in keys]).statistic)


def answers_of_tuples() -> Counter[int]:
    """How many answers each tuple has, after seeing that all are of different people."""
    rows = list(Judgment.objects.values_list("assignment__tuple", "assignment__participation__annotator"))
    assert len(set(rows)) == len(rows)
    return Counter(judged for judged, _ in rows)


def test_semrel_recovers_the_hidden_order(tmp_path, paper_size):
    number = 300 if paper_size else 40
    project = make_project("semrel")
    pairs = [item.key for item in add_pairs(project, number)]

    collect(project, tmp_path)

    assert Counter(answers_of_tuples().values()) == {4: 2 * number}
    found, hidden = scores(tmp_path), truths(project)
    assert likeness(found, hidden, pairs) > 0.9
    split = {
        row["PairID"]: float(row["Score"])
        for part in ("train", "dev", "test")
        for row in records(tmp_path / f"{part}.csv")
    }
    assert split.keys() == set(pairs)
    assert all(abs(split[key] - (found[key] + 1) / 2) <= 0.006 for key in pairs)


@pytest.mark.thorough
def test_giccs_compares_every_three_utterances_of_a_dialogue_five_times(tmp_path, paper_size):
    number = 60 if paper_size else 15
    project = make_project("giccs")
    add_dialogues(project, number)

    collect(project, tmp_path)

    answers = answers_of_tuples()
    assert (len(answers), Counter(answers.values())) == (10 * number, {5: 10 * number})
    assert Assignment.objects.filter(answered_at=None, lapsed_at=None).count() == 0
    members = defaultdict(set)
    for shown, item in TuplePlace.objects.values_list("tuple", "item"):
        members[shown].add(item)
    dialogues = defaultdict(list)
    for item, group in Item.objects.order_by("pk").values_list("pk", "group"):
        dialogues[group].append(item)
    wanted = Counter(trio for items in dialogues.values() for trio in combinations(items, 3))
    assert Counter(tuple(sorted(trio)) for trio in members.values()) == wanted

    found, hidden = scores(tmp_path), truths(project)
    own = [[f"d{dialogue}/u{place}" for place in range(1, 6)] for dialogue in range(1, number + 1)]
    assert np.mean([likeness(found, hidden, keys) for keys in own]) > 0.9
    assert Counter(row["dialogue"] for row in records(tmp_path / "giccs.csv")) == {
        f"d{n}": 5 for n in range(1, number + 1)
    }
    assert len(records(tmp_path / "tuples.csv")) == len(records(tmp_path / "judgments.csv")) == 50 * number
