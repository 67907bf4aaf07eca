"""Previews of a project's screens for its managers, inside a transaction that is undone.

The previewed person does not exist; the rows are those of a real person, so that the real pages show them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet

from annotation.domain.judgment.selected_pairs import surroundings
from annotation.domain.participation.flow import AboutYou, Consent, Finished, Place, Practice, Rest, Screen
from annotation.domain.project.samples import sample_incident, sample_pairs, sample_texts, sample_utterances
from annotation.models import Annotator, Assignment, Participation, Project, State, Tuple, TuplePlace
from annotation.models.items import DocumentKind, Item, Sentence
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.spec import Design, Round
from annotation.protocols.terms import BlockKind, Context, JudgmentKind, Material
from annotation.queries.projects import to_answer

MOST_SCREENS = 20  # that the one shown is said to be the first of


class Kind(StrEnum):
    """The kinds of screens, in the order in which people meet them."""

    CONSENT = "consent"
    ABOUT_YOU = "about-you"
    PRACTICE = "practice"
    SELECTION = "selection"
    RATING = "rating"
    CONTEXT = "context"
    BEST_WORST = "best-worst"
    REST = "rest"
    FINISHED = "finished"


JUDGING = (Kind.SELECTION, Kind.RATING, Kind.CONTEXT, Kind.BEST_WORST)
"""The screens that show items."""


@dataclass(frozen=True)
class Shown:
    """A kind of screen that a project has, with the first round in which it occurs."""

    kind: Kind
    round: Round


def screens_of(project: Project) -> list[Shown]:
    """Return every kind of screen that the project's annotators see."""
    rounds = project.protocol.rounds
    found = {kind: round_ for round_ in reversed(rounds) for kind in _kinds_in(project, round_)}
    return [Shown(kind, found[kind]) for kind in Kind if kind in found]


def _kinds_in(project: Project, round_: Round) -> Iterator[Kind]:
    design = round_.design
    yield from (Kind.CONSENT, Kind.FINISHED)
    if project.questions.exists():
        yield Kind.ABOUT_YOU
    match design.judgment:
        case JudgmentKind.CHOICE:
            yield Kind.BEST_WORST
            if to_answer(project.practice_tasks.all()).exists():
                yield Kind.PRACTICE
        case JudgmentKind.SELECTION:
            yield Kind.SELECTION
        case JudgmentKind.RATING:
            yield from (Kind.CONTEXT if context == Context.DEPENDENT else Kind.RATING for context in round_.sessions)
    if len(round_.sessions) > 1 and round_.pause_hours:
        yield Kind.REST


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything that is stored in the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def stand_at(project: Project, shown: Shown, now: datetime) -> tuple[Participation, Place]:
    """Return a person at that screen, and their place; to be called inside `undone`."""
    participation = _nobody(project, shown.round)
    match shown.kind:
        case Kind.CONSENT:
            _screens(participation, Context(shown.round.sessions[0]))
            return participation, Consent()
        case Kind.ABOUT_YOU:
            return participation, AboutYou()
        case Kind.PRACTICE:
            return participation, Practice()
        case Kind.REST:
            hours = timedelta(hours=shown.round.pause_hours)
            return participation, Rest(now + hours, shown.round.pause_enforced, over=False)
        case Kind.FINISHED:
            return participation, Finished(now)
        case _:
            context = Context.DEPENDENT if shown.kind == Kind.CONTEXT else Context(shown.round.sessions[0])
            return participation, Screen(_screens(participation, context)[0])


def _nobody(project: Project, round_: Round) -> Participation:
    annotator = Annotator.objects.create(project=project, external_id="preview", pseudonym="preview")
    last = project.participations.filter(round=round_.key).aggregate(last=Max("seat"))["last"]
    design: Design = round_.design
    return Participation.objects.create(
        project=project,
        round=round_.key,
        seat=(last or 0) + 1,
        annotator=annotator,
        state=State.ACTIVE,
        practising=True,
        most=design.most_a_person,
    )


