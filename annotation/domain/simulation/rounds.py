"""Simulated annotators, who answer through the same domain functions as people, with a shifted clock."""

import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

import numpy as np
from django.db import transaction
from django.db.models import Max

from annotation.domain.errors import Refusal
from annotation.domain.jobs import engine
from annotation.domain.participation import flow
from annotation.domain.participation.progress import screens_in_all
from annotation.domain.practice import answers as practice
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.domain.simulation.answers import Behaviour, Person
from annotation.domain.simulation.sitting import Sitting
from annotation.models import JobState, Participation, PracticePart, Project, State, Wave
from annotation.queries.judgments import judgments_of
from annotation.queries.people import free_seats

FIRST_DAY = timedelta(days=60)  # before now: time enough for three rounds and their pauses
RECRUITED_WITHIN = timedelta(hours=48)


def simulate_round(
    *, project: Project, round_key: str, people: int | None, behaviour: Behaviour, seed: int, now: datetime
) -> Iterator[Participation]:
    """Fill the free places of a round, continue those of simulated people, and yield each one when it ends.

    People who leave are replaced. In a round in waves, each look is made when nobody can answer any more.

    Parameters: people, the maximum number of places (default: all); now, the real time, which the shifted clock never
    passes.

    Raises:
        Refusal: the project is closed, the seed is negative, or the round would never end.
    """
    if seed < 0:
        raise Refusal("The random seed must be a whole number, 0 or greater.")
    if project.closed_at is not None and project.closed_at <= now:
        raise Refusal(flow.CLOSED)
    if people is None and behaviour.leaving == 1:
        raise Refusal("If everybody leaves, the round never ends. Set the number of people.")
    if people is None and behaviour.careless == 1 and PracticePart.CHECK in practice.tasks_before(project):
        raise Refusal("If nobody passes the check, the round never ends. Set the number of people.")
    start = _clock(project, now)
    for seat in _seats(project, round_key, people, now):
        yield simulate_person(seat, behaviour=behaviour, seed=seed, start=start)


def simulate_person(
    participation: Participation,
    *,
    behaviour: Behaviour,
    seed: int,
    start: datetime,
    within: timedelta = RECRUITED_WITHIN,
    screens: int | None = None,
    similarities: Mapping[int, float] | None = None,
) -> Participation:
    """Answer as one person from their present screen to the end.

    Parameters: within, the time after the start in which the person begins; screens, the number of answers after which
    the person stops for now, in progress or at rest (default: all); similarities, from 0 to 1, of items by their ids
    (default: drawn from the texts).
    """
    generator = np.random.default_rng([seed, zlib.crc32(participation.round.encode()), participation.seat])
    person = Person.draw(behaviour, generator, screens_in_all(participation) or 0)
    begins = start + within * generator.random()
    with transaction.atomic():
        return Sitting(participation, person, seed, begins, screens, similarities or {}).run()


def _clock(project: Project, now: datetime) -> datetime:
    """Return the start of simulated time: after the last judgment of the project."""
    last = judgments_of(project).aggregate(last=Max("saved_at"))["last"]
    return max(last or now - FIRST_DAY, now - FIRST_DAY)


def _seats(project: Project, round_key: str, people: int | None, now: datetime) -> Iterator[Participation]:
    """Yield one place after the other, each taken by a simulated person; refills follow as they are made."""
    places = Participation.objects.filter(project=project, round=round_key)
    simulated = places.filter(annotator__user__isnull=True, annotator__isnull=False)
    tried: list[int] = []
    taken = 0
    while people is None or taken < people:
        begun = simulated.filter(state__in=[State.INVITED, State.ACTIVE, State.RESTING]).exclude(pk__in=tried)
        place = begun.order_by("seat").first()
        if place is None and free_seats(places).exists():
            number = project.annotators.count() + 1
            annotator = annotator_for(project, external_id=f"simulated-{number}")
            place = take_seat(project=project, round_key=round_key, annotator=annotator)
        if place is None and _look(project, round_key, now):
            tried.clear()  # who waited for the next wave goes on
            continue
        if place is None:
            return
        tried.append(place.pk)
        taken += 1
        yield Participation.objects.select_related("project", "annotator").get(pk=place.pk)


def _look(project: Project, round_key: str, now: datetime) -> bool:
    """Look at the round if it is in a wave that has been answered; return whether another wave follows."""
    waves = Wave.objects.filter(project=project, round=round_key, state=JobState.WAITING)
    return any(engine.run("wave", wave.pk, now) is not None for wave in waves) and waves.all().exists()
