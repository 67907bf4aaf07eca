"""Small worlds for tests, made through the same functions as real ones."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier
from uuid import uuid4

from django.db import connections

from annotation.domain.errors import Refusal
from annotation.domain.judgment.answers import Answer
from annotation.domain.judgment.saving import rate, select
from annotation.domain.judgment.selected_pairs import Pick
from annotation.domain.participation.flow import Consent, Rest, Screen, where_now
from annotation.domain.participation.lifecycle import begin_session, consent
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import preset_values, store_project
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.models import (
    Assignment,
    Document,
    DocumentKind,
    Group,
    Incident,
    Item,
    Judgment,
    Participation,
    Project,
    Sentence,
    User,
)
from annotation.planning.screens import lay_out
from annotation.protocols.terms import BlockKind, Context

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
PASSWORD = "a very long password"


def make_user(name: str = "ann", **values: object) -> User:
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **values)


def make_project(preset: str = "stss131", key: str = "project", **changes: str) -> Project:
    """A project with an empty log; changes name numbers with two underscores for a dot: R3__intra="2"."""
    named = {name.replace("__", "."): value for name, value in changes.items()}
    return store_project(key=key, **preset_values(preset, named))


def add_pairs(project: Project, number: int, *, calibration: int = 0, **values: object) -> list[Item]:
    """Pairs p1, p2, ...; the first ones calibrate."""
    return Item.objects.bulk_create(
        Item(
            project=project,
            key=f"p{index}",
            position=index,
            sentence1=f"First text of pair {index}.",
            sentence2=f"Second text of pair {index}.",
            calibration_order=index if index <= calibration else None,
            **values,
        )
        for index in range(1, number + 1)
    )


def add_pairs_in_context(project: Project, number: int) -> list[Item]:
    """Pairs p1, p2, ... with contexts; their earlier values are 0, 3, 6, 2, 5, 1, 4, 0, 3 and so on."""
    items = add_pairs(project, number)
    for index, item in enumerate(items):
        _put_in_context(item)
        item.extra = {"earlier_value": float(3 * index % 7)}
        item.save()
    return items


def _put_in_context(item: Item) -> None:
    item.context1 = f"Before. <sent>{item.sentence1}</sent> After."
    item.context2 = f"<sent>{item.sentence2}</sent> After."


def add_texts(project: Project, number: int, **values: object) -> list[Item]:
    """Single texts t1, t2, ..."""
    return Item.objects.bulk_create(
        Item(project=project, key=f"t{index}", position=index, sentence1=f"Single text {index}.", **values)
        for index in range(1, number + 1)
    )


def add_incidents(project: Project, number: int, *, summary: int = 3, reports: int = 2, sentences: int = 4) -> None:
    """Incidents with one summary and some reports, every sentence different from every other."""
    for index in range(1, number + 1):
        incident = Incident.objects.create(project=project, key=f"i{index}", title=f"Incident {index}", language="en")
        texts = [(DocumentKind.SUMMARY, summary)] + [(DocumentKind.REPORT, sentences)] * reports
        for position, (kind, length) in enumerate(texts):
            name = f"{kind}{position}"
            document = Document.objects.create(incident=incident, kind=kind, key=name, position=position)
            Sentence.objects.bulk_create(
                Sentence(document=document, position=place, text=f"Sentence {place} of {name}, event {index}.")
                for place in range(length)
            )


def add_dialogues(project: Project, number: int, *, utterances: int = 5, turns: int = 3) -> list[Item]:
    """Dialogues d1, d2, ... as groups, with the utterances d1/u1, d1/u2, ... that are compared with the last turn."""
    groups = Group.objects.bulk_create(
        Group(
            project=project,
            key=f"d{index}",
            position=index,
            domain="cinema",
            language="de",
            turns=[{"speaker": "AB"[turn % 2], "text": f"Turn {turn} of {index}."} for turn in range(1, turns + 1)],
        )
        for index in range(1, number + 1)
    )
    return Item.objects.bulk_create(
        Item(
            project=project,
            group=group,
            key=f"{group.key}/u{place}",
            position=(group.position - 1) * utterances + place,
            sentence1=group.turns[-1]["text"],
            sentence2=f"Utterance {place} on {group.key}.",
        )
        for group in groups
        for place in range(1, utterances + 1)
    )


def join(project: Project, round_key: str, user: User, *, pool: str = "", now: datetime = NOON) -> Participation:
    """A place for the person in a planned round, with consent given."""
    annotator = annotator_for(project, user=user)
    place = take_seat(project=project, round_key=round_key, annotator=annotator, pool=pool)
    return consent(participation_id=place.pk, now=now)


def planned_for(user: User, project: Project, *, pool: str = "") -> Participation:
    """The only round of a project planned, with the person at its first screen."""
    plan_round(project=project, round_key="main")
    return join(project, "main", user, pool=pool)


def rating_round(user: User, pairs: int = 4, *, calibration: int = 0, **changes: str) -> Participation:
    """A planned stss131 project with the person at the first screen."""
    project = make_project("stss131", **changes)
    add_pairs(project, pairs, calibration=calibration)
    plan_round(project=project, round_key="main", people=2)
    return join(project, "main", user)


def selection_round(user: User, *, incidents: int = 2, key: str = "project", **sizes: int) -> Participation:
    """A planned R1 with the person at the first summary sentence of their incidents."""
    project = make_project("czech_news", key, R1__incidents=str(incidents))
    add_incidents(project, incidents, **sizes)
    plan_round(project=project, round_key="R1", people=1)
    return join(project, "R1", user)


def validation_round(
    user: User,
    round_key: str = "R3",
    *,
    calibration: int = 1,
    main: int = 3,
    intra: int = 1,
    contexts: tuple[Context, ...] = (Context.FREE, Context.DEPENDENT),
    **changes: str,
) -> Participation:
    """A place in R2 or R3, laid out from ready pairs, with the person at the first screen."""
    project = make_project("czech_news", **changes)
    items = [item.pk for item in add_pairs(project, calibration + main + intra)]
    end = calibration + main
    blocks = [
        (BlockKind.CALIBRATION, items[:calibration]),
        (BlockKind.MAIN, items[calibration:end]),
        (BlockKind.INTRA, items[end:]),
    ]
    annotator = annotator_for(project, user=user)
    place = Participation.objects.create(project=project, round=round_key, seat=1, annotator=annotator)
    Assignment.objects.bulk_create(
        Assignment(
            participation=place,
            session=screen.session,
            context=screen.context,
            block=screen.block,
            position=screen.position,
            item_id=screen.item,
        )
        for screen in lay_out(blocks, contexts)
    )
    return consent(participation_id=place.pk, now=NOON)


def context_round(user: User, **changes: str) -> Participation:
    """A place in R3 whose first session is the one in context, with the person at the first screen."""
    place = validation_round(user, contexts=(Context.DEPENDENT, Context.FREE), **changes)
    for item in place.project.items.all():
        _put_in_context(item)
        item.save()
    return place


def news_project(*, people: int = 4, incidents: int = 4, **changes: str) -> Project:
    """czech_news in small, R1 done by the outside people r1-1, r1-2, ...; three selections an incident."""
    small = {"R1__incidents": str(incidents), "R2__tuples": "6", "R3__annotators": "2", "R3__tuples": "6"}
    small |= {"R3__stack_size": "2", "R3__calibration": "0,3,6", "R3__intra": "2"}
    project = make_project("czech_news", **small | changes)
    add_incidents(project, incidents * people)
    plan_round(project=project, round_key="R1")
    for number in range(1, people + 1):
        answer_all(seat_outsider(project, "R1", f"r1-{number}"))
    return project


def seat_outsider(project: Project, round_key: str, external_id: str) -> Participation:
    """A place for somebody known by an outside id."""
    annotator = annotator_for(project, external_id=external_id)
    return take_seat(project=project, round_key=round_key, annotator=annotator)


def do_round(project: Project, round_key: str, prefix: str = "r2") -> list[Participation]:
    """Plans a round, fills its free places with new people and lets them answer everything."""
    plan_round(project=project, round_key=round_key)
    free = project.participations.filter(round=round_key, annotator=None).count()
    return [answer_all(seat_outsider(project, round_key, f"{prefix}-{number}")) for number in range(1, free + 1)]


def reread(participation: Participation) -> Participation:
    return Participation.objects.select_related("project", "annotator").get(pk=participation.pk)


def answer_all(participation: Participation, now: datetime = NOON) -> Participation:
    """Answers everything up to the end of the round, with consent and after every pause."""
    while True:
        participation = reread(participation)
        match where_now(participation, now):
            case Consent():
                consent(participation_id=participation.pk, now=now)
            case Rest(until=until):
                now = max(now, until)
                begin_session(participation_id=participation.pk, now=now)
            case Screen(assignment):
                give = select_next if assignment.sentence else rate_next
                give(participation, now=now)
            case _:
                return participation


def answer_session(participation: Participation, now: datetime = NOON) -> Participation:
    """Answers what is open in the present session, up to the pause or the end."""
    while isinstance(where_now(reread(participation), now), Screen):
        rate_next(participation, now=now)
    return reread(participation)


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What each of the calls gives, or its refusal, when threads make all of them at the same moment."""
    start = Barrier(len(calls))

    def make(call: Callable[[], object]) -> object:
        try:
            start.wait()
            return call()
        except Refusal as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(make, calls))


