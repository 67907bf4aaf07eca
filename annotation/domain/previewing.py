"""A place at every screen of a project, for its managers to look at: made inside a transaction that is undone.

Whoever stands there is nobody; the rows are those that a real person would have, so that the real pages show them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import Max, QuerySet

from annotation.domain.flow import AboutYou, Consent, Finished, Place, Practice, Rest, Screen
from annotation.domain.pairing import surroundings
from annotation.domain.samples import sample_incident, sample_pairs, sample_utterances
from annotation.models import (
    Annotator,
    Assignment,
    DocumentKind,
    Item,
    Participation,
    Project,
    Sentence,
    State,
    Tuple,
    TuplePlace,
)
from annotation.protocols.spec import BestWorstDesign, BlockKind, Context, Design, Material, Round, SelectionDesign
from annotation.queries import to_answer

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


@dataclass(frozen=True)
class Shown:
    """A kind of screen that a project has, with the round in which it is met first."""

    kind: Kind
    round: Round


def screens_of(project: Project) -> list[Shown]:
    """Every kind of screen that the project's annotators meet."""
    rounds = project.protocol.rounds
    found = {kind: round_ for round_ in reversed(rounds) for kind in _kinds_in(project, round_)}
    return [Shown(kind, found[kind]) for kind in Kind if kind in found]


def _kinds_in(project: Project, round_: Round) -> Iterator[Kind]:
    design = round_.design
    yield from (Kind.CONSENT, Kind.FINISHED)
    if project.questions.exists():
        yield Kind.ABOUT_YOU
    if isinstance(design, BestWorstDesign):
        yield Kind.BEST_WORST
        if to_answer(project.practice_tasks.all()).exists():
            yield Kind.PRACTICE
    elif isinstance(design, SelectionDesign):
        yield Kind.SELECTION
    else:
        yield from (Kind.CONTEXT if context == Context.DEPENDENT else Kind.RATING for context in round_.sessions)
    if len(round_.sessions) > 1 and round_.pause_hours:
        yield Kind.REST


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is stored inside is gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def stand_at(project: Project, shown: Shown, now: datetime) -> tuple[Participation, Place]:
    """Somebody at that screen, and where they are; to be called inside `undone`."""
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
        most=(design.tuples_a_person or None) if isinstance(design, BestWorstDesign) else None,
    )


def _screens(participation: Participation, context: Context) -> list[Assignment]:
    """The first screens of the round, in texts of the project or in samples."""
    design = participation.design
    if isinstance(design, BestWorstDesign):
        shown = [{"tuple": _tuple(participation, design)}]
    elif isinstance(design, SelectionDesign):
        shown = [{"sentence": sentence} for sentence in _summary(participation.project)]
    else:
        shown = [{"item": item} for item in _pairs(participation.project)]
    session = participation.project.round(participation.round).sessions.index(context) + 1
    order = "".join(map(str, range(1, design.tuple_size + 1))) if isinstance(design, BestWorstDesign) else ""
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
        return items if len(items) == design.tuple_size else sample_pairs(project, design.tuple_size)
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
    """What a selection could give: a sentence of a summary with one of a report, in context."""
    design = next(one.design for one in project.protocol.rounds if isinstance(one.design, SelectionDesign))
    incident = project.incidents.first()
    sentences = list(Sentence.objects.filter(document__incident=incident).select_related("document"))
    source = next(one for one in sentences if one.document.kind == DocumentKind.SUMMARY)
    chosen = next(one for one in sentences if one.document.kind == DocumentKind.REPORT)
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
    """The sentences of the first incident's summary."""
    incident = project.incidents.order_by("pk").first() or sample_incident(project)
    summary = incident.documents.filter(kind=DocumentKind.SUMMARY).order_by("position")[:1]
    return list(Sentence.objects.filter(document__in=list(summary)).order_by("position")[:MOST_SCREENS])
