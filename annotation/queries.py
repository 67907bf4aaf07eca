"""Reads with more than one caller: a QuerySet in, a QuerySet out."""

from collections import defaultdict, namedtuple
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain
from operator import and_, or_
from typing import Any

from django.db.models import (
    Aggregate,
    Avg,
    Case,
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.fields import BooleanField, Field, FloatField, IntegerField
from django.db.models.functions import Coalesce

from annotation.models import (
    Annotator,
    Assignment,
    Item,
    Judgment,
    Participation,
    Project,
    RoundPlan,
    SelectedPair,
    State,
)
from annotation.models.practice import PracticePart, PracticeTask
from annotation.models.tuples import Tuple, TuplePlace
from annotation.prepared import Prepared
from annotation.protocols.counting import NotCounted
from annotation.protocols.terms import BlockKind, JudgmentKind

ENDED = (State.EXCLUDED, State.LEFT)
CHUNK = 2000
JudgmentRow = Any
"""A named tuple of the columns that `judgment_rows` was asked for."""


def imported_places(places: QuerySet[Participation]) -> QuerySet[Participation]:
    """Return the places of annotators whose judgments were imported: nobody was ever given such a place."""
    return places.filter(annotator__isnull=False, consented_at__isnull=False, invited_at__isnull=True)


def open_screens(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return the assignments that are still to be answered, in order; only the partial index is read."""
    return assignments.filter(answered_at__isnull=True, lapsed_at__isnull=True).order_by("session", "position")


def with_texts(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Add what screens show: an item, a sentence in its incident, or a tuple with its items in the designed order."""
    return assignments.select_related(*chain.from_iterable(TEXTS.values())).prefetch_related(places_of_tuples())


def places_of_tuples() -> Prefetch:
    return Prefetch("tuple__places", TuplePlace.objects.select_related("item__group").order_by("position"))


TEXTS = {
    JudgmentKind.RATING: ("item",),
    JudgmentKind.SELECTION: ("sentence__document__incident",),
    JudgmentKind.CHOICE: ("tuple",),
}
"""What the screens of a round show, as relations of an assignment."""


def _two_open(relations: Sequence[str], participation: int) -> QuerySet[Assignment]:
    return open_screens(Assignment.objects.filter(participation=participation).select_related(*relations))[:2]


NEXT_SCREENS = {kind: Prepared(partial(_two_open, relations)) for kind, relations in TEXTS.items()}


def next_screens(participation: Participation) -> list[Assignment]:
    """Return the person's next two open screens, with what they show."""
    kind = participation.design.judgment
    screens = NEXT_SCREENS[kind](participation=participation.pk)
    for screen in screens:
        screen.participation = participation
    if kind == JudgmentKind.CHOICE:
        add_places([screen.tuple for screen in screens if screen.tuple])
    return screens


@Prepared
def _places(first: int, second: int) -> QuerySet[TuplePlace]:
    return TuplePlace.objects.select_related("item__group").filter(tuple__in=[first, second]).order_by("position")


def add_places(tuples: Sequence[Tuple]) -> None:
    """Add the items of one or two tuples that lack them: `places_of_tuples`, by a query that is made once."""
    missing = [shown for shown in tuples if "places" not in getattr(shown, "_prefetched_objects_cache", {})]
    if not missing:
        return
    found = _places(first=missing[0].pk, second=missing[-1].pk)
    for shown in missing:
        places = shown.places.all()
        places._result_cache = [place for place in found if place.tuple_id == shown.pk]
        places._prefetch_done = True
        shown._prefetched_objects_cache = {"places": places}


def current(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    return judgments.filter(CURRENT)


def offered(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return the assignments without withdrawn items, and without tuples that hold one."""
    return assignments.exclude(item__withdrawn_at__isnull=False).filter(~Exists(_withdrawn(OuterRef("tuple"))))


def _withdrawn(tuple_id: OuterRef) -> QuerySet[TuplePlace]:
    return TuplePlace.objects.filter(tuple=tuple_id, item__withdrawn_at__isnull=False)


def rated_in_part(path: str = "") -> Q:
    """Return the condition of a screen of the main block whose pair the person did not answer in every session, if the
    person left and their refill rates such pairs again in all sessions.

    Parameters: path, of the screen in the query, such as `assignment__`.
    """
    place = f"{path}participation"
    unanswered = Assignment.objects.filter(
        participation=OuterRef(place),
        item=OuterRef(f"{path}item"),
        block=BlockKind.MAIN,
        answered_at__isnull=True,
        lapsed_at__isnull=True,
    )
    return Q(**{f"{place}__passed_on": True, f"{path}block": BlockKind.MAIN}) & Q(Exists(unanswered))


Conditions = dict[NotCounted, tuple[Q | Exists, ...]]
"""The conditions of each reason, any of which is enough; single ones, so that a database can join by them."""


def _reasons_of_screens(path: str = "") -> Conditions:
    """Return the reasons that a judgment's screen has.

    Parameters: path, of the assignment in the query, such as `assignment__`.
    """
    item, place, incident = (f"{path}{name}" for name in ("item", "participation", "sentence__document__incident"))
    return {
        NotCounted.EXCLUDED: (Q(**{f"{place}__state": State.EXCLUDED}),),
        NotCounted.REASSIGNED: (
            Q(**{f"{incident}__isnull": False, f"{incident}__participation__isnull": True}),
            Q(**{f"{incident}__participation__isnull": False}) & ~Q(**{f"{incident}__participation": F(place)}),
        ),
        NotCounted.WITHDRAWN: (
            Q(**{f"{item}__withdrawn_at__isnull": False}),
            Exists(_withdrawn(OuterRef(f"{path}tuple"))),
        ),
        NotCounted.CALIBRATION: (
            Q(**{f"{path}block": BlockKind.CALIBRATION}),
            Q(**{f"{item}__calibration_order__isnull": False}),
        ),
        NotCounted.PARTIAL: (rated_in_part(path),),
    }


def _reasons(path: str = "") -> Conditions:
    """Return the conditions under which a judgment does not count. This is the only definition of what counts.

    Parameters: path, of the judgment in the query, such as `judgment__`.
    """
    found: Conditions = {
        **_reasons_of_screens(f"{path}assignment__"),
        NotCounted.SUPERSEDED: (Q(**{f"{path}superseded_at__isnull": False}),),
        NotCounted.INVALID: (Q(**{f"{path}set_aside": True}),),
    }
    return {reason: found[reason] for reason in NotCounted}


def _none_of(reasons: Conditions) -> Q:
    return reduce(and_, (~condition for condition in chain.from_iterable(reasons.values())), Q())


def _first_of(reasons: Conditions) -> Case:
    """Return the first reason that applies as a text, empty for none."""
    return _choosing(reasons, {reason: str(reason) for reason in reasons}, "", CharField())


def _choosing(reasons: Conditions, values: Mapping[NotCounted, Any], none: Any, field: Field) -> Case:
    """Return the value of the first reason that applies."""
    cases = (When(reduce(or_, conditions, Q()), then=Value(values[reason])) for reason, conditions in reasons.items())
    return Case(*cases, default=Value(none), output_field=field)


REASONS = _reasons()
OF_PAIRS = _reasons("judgment__")
OF_PAIRS[NotCounted.WITHDRAWN] += (Q(item__withdrawn_at__isnull=False),)
CURRENT = _none_of({NotCounted.SUPERSEDED: REASONS[NotCounted.SUPERSEDED]})
COUNTED = _none_of(REASONS)
"""The judgments from which scores and statistics are computed."""
COUNTABLE = _none_of({reason: conditions for reason, conditions in REASONS.items() if reason != NotCounted.EXCLUDED})
"""The judgments that count, or would if their people were not excluded: of these a person is measured."""
WANTED = (NotCounted.EXCLUDED, NotCounted.REASSIGNED, NotCounted.WITHDRAWN, NotCounted.PARTIAL)
OF_SCREENS = {reason: conditions for reason, conditions in _reasons_of_screens().items() if reason in WANTED}
PAIR_NOT_COUNTED_BECAUSE = _first_of(OF_PAIRS)
"""Why a selected pair does not count: a reason of its selection, or its own item is withdrawn."""
COLUMNS = {
    "participation": F("assignment__participation"),
    "round": F("assignment__participation__round"),
    "pool": F("assignment__participation__pool"),
    "replaces": F("assignment__participation__replaces"),
    "pause_shortened": F("assignment__participation__rest_shortened"),
    "annotator": F("assignment__participation__annotator__pseudonym"),
    "annotator_id": F("assignment__participation__annotator"),
    "context": F("assignment__context"),
    "block": F("assignment__block"),
    "session": F("assignment__session"),
    "position": F("assignment__position"),
    "shown_at": F("assignment__shown_at"),
    "answered_at": F("assignment__answered_at"),
    "item": F("assignment__item__key"),
    "item_id": F("assignment__item"),
    "gold": F("assignment__item__gold"),
    "tuple": F("assignment__tuple__position"),
    "tuple_id": F("assignment__tuple"),
    "order": F("assignment__order"),
    "best_key": F("best__key"),
    "worst_key": F("worst__key"),
    "incident": F("assignment__sentence__document__incident__key"),
    "sentence": F("assignment__sentence__position"),
    "counted": ExpressionWrapper(COUNTED, BooleanField()),
    "countable": ExpressionWrapper(COUNTABLE, BooleanField()),
    "not_counted_because": _first_of(REASONS),
    "withdrawn": ExpressionWrapper(reduce(or_, REASONS[NotCounted.WITHDRAWN], Q()), BooleanField()),
}
"""The columns in which judgments are read, by name, in addition to the fields of `Judgment`."""


def counted(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    """Return the judgments from which statistics are computed."""
    return judgments.filter(COUNTED)


def countable(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    """Return the judgments that count, or would if their people were not excluded."""
    return judgments.filter(COUNTABLE)


def reason_code(codes: Mapping[NotCounted, int], none: int) -> Case:
    """Return why a judgment does not count as an integer, the code of the first reason that applies."""
    return _choosing(REASONS, codes, none, IntegerField())


def judgment_rows(judgments: QuerySet[Judgment], *columns: str) -> Iterator[JudgmentRow]:
    """Yield the judgments as named tuples of these columns, streamed."""
    rows = judgments.values_list(*(COLUMNS.get(name, name) for name in columns)).iterator(chunk_size=CHUNK)
    return map(namedtuple("JudgmentRow", columns)._make, rows)


def counted_pairs(pairs: QuerySet[SelectedPair]) -> QuerySet[SelectedPair]:
    """Return the pairs of counted selections, in the order of each person's screens.

    An incident that was reassigned counts only for its new owner.
    """
    return pairs.filter(_none_of(OF_PAIRS)).order_by(
        "judgment__assignment__participation__seat",
        "judgment__assignment__session",
        "judgment__assignment__position",
        "role",
    )


def free_seats(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    return participations.filter(annotator__isnull=True, state=State.INVITED).order_by("seat")


def without_pairs_met(seats: QuerySet[Participation], annotator: Annotator) -> QuerySet[Participation]:
    """Return the places with no pair that the person selected, and no main pair that they have rated before."""
    pairs = Assignment.objects.filter(participation=OuterRef("pk"))
    rated = pairs.filter(block=BlockKind.MAIN, item__assignments__participation__annotator=annotator)
    selected = pairs.filter(item__selections__judgment__assignment__participation__annotator=annotator)
    return seats.filter(~Exists(rated), ~Exists(selected)).exclude(validates__annotator=annotator)


def with_progress(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    """Add `screens`, `answered` and `mean_active_ms`, the mean active time of an answer, to every row; one query."""
    screens = Assignment.objects.filter(participation=OuterRef("pk"), lapsed_at__isnull=True)
    answers = current(Judgment.objects.filter(assignment__participation=OuterRef("pk")))
    return participations.annotate(
        screens=_figure(screens, "participation", Count("pk")),
        answered=_figure(screens.filter(answered_at__isnull=False), "participation", Count("pk")),
        mean_active_ms=_figure(answers, "assignment__participation", Avg("active_ms"), of=FloatField()),
    )


def with_maximum(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    """Add `most_screens` to every row: the maximum number of screens in an open round, with calibration; or None."""
    calibration = Assignment.objects.filter(participation=OuterRef("pk"), block=BlockKind.CALIBRATION)
    shown = calibration.filter(lapsed_at__isnull=True)
    return participations.annotate(most_screens=F("most") + _figure(shown, "participation", Count("pk")))


def _figure(rows: QuerySet, by: str, figure: Aggregate, *, of: Field | None = None) -> Coalesce | Subquery:
    """Return a statistic of the rows that belong to each row of the outer query; a missing count is 0."""
    found = Subquery(rows.order_by().values(by).annotate(figure=figure).values("figure"), output_field=of)
    return found if of else Coalesce(found, 0)


def round_counts(participations: QuerySet[Participation]) -> QuerySet:
    """Return the number of places and of people by state, a row for each round.

    places: of people who work or have finished, and free ones; not of people who left or were excluded, whose places
    others take over.
    """
    taken = Q(annotator__isnull=False)
    states = {state.value: Count("pk", filter=Q(state=state) & taken) for state in State}
    free = Count("pk", filter=Q(annotator__isnull=True, state=State.INVITED))
    places = Count("pk", filter=~Q(state__in=ENDED))
    return participations.order_by("round").values("round").annotate(places=places, free=free, **states)


def open_projects() -> QuerySet[Project]:
    """Return the projects that are neither drafts nor closed, without the copies that rehearsals make."""
    return Project.objects.filter(draft=False, closed_at__isnull=True, rehearsal_of__isnull=True)


def done_plans(project: Project) -> QuerySet[RoundPlan]:
    """Return the plans that made places; others wait, run, or failed."""
    return project.plans.filter(state=RoundPlan.State.DONE)


def tuple_counts(project: Project) -> list[dict[str, Any]]:
    """Return the tuples, the wanted answers, and the answers that count, a row for each best-worst round.

    Tuples that hold a withdrawn item are left out.
    """
    tuples = project.tuples.filter(~Exists(_withdrawn(OuterRef("pk"))))
    return _with_answers(tuples, "assignment__tuple", tuples=Count("pk"))


def pool_counts(project: Project) -> list[dict[str, Any]]:
    """Return the wanted ratings and the ratings that count, a row for each open round of ratings.

    Withdrawn items are left out. Ratings that were not given to items from the pool, such as imported ones, are not
    among these.
    """
    return _with_answers(project.pooled_items.filter(item__withdrawn_at__isnull=True), "assignment__pooled")


def _with_answers(entries: QuerySet, path: str, **figures: Aggregate) -> list[dict[str, Any]]:
    """Return the wanted answers to the entries, those that count and further figures of the entries, by round; two
    queries, as a database joins all answers at once much faster than it counts those of each entry."""
    rows = list(entries.order_by("round").values("round").annotate(wanted=Sum("planned"), **figures))
    if not rows:
        return []
    answers = counted(Judgment.objects.filter(**{f"{path}__in": entries}))
    numbers = dict(answers.order_by().values_list(f"{path}__round").annotate(Count("pk")))
    return [row | {"answers": numbers.get(row["round"], 0)} for row in rows]


def shared_counts(project: Project) -> dict[str, dict[str, Any]]:
    """Return wanted and counted answers of every round of which the answers are counted together, not by place."""
    return {row["round"]: row for row in chain(tuple_counts(project), pool_counts(project))}


def still_to_give(project: Project, round_key: str) -> bool:
    """Return whether somebody can still get a tuple, or an item of an open round; quicker than counting answers."""
    tuples = project.tuples.filter(~Exists(_withdrawn(OuterRef("pk"))))
    pool = project.pooled_items.filter(item__withdrawn_at__isnull=True)
    return any(rows.filter(round=round_key, given__lt=F("planned")).exists() for rows in (tuples, pool))


@dataclass(frozen=True)
class Block:
    """The screens of a block of a session: how many are answered, of how many that are to be answered."""

    session: int
    context: str
    block: str
    answered: int
    wanted: int


def blocks_of(project: Project, counts: Mapping[str, dict[str, Any]] | None = None) -> dict[str, list[Block]]:
    """Return the progress of each round by session and block.

    Screens of free places are wanted too; of people who left only the answered ones that their refill does not repeat;
    of excluded people, of withdrawn items, and of an incident that was reassigned, of its former owner, none. In an
    open round, what its pool wants is wanted of all people together.

    Parameters: counts, what `shared_counts` returns, if it is known.
    """
    screens = Assignment.objects.filter(_none_of(OF_SCREENS), participation__project=project, lapsed_at__isnull=True)
    wanted = screens.exclude(participation__state=State.LEFT, answered_at__isnull=True)
    by = ("participation__round", "session", "context", "block")
    blocks: dict[str, list[Block]] = defaultdict(list)
    for round_key, *values in wanted.order_by(*by).values_list(*by).annotate(Count("answered_at"), Count("pk")):
        blocks[round_key].append(Block(*values))
    shared = {round_.key: round_ for round_ in project.protocol.rounds if round_.design.is_open}
    for key, row in (shared_counts(project) if counts is None else counts).items() if shared else ():
        if key in shared:
            first, own = shared[key].sessions[0].value, [one for one in blocks[key] if one.block != BlockKind.MAIN]
            blocks[key] = [*own, Block(1, first, str(BlockKind.MAIN), row["answers"], row["wanted"])]
    return blocks


def answers_wanted(project: Project) -> dict[tuple[int, str, str], int]:
    """Return how many answers are planned of each item, by item, round and context; in three queries.

    Screens are counted as in `blocks_of`; of items of a common pool, and of all tuples with an item, the planned
    answers. Withdrawn items are left out.
    """
    first = {round_.key: str(round_.sessions[0]) for round_ in project.protocol.rounds}
    screens = Assignment.objects.filter(_none_of(OF_SCREENS), participation__project=project, lapsed_at__isnull=True)
    alone = screens.filter(item__isnull=False, pooled__isnull=True, block=BlockKind.MAIN)
    alone = alone.exclude(participation__state=State.LEFT, answered_at__isnull=True).order_by()
    rows = alone.values_list("item", "participation__round", "context").annotate(Count("pk"))
    wanted = {(item, round_key, context): number for item, round_key, context, number in rows.iterator(CHUNK)}
    pooled = project.pooled_items.filter(item__withdrawn_at__isnull=True).order_by()
    entries = pooled.values_list("item", "round").annotate(Sum("planned"))
    whole = project.tuples.filter(~Exists(_withdrawn(OuterRef("pk"))))
    places = TuplePlace.objects.filter(tuple__in=whole).order_by()
    together = places.values_list("item", "tuple__round").annotate(Sum("tuple__planned"))
    for item, round_key, number in chain(entries.iterator(CHUNK), together.iterator(CHUNK)):
        key = item, round_key, first[round_key]
        wanted[key] = wanted.get(key, 0) + number
    return wanted


def judgments_of(project: Project) -> QuerySet[Judgment]:
    return Judgment.objects.filter(assignment__participation__project=project)


def about_item(project: Project, key: str) -> Q:
    """Return the condition for judgments of an item: rated, shown in a tuple, or selected.

    Each kind is looked up through its own index; for alternatives a database would read all judgments.
    """
    item = Item.objects.filter(project=project, key=key)
    judgments = Judgment.objects.order_by().values("pk")
    rated = judgments.filter(assignment__item__in=item)
    compared = judgments.filter(assignment__tuple__places__item__in=item)
    return Q(pk__in=rated.union(compared, judgments.filter(pairs__item__in=item)))


def to_answer(tasks: QuerySet[PracticeTask]) -> QuerySet[PracticeTask]:
    """Return the tasks of a practice set that people answer: all but the examples."""
    return tasks.exclude(part=PracticePart.EXAMPLE)
