"""One simulated person at their screens."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from annotation.domain.judgment.answers import Answer, Timing
from annotation.domain.judgment.saving import choose, rate, select
from annotation.domain.judgment.selected_pairs import Pick
from annotation.domain.participation import flow
from annotation.domain.participation.leasing import next_place, stop
from annotation.domain.participation.lifecycle import begin_session, consent, leave, show
from annotation.domain.practice import answers as practice
from annotation.domain.practice.stages import CheckAhead, Feedback, Try, stage_of
from annotation.domain.project.questionnaire import save_answers
from annotation.domain.simulation.answers import Person, hidden_similarity
from annotation.models import Assignment, Item, Participation, PracticeTask
from annotation.models.items import DocumentKind, Sentence
from annotation.planning.costs import CHOICE_SECONDS, RATING_SECONDS, SELECTION_SECONDS
from annotation.protocols.designs.news import SelectionDesign
from annotation.protocols.terms import BlockKind, Context


class Sitting:
    """One person at their screens, from the present screen to the last one, or for a given number of screens."""

    def __init__(
        self,
        participation: Participation,
        person: Person,
        seed: int,
        now: datetime,
        screens: int | None,
        similarities: Mapping[int, float],
    ) -> None:
        self.participation, self.person, self.seed, self.now = participation, person, seed, now
        self.answered, self.last, self.similarities = 0, screens, similarities
        self.reports: dict[int, list[Sentence]] = {}

    def run(self) -> Participation:
        while True:
            place = next_place(self.participation, self.now)
            match place:
                case flow.Consent():
                    self.participation = consent(participation_id=self.participation.pk, now=self.now)
                case flow.AboutYou():
                    self.participation = save_answers(participation_id=self.participation.pk, answers={}, now=self.now)
                case flow.Practice():
                    self._practise()
                case flow.Rest() | flow.Screen() if self.answered == self.last:
                    return self.participation
                case flow.Rest():
                    self._rest(place)
                case flow.Screen() if self.answered == self.person.leaves_after:
                    return leave(participation_id=self.participation.pk, reason="Left (simulated).", now=self.now)
                case flow.Screen():
                    self._answer(place.assignment)
                case flow.Idle() if self.answered:
                    return stop(participation_id=self.participation.pk, now=self.now)
                case _:
                    self.participation.refresh_from_db()  # an open round is ended by the pool
                    return self.participation

    def _practise(self) -> None:
        """Answer a task, correctly unless the person is careless, or continue from a solution."""
        stage, person = stage_of(self.participation), self.participation.pk
        present = stage.first if isinstance(stage, CheckAhead) else stage
        if isinstance(present, Try):
            self.now += timedelta(seconds=self.person.seconds(CHOICE_SECONDS))
            best, worst = self._solution(present.task)
            turn = {"task_id": present.task.pk, "attempt": present.attempt}
            practice.answer(participation_id=person, **turn, best=best, worst=worst, now=self.now)
        else:
            read = stage.answer.task_id if isinstance(stage, Feedback) else None
            practice.go_on(participation_id=person, task_id=read, now=self.now)
        self.participation.refresh_from_db()

    def _solution(self, task: PracticeTask) -> tuple[int, int]:
        if not self.person.careless:
            return task.best, task.worst
        best, worst = self.person.generator.permutation(len(task.texts))[:2] + 1
        return int(best), int(worst)

    def _rest(self, rest: flow.Rest) -> None:
        """Wait for the pause; if it is only recommended, most people do not wait for its end (Czech News, Fig. 4c)."""
        generator = self.person.generator
        patient = rest.enforced or generator.random() < 0.3
        wait = timedelta(hours=float(generator.exponential(6)))
        self.now = max(self.now, rest.until) + wait if patient else self.now + wait / 6
        self.participation = begin_session(participation_id=self.participation.pk, now=self.now)

    def _answer(self, assignment: Assignment) -> None:
        show(assignment, self.now, counted=False)
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
        self.answered += 1

    def _usual_seconds(self, assignment: Assignment) -> float:
        if assignment.sentence:
            return SELECTION_SECONDS
        return CHOICE_SECONDS if assignment.tuple else RATING_SECONDS

    def _value(self, left: str, right: str, *, block: str = BlockKind.MAIN, **hints: bool | float | None) -> str:
        scale = self.participation.project.protocol.scale
        truth = hidden_similarity(self.seed, left, right, **hints)
        return scale.write(self.person.answer(scale, truth, self.answered, block))

    def _rate(self, assignment: Assignment, answer: Answer):
        item = assignment.item
        in_context = assignment.context == Context.DEPENDENT
        hints = {"gold": item.gold, "earlier": self._earlier(item), "in_context": in_context}
        value = self._value(item.sentence1, item.sentence2, block=assignment.block, **hints)
        return rate(participation_id=self.participation.pk, answer=answer, value=value, now=self.now)

    def _earlier(self, item: Item) -> float | None:
        """Return the given similarity of a pair, or its earlier value as a share of the scale; None without one."""
        if item.pk in self.similarities:
            return self.similarities[item.pk]
        protocol = self.participation.project.protocol
        if not protocol.in_context or item.earlier_value is None:
            return None
        scale = protocol.scale
        return (item.earlier_value - float(scale.minimum)) / float(scale.maximum - scale.minimum)

    def _choose(self, assignment: Assignment, answer: Answer):
        """Choose as best and worst the items that this person perceives as the most and the least similar."""
        items = [place.item for place in assignment.tuple.places.select_related("item")]
        if self.person.straight:
            first, *_, last = (items[int(digit) - 1] for digit in assignment.order)
            best, worst = first.pk, last.pk
        else:
            truths = [
                hidden_similarity(
                    self.seed,
                    item.sentence1,
                    item.sentence2,
                    gold=item.gold,
                    earlier=self.similarities.get(item.pk),
                )
                for item in items
            ]
            felt = [self.person.feels(truth, self.answered) for truth in truths]
            best, worst = items[int(np.argmax(felt))].pk, items[int(np.argmin(felt))].pk
        return choose(participation_id=self.participation.pk, answer=answer, best=best, worst=worst, now=self.now)

    def _select(self, assignment: Assignment, answer: Answer):
        """Select for each role the sentence with the similarity nearest to the expected one."""
        design = self.participation.design
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
        similarity = {
            other.pk: hidden_similarity(self.seed, assignment.sentence.text, other.text) for other in candidates
        }
        chosen = []
        for role in design.roles:
            expected = float(role.expected - scale.minimum) / length
            nearest = min(candidates, key=lambda other: abs(similarity[other.pk] - expected))
            candidates.remove(nearest)
            chosen.append(nearest)
        return chosen

    def _reports(self, incident: int) -> list[Sentence]:
        if incident not in self.reports:
            sentences = Sentence.objects.filter(document__incident=incident, document__kind=DocumentKind.REPORT)
            self.reports[incident] = list(sentences.order_by("document__position", "position"))
        return self.reports[incident]
