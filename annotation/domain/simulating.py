"""Simulated annotators: they answer through the same domain functions as people, with a moved clock."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Max

from annotation.domain import flow
from annotation.domain.errors import Refusal
from annotation.domain.judging import Answer, Timing, rate, select
from annotation.domain.pairing import Pick
from annotation.domain.participation import begin_session, consent, leave, show
from annotation.domain.recruiting import annotator_for, take_seat
from annotation.models import Assignment, DocumentKind, Participation, Project, Sentence, State
from annotation.protocols.scale import Scale
from annotation.protocols.spec import Context, SelectionDesign
from annotation.queries import free_seats, judgments_of

RATING_SECONDS, SELECTION_SECONDS = 7.0, 75.0
CONTEXT_SHIFT = 0.045  # of the scale's length: Czech News table 2 has 2.66 and 2.92 on a scale of six
FIRST_DAY = timedelta(days=60)  # before now: time enough for three rounds and their pauses
RECRUITED_WITHIN = timedelta(hours=48)


@dataclass(frozen=True)
class Behaviour:
    """How simulated people answer; amounts are shares of the scale's length, the others shares of the people."""

    noise: float = 0.08
    """Standard deviation of an answer around what the person thinks."""
    drift: float = 0.0
    """How far the answers have risen after a hundred of them."""
    careless: float = 0.0
    """People who answer anything, fast."""
    contrary: float = 0.0
    """People who take the scale the wrong way round."""
    leaving: float = 0.0
    """People who leave somewhere on the way."""

    def __post_init__(self) -> None:
        if not (0 <= self.noise <= 10 and -10 <= self.drift <= 10):
            raise Refusal("Noise has 0 to 10 times the scale's length, drift -10 to 10.")
        for name in ("careless", "contrary", "leaving"):
            if not 0 <= getattr(self, name) <= 1:
                raise Refusal(f"The share of {name} people lies between 0 and 1.")


@dataclass(frozen=True)
class Person:
    """One simulated annotator."""

    generator: np.random.Generator
    behaviour: Behaviour
    careless: bool
    contrary: bool
    leaves_after: int | None

    @classmethod
    def draw(cls, behaviour: Behaviour, generator: np.random.Generator, screens: int) -> "Person":
        careless, contrary, leaving = generator.random(3) < (
            behaviour.careless,
            behaviour.contrary,
            behaviour.leaving,
        )
        leaves_after = int(generator.integers(screens)) if leaving and screens else None
        return cls(generator, behaviour, bool(careless), bool(contrary), leaves_after)

    def answer(self, scale: Scale, truth: float, given: int) -> float:
        """The value that this person gives to a similarity between 0 and 1, after so many answers."""
        if self.careless:
            felt = self.generator.random()
        else:
            risen = self.behaviour.drift * given / 100
            felt = truth + risen + self.generator.normal(0, self.behaviour.noise)
        felt = 1 - felt if self.contrary else felt
        return scale.nearest(float(scale.minimum) + felt * float(scale.maximum - scale.minimum))

    def seconds(self, usual: float) -> float:
        """How long this person takes where others take the usual time."""
        haste = 0.1 if self.careless else 1.0
        return float(usual * haste * self.generator.lognormal(0, 0.5))


def hidden_similarity(seed: int, one: str, other: str, *, gold: bool | None = None, in_context: bool = False) -> float:
    """The similarity of two texts in the simulated world, from 0 to 1; context moves it a little upwards."""
    digest = zlib.crc32(f"{one}\n{other}".encode())
    generator = np.random.default_rng([seed, digest])
    similarity, shift = generator.random(), generator.normal(CONTEXT_SHIFT, CONTEXT_SHIFT)
    if gold is not None:
        similarity = 0.6 * gold + 0.4 * similarity
    return float(np.clip(similarity + shift * in_context, 0, 1))


def simulate_round(
    *, project: Project, round_key: str, people: int | None, behaviour: Behaviour, seed: int, now: datetime
) -> Iterator[Participation]:
    """Fills the free places of a round, and those of simulated people, and answers until they are done.

    Whoever leaves is replaced by somebody new. Yields every participation as it ends.

    Parameters: people, at most so many places (default: all); now, the real time, which the moved clock stays behind.
    """
    if seed < 0:
        raise Refusal("A seed is a whole number from 0 on.")
    if project.closed_at is not None and project.closed_at <= now:
        raise Refusal(flow.CLOSED)
    if people is None and behaviour.leaving == 1:
        raise Refusal("If everybody leaves, the round never ends; say how many people are to come.")
    start = _clock(project, now)
    for seat in _seats(project, round_key, people):
        yield simulate_person(seat, behaviour=behaviour, seed=seed, start=start)


def simulate_person(participation: Participation, *, behaviour: Behaviour, seed: int, start: datetime) -> Participation:
    """One person answers from wherever they are to the end, beginning within two days of the start."""
    generator = np.random.default_rng([seed, zlib.crc32(participation.round.encode()), participation.seat])
    person = Person.draw(behaviour, generator, participation.assignments.count())
    begins = start + RECRUITED_WITHIN * generator.random()
    with transaction.atomic():
        return _Sitting(participation, person, seed, begins).run()