def _screens(participation: Participation, context: Context) -> list[Assignment]:
    """Store the first screens of the round, with texts of the project or samples."""
    design = participation.design
    shown: list[dict[str, Any]]
    match design.judgment:
        case JudgmentKind.CHOICE:
            shown = [{"tuple": _tuple(participation, design)}]
        case JudgmentKind.SELECTION:
            shown = [{"sentence": sentence} for sentence in _summary(participation.project)]
        case JudgmentKind.RATING:
            shown = [{"item": item} for item in _pairs(participation.project)]
    session = participation.project.round(participation.round).sessions.index(context) + 1
    order = "".join(map(str, range(1, design.tuple_size + 1))) if design.compares else ""
    return [
        Assignment.objects.create(
            participation=participation,
            session=session,
            context=context,
            block=BlockKind.MAIN,
            position=position,
            order=order,
            **what,
        )
        for position, what in enumerate(shown, start=1)
    ]


def _tuple(participation: Participation, design: BestWorstDesign) -> Tuple:
    project, of_round = participation.project, participation.project.tuples.filter(round=participation.round)
    last = of_round.aggregate(last=Max("position"))["last"]
    # Where nothing is planned yet there are to be as many as one person may do: the pages speak of that number.
    position = last + 1 if last else design.tuples_a_person or 1
    made = Tuple.objects.create(project=project, round=participation.round, position=position, planned=1, given=1)
    items = _compared(project, design)
    TuplePlace.objects.bulk_create(
        TuplePlace(tuple=made, item=item, position=position) for position, item in enumerate(items, start=1)
    )
    return made


def _compared(project: Project, design: BestWorstDesign) -> Sequence[Item]:
    if not design.grouped:
        items = list(_to_judge(project)[: design.tuple_size])
        sample = sample_texts if project.protocol.material == Material.TEXTS else sample_pairs
        return items if len(items) == design.tuple_size else sample(project, design.tuple_size)
    for group in project.groups.all()[:1]:
        items = list(group.items.order_by("position")[: design.tuple_size])
        if len(items) == design.tuple_size:
            return items
    return sample_utterances(project, design.tuple_size)


def _to_judge(project: Project) -> QuerySet[Item]:
    return project.items.filter(calibration_order__isnull=True).order_by("position")


def _pairs(project: Project) -> Sequence[Item]:
    if items := list(_to_judge(project)[:MOST_SCREENS]):
        return items
    if project.protocol.material == Material.INCIDENTS and project.incidents.exists():
        return [_pair_of_incident(project)]
    return sample_pairs(project, 5)


def _pair_of_incident(project: Project) -> Item:
    """Return a possible result of a selection: a summary sentence with a report sentence, in context."""
    design = project.protocol.rounds_of(JudgmentKind.SELECTION)[0].design
    incident = project.incidents.first()
    sentences = list(Sentence.objects.filter(document__incident=incident).select_related("document"))
    source = next(sentence for sentence in sentences if sentence.document.kind == DocumentKind.SUMMARY)
    chosen = next(sentence for sentence in sentences if sentence.document.kind == DocumentKind.REPORT)
    window = design.context_sentences
    return Item.objects.create(
        project=project,
        key="preview",
        position=0,
        sentence1=source.text,
        sentence2=chosen.text,
        context1=surroundings(source, sentences, window),
        context2=surroundings(chosen, sentences, window),
        language=incident.language,
    )


def _summary(project: Project) -> Sequence[Sentence]:
    """Return the sentences of the first incident's summary."""
    incident = project.incidents.order_by("pk").first() or sample_incident(project)
    summary = incident.documents.filter(kind=DocumentKind.SUMMARY).order_by("position")[:1]
    return list(Sentence.objects.filter(document__in=list(summary)).order_by("position")[:MOST_SCREENS])
