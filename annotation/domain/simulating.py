"""Simulated annotators: they answer through the same domain functions as people, with a moved clock."""

import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Max

from annotation.domain import flow, practising
from annotation.domain.asking import tell
from annotation.domain.errors import Refusal
from annotation.domain.judging import Answer, Timing, choose, rate, select
from annotation.domain.leasing import next_place, stop
from annotation.domain.pairing import Pick
from annotation.domain.participation import begin_session, consent, leave, show
from annotation.domain.practice_stages import CheckAhead, Feedback, Try, stage_of
from annotation.domain.recruiting import annotator_for, take_seat
from annotation.domain.simulated import Behaviour, Person, hidden_similarity
from annotation.models import (
    Assignment,
    DocumentKind,
    Participation,
    PracticePart,
    PracticeTask,
    Project,
    Sentence,
    State,
)
from annotation.planning.costs import CHOICE_SECONDS, RATING_SECONDS, SELECTION_SECONDS
from annotation.protocols.spec import BlockKind, Context, SelectionDesign
from annotation.queries import free_seats, judgments_of

FIRST_DAY = timedelta(days=60)  # before now: time enough for three rounds and their pauses
RECRUITED_WITHIN = timedelta(hours=48)


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
    if people is None and behaviour.careless == 1 and PracticePart.CHECK in practising.tasks_before(project):
        raise Refusal("If nobody passes the check, the round never ends; say how many people are to come.")
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
            here = next_place(self.participation, self.now)
            match here:
                case flow.Consent():
                    self.participation = consent(participation_id=self.participation.pk, now=self.now)
                case flow.AboutYou():
                    self.participation = tell(participation_id=self.participation.pk, answers={}, now=self.now)
                case flow.Practice():
                    self._practise()
                case flow.Rest():
                    self._rest(here)
                case flow.Screen() if self.given == self.person.leaves_after:
                    return leave(participation_id=self.participation.pk, reason="Left (simulated).", now=self.now)
                case flow.Screen():
                    self._answer(here.assignment)
                case flow.Idle() if self.given:
                    return stop(participation_id=self.participation.pk, now=self.now)
                case _:
                    self.participation.refresh_from_db()  # an open round is ended by the pool
                    return self.participation

    def _practise(self) -> None:
        """One step: an answer, right unless the person is careless, or on from a solution."""
        stage, person = stage_of(self.participation), self.participation.pk
        present = stage.first if isinstance(stage, CheckAhead) else stage
        if isinstance(present, Try):
            self.now += timedelta(seconds=self.person.seconds(CHOICE_SECONDS))
            best, worst = self._solution(present.task)
            turn = {"task_id": present.task.pk, "attempt": present.attempt}
            practising.answer(participation_id=person, **turn, best=best, worst=worst, now=self.now)
        else:
            read = stage.answer.task_id if isinstance(stage, Feedback) else None
            practising.go_on(participation_id=person, task_id=read, now=self.now)
        self.participation.refresh_from_db()

    def _solution(self, task: PracticeTask) -> tuple[int, int]:
        if not self.person.careless:
            return task.best, task.worst
        best, worst = self.person.generator.permutation(len(task.texts))[:2] + 1
        return int(best), int(worst)

    def _rest(self, here: flow.Rest) -> None:
        """Where the pause is only recommended, most people do not wait for its end (Czech News, Fig. 4c)."""
        generator = self.person.generator
        patient = here.enforced or generator.random() < 0.3
        wait = timedelta(hours=float(generator.exponential(6)))
        self.now = max(self.now, here.until) + wait if patient else self.now + wait / 6
        self.participation = begin_session(participation_id=self.participation.pk, now=self.now)

    def _answer(self, assignment: Assignment) -> None:
        show(assignment, self.now)
        seconds = self.person.seconds(self._usual_seconds(assignment))
        self.now += timedelta(seconds=seconds)
        milliseconds = round(seconds * 1000)
        answer = Answer(
            assignment.pk,
            UUID(bytes=self.person.generator.bytes(16)),
            Timing(milliseconds // 2, milliseconds, milliseconds, int(self.person.generator.integers(3))),
        )
        give = self._choose if assignment.tuple else self._select if assignment.sentence else self._rate
        judgment = give(assignment, answer)
        self.participation = judgment.assignment.participation
        self.given += 1

    def _usual_seconds(self, assignment: Assignment) -> float:
        if assignment.sentence:
            return SELECTION_SECONDS
        return CHOICE_SECONDS if assignment.tuple else RATING_SECONDS

    def _value(self, one: str, other: str, *, block: str = BlockKind.MAIN, **hints: bool | None) -> str:
        scale = self.participation.project.protocol.scale
        truth = hidden_similarity(self.seed, one, other, **hints)
        return scale.write(self.person.answer(scale, truth, self.given, block))

    def _rate(self, assignment: Assignment, answer: Answer):
        item = assignment.item
        in_context = assignment.context == Context.DEPENDENT
        hints = {"gold": item.gold, "in_context": in_context}
        value = self._value(item.sentence1, item.sentence2, block=assignment.block, **hints)
        return rate(participation_id=self.participation.pk, answer=answer, value=value, now=self.now)

    def _choose(self, assignment: Assignment, answer: Answer):
        """Best and worst are what this person feels to be the most and the least similar of the tuple."""
        items = [place.item for place in assignment.tuple.places.select_related("item")]
        if self.person.straight:
            first, *_, last = (items[int(digit) - 1] for digit in assignment.order)
            best, worst = first.pk, last.pk
        else:
            truths = [hidden_similarity(self.seed, one.sentence1, one.sentence2, gold=one.gold) for one in items]
            felt = [self.person.feels(truth, self.given) for truth in truths]
            best, worst = items[int(np.argmax(felt))].pk, items[int(np.argmin(felt))].pk
        return choose(participation_id=self.participation.pk, answer=answer, best=best, worst=worst, now=self.now)

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