def _clock(project: Project, now: datetime) -> datetime:
    """Where simulated time stands: after everything that was answered so far."""
    last = judgments_of(project).aggregate(last=Max("saved_at"))["last"]
    return max(last or now - FIRST_DAY, now - FIRST_DAY)


def _seats(project: Project, round_key: str, people: int | None) -> Iterator[Participation]:
    """One place after the other, each taken by a simulated person; refills come up as they arise."""
    places = Participation.objects.filter(project=project, round=round_key)
    simulated = places.filter(annotator__user__isnull=True, annotator__isnull=False)
    tried: list[int] = []
    while people is None or len(tried) < people:
        begun = simulated.filter(state__in=[State.INVITED, State.ACTIVE, State.RESTING]).exclude(pk__in=tried)
        place = begun.order_by("seat").first()
        if place is None and free_seats(places).exists():
            number = project.annotators.count() + 1
            annotator = annotator_for(project, external_id=f"simulated-{number}")
            place = take_seat(project=project, round_key=round_key, annotator=annotator)
        if place is None:
            return
        tried.append(place.pk)
        yield Participation.objects.select_related("project", "annotator").get(pk=place.pk)


class _Sitting:
    """One person at their screens, from wherever they are to the end."""

    def __init__(self, participation: Participation, person: Person, seed: int, now: datetime) -> None:
        self.participation, self.person, self.seed, self.now = participation, person, seed, now
        self.given = 0
        self.reports: dict[int, list[Sentence]] = {}

    def run(self) -> Participation:
        while True:
            here = flow.where_now(self.participation, self.now)
            match here:
                case flow.Consent():
                    self.participation = consent(participation_id=self.participation.pk, now=self.now)
                case flow.Rest():
                    self._rest(here)
                case flow.Screen() if self.given == self.person.leaves_after:
                    return leave(participation_id=self.participation.pk, reason="Left (simulated).", now=self.now)
                case flow.Screen():
                    self._answer(here.assignment)
                case _:
                    return self.participation

    def _rest(self, here: flow.Rest) -> None:
        """Where the pause is only recommended, most people do not wait for its end (Czech News, Fig. 4c)."""
        generator = self.person.generator
        patient = here.enforced or generator.random() < 0.3
        wait = timedelta(hours=float(generator.exponential(6)))
        self.now = max(self.now, here.until) + wait if patient else self.now + wait / 6
        self.participation = begin_session(participation_id=self.participation.pk, now=self.now)

    def _answer(self, assignment: Assignment) -> None:
        show(assignment, self.now)
        seconds = self.person.seconds(SELECTION_SECONDS if assignment.sentence else RATING_SECONDS)
        self.now += timedelta(seconds=seconds)
        milliseconds = round(seconds * 1000)
        answer = Answer(
            assignment.pk,
            UUID(bytes=self.person.generator.bytes(16)),
            Timing(milliseconds // 2, milliseconds, milliseconds, int(self.person.generator.integers(3))),
        )
        give = self._select if assignment.sentence else self._rate
        judgment = give(assignment, answer)
        self.participation = judgment.assignment.participation
        self.given += 1

    def _value(self, one: str, other: str, **hints: bool | None) -> str:
        scale = self.participation.project.protocol.scale
        truth = hidden_similarity(self.seed, one, other, **hints)
        return scale.write(self.person.answer(scale, truth, self.given))

    def _rate(self, assignment: Assignment, answer: Answer):
        item = assignment.item
        in_context = assignment.context == Context.DEPENDENT
        value = self._value(item.sentence1, item.sentence2, gold=item.gold, in_context=in_context)
        return rate(participation_id=self.participation.pk, answer=answer, value=value, now=self.now)

    def _select(self, assignment: Assignment, answer: Answer):
        """Takes the sentences whose similarity comes nearest to what each role expects."""
        design = self.participation.project.round(self.participation.round).design
        chosen = self._sentences(assignment, design)
        picks = {
            role.key: Pick(sentence.pk, self._value(assignment.sentence.text, sentence.text))
            for role, sentence in zip(design.roles, chosen, strict=True)
        }
        return select(participation_id=self.participation.pk, answer=answer, picks=picks, now=self.now)

    def _sentences(self, assignment: Assignment, design: SelectionDesign) -> Sequence[Sentence]:
        scale = self.participation.project.protocol.scale
        length = float(scale.maximum - scale.minimum)
        candidates = list(self._reports(assignment.sentence.document.incident_id))
        similarity = {one.pk: hidden_similarity(self.seed, assignment.sentence.text, one.text) for one in candidates}
        chosen = []
        for role in design.roles:
            expected = float(role.expected - scale.minimum) / length
            nearest = min(candidates, key=lambda one: abs(similarity[one.pk] - expected))
            candidates.remove(nearest)
            chosen.append(nearest)
        return chosen

    def _reports(self, incident: int) -> list[Sentence]:
        if incident not in self.reports:
            sentences = Sentence.objects.filter(document__incident=incident, document__kind=DocumentKind.REPORT)
            self.reports[incident] = list(sentences.order_by("document__position", "position"))
        return self.reports[incident]


def some_of(behaviour: Behaviour, **shares: float | None) -> Behaviour:
    """The behaviour with those shares that were given."""
    return replace(behaviour, **{name: value for name, value in shares.items() if value is not None})