def present_screen(participation: Participation, now: datetime = NOON) -> Assignment:
    """The assignment that the person is to answer now."""
    here = where_now(Participation.objects.select_related("project").get(pk=participation.pk), now)
    assert isinstance(here, Screen), here
    return here.assignment


def answer_to(assignment: Assignment, **values: object) -> Answer:
    return Answer(assignment.pk, values.pop("key", None) or uuid4(), **values)


def rate_next(participation: Participation, value: str = "2", now: datetime = NOON) -> Judgment:
    """Rates the present screen."""
    assignment = present_screen(participation, now)
    return rate(participation_id=participation.pk, answer=answer_to(assignment), value=value, now=now)


def select_next(
    participation: Participation, values: Sequence[str] = ("6", "3", "0"), now: datetime = NOON
) -> Judgment:
    """Selects the first report sentences of the present incident for A, B and C."""
    assignment = present_screen(participation, now)
    picks = dict(zip("ABC", map(Pick, report_sentences(assignment), values), strict=False))
    return select(participation_id=participation.pk, answer=answer_to(assignment), picks=picks, now=now)


def report_sentences(assignment: Assignment) -> list[int]:
    """Ids of the report sentences of the incident on a selection screen."""
    incident = assignment.sentence.document.incident
    reports = Sentence.objects.filter(document__incident=incident, document__kind=DocumentKind.REPORT)
    return list(reports.order_by("document__position", "position").values_list("pk", flat=True))
