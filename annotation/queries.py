"""Reads that have more than one caller: a QuerySet in, a QuerySet out."""

from django.db.models import Aggregate, Avg, Count, Exists, F, Field, FloatField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from annotation.models import (
    Annotator,
    Assignment,
    Judgment,
    Participation,
    PracticePart,
    PracticeTask,
    Project,
    RoundPlan,
    SelectedPair,
    State,
    TuplePlace,
)
from annotation.protocols.spec import BlockKind

ENDED = (State.EXCLUDED, State.LEFT)


def open_screens(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """What is still to be answered, in order; reads the partial index only."""
    return assignments.filter(answered_at__isnull=True, lapsed_at__isnull=True).order_by("session", "position")


def with_texts(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    return assignments.select_related("item", "sentence__document__incident", "tuple")


def current(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    return judgments.filter(superseded_at__isnull=True)


def offered(assignments: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Without the screens of items that were withdrawn, and of tuples that hold one."""
    return assignments.exclude(item__withdrawn_at__isnull=False).filter(~Exists(_withdrawn(OuterRef("tuple"))))


def not_withdrawn(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    """Without the answers to items that were withdrawn, and to tuples that hold one."""
    apart = judgments.exclude(assignment__item__withdrawn_at__isnull=False)
    return apart.filter(~Exists(_withdrawn(OuterRef("assignment__tuple"))))


def _withdrawn(tuple_id: OuterRef) -> QuerySet[TuplePlace]:
    return TuplePlace.objects.filter(tuple=tuple_id, item__withdrawn_at__isnull=False)


def counted(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    """The judgments that figures are made of: current, of nobody who was excluded, and of nothing withdrawn."""
    return not_withdrawn(current(judgments).exclude(assignment__participation__state=State.EXCLUDED))


def counted_pairs(pairs: QuerySet[SelectedPair]) -> QuerySet[SelectedPair]:
    """The pairs of counted selections, in the order of each person's screens.

    An incident that was given on to somebody else counts for them only.
    """
    return (
        pairs.filter(judgment__superseded_at__isnull=True, item__withdrawn_at__isnull=True)
        .exclude(judgment__assignment__participation__state=State.EXCLUDED)
        .filter(
            judgment__assignment__sentence__document__incident__participation=F("judgment__assignment__participation")
        )
        .order_by(
            "judgment__assignment__participation__seat",
            "judgment__assignment__session",
            "judgment__assignment__position",
            "role",
        )
    )


def free_seats(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    return participations.filter(annotator__isnull=True, state=State.INVITED).order_by("seat")


def without_pairs_met(seats: QuerySet[Participation], annotator: Annotator) -> QuerySet[Participation]:
    """The places where the person meets no pair of their own selection, and in the main block none rated before."""
    pairs = Assignment.objects.filter(participation=OuterRef("pk"))
    rated = pairs.filter(block=BlockKind.MAIN, item__assignments__participation__annotator=annotator)
    selected = pairs.filter(item__selections__judgment__assignment__participation__annotator=annotator)
    return seats.filter(~Exists(rated), ~Exists(selected)).exclude(validates__annotator=annotator)


def with_progress(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    """Adds `screens`, `answered` and `active_ms` (the mean of an answer) to every row, in one query."""
    screens = Assignment.objects.filter(participation=OuterRef("pk"), lapsed_at__isnull=True)
    answers = current(Judgment.objects.filter(assignment__participation=OuterRef("pk")))
    return participations.annotate(
        screens=_figure(screens, "participation", Count("pk")),
        answered=_figure(screens.filter(answered_at__isnull=False), "participation", Count("pk")),
        active_ms=_figure(answers, "assignment__participation", Avg("active_ms"), of=FloatField()),
    )


def _figure(rows: QuerySet, by: str, figure: Aggregate, *, of: Field | None = None) -> Coalesce | Subquery:
    """One figure over the rows that belong to each row of the outer query; a count of none is 0."""
    found = Subquery(rows.order_by().values(by).annotate(figure=figure).values("figure"), output_field=of)
    return found if of else Coalesce(found, 0)


def round_counts(participations: QuerySet[Participation]) -> QuerySet:
    """How many people stand where, a row a round."""
    taken = Q(annotator__isnull=False)
    states = {state.value: Count("pk", filter=Q(state=state) & taken) for state in State}
    free = Count("pk", filter=Q(annotator__isnull=True, state=State.INVITED))
    return participations.order_by("round").values("round").annotate(places=Count("pk"), free=free, **states)


def done_plans(project: Project) -> QuerySet[RoundPlan]:
    """The plans by which there are places; others wait, are at work, or came to nothing."""
    return project.plans.filter(state=RoundPlan.State.DONE)


def tuple_counts(project: Project) -> QuerySet:
    """Tuples, answers wanted and answers given by people who count, a row a best-worst round."""
    given = Assignment.objects.filter(tuple=OuterRef("pk"), answered_at__isnull=False)
    counted = given.exclude(participation__state=State.EXCLUDED)
    # Answers are counted tuple by tuple, each through its index, and then summed.
    answered = project.tuples.annotate(own=_figure(counted, "tuple", Count("pk"))).order_by("round").values("round")
    return answered.annotate(tuples=Count("pk"), wanted=Sum("planned"), answers=Sum("own"))


def judgments_of(project: Project) -> QuerySet[Judgment]:
    return Judgment.objects.filter(assignment__participation__project=project)


def to_answer(tasks: QuerySet[PracticeTask]) -> QuerySet[PracticeTask]:
    """Of a practice set what people answer: all but the examples."""
    return tasks.exclude(part=PracticePart.EXAMPLE)
