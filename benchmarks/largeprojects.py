"""`python -m benchmarks.largeprojects KIND JUDGMENTS`: a project “large”, written straight into the database."""

import os
import sys
from datetime import UTC, datetime
from typing import Any

import django
import numpy as np
from numpy.typing import NDArray

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django.setup()

from annotation.domain.project.creation import create_project, preset_values  # noqa: E402
from annotation.models import (  # noqa: E402
    Annotator,
    Assignment,
    Item,
    Judgment,
    Participation,
    Project,
    Tuple,
    TuplePlace,
)
from benchmarks.bulk import Ids, insert  # noqa: E402
from benchmarks.worlds import JUDGMENTS, SIZE, simulated_choices  # noqa: E402

BEGUN = datetime(2026, 3, 1, 8, tzinfo=UTC)
PACE = 20  # seconds
RATERS = 250  # each rates every pair
LENT = 800  # tuples a person, about


def build_choices(judgments: int) -> None:
    """Twice as many 4-tuples as pairs, four judgments each (SemRel2024 3.2)."""
    made = simulated_choices(judgments // (2 * JUDGMENTS) // 4 * 4)
    project = create_project(key="large", now=BEGUN, **preset_values("semrel"))
    items, people = add_items(project, made.number), add_people(project, max(judgments // LENT, JUDGMENTS))
    decks = made.items[::JUDGMENTS]
    order = np.arange(1, len(decks) + 1)
    own = {"project_id": project.pk, "round": "main", "planned": JUDGMENTS, "given": JUDGMENTS}
    tuples = insert(Tuple, len(decks), position=order, **own)
    places = np.tile(np.arange(1, SIZE + 1), len(decks))
    insert(TuplePlace, decks.size, tuple_id=np.repeat(tuples, SIZE), position=places, item_id=items[decks].ravel())
    turn = np.arange(made.judgments)
    shown = {"tuple_id": tuples[made.tuples], "order": "1234"}
    chosen = {"best_id": items[made.best], "worst_id": items[made.worst]}
    answer(people[turn % len(people)], turn // len(people) + 1, shown, chosen)


def build_ratings(judgments: int) -> None:
    """Every person rates every pair, from 0.0 to 4.0 (STSS-131)."""
    project = create_project(key="large", now=BEGUN, **preset_values("stss131"))
    items, people = add_items(project, judgments // RATERS), add_people(project, RATERS)
    values = np.random.default_rng(0).integers(0, 41, len(people) * len(items)) / 10
    order = np.tile(np.arange(1, len(items) + 1), len(people))
    answer(np.repeat(people, len(items)), order, {"item_id": np.tile(items, len(people))}, {"value": values})


def add_items(project: Project, number: int) -> Ids:
    order = np.arange(1, number + 1)
    texts = {
        "key": [f"p{at}" for at in order],
        "sentence1": [f"The first sentence of pair {at}, about this and that." for at in order],
        "sentence2": [f"And the second of pair {at}, not too far from it." for at in order],
    }
    return insert(Item, number, project_id=project.pk, position=order, **texts)


def add_people(project: Project, number: int) -> Ids:
    seats = np.arange(1, number + 1)
    names = {"external_id": [f"{at}" for at in seats], "pseudonym": [f"a{at:06}" for at in seats]}
    people = insert(Annotator, number, project_id=project.pk, **names)
    begun = np.datetime64(BEGUN.replace(tzinfo=None), "s")
    done = {"state": "finished", "consented_at": np.repeat(begun, number), "finished_at": np.repeat(begun, number)}
    return insert(Participation, number, project_id=project.pk, round="main", seat=seats, annotator_id=people, **done)


def answer(people: Ids, positions: NDArray[np.int64], shown: dict[str, Any], given: dict[str, Any]) -> None:
    """Write the screens and their answers; arrays have an entry for each."""
    number = len(people)
    begun = np.datetime64(BEGUN.replace(tzinfo=None), "s")
    times = begun + PACE * positions, begun + PACE * (positions + 1)
    own = {"session": 1, "context": "free", "block": "main", "shown_at": times[0], "answered_at": times[1]}
    screens = insert(Assignment, number, participation_id=people, position=positions, **own, **shown)
    measured = {"answered_ms": 9_000, "active_ms": 8_000, "touched_ms": 4_000, "adjustments": 1}
    keys = [f"{at:032x}" for at in range(number)]
    insert(Judgment, number, assignment_id=screens, key=keys, saved_at=times[1], **measured, **given)


KINDS = {"choices": build_choices, "ratings": build_ratings}

if __name__ == "__main__":
    KINDS[sys.argv[1]](int(sys.argv[2]))
