"""`python -m benchmarks.largeprojects KIND JUDGMENTS`: a project “large”, written straight into the database."""

import os
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from uuid import UUID

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django.setup()

from annotation.domain.projects import create_project  # noqa: E402
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
from benchmarks.worlds import JUDGMENTS, simulated_choices  # noqa: E402

BEGUN = datetime(2026, 3, 1, 8, tzinfo=UTC)
PACE = timedelta(seconds=20)
BATCH = 5_000
RATERS = 250  # each rates every pair
LENT = 800  # tuples a person, about
Screen = tuple[int, dict[str, Any], dict[str, Any]]
"""Whose it is, what it shows, and what was answered."""


def build_choices(judgments: int) -> None:
    """Twice as many 4-tuples as pairs, four judgments each (SemRel2024 3.2)."""
    made = simulated_choices(judgments // (2 * JUDGMENTS) // 4 * 4)
    project = create_project(key="large", preset_key="semrel")
    items, people = add_items(project, made.number), add_people(project, max(judgments // LENT, JUDGMENTS))
    decks = made.items[::JUDGMENTS].tolist()
    designed = (
        Tuple(project=project, round="main", position=at, planned=4, given=4) for at in range(1, len(decks) + 1)
    )
    tuples = store(Tuple, designed)
    places = (
        (own, at, items[item]) for own, deck in zip(tuples, decks, strict=True) for at, item in enumerate(deck, 1)
    )
    store(TuplePlace, (TuplePlace(tuple_id=own, position=at, item_id=item) for own, at, item in places))
    rows = enumerate(zip(made.tuples.tolist(), made.best.tolist(), made.worst.tolist(), strict=True))
    answer(
        (
            people[number % len(people)],
            {"tuple_id": tuples[own], "order": "1234", "position": number // len(people) + 1},
            {"best_id": items[best], "worst_id": items[worst]},
        )
        for number, (own, best, worst) in rows
    )


def build_ratings(judgments: int) -> None:
    """Every person rates every pair, from 0.0 to 4.0 (STSS-131)."""
    project = create_project(key="large", preset_key="stss131")
    items, people = add_items(project, judgments // RATERS), add_people(project, RATERS)
    values = np.random.default_rng(0).integers(0, 41, (len(people), len(items))) / 10
    answer(
        (person, {"item_id": item, "position": at}, {"value": value})
        for person, row in zip(people, values.tolist(), strict=True)
        for at, (item, value) in enumerate(zip(items, row, strict=True), 1)
    )


def add_items(project: Project, number: int) -> list[int]:
    one, other = (
        "The first sentence of pair {}, about this and that.",
        "And the second of pair {}, not too far from it.",
    )
    return store(
        Item,
        (
            Item(project=project, key=f"p{at}", position=at, sentence1=one.format(at), sentence2=other.format(at))
            for at in range(1, number + 1)
        ),
    )


def add_people(project: Project, number: int) -> list[int]:
    seats = range(1, number + 1)
    people = store(Annotator, (Annotator(project=project, external_id=f"{at}", pseudonym=f"a{at:06}") for at in seats))
    done = {"state": "finished", "consented_at": BEGUN, "finished_at": BEGUN}
    return store(
        Participation,
        (
            Participation(project=project, round="main", seat=seat, annotator_id=person, **done)
            for seat, person in zip(seats, people, strict=True)
        ),
    )


def answer(screens: Iterator[Screen]) -> None:
    number = 0
    while rows := list(islice(screens, BATCH)):
        shown = store(Assignment, (assignment(person, **what) for person, what, _ in rows))
        store(
            Judgment,
            (
                Judgment(
                    assignment_id=own,
                    key=UUID(int=number + at),
                    saved_at=BEGUN + PACE * (what["position"] + 1),
                    answered_ms=9_000,
                    active_ms=8_000,
                    touched_ms=4_000,
                    adjustments=1,
                    **given,
                )
                for at, (own, (_, what, given)) in enumerate(zip(shown, rows, strict=True))
            ),
        )
        number += len(rows)


def assignment(person: int, *, position: int, **what: Any) -> Assignment:
    times = {"shown_at": BEGUN + PACE * position, "answered_at": BEGUN + PACE * (position + 1)}
    own = {"participation_id": person, "session": 1, "context": "free", "block": "main", "position": position}
    return Assignment(**own, **times, **what)


def store(model: type[Any], rows: Iterable[Any]) -> list[int]:
    """Their ids."""
    ids: list[int] = []
    stream = iter(rows)
    while batch := list(islice(stream, BATCH)):
        ids += [one.pk for one in model.objects.bulk_create(batch)]
    return ids


KINDS = {"choices": build_choices, "ratings": build_ratings}

if __name__ == "__main__":
    KINDS[sys.argv[1]](int(sys.argv[2]))
