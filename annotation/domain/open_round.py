"""An open round as it stands: which tuples are free, which are out, and whether a place is missing."""

from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotation.domain.deadlines import deadline_of_new
from annotation.domain.flow import is_open
from annotation.models import Assignment, Participation, Project, State, Tuple
from annotation.queries import free_seats

WITH_SOMEBODY = Q(answered_at__isnull=True, lapsed_at__isnull=True, lent_until__isnull=False)
FREE = Q(given__lt=F("planned"))


def pool(project: Project, round_key: str) -> QuerySet[Tuple]:
    """Every tuple of a round."""
    return Tuple.objects.filter(project=project, round=round_key)


def tuples_out(project: Project, round_key: str) -> QuerySet[Tuple]:
    """The tuples of a round that are with somebody and not answered yet."""
    return pool(project, round_key).filter(Exists(Assignment.objects.filter(WITH_SOMEBODY, tuple=OuterRef("pk"))))


def place_if_needed(
    project: Project, round_key: str, now: datetime, *, instead_of: Participation | None = None
) -> Participation | None:
    """A new free place of an open round where answers are missing and nobody is there to give them, else None.

    There is who has not begun yet, and whose last tuple was lent or looked at a short while ago, answered or not.
    Whoever goes before they have answered anything, such as after the check, leaves a place to somebody else anyway.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    places = Participation.objects.filter(project=project, round=round_key)
    last, deadline = places.order_by("-seat").first(), deadline_of_new(project, round_key, now)
    if last is None or not is_open(last.design) or (deadline and deadline["due_at"] <= now):
        return None
    untouched = instead_of is not None and not instead_of.assignments.filter(answered_at__isnull=False).exists()
    if not _is_missing(project, round_key) or not (untouched or _nobody_is_there(places, now)):
        return None
    values = {"seat": last.seat + 1, "most": last.most} | deadline
    if instead_of is not None and not hasattr(instead_of, "refill"):
        values["replaces"] = instead_of
    return Participation.objects.create(project=project, round=round_key, **values)


def _is_missing(project: Project, round_key: str) -> bool:
    """Whether answers are still wanted that nobody has given."""
    return pool(project, round_key).filter(FREE).exists() or tuples_out(project, round_key).exists()


def _nobody_is_there(places: QuerySet[Participation], now: datetime) -> bool:
    if free_seats(places).exists():
        return False
    own = Assignment.objects.filter(participation=OuterRef("pk"))
    people = places.filter(annotator__isnull=False, state__in=[State.INVITED, State.ACTIVE])
    at_work = people.filter(~Exists(own) | Exists(own.filter(lent_until__gt=now)))
    return not at_work.exists()
