"""However people come, leave, are excluded and come back: what is planned is asked for as often as planned.

Never more; what is asked for once more counts as planned, and what is withdrawn is asked for no more.
"""

from collections import Counter

import numpy as np
import pytest

from annotation.domain.errors import Refusal
from annotation.domain.judgment.extra_judgments import ask_for_more, withdraw_items
from annotation.domain.participation.flow import Rest, Screen, where_now
from annotation.domain.participation.lifecycle import begin_session, consent, exclude, leave, reassign
from annotation.domain.participation.reinstatement import restore
from annotation.domain.planning.rounds import plan_round
from annotation.models import Participation, Project, State
from tests.factories import (
    NOON,
    add_incidents,
    add_pairs,
    do_round,
    make_project,
    news_project,
    rate_next,
    reread,
    seat_outsider,
    select_next,
)
from tests.state_machine.recounts import wanted_screens

pytestmark = pytest.mark.postgres
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (2, 3))]


def something_happens(project: Project, round_key: str, generator: np.random.Generator, number: int) -> None:
    """Somebody comes, answers a little, leaves or is excluded, or a place's refill does."""
    free = project.participations.filter(round=round_key, annotator=None, state=State.INVITED)
    places = project.participations.filter(round=round_key, annotator__isnull=False).order_by("seat")
    if free.exists() and (not places or generator.random() < 0.4):
        place = seat_outsider(project, round_key, f"new-{number}")
        consent(participation_id=place.pk, now=NOON)
        answer_some(place, int(generator.integers(12)))
        return
    place = places[int(generator.integers(len(places)))]
    try:
        what = generator.random()
        if what < 0.3:
            leave(participation_id=place.pk, reason="", now=NOON)
        elif what < 0.4:
            reassign(participation_id=place.pk, reason="Idle.", actor=None, now=NOON)
        elif what < 0.7:
            exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON)
        else:
            ended = places.filter(refill__annotator=None).exclude(refill=None)
            place = ended[int(generator.integers(ended.count()))] if ended else place
            restore(participation_id=place.pk, reason="A mistake.", actor=None, now=NOON)
    except Refusal:
        answer_some(place, 1)


def answer_some(place: Participation, number: int) -> None:
    now = NOON
    for _ in range(number):
        here = where_now(reread(place), now)
        if isinstance(here, Rest):
            now = here.until
            begin_session(participation_id=place.pk, now=now)
        elif isinstance(here, Screen):
            give = select_next if here.assignment.sentence else rate_next
            give(place, now=now)


def complete() -> tuple[Project, str]:
    project = make_project("dscs")
    add_pairs(project, 4, calibration=1)
    plan_round(project=project, round_key="main", people=3)
    return project, "main"


def selection() -> tuple[Project, str]:
    project = make_project("czech_news", R1__incidents="2")
    add_incidents(project, 4, summary=2)
    plan_round(project=project, round_key="R1")
    return project, "R1"


def sequences() -> tuple[Project, str]:
    project = news_project(people=1)
    plan_round(project=project, round_key="R2")
    return project, "R2"


def stacks() -> tuple[Project, str]:
    project = news_project(people=2, incidents=3, R2__tuples="4", R3__annotators="1", R3__tuples="4", R3__intra="1")
    do_round(project, "R2")
    plan_round(project=project, round_key="R3")
    return project, "R3"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("world", [complete, selection, sequences, stacks])
def test_no_overshoot_whatever_happens(db, world, seed):
    project, round_key = world()
    planned, generator = wanted_screens(project, round_key), np.random.default_rng(seed)

    for number in range(30):
        something_happens(project, round_key, generator, number)
        assert wanted_screens(project, round_key) == planned

    refills = project.participations.filter(replaces__isnull=False)
    assert refills.filter(replaces__replaces__isnull=False).exists()
    assert not refills.filter(assignments__block="intra").exists()


@pytest.mark.parametrize("seed", SEEDS[:2])
@pytest.mark.parametrize("world", [complete, sequences, stacks])
def test_no_overshoot_when_items_are_asked_for_again_or_withdrawn(db, world, seed):
    project, round_key = world()
    planned, generator = wanted_screens(project, round_key), np.random.default_rng(seed)
    items = sorted({item for _, item in planned})
    given = {"reason": "Why not.", "actor": None, "now": NOON}

    for number in range(20):
        something_happens(project, round_key, generator, number)
        if number % 5 == 4:
            chosen = items[int(generator.integers(len(items)))]
            key = project.items.get(pk=chosen).key
            if generator.random() < 0.5:
                before = wanted_screens(project, round_key)
                ask_for_more(project=project, round_key=round_key, keys=[key], further=1, **given)
                planned = wanted_screens(project, round_key)
                for (session, item), wanted in planned.items():
                    had = before[session, item]
                    assert wanted == had + (item == chosen) or (item == chosen and had == 0)
            elif project.items.get(pk=chosen).withdrawn_at is None:
                withdraw_items(project=project, keys=[key], **given)
                planned = Counter({screen: wanted for screen, wanted in planned.items() if screen[1] != chosen})
        assert wanted_screens(project, round_key) == planned
