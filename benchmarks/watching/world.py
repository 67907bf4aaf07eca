"""A project in the middle of the work: its items, people and answers, a scoring run and a release."""

from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.domain.jobs.engine import run
from annotation.domain.project.creation import create_project, preset_values
from annotation.models import Participation, Project, Tuple, TuplePlace
from benchmarks.bulk import Ids, insert
from benchmarks.largeprojects import BEGUN, add_items, add_people, answer
from scoring.models import ProjectStatistics

PRESETS = {"ratings": "stss131", "choices": "semrel"}
SHARED = 10
"""One in so many of a person's ratings is of an item that everybody rates."""
SIZE, ANSWERS = 4, 4
"""Items of a tuple, and answers to it."""
SPLITS = "50"


def make_project(kind: str, key: str, *, people: int, items: int, **_: Any) -> Project:
    """Return a project with as many answers as items, whose statistics, run and release are computed."""
    project = create_project(key=key, now=BEGUN, **preset_values(PRESETS[kind]))
    Project.objects.filter(pk=project.pk).update(draft=False, launched_at=BEGUN)
    item_ids, seats = add_items(project, items), add_people(project, people)
    FILLERS[kind](project, item_ids, seats)
    Participation.objects.filter(pk__in=seats[::3].tolist()).update(state="active", finished_at=None)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    compute(project)
    return project


def rate(project: Project, items: Ids, people: Ids) -> None:
    """Let everybody rate the first items, and the others be rated once each."""
    each = len(items) // len(people)
    shared = max(each // SHARED, 2)
    own = items[shared:][: (each - shared) * len(people)].reshape(len(people), each - shared)
    shown = np.hstack([np.tile(items[:shared], (len(people), 1)), own])
    values = np.random.default_rng(0).integers(0, 41, shown.size) / 10
    order = np.tile(np.arange(1, each + 1), len(people))
    answer(np.repeat(people, each), order, {"item_id": shown.ravel()}, {"value": values})


def choose(project: Project, items: Ids, people: Ids) -> None:
    """Let four people choose from each tuple; an item is in one tuple."""
    decks = items.reshape(-1, SIZE)
    given = {"planned": ANSWERS, "given": ANSWERS, "project_id": project.pk, "round": "main"}
    tuples = insert(Tuple, len(decks), position=np.arange(1, len(decks) + 1), **given)
    places = np.tile(np.arange(1, SIZE + 1), len(decks))
    insert(TuplePlace, decks.size, tuple_id=np.repeat(tuples, SIZE), position=places, item_id=decks.ravel())
    best = np.random.default_rng(0).integers(0, SIZE, decks.shape[0] * ANSWERS)
    rows, turn = np.repeat(np.arange(len(decks)), ANSWERS), np.arange(len(best))
    chosen = {"best_id": decks[rows, best], "worst_id": decks[rows, (best + 1) % SIZE]}
    shown = {"tuple_id": np.repeat(tuples, ANSWERS), "order": "1234"}
    answer(people[turn % len(people)], turn // len(people) + 1, shown, chosen)


FILLERS = {"ratings": rate, "choices": choose}


def compute(project: Project) -> None:
    """Compute the statistics of the monitoring pages, a scoring run and a release."""
    row = ProjectStatistics.objects.create(project=project)
    run("statistics", row.pk, timezone.now())
    with TemporaryDirectory() as folder, open(f"{folder}/printed", "w") as printed:
        call_command("score", project.key, splits=int(SPLITS), stdout=printed)
        call_command("release", project.key, out=f"{folder}/release", stdout=printed)
