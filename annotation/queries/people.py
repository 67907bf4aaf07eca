"""Places and people of rounds."""

from django.db.models import Aggregate, Avg, Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields import Field, FloatField
from django.db.models.functions import Coalesce

from annotation.models import Annotator, Assignment, Judgment, Participation, State
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import current

ENDED = (State.EXCLUDED, State.LEFT)


def imported_places(places: QuerySet[Participation]) -> QuerySet[Participation]:
    """Return the places of annotators whose judgments were imported: nobody was ever given such a place."""
    return places.filter(annotator__isnull=False, consented_at__isnull=False, invited_at__isnull=True)


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
