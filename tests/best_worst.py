"""Best-worst rounds of people with an account, and the fields that their browsers send."""

from dataclasses import asdict
from uuid import uuid4

import numpy as np

from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Group, Item, Participation, User
from annotation.planning.tuples import certificate
from tests.factories import add_pairs, join, make_project


def tuple_round(
    user: User, *, pairs: int = 12, key: str = "project", places: int | None = None, **changes: str
) -> Participation:
    """A planned semrel project with the person at the first tuple; an open round without limit by default."""
    project = make_project("semrel", key, **{"tuples_a_person": "0"} | changes)
    add_pairs(project, pairs)
    plan_round(project=project, round_key="main", people=places)
    return join(project, "main", user)


def dialogue_round(user: User, *, language: str = "en", **changes: str) -> Participation:
    """A planned giccs project of one dialogue: ten tuples of its five utterances."""
    project = make_project("giccs", **changes)
    turns = [{"speaker": "Ann", "text": "Where were you?"}, {"speaker": "Ben", "text": "At the dentist."}]
    group = Group.objects.create(project=project, key="d1", position=1, language=language, turns=turns)
    Item.objects.bulk_create(
        Item(
            project=project,
            group=group,
            key=f"d1/u{number}",
            position=number,
            sentence1=turns[-1]["text"],
            sentence2=f"Utterance number {number}.",
        )
        for number in range(1, 6)
    )
    plan_round(project=project, round_key="main")
    return join(project, "main", user)


def items_shown(assignment: Assignment) -> list[int]:
    """The items of a tuple as the person sees them."""
    places = dict(assignment.tuple.places.values_list("position", "item"))
    return [places[int(digit)] for digit in assignment.order]


def choice(assignment: Assignment, **fields: object) -> dict[str, object]:
    """What a browser sends: the first card as best, the last as worst."""
    best, *_, worst = items_shown(assignment)
    return {"assignment": assignment.pk, "key": str(uuid4()), "best": best, "worst": worst, **fields}


def small_certificate() -> dict:
    """The stored certificate of two tuples of the same four items."""
    return asdict(certificate(np.array([[0, 1, 2, 3], [3, 2, 1, 0]]), items=4, seed=0))
